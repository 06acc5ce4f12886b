/** Stores that refuse all connections for a while, for tests of code that must survive this. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import type { FaultyProxy } from '../../../harness/engines/faultyProxy.js';

const byHand = process.env.SUUQ_TEST_OUTAGE_MS;
/** Set when the length of outages is configured by hand (docs/internals/testing.md). */
export const isByHand = byHand !== undefined;
/** Length of an outage, in ms. */
export const OUTAGE_MS = Number(byHand ?? 3_000);
/** Time that engine adapters wait by themselves, in ms. Only a longer outage must be refused. */
export const LONGEST_CALL_MS = 20_000;
/** Longest time after an outage in which a call may still be refused, in ms. */
const RECOVERY_MS = 15_000;
const PAUSE_MS = 20;

export class Outage {
  readonly #proxies: readonly FaultyProxy[];
  #callsLeft: number;
  #started: Promise<void> | undefined;
  #overSince: number | undefined;
  /** Calls that were refused. */
  refusals = 0;

  /** `atCall`: number of the call through `outlasting` at which the outage begins by itself. */
  constructor(proxies: readonly FaultyProxy[], atCall = Number.POSITIVE_INFINITY) {
    this.#proxies = proxies;
    this.#callsLeft = atCall;
  }

  get isOver(): boolean {
    return this.#overSince !== undefined;
  }

  /** Breaks and refuses all connections; new ones are accepted `OUTAGE_MS` later. */
  begin(): Promise<void> {
    this.#started ??= Promise.all(this.#proxies.map((proxy) => proxy.refuse())).then(() => {
      setTimeout(() => void this.#end(), OUTAGE_MS);
    });
    return this.#started;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.heal()));
    this.#overSince = performance.now();
  }

  /** True while a call may be refused. */
  get #mayRefuse(): boolean {
    if (this.#started === undefined) return false;
    return this.#overSince === undefined || performance.now() - this.#overSince < RECOVERY_MS;
  }

  async #call(work: () => Promise<unknown>): Promise<unknown> {
    this.#callsLeft -= 1;
    if (this.#callsLeft === 0) await this.begin();
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || !this.#mayRefuse) throw error;
        this.refusals += 1;
        await pause(PAUSE_MS);
      }
  }

  /**
   * Opens a port. Retries the opening and each call that the outage refuses. Without an outage, a refusal is thrown.
   */
  async outlasting<Port extends object>(open: () => Promise<Port>): Promise<Port> {
    const port = (await this.#call(open)) as Port;
    return new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (name === 'subscribe' || name === 'close') return member.bind(target);
        return (...args: unknown[]) => this.#call(async () => member.apply(target, args));
      },
    });
  }
}
