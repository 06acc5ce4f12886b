/**
 * Positions of the port are whole numbers. The server has two kinds of places: that of an event (commit = prepare), and
 * that of a checkpoint in the history, (commit, 0): everything that was written before `commit` has been looked at, the
 * event at `commit` not. A reader must go on with the very kind it was given: one that turned the checkpoint into
 * (commit, commit) would lose the event there, and a place between two events is refused. So an event at P is 2P + 1 and
 * a checkpoint before C is 2C. The order is the log's, `position - 1` is the place right before an event, and a log of
 * four petabytes fits.
 */
import { BEFORE_ALL, type Measure, type Position } from '../../engine/ports/eventStore.js';

const LARGEST_COMMIT = (Number.MAX_SAFE_INTEGER - 1) / 2;

/** The server counts the bytes of its log. */
export const BYTES: Measure = { unit: 'bytes', positions: 2 };

/** Throws RangeError for what is larger than a number can hold. */
export function positionOf(commit: number, prepare: number): Position {
  if (!(commit <= LARGEST_COMMIT)) throw new RangeError(`log position ${commit} is larger than this release supports`);
  return prepare === commit ? 2 * commit + 1 : 2 * commit;
}

/** Undefined: the start of the log. */
export function placeOf(position: Position): { commit: string; prepare: string } | undefined {
  // The position right before the very first byte is the start, too; (0, 0) would be behind an event at that position.
  if (position <= BEFORE_ALL || position === 0) return undefined;
  const commit = String(Math.floor(position / 2));
  return { commit, prepare: position % 2 === 1 ? commit : '0' };
}
