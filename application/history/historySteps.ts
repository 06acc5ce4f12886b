/** Reads the log event by event, with the place after each, so that a reader can stop anywhere and continue later. */
import { setImmediate as turn } from 'node:timers/promises';
import { refuse } from '../../domain/decider.js';
import {
  BEFORE_ALL,
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import type { SearchedIndex } from '../ports/historyIndex.js';
import { madeOf, type OutOfRange, outOfRange, type SpannedLog, type TimeRange } from '../timeSpans.js';
import { nameOfSecret, queriedFacets } from './customerFacets.js';
import { type FacetQuestion, facetsOfQuery } from './historyFacets.js';

export type HistoryLog = Pick<EventStore, 'readAll' | 'readStream' | 'head'> & {
  readonly whole?: HistoryLog;
  readonly index?: SearchedIndex | undefined;
};

/** A log with its index. */
export const indexedLog = (log: HistoryLog, index: SearchedIndex | undefined): HistoryLog => ({
  readAll: (after, options) => log.readAll(after, options),
  readStream: (stream, options) => log.readStream(stream, options),
  head: () => log.head(),
  index,
});

/** `event` is absent at the end of a page, so that a reader can stop there too. */
export interface Step {
  readonly event?: RecordedEvent;
  /** Place to continue from. */
  readonly place: string;
}

const PAGE = 500;
/** Number of events that are read one by one before others get their turn. */
const READ_BEFORE_TURN = 20;

const PLACE = /^\d{1,16}(\.\d{1,16})*$/;

/** Parses the place that another page ended with. Refuses `invalid_cursor`. */
export function placeIn(text: string, count: number): readonly number[] {
  const numbers = PLACE.test(text) ? text.split('.').map(Number) : [];
  if (numbers.length === count) return numbers;
  return refuse(
    'invalid_cursor',
    'The cursor is not valid for this history. Use the `next` value of the previous page.',
  );
}

/** Yields events of the whole log after a position, in order. */
async function* inLog(
  log: HistoryLog,
  after: Position,
  filter: EventFilter,
  skips?: OutOfRange,
): AsyncGenerator<Step, undefined> {
  for (let at = after; ; ) {
    const page = await log.readAll(skips?.behind(at) ?? at, { filter, limit: PAGE });
    for (const event of page.events) yield { event, place: String(event.position) };
    at = page.through;
    if (page.end) return undefined;
    yield { place: String(at) };
    await turn();
  }
}

/** Returns the positions in the index that match the query, and the end of the index. Undefined if the index does not cover the query. */
async function lookUp(log: HistoryLog, after: Position, question: FacetQuestion) {
  const made = await madeOf(log, after);
  if (made === undefined || log.index === undefined) return undefined;
  const { people } = log.index;
  const { index, part } = made;
  if (part.secret !== nameOfSecret(await people.secret())) return undefined;
  const lists = await facetsOfQuery(question, queriedFacets(people));
  return lists && { through: part.through, positions: index.positions(lists, after) };
}

/**
 * Yields events of the whole log after a position that may match a query, in order. Up to the end of the index, only events that it lists.
 */
export async function* inIndexedLog(
  log: HistoryLog,
  after: Position,
  question: FacetQuestion & TimeRange,
): AsyncGenerator<Step, undefined> {
  const filter = question.types === undefined ? {} : { types: question.types };
  const skips = await outOfRange(log, after, question);
  const found = await lookUp(log, after, question);
  if (found === undefined) return yield* inLog(log, after, filter, skips);
  let read = 0;
  for (const position of found.positions) {
    if (position > found.through) break;
    if (skips !== undefined && skips.behind(position - 1) >= position) continue;
    const [event] = (await log.readAll(position - 1, { limit: 1 })).events;
    if (event?.position === position) yield { event, place: String(position) };
    read += 1;
    if (read % READ_BEFORE_TURN !== 0) continue;
    yield { place: String(position) };
    await turn();
  }
  yield { place: String(found.through) };
  return yield* inLog(log, found.through, filter);
}

/** Yields events of some streams from these revisions, in the order of the log. Events that are appended meanwhile are left out of all streams. */
export async function* inStreams(
  log: HistoryLog,
  streams: readonly string[],
  from: readonly number[] = streams.map(() => 0),
): AsyncGenerator<Step, undefined> {
  const next = [...from];
  const pages: RecordedEvent[][] = streams.map(() => []);
  const ended = streams.map(() => false);
  const head = await log.head();
  for (;;) {
    for (const [i, stream] of streams.entries()) {
      if (pages[i]!.length > 0 || ended[i]) continue;
      const all = await log.readStream(stream, { from: next[i]!, limit: PAGE });
      const page = all.filter(({ position }) => position <= head);
      ended[i] = page.length < PAGE;
      // Reversed, since removing from the end of an array is cheap.
      pages[i] = page.toReversed();
      yield { place: next.join('.') };
      await turn();
    }
    const first = earliest(pages);
    if (first === undefined) return undefined;
    const event = pages[first]!.pop()!;
    next[first] = event.revision + 1;
    yield { event, place: next.join('.') };
  }
}

/** Returns the index of the page that ends with the earliest event. Pages have the newest event first. Undefined: all are empty. */
function earliest(pages: readonly (readonly RecordedEvent[])[]): number | undefined {
  let found: number | undefined;
  for (const [i, page] of pages.entries()) {
    const event = page.at(-1);
    if (event !== undefined && (found === undefined || event.position < pages[found]!.at(-1)!.position)) found = i;
  }
  return found;
}

/** Returns a position before which no event happened at or after this time (ms since 1970), according to the index. */
export async function positionBefore(log: SpannedLog, at: number): Promise<Position> {
  return (await outOfRange(log, BEFORE_ALL, { from: at }))?.behind(BEFORE_ALL) ?? BEFORE_ALL;
}
