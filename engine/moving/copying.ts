import type { EventStore, Expected, Position, RecordedEvent } from '../ports/eventStore.js';
import { BEFORE_ALL, PayloadTooLarge, WrongExpectedRevision } from '../ports/eventStore.js';
import type { EventSize } from './fingerprint.js';
import { MoveError } from './moveError.js';

/** Events in one append; every engine takes that many. */
const MOST_EVENTS = 500;
/** Appends under way. They are sent in the order of the log, and written in the order in which they are sent. */
const UNDER_WAY = 128;
const NOTHING: EventSize = { data: 0, whole: 0 };

interface Run {
  readonly events: readonly RecordedEvent[];
  /** Of each event. */
  readonly sizes: readonly EventSize[];
  readonly size: EventSize;
}

/**
 * Writes events into the target in the order in which they come: neighbours of one stream in one append, each append at
 * its exact place. Appends follow each other without waiting for answers; that their order was kept is checked by the
 * positions that they are answered with. What the target takes at once is found out: an append that is larger than any
 * that it took goes out alone, and in halves when it is refused.
 */
export class Copying {
  readonly #target: Pick<EventStore, 'append'>;
  #mostBytes: number;
  /** What the target has taken at once. A smaller append is not refused for its size, whatever the target counts. */
  #taken = NOTHING;
  #events: RecordedEvent[] = [];
  #sizes: EventSize[] = [];
  #size = NOTHING;
  #underWay: Promise<Position>[] = [];
  #failure: unknown;
  /** Where the append that was sent last stands. */
  #last: Promise<Position> = Promise.resolve(BEFORE_ALL);

  /** `mostBytes`: of one append, all included. */
  constructor(target: Pick<EventStore, 'append'>, mostBytes: number) {
    this.#target = target;
    this.#mostBytes = mostBytes;
  }

  /** Rejects with what an earlier append failed with. */
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

  /** Resolves when everything that was added is written. */
  async done(): Promise<void> {
    await this.#send();
    await this.settled();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when every append that was sent is answered, well or not. */
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
    // It may be refused, and then nothing behind it may have been written.
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
    throw new MoveError('not_equal', `the target has written ${stream} out of order: begin again with an empty one`);
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
  return new MoveError('target_holds_other_events', `somebody else writes to ${stream} in the target`);
}

/** Events of a stream come one revision after the other; one that is left out would be missing in the target. */
const hidden = (stream: string, revision: number): MoveError =>
  new MoveError(
    'source_not_whole',
    `event ${revision} of ${stream} is not shown: another client has written it there, and the stream cannot be moved whole`,
  );

function tooLarge({ events, size }: Run, { message }: PayloadTooLarge): MoveError {
  const { stream, revision } = events[0]!;
  return new MoveError(
    'event_too_large',
    `event ${revision} of ${stream} holds ${size.data} bytes of data, ${size.whole} with its metadata and type, more than the target takes (${message}): raise the limit of its appends`,
  );
}
