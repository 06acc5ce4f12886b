import { status } from '@grpc/grpc-js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { LogFeed } from './logFeed.js';

/** The words of 23.10 and of 24.10 for a position at which no event stands. */
const NO_PLACE = new Set<unknown>([status.UNKNOWN, status.INVALID_ARGUMENT]);

/** Whether the log can be read on from a position. Rejects with what else goes wrong. */
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
