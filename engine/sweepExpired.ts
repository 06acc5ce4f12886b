import { unconfirmedMs } from './clockEvidence.js';
import type { Clock } from './ports/clock.js';
import type { Documents } from './ports/documents.js';

const EVERY_MS = 60_000;
const PORTION = 500;
/** Pause between portions while there is more to remove, in ms. */
const PAUSE_MS = 1000;

/**
 * Removes documents whose key `expiresAt` (ms since 1970) has passed, once a minute. Returns a function that stops it.
 * Works in small portions so that requests are not delayed. A failed portion is retried in the next run.
 */
export function sweepExpired(work: Pick<Documents, 'removeWhere'>, clock: Clock, collection: string): () => void {
  let stopped = false;
  let cancel: () => void;
  const sweepIn = (ms: number): void => {
    if (!stopped) cancel = clock.steady.at(clock.steady.now() + ms, () => void sweep());
  };
  async function sweep(): Promise<void> {
    // A start with a wrong clock must not remove documents that are still needed.
    if (unconfirmedMs(clock) > 0) return sweepIn(EVERY_MS);
    const where = { expiresAt: { lte: clock.now() } };
    const removed = await work.removeWhere(collection, where, PORTION).catch(() => 0);
    sweepIn(removed === PORTION ? PAUSE_MS : EVERY_MS);
  }
  sweepIn(EVERY_MS);
  return () => {
    stopped = true;
    cancel();
  };
}
