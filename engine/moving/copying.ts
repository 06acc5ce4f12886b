import type { EventStore, Expected, Position, RecordedEvent } from '../ports/eventStore.js';
import { BEFORE_ALL, PayloadTooLarge, WrongExpectedRevision } from '../ports/eventStore.js';
import type { EventSize } from './fingerprint.js';
import { MoveError } from './moveError.js';

/** Maximum number of events in one append. Every engine accepts that many. */
const MOST_EVENTS = 500;
/** Maximum number of pending appends. They are sent in log order, and written in the order in which they are sent. */
const UNDER_WAY = 128;
const NOTHING: EventSize = { data: 0, whole: 0 };

interface Run {
  readonly events: readonly RecordedEvent[];
  /** Size of each event. */
  readonly sizes: readonly EventSize[];
  readonly size: EventSize;
}

/**
 * Writes events to the target in the given order. Neighbours of one stream share an append, and each append has an
 * exact expected revision. Appends are sent without waiting for results; the returned positions verify their order. The
 * size limit of the target is found by trial: an append larger than any accepted one is sent alone, and split in halves
 * if it is refused.
 */
export class Copying {
  readonly #target: Pick<EventStore, 'append'>;
  #mostBytes: number;
  /**
   * Largest sizes that the target accepted. A smaller append is not refused for its size, however the target counts.
   */
  #taken = NOTHING;
  #events: RecordedEvent[] = [];
  #sizes: EventSize[] = [];
  #size = NOTHING;
  #underWay: Promise<Position>[] = [];
  #failure: unknown;
  /** Position of the last append that was sent. */
  #last: Promise<Position> = Promise.resolve(BEFORE_ALL);

  /** `mostBytes`: maximum size of one append, with metadata and types. */
  constructor(target: Pick<EventStore, 'append'>, mostBytes: number) {
    this.#target = target;
    this.#mostBytes = mostBytes;
  }

  /** Rejects with the failure of an earlier append. */
  async add(event: RecordedEvent, size: EventSize): Promise<void> {
    const last = this.#events.at(-1);
    if (last !== undefined && last.stream === event.stream && event.revision !== last.revision + 1)
      throw hidden(event.stream, last.revision + 1);
    const isFull = this.#events.length === MOST_EVENTS || this.#size.whole + size.whole > this.#mostBytes;
    if (last !== undefined && (last.stream !== event.stream || isFull)) await this.#send();
    this.#events.push(event);
    this.#sizes.push(size);
    this.#size = sum([this.#size, size]);
  }

  /** Resolves when all added events are written. */
  async done(): Promise<void> {
    await this.#send();
    await this.settled();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when every append has succeeded or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#underWay = [];
  }

  async #send(): Promise<void> {
    const run: Run = { events: this.#events, sizes: this.#sizes, size: this.#size };
    [this.#events, this.#sizes, this.#size] = [[], [], NOTHING];
    if (run.events.length === 0) return;
    const isSure = run.size.data <= this.#taken.data && run.size.whole <= this.#taken.whole;
    if (isSure && this.#underWay.length >= UNDER_WAY) await this.#underWay.shift();
    // It may be refused, so no later append may be on its way.
    if (!isSure) await this.settled();
    if (this.#failure !== undefined) throw this.#failure;
    if (!isSure) return this.#sendAlone(run);
    this.#last = this.#append(run, this.#last).catch((error: unknown) => {
      this.#failure ??= error;
      return BEFORE_ALL;
    });
    this.#underWay.push(this.#last);
  }

  /** Resolves when it is written. */
  async #sendAlone(run: Run): Promise<void> {
    try {
      this.#last = Promise.resolve(await this.#append(run, this.#last));
      this.#taken = most(this.#taken, run.size);
    } catch (error) {
      if (!(error instanceof PayloadTooLarge)) throw error;
      if (run.events.length === 1) throw tooLarge(run, error);
      const halves = halved(run);
      this.#mostBytes = Math.max(this.#taken.whole, ...halves.map(({ size }) => size.whole));
      for (const half of halves) await this.#sendAlone(half);
    }
  }

  async #append({ events }: Run, before: Promise<Position>): Promise<Position> {
    const { stream, revision } = events[0]!;
    const expected: Expected = revision === 0 ? 'noStream' : revision - 1;
    try {
      const { position } = await this.#target.append(stream, expected, events);
      if (position > (await before)) return position;
    } catch (error) {
      throw error instanceof WrongExpectedRevision ? foreign(events[0]!, error.actual) : error;
    }
    throw new MoveError('not_equal', `the target stored ${stream} out of order. Move to an empty target.`);
  }
}

const sum = (sizes: readonly EventSize[]): EventSize => ({
  data: sizes.reduce((bytes, { data }) => bytes + data, 0),
  whole: sizes.reduce((bytes, { whole }) => bytes + whole, 0),
});

const most = (a: EventSize, b: EventSize): EventSize => ({
  data: Math.max(a.data, b.data),
  whole: Math.max(a.whole, b.whole),
});

function halved({ events, sizes }: Run): readonly Run[] {
  const middle = Math.ceil(events.length / 2);
  return [
    [0, middle],
    [middle, events.length],
  ].map(([from, to]) => {
    const part = sizes.slice(from, to);
    return { events: events.slice(from, to), sizes: part, size: sum(part) };
  });
}

function foreign({ stream, revision }: RecordedEvent, actual: number): MoveError {
  if (actual < revision - 1) return hidden(stream, actual + 1);
  return new MoveError('target_holds_other_events', `another client writes to ${stream} in the target`);
}

/**
 * Returns the error for a gap in a stream. Revisions are consecutive, so the hidden event would be missing in the
 * target.
 */
const hidden = (stream: string, revision: number): MoveError =>
  new MoveError(
    'source_not_whole',
    `event ${revision} of ${stream} cannot be read: another client wrote it, so the stream cannot be moved completely`,
  );

function tooLarge({ events, size }: Run, { message }: PayloadTooLarge): MoveError {
  const { stream, revision } = events[0]!;
  return new MoveError(
    'event_too_large',
    `event ${revision} of ${stream} has ${size.data} bytes of data, ${size.whole} with metadata and type, more than the target accepts (${message}). Raise the append limit of the target.`,
  );
}
