import type { Kind } from '../kinds.js';
import type { Catalogs } from '../outside/catalogs.js';
import type { Channel } from '../outside/channel.js';
import type { Receivers } from '../outside/receivers.js';
import type { Wallets } from '../outside/wallets.js';
import type { Exchange } from '../workload/clients.js';
import type { Customers } from '../workload/customers.js';
import type { Town } from '../workload/town.js';
import type { Data } from '../world/engines.js';

/** Final state of a run, which the invariants check. */
export interface Ended {
  readonly kind: Kind;
  /** Data with an opened log. */
  readonly data: Data;
  /** Ids of events about forgotten people. */
  readonly erased: ReadonlySet<string>;
  /** Phone numbers of customers that an operator has forgotten. */
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
  /** Orders that each form of the number in `TWO_FORMS` finds at the end. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Name of the process that ran alone from its start to the end; undefined with several instances. */
  readonly alone: string | undefined;
  /** A running instance may have lost a lease: on servers, if calls to the store of leases failed or a process was frozen. */
  readonly mayLoseLeases: boolean;
  /** No process ended, was frozen, or got another clock. */
  readonly isUndisturbed: boolean;
  /** A call to an engine failed, so a task may have been postponed before its first attempt. */
  readonly hasFailed: boolean;
  /** A wall clock was set by more than a second, so later entries may have earlier times. */
  readonly hasClockJumped: boolean;
}

/** Returns the violations. */
export type Invariant = (ended: Ended) => readonly string[];
