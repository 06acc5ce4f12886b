import { unconfirmedMs } from './clockEvidence.js';
import type { Clock } from './ports/clock.js';
import type { Documents } from './ports/documents.js';

const EVERY_MS = 60_000;
const PORTION = 500;
/** Between portions, while there is more to remove. */
const PAUSE_MS = 1000;

/**
 * Removes once a minute what of the collection has passed its key `expiresAt` (ms since 1970), until the answer is called. In
 * small portions, so that requests are not kept waiting; a failure is tried again with the next one.
 */
export function sweepExpired(work: Pick<Documents, 'removeWhere'>, clock: Clock, collection: string): () => void {
  let stopped = false;
  let cancel: () => void;
  const sweepIn = (ms: number): void => {
    if (!stopped) cancel = clock.steady.at(clock.steady.now() + ms, () => void sweep());
  };
  async function sweep(): Promise<void> {
    // One start with a wrong clock must not remove what is still needed.
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
