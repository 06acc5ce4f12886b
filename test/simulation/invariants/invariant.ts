import type { Catalogs } from '../outside/catalogs.js';
import type { Channel } from '../outside/channel.js';
import type { Receivers } from '../outside/receivers.js';
import type { Wallets } from '../outside/wallets.js';
import type { Exchange } from '../workload/clients.js';
import type { Customers } from '../workload/customers.js';
import type { Town } from '../workload/town.js';
import type { Data } from '../world/engines.js';

/** What a run has come to. */
export interface Ended {
  /** With what is sealed in its log opened. */
  readonly data: Data;
  /** Ids of events that tell of somebody who was forgotten. */
  readonly erased: ReadonlySet<string>;
  /** Numbers of customers whom an operator has forgotten. */
  readonly forgotten: readonly string[];
  readonly town: Town;
  readonly people: {
    readonly provider: Catalogs;
    readonly messages: Channel;
    readonly sender: Receivers;
    readonly payments: Wallets;
  };
  readonly shoppers: Customers;
  readonly answered: readonly Exchange[];
  /** Orders that are listed in the end for each form of the number in `TWO_FORMS`. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Name of the process that was alone from its start to the end of the run; undefined where there are several instances. */
  readonly alone: string | undefined;
  /** Whether an instance that goes on may have lost a lease meanwhile: on servers, while calls fail or it is frozen. */
  readonly mayLoseLeases: boolean;
  /** Whether a call of an engine failed: then a task may have been put off before anybody outside saw it. */
  readonly hasFailed: boolean;
  /** Whether a wall clock was set by more than a second: what was noted by it may go behind what is noted by another. */
  readonly hasClockJumped: boolean;
}

/** Each names what does not hold. */
export type Invariant = (ended: Ended) => readonly string[];
