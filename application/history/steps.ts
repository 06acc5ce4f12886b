/** The log, event by event, with the place after each: whoever reads may end after any of them and go on from there later. */
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
import { askedOf, nameOfSecret } from './customerFacets.js';
import { type FacetQuestion, facetsAsked } from './facets.js';

export type HistoryLog = Pick<EventStore, 'readAll' | 'readStream' | 'head'> & {
  /** All of it, where this one leaves something out. */
  readonly whole?: HistoryLog;
  /** Absent where none is kept: then the log is gone through. */
  readonly index?: SearchedIndex | undefined;
};

/** A log with its index. */
export const indexedLog = (log: HistoryLog, index: SearchedIndex | undefined): HistoryLog => ({
  readAll: (after, options) => log.readAll(after, options),
  readStream: (stream, options) => log.readStream(stream, options),
  head: () => log.head(),
  index,
});

/** `event` is absent where a page has ended, so that whoever reads may end there too. */
export interface Step {
  readonly event?: RecordedEvent;
  /** To go on from. */
  readonly place: string;
}

const PAGE = 500;
/** Events that are read one by one before others have their turn. */
const READ_BEFORE_TURN = 20;
/** Clocks of several instances differ by less, in ms. */
export const CLOCK_SKEW_MS = 60_000;

const PLACE = /^\d{1,16}(\.\d{1,16})*$/;

/** The numbers of a place that another page ended with. Refuses `invalid_cursor`. */
export function placeIn(text: string, count: number): readonly number[] {
  const numbers = PLACE.test(text) ? text.split('.').map(Number) : [];
  if (numbers.length === count) return numbers;
  return refuse('invalid_cursor', 'This is no place in this history: take the one that the page before ended with.');
}

/** Events of the whole log after a position, in order. */
export async function* inLog(log: HistoryLog, after: Position, filter: EventFilter): AsyncGenerator<Step, undefined> {
  for (let at = after; ; ) {
    const page = await log.readAll(at, { filter, limit: PAGE });
    for (const event of page.events) yield { event, place: String(event.position) };
    at = page.through;
    if (page.end) return undefined;
    yield { place: String(at) };
    await turn();
  }
}

/** How far the log's index goes, if it was made of this very log and tells of what is asked for; with where it says that this stands. */
async function looked(log: HistoryLog, after: Position, question: FacetQuestion) {
  if (log.index === undefined) return undefined;
  const { index, people } = log.index;
  const { whole = log } = log;
  const part = index.made();
  if (part === undefined || part.through <= after) return undefined;
  const { position, id } = part.mark;
  const [marked] = (await whole.readAll(position - 1, { limit: 1 })).events;
  const isSame = marked?.position === position && marked.id.replaceAll('-', '') === id;
  if (!isSame || part.secret !== nameOfSecret(await people.secret())) return undefined;
  const lists = await facetsAsked(question, askedOf(people));
  return lists && { through: part.through, positions: index.positions(lists, after) };
}

/**
 * Events of the whole log after a position, in order, that may answer a question: only those that the index names, as far as it goes.
 */
export async function* inIndexedLog(
  log: HistoryLog,
  after: Position,
  question: FacetQuestion,
): AsyncGenerator<Step, undefined> {
  const filter = question.types === undefined ? {} : { types: question.types };
  const found = await looked(log, after, question);
  if (found === undefined) return yield* inLog(log, after, filter);
  let read = 0;
  for (const position of found.positions) {
    if (position > found.through) break;
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

/** Events of some streams from these revisions on, in the order of the log. */
export async function* inStreams(
  log: HistoryLog,
  streams: readonly string[],
  from: readonly number[] = streams.map(() => 0),
): AsyncGenerator<Step, undefined> {
  const next = [...from];
  const pages: RecordedEvent[][] = streams.map(() => []);
  const ended = streams.map(() => false);
  for (;;) {
    for (const [i, stream] of streams.entries()) {
      if (pages[i]!.length > 0 || ended[i]) continue;
      const page = await log.readStream(stream, { from: next[i]!, limit: PAGE });
      ended[i] = page.length < PAGE;
      // Taken from the end, which costs nothing.
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

/** Which of the pages, the newest event first in each, ends with the earliest event; undefined: none has any. */
function earliest(pages: readonly (readonly RecordedEvent[])[]): number | undefined {
  let found: number | undefined;
  for (const [i, page] of pages.entries()) {
    const event = page.at(-1);
    if (event !== undefined && (found === undefined || event.position < pages[found]!.at(-1)!.position)) found = i;
  }
  return found;
}

/** A position before which nothing happened at or after this time (ms since 1970): found by halving, some 30 reads of one event. */
export async function positionBefore(log: HistoryLog, at: number): Promise<Position> {
  const all = log.whole ?? log;
  const earliestMs = at - CLOCK_SKEW_MS;
  let low = BEFORE_ALL;
  let high = await all.head();
  while (high - low > PAGE) {
    const middle = low + Math.floor((high - low) / 2);
    const [event] = (await all.readAll(middle, { limit: 1 })).events;
    if (event === undefined || event.position >= high || Date.parse(event.meta.at) >= earliestMs) high = middle;
    else low = event.position;
  }
  return low;
}
