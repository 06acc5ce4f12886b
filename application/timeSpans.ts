/**
 * Time ranges in a log whose events are not ordered by time, since clocks may be set back. Only runs of the log with known times are
 * skipped.
 */
import { BEFORE_ALL, type EventStore, type Position } from '../engine/ports/eventStore.js';
import type { HistoryIndex, TimeSpan } from './ports/historyIndex.js';

/** A log with its index. */
export type SpannedLog = Pick<EventStore, 'readAll'> & {
  /** The whole log, if this one is filtered. */
  readonly whole?: Pick<EventStore, 'readAll'>;
  /** Absent: there is no index, and the log is scanned. */
  readonly index?: { readonly index: HistoryIndex } | undefined;
};

/** Returns the index and its extent, if it was made from this log and extends beyond `after`. */
export async function madeOf(log: SpannedLog, after: Position) {
  if (log.index === undefined) return undefined;
  const { whole = log } = log;
  const { index } = log.index;
  const part = index.made();
  if (part === undefined || part.through <= after) return undefined;
  const { position, id } = part.mark;
  const [marked] = (await whole.readAll(position - 1, { limit: 1 })).events;
  const isSame = marked?.position === position && marked.id.replaceAll('-', '') === id;
  return isSame ? { index, part } : undefined;
}

/** A range of time, in ms since 1970. `to` is exclusive. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const mayContain = (
  { least, greatest }: TimeSpan,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TimeRange,
): boolean => greatest >= from && least < to;

/** Skips runs of the log without an event in a time range, according to the index. Events outside of the index are never skipped. */
export class OutOfRange {
  readonly #spans: Iterator<TimeSpan>;
  readonly #range: TimeRange;
  #current: TimeSpan | undefined;

  constructor(spans: Iterable<TimeSpan>, range: TimeRange) {
    this.#spans = spans[Symbol.iterator]();
    this.#range = range;
    this.#next();
  }

  /** Returns the position after which the next event may be in the range. Call it with ascending positions. */
  behind(place: Position): Position {
    let at = place;
    while (this.#current !== undefined) {
      if (this.#current.through > at) {
        if (mayContain(this.#current, this.#range)) return at;
        at = this.#current.through;
      }
      this.#next();
    }
    return at;
  }

  #next(): void {
    const { done, value } = this.#spans.next();
    this.#current = done ? undefined : value;
  }
}

/** Undefined: nothing can be skipped. */
export async function outOfRange(log: SpannedLog, after: Position, range: TimeRange): Promise<OutOfRange | undefined> {
  if (range.from === undefined && range.to === undefined) return undefined;
  const made = await madeOf(log, after);
  return made && new OutOfRange(made.index.spans(after), range);
}

/** Returns a check whether an event between two positions may be in the range. */
export async function inRange(
  log: SpannedLog,
  range: TimeRange,
): Promise<(after: Position, before: Position) => boolean> {
  const made = range.from === undefined && range.to === undefined ? undefined : await madeOf(log, BEFORE_ALL);
  if (made === undefined) return () => true;
  const spans = [...made.index.spans(BEFORE_ALL)];
  const known = spans.at(-1)?.through ?? BEFORE_ALL;
  const ranges = spans.map((span, n) => ({ after: spans[n - 1]?.through ?? BEFORE_ALL, span }));
  const possible = ranges.filter(({ span }) => mayContain(span, range));
  return (after, before) =>
    before - 1 > known || possible.some((one) => one.span.through > after && one.after < before - 1);
}
