/** Events of a simulated event store, shared by all processes. */
import {
  type Appended,
  BEFORE_ALL,
  categoryOf,
  type EventData,
  type EventFilter,
  type EventMark,
  type Expected,
  markOf,
  PayloadTooLarge,
  type Position,
  type RecordedEvent,
  WrongExpectedRevision,
} from '../../../engine/ports/eventStore.js';

const MOST_EVENTS = 500;
const MOST_BYTES = 1_048_576;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface LogPage {
  readonly events: RecordedEvent[];
  readonly through: Position;
  readonly end: boolean;
  readonly last?: EventMark;
}

export interface LogState {
  readonly events: readonly RecordedEvent[];
  /** Name of the process that wrote each event, by event id. */
  readonly writers: ReadonlyMap<string, string>;
  append(stream: string, expected: Expected, events: readonly EventData[], by?: string): Appended;
  readStream(
    stream: string,
    options?: { from?: number; direction?: 'forwards' | 'backwards'; limit?: number },
  ): RecordedEvent[];
  readAll(after: Position, options?: { filter?: EventFilter | undefined; limit?: number | undefined }): LogPage;
  head(): Position;
  /** Calls the listener once, after the next append. */
  whenAppended(notify: () => void): void;
}

/** Freezes a value, because all readers share it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

function checked(events: readonly EventData[]): void {
  if (events.length < 1 || events.length > MOST_EVENTS)
    throw new RangeError(`an append has 1 to ${MOST_EVENTS} events`);
  if (!events.every(({ id }) => UUID.test(id))) throw new TypeError('an event id is a UUID');
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
  if (bytes > MOST_BYTES) throw new PayloadTooLarge(`the append has ${bytes} bytes of data`);
}

/** Distance between positions. Only their order is guaranteed. */
export const STRIDE = 3;

export function logState(started: readonly RecordedEvent[] = []): LogState {
  const events: RecordedEvent[] = [];
  const writers = new Map<string, string>();
  const streams = new Map<string, RecordedEvent[]>();
  let waiting: (() => void)[] = [];
  const of = (stream: string): RecordedEvent[] => streams.get(stream) ?? [];
  const head = (): Position => events.at(-1)?.position ?? BEFORE_ALL;
  const add = (event: RecordedEvent): void => {
    events.push(event);
    const own = streams.get(event.stream);
    if (own === undefined) streams.set(event.stream, [event]);
    else own.push(event);
  };
  for (const event of started) add(event);
  const placed = ({ revision, position }: RecordedEvent): Appended => ({ revision, position });

  /** Returns the result of the original append if this one repeats it; otherwise undefined. */
  function repeated(stream: string, expected: Expected, given: readonly EventData[]): Appended | undefined {
    const own = of(stream);
    if (expected !== 'any') {
      const first = expected === 'noStream' ? 0 : expected + 1;
      const isSame = given.every(({ id }, i) => own[first + i]?.id === id);
      return isSame ? placed(own[first + given.length - 1]!) : undefined;
    }
    const places = given.map(({ id }) => own.find((one) => one.id === id));
    if (places[0] === undefined) return undefined;
    if (places.includes(undefined)) throw new WrongExpectedRevision(stream, expected, own.length - 1);
    return placed(places.at(-1)!);
  }

  /** Returns the index of the first event after a position. */
  function indexAfter(after: Position): number {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle]!.position > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    events,
    writers,
    head,
    append(stream, expected, given, by) {
      checked(given);
      const actual = of(stream).length - 1;
      const holds = expected === (actual === -1 ? 'noStream' : actual);
      if (!holds) {
        const before = repeated(stream, expected, given);
        if (before !== undefined) return before;
        if (expected !== 'any') throw new WrongExpectedRevision(stream, expected, actual);
      }
      for (const [i, { id, type, data, meta }] of given.entries()) {
        const stored = JSON.parse(JSON.stringify({ data, meta })) as Pick<EventData, 'data' | 'meta'>;
        const position = Math.max(0, head() + STRIDE);
        if (by !== undefined) writers.set(id, by);
        add(frozen({ id, type, ...stored, stream, revision: actual + 1 + i, position }));
      }
      const reported = waiting;
      waiting = [];
      for (const one of reported) one();
      return placed(events.at(-1)!);
    },
    readStream(stream, { from, direction = 'forwards', limit = Number.POSITIVE_INFINITY } = {}) {
      const own = of(stream);
      if (direction === 'forwards') return own.slice(from ?? 0, (from ?? 0) + limit);
      const last = Math.min(from ?? own.length - 1, own.length - 1);
      return own.slice(Math.max(0, last + 1 - limit), last + 1).reverse();
    },
    readAll(after, { filter: { categories, types } = {}, limit = 500 } = {}) {
      const first = indexAfter(after);
      const found: RecordedEvent[] = [];
      let at = first;
      for (; at < events.length && found.length < limit; at++) {
        const event = events[at]!;
        const isRequested = categories?.includes(categoryOf(event.stream)) ?? true;
        if (isRequested && (types?.includes(event.type) ?? true)) found.push(event);
      }
      const end = at === events.length;
      if (at === first) return { events: found, through: after, end };
      const before = events[at - 1]!;
      return { events: found, through: before.position, end, last: markOf(before) };
    },
    whenAppended(reported) {
      waiting.push(reported);
    },
  };
}
