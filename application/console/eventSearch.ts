/** Searches backwards through the log, a bounded part per request. */
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { inRange } from '../timeSpans.js';
import { answers, type EventQuestion, engineFilter, type Log } from './eventFilter.js';

/** Maximum events that one request scans. The next request continues there. */
const MOST_SEEN = 20_000;
/** Maximum time of one request, in ms. */
const WITHIN_MS = 400;
/** Positions in the first window. Each window with few results is twice as long as the one before. */
const FIRST_WINDOW = 256;
const PAGE = 500;

export interface FoundEvents {
  /** Newest first. */
  readonly events: readonly RecordedEvent[];
  /** Position to continue from (`before`). Absent at the start of the log. */
  readonly next?: Position;
  /** Number of scanned events. */
  readonly seen: number;
}

export interface SearchOptions {
  readonly limit: number;
  /** Only events before this position. */
  readonly before?: Position | undefined;
}

/** Returns all events between two positions (exclusive), in order. Undefined: more than a request may scan. */
async function windowOf(
  log: Log,
  question: EventQuestion,
  after: Position,
  before: Position,
): Promise<RecordedEvent[] | undefined> {
  const events: RecordedEvent[] = [];
  const filter = engineFilter(question);
  for (let from = after; ; ) {
    const page = await log.readAll(from, { filter, limit: PAGE });
    for (const event of page.events) if (event.position < before) events.push(event);
    from = page.through;
    if (page.end || from >= before - 1) return events;
    if (events.length >= MOST_SEEN) return undefined;
  }
}

async function inStream(log: Log, question: EventQuestion, { limit, before }: SearchOptions): Promise<FoundEvents> {
  const found: RecordedEvent[] = [];
  let seen = 0;
  let from: number | undefined;
  for (;;) {
    const page = await log.readStream(question.stream!, {
      direction: 'backwards',
      limit: PAGE,
      ...defined({ from }),
    });
    for (const event of page) {
      seen += 1;
      if ((before === undefined || event.position < before) && answers(question, event)) found.push(event);
      if (found.length === limit) return { events: found, next: event.position, seen };
    }
    const last = page.at(-1);
    if (last === undefined || last.revision === 0) return { events: found, seen };
    if (seen >= MOST_SEEN) return { events: found, next: last.position, seen };
    from = last.revision - 1;
  }
}

/** Progress of one request: its results and position. */
class Search {
  readonly found: RecordedEvent[] = [];
  seen = 0;
  readonly #question: EventQuestion;
  readonly #limit: number;

  constructor(question: EventQuestion, limit: number) {
    this.#question = question;
    this.#limit = limit;
  }

  /** Adds a window, its newest event first. Returns the result if the limit is reached. */
  take(events: readonly RecordedEvent[]): FoundEvents | undefined {
    this.seen += events.length;
    for (const event of events.toReversed()) {
      if (answers(this.#question, event)) this.found.push(event);
      if (this.found.length === this.#limit) return this.answer(event.position);
    }
    return undefined;
  }

  answer(next?: Position): FoundEvents {
    return { events: this.found, seen: this.seen, ...(next !== undefined && { next }) };
  }
}

/**
 * Returns the newest events that match a query, before a position in the log. A request ends after 400 ms or 20,000 events with its results
 * so far, and the position to continue from.
 */
export async function searchEvents(log: Log, question: EventQuestion, options: SearchOptions): Promise<FoundEvents> {
  if (question.stream !== undefined) return inStream(log, question, options);
  const end = performance.now() + WITHIN_MS;
  const search = new Search(question, options.limit);
  const mayHold = await inRange(log, question);
  let before = options.before ?? (await log.head()) + 1;
  let span = FIRST_WINDOW;
  while (before > BEFORE_ALL + 1) {
    const after = Math.max(BEFORE_ALL, before - 1 - span);
    const events = mayHold(after, before) ? await windowOf(log, question, after, before) : [];
    if (events === undefined) {
      span = Math.max(1, Math.floor(span / 16));
      continue;
    }
    const ended = search.take(events);
    if (ended !== undefined) return ended;
    before = after + 1;
    if (before > BEFORE_ALL + 1 && (search.seen >= MOST_SEEN || performance.now() > end)) return search.answer(before);
    span = events.length > PAGE * 4 ? Math.max(1, Math.floor(span / 2)) : span * 2;
  }
  return search.answer();
}
