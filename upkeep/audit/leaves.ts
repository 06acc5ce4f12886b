/** Leaves of a log, computed from its contents. */
import type { Position } from '../../engine/ports/eventStore.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { HASH_BYTES, type Hash } from '../../engine/proofs/hashing.js';
import { leafOf, timeOf } from '../../engine/proofs/leaf.js';

/** Leaves of a run of events. */
export interface LeafPage {
  /** One behind the other. */
  readonly hashes: string;
  readonly positions: ArrayLike<Position>;
  /** Microseconds since 1970. */
  readonly times: ArrayLike<number>;
  /** All up to here is in this page or one before it. */
  readonly through: Position;
}

export const hashIn = ({ hashes }: Pick<LeafPage, 'hashes'>, i: number): Hash =>
  hashes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES);

export function leafPage(events: readonly StoredEvent[], through: Position) {
  const positions = new Float64Array(events.length);
  const times = new Float64Array(events.length);
  let hashes = '';
  for (const [i, event] of events.entries()) {
    const time = timeOf(event);
    positions[i] = event.position;
    times[i] = time;
    hashes += leafOf(event, time);
  }
  return { hashes, positions, times, through } satisfies LeafPage;
}

const PAGE = 1_000;

/** In this thread. Rejects as the log does. */
export async function* leavesOf(
  log: Pick<StoredLog, 'readAfter'>,
  head: Position,
): AsyncGenerator<LeafPage, undefined> {
  for (let after: Position = BEFORE_ALL; after < head; ) {
    const { events, through, end } = await log.readAfter(after, PAGE);
    yield leafPage(events, through);
    if (end) return undefined;
    after = through;
  }
  return undefined;
}
