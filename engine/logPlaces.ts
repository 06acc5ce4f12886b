/** Whether a log is still the one that was read up to a place: asked before anybody goes on from there. */
import { setTimeout as pause } from 'node:timers/promises';
import { BEFORE_ALL, type EventMark, type EventStore, type LogPlace } from './ports/eventStore.js';

/** What a log says of a place that was noted once. */
export type PlaceInLog =
  /** Going on from `from` leaves out nothing and repeats nothing. */
  | { readonly holds: true; readonly from: LogPlace }
  /**
   * It was noted in another log: a newer one, of which this is an older copy, or one that went another way since.
   * `mark`: the event that is not here; absent where the place was noted without one.
   */
  | { readonly holds: false; readonly mark?: EventMark };

const samePlace = (one: EventMark | undefined, other: EventMark): boolean =>
  one !== undefined && one.id === other.id && one.position === other.position;

type Read = Pick<EventStore, 'readStream' | 'head' | 'exact'>;

const LOOK_MS = 250;
/** How long a replica may lag behind what was read from another one, in ms. */
export const REPLICA_MS = 5000;

/** Whether the very event stands where it stood; where the log ends before it, it may yet come for so long. */
async function standsIn(log: Read, mark: EventMark, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  for (let isReached = log.exact === true; ; ) {
    const [found] = await log.readStream(mark.stream, { from: mark.revision, limit: 1 });
    if (samePlace(found, mark)) return true;
    if (isReached || performance.now() >= end) return false;
    // It may have come in this moment: then it is looked for once more.
    isReached = (await log.head()) >= mark.position;
    if (!isReached) await pause(LOOK_MS);
  }
}

/**
 * Compares a checkpoint with the log. What lies between the mark and the place was looked at and was nobody's, so whoever
 * goes on does so from the mark: then nothing that another history put there is left out. A place without a mark, from before
 * there were any, is believed up to the head. `withinMs`: how long an event that the log does not reach yet is waited for,
 * where the log may be read from a replica.
 */
export async function placeInLog(log: Read, { position, mark }: LogPlace, withinMs = 0): Promise<PlaceInLog> {
  if (position === BEFORE_ALL) return { holds: true, from: { position } };
  if (mark !== undefined)
    return (await standsIn(log, mark, withinMs))
      ? { holds: true, from: { position: mark.position, mark } }
      : { holds: false, mark };
  const head = await log.head();
  if (position > head && log.exact === true) return { holds: false };
  return { holds: true, from: { position: Math.min(position, head) } };
}
