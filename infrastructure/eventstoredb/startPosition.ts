import { status } from '@grpc/grpc-js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { LogFeed } from './logFeed.js';

/** Status codes of 23.10 and of 24.10 for a position without an event. */
const NO_PLACE = new Set<unknown>([status.UNKNOWN, status.INVALID_ARGUMENT]);

/** True if the log can be read from a position. Rejects with other failures. */
export async function isPlace(
  feedAfter: (position: Position) => Promise<LogFeed>,
  position: Position,
): Promise<boolean> {
  const feed = await feedAfter(position);
  try {
    while (feed.waiting === 0 && feed.checkpoints === 0 && !feed.caughtUp) await feed.more();
    return true;
  } catch (error) {
    if (NO_PLACE.has((error as { code?: unknown }).code)) return false;
    throw error;
  } finally {
    feed.close();
  }
}
