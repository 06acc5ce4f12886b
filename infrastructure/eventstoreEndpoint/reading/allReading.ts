import { type EventHead, onePage, type RawEvent, type RawLog } from '../../sqlite/eventStore/rawLog.js';
import { EventSender } from './eventSender.js';
import type { NameFilter } from './nameFilter.js';
import type { ReaderStream } from './readerStream.js';
import type { AllRead } from './readRequest.js';
import { noSuchPosition } from './refusedReads.js';

export interface Scan {
  /** Scanned events, in the direction of reading. */
  readonly heads: readonly EventHead[];
  /** Scanned events that pass the filter. */
  readonly events: readonly RawEvent[];
}

/** One page of the log between two positions (inclusive), with `most` events at most; no heads: there is nothing left. */
export function scanLog(
  log: RawLog,
  direction: AllRead['direction'],
  [low, high]: readonly [low: number, high: number],
  filter: NameFilter | undefined,
  most?: number,
): Scan {
  if (filter === undefined) {
    const heads = log.pageOfAll(direction, low, high, most);
    return { heads, events: log.events(heads) };
  }
  const scanned = log.headsOfAll(direction, low, high);
  const passing = filter.select(scanned, log);
  const page = onePage(passing.slice(0, most));
  // What follows the last event of the page has not been looked at.
  const heads = page.length < passing.length ? scanned.slice(0, scanned.indexOf(page.at(-1)!) + 1) : scanned;
  return { heads, events: log.events(page) };
}

/** Sends the log as it is now, in either direction, to the end or a count of events. Rejects with a Refusal. */
export async function readAll(log: RawLog, request: AllRead, reader: ReaderStream, now: () => number): Promise<void> {
  const { direction, count, filter } = request;
  const forwards = direction === 'forwards';
  let [low, high] = rangeOf(request, log.head());
  const sender = new EventSender(log, reader, request, now);
  let sent = 0;
  while (low <= high && sent < count) {
    const { heads, events } = scanLog(log, direction, [low, high], filter, count - sent);
    if (heads.length === 0 || !(await sender.sendAll(events))) return;
    sent += events.length;
    const last = heads.at(-1)!.position;
    if (forwards) low = last + 1;
    else high = last - 1;
    if (low <= high && sent < count && !(await reader.turn())) return;
  }
}

/** Forwards a read begins with the event at the position, backwards with the one before it. */
function rangeOf({ from, direction }: AllRead, head: number): [low: number, high: number] {
  if (direction === 'forwards') return [from === 'start' ? 0 : from === 'end' ? head + 1 : from, head];
  if (from === 'start') return [0, -1];
  if (from !== 'end' && from > head + 1) throw noSuchPosition();
  return [0, from === 'end' ? head : from - 1];
}
