import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Timestamp } from 'mongodb';

/** Forgotten when a server has not reached it for so long: its data was put back to an earlier moment. */
const UNREACHED_MS = 30_000;

/** How far the operations of a replica set are known to have come, by the server's own logical time. */
export interface Moments {
  /** The newest one; undefined before any, and from servers that keep none. */
  newest(): Timestamp | undefined;
  note(moment: Timestamp | null | undefined): void;
  /** A server said that it is not as far. */
  unreached(): void;
}

/**
 * The newest moment that any thread of this process has read or written at. Threads that are started later share it: what one
 * of them wrote, the others ask for, so none of them is answered by a member of the set that does not know it.
 */
export function momentsOf(server: string, now: () => number = () => performance.now()): Moments {
  const key = `suuq mongodb ${server}`;
  const stored = getEnvironmentData(key) as unknown;
  const shared = stored instanceof SharedArrayBuffer ? stored : new SharedArrayBuffer(8);
  if (shared !== stored) setEnvironmentData(key, shared as never);
  const cell = new BigUint64Array(shared);
  let unreachedSince: number | undefined;
  return {
    newest() {
      const newest = Atomics.load(cell, 0);
      return newest === 0n ? undefined : new Timestamp(newest);
    },
    note(moment) {
      if (moment === null || moment === undefined) return;
      unreachedSince = undefined;
      const noted = moment.toBigInt();
      for (;;) {
        const before = Atomics.load(cell, 0);
        if (before >= noted || Atomics.compareExchange(cell, 0, before, noted) === before) return;
      }
    },
    unreached() {
      unreachedSince ??= now();
      if (now() - unreachedSince >= UNREACHED_MS) Atomics.store(cell, 0, 0n);
    },
  };
}
