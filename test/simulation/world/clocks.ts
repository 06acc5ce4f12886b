/**
 * Replaces time and randomness of this thread. Timers, event loop turns, clocks and random bytes come from the world's
 * agenda and seed. The product needs no change, so no call can be missed. Calls of libraries are replaced, too.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import type { Agenda } from './agenda.js';
import type { Chance } from './chance.js';

/** Duration of a turn of the event loop, in ms. */
const TURN_MS = 0.02;

/** The parts of a Node timer that the product and its libraries use. */
class WorldTimer {
  cancel: () => void;
  readonly #again: () => () => void;
  constructor(begin: () => () => void) {
    this.#again = begin;
    this.cancel = begin();
  }
  /** Restarts the timer. */
  refresh(): this {
    this.cancel();
    this.cancel = this.#again();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  close(): this {
    this.cancel();
    return this;
  }
  [Symbol.dispose](): void {
    this.cancel();
  }
}

type Run = (...args: unknown[]) => void;
type Replaced = readonly [object, string, unknown];

/** Turns of one process run in the order in which the process requested them. */
function timersOf(agenda: Agenda) {
  const later = (ms: number, what: string, run: () => void) =>
    new WorldTimer(() => agenda.add(ms, agenda.current, what, run));
  const clear =
    (real: (timer: never) => void) =>
    (timer: unknown): void =>
      timer instanceof WorldTimer ? timer.cancel() : real(timer as never);
  const setTimeout = (run: Run, ms = 1, ...args: unknown[]) => later(Math.max(1, ms), 'timer', () => run(...args));
  const setImmediate = (run: Run, ...args: unknown[]) => later(TURN_MS, 'turn', () => run(...args));
  const setInterval = (run: Run, ms = 1, ...args: unknown[]) => {
    const arm = (): (() => void) =>
      agenda.add(Math.max(1, ms), agenda.current, 'interval', () => {
        timer.cancel = arm();
        run(...args);
      });
    const timer: WorldTimer = new WorldTimer(arm);
    return timer;
  };
  return {
    setTimeout,
    setImmediate,
    setInterval,
    clearTimeout: clear(timers.clearTimeout),
    clearImmediate: clear(timers.clearImmediate),
    clearInterval: clear(timers.clearInterval),
  };
}

type Cancelling = { readonly signal?: AbortSignal };

function promisesOf({ setTimeout, setImmediate }: ReturnType<typeof timersOf>) {
  const promised = (begin: (resolve: () => void) => WorldTimer, value: unknown, { signal }: Cancelling = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const timer = begin(() => resolve(value));
      signal?.addEventListener('abort', () => {
        timer.cancel();
        reject(signal.reason as Error);
      });
    });
  return {
    setTimeout: (ms?: number, value?: unknown, options?: Cancelling) =>
      promised((resolve) => setTimeout(resolve, ms), value, options),
    setImmediate: (value?: unknown, options?: Cancelling) =>
      promised((resolve) => setImmediate(resolve), value, options),
  };
}

/** Start of the world, in ms since 1970. */
export const BEGINNING = Date.parse('2026-03-01T08:00:00Z');

function randomOf(random: Chance) {
  const fill = <T extends Uint8Array>(bytes: T): T => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return bytes;
  };
  const randomUUID = (): string => {
    const bytes = fill(new Uint8Array(16));
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const text = Buffer.from(bytes).toString('hex');
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
  };
  return { randomUUID, randomBytes: (size: number) => fill(Buffer.alloc(size)) };
}

/** Replaces the platform's clocks and randomness. Returns a function that restores them. `beginning`: ms since 1970. */
export function takeOver(agenda: Agenda, random: Chance, beginning = BEGINNING): () => void {
  const replaced: Replaced[] = [];
  const put = (of: object, members: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(members)) {
      replaced.push([of, name, Reflect.get(of, name)]);
      Object.defineProperty(of, name, { value, configurable: true, writable: true });
    }
  };
  const RealDate = Date;
  const wall = (): number => Math.floor(beginning + agenda.now + agenda.current.ahead);
  class WorldDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(wall());
      else super(...(args as [number]));
    }
    static override now(): number {
      return wall();
    }
  }
  const own = timersOf(agenda);
  const { randomUUID, randomBytes } = randomOf(random);
  put(globalThis, { ...own, Date: WorldDate });
  put(timers, own);
  put(promises, promisesOf(own));
  put(performance, { now: () => agenda.now });
  put(Math, { random: () => random.next() });
  put(crypto, { randomUUID, randomBytes });
  put(globalThis.crypto, { randomUUID });
  put(AbortSignal, {
    timeout(ms: number) {
      const controller = new AbortController();
      own.setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
      return controller.signal;
    },
  });
  syncBuiltinESMExports();
  return () => {
    for (const [of, name, value] of replaced.reverse())
      Object.defineProperty(of, name, { value, configurable: true, writable: true });
    syncBuiltinESMExports();
  };
}
