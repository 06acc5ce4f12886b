/** Checks that a log is still the one that was read up to a place, before reading goes on from there. */
import { setTimeout as pause } from 'node:timers/promises';
import { BEFORE_ALL, type EventMark, type EventStore, type LogPlace } from './ports/eventStore.js';

/** Result of comparing a noted place with a log. */
export type PlaceInLog =
  /** Reading on from `from` skips nothing and repeats nothing. */
  | { readonly isValid: true; readonly from: LogPlace }
  /**
   * The place was noted in another log: a newer one of which this is an older copy, or one with a different history
   * since. `mark`: the event that is missing here; absent if the place was noted without one.
   */
  | { readonly isValid: false; readonly mark?: EventMark };

const samePlace = (one: EventMark | undefined, other: EventMark): boolean =>
  one !== undefined && one.id === other.id && one.position === other.position;

type Read = Pick<EventStore, 'readStream' | 'head' | 'exact' | 'mayLag'>;

/** Id of an event that no log has. Its mark holds in none, so nothing waits for it. */
export const NO_EVENT = '00000000-0000-0000-0000-000000000000';

const LOOK_MS = 250;
/** How long a replica may lag behind what was read from another one, in ms. */
export const REPLICA_MS = 5000;

/** True if the log has this exact event at its place. If the log ends before it, waits for it up to `withinMs`. */
async function isInLog(log: Read, mark: EventMark, withinMs: number): Promise<boolean> {
  if (mark.id === NO_EVENT) return false;
  const end = performance.now() + withinMs;
  for (let isReached = log.exact === true || log.mayLag?.() === false; ; ) {
    const [found] = await log.readStream(mark.stream, { from: mark.revision, limit: 1 });
    if (samePlace(found, mark)) return true;
    if (isReached || performance.now() >= end) return false;
    // The event may have arrived just now, so it is read once more.
    isReached = (await log.head()) >= mark.position;
    if (!isReached) await pause(LOOK_MS);
  }
}

/**
 * Compares a checkpoint with the log. Reading continues from the mark rather than the position, so no event of another
 * history is skipped. The events between the two were seen and had no reader. A place without a mark, from older
 * versions, is trusted up to the head. `withinMs`: how long to wait for an event that the log has not reached yet, if
 * the log may be read from a replica.
 */
export async function placeInLog(log: Read, { position, mark }: LogPlace, withinMs = 0): Promise<PlaceInLog> {
  if (position === BEFORE_ALL) return { isValid: true, from: { position } };
  if (mark !== undefined)
    return (await isInLog(log, mark, withinMs))
      ? { isValid: true, from: { position: mark.position, mark } }
      : { isValid: false, mark };
  const head = await log.head();
  if (position > head && log.exact === true) return { isValid: false };
  return { isValid: true, from: { position: Math.min(position, head) } };
}
