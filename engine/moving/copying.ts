import type { EventStore, Expected, Position, RecordedEvent } from '../ports/eventStore.js';
import { BEFORE_ALL, PayloadTooLarge, WrongExpectedRevision } from '../ports/eventStore.js';
import { MoveError } from './moveError.js';

/** Events in one append; every engine takes that many. */
const MOST_EVENTS = 500;
/** Appends under way. They are sent in the order of the log, and written in the order in which they are sent. */
const UNDER_WAY = 128;

interface Run {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: RecordedEvent[];
  bytes: number;
}

/**
 * Writes events into the target in the order in which they come: neighbours of one stream in one append, each append at
 * its exact place. Appends follow each other without waiting for answers; that their order was kept is checked by the
 * positions that they are answered with.
 */
export class Copying {
  readonly #target: Pick<EventStore, 'append'>;
  readonly #mostBytes: number;
  #run: Run | undefined;
  #underWay: Promise<Position>[] = [];
  #failure: unknown;
  /** Where the append that was sent last stands. */
  #last: Promise<Position> = Promise.resolve(BEFORE_ALL);

  /** `mostBytes`: of data in one append. */
  constructor(target: Pick<EventStore, 'append'>, mostBytes: number) {
    this.#target = target;
    this.#mostBytes = mostBytes;
  }

  /** `bytes` of the event's data as JSON. Rejects with what an earlier append failed with. */
  async add(event: RecordedEvent, bytes: number): Promise<void> {
    const run = this.#run;
    if (run !== undefined && run.stream === event.stream) {
      const next = run.events.at(-1)!.revision + 1;
      if (event.revision !== next) throw hidden(event.stream, next);
      if (run.events.length < MOST_EVENTS && run.bytes + bytes <= this.#mostBytes) {
        run.events.push(event);
        run.bytes += bytes;
        return;
      }
    }
    await this.#send();
    const expected = event.revision === 0 ? 'noStream' : event.revision - 1;
    this.#run = { stream: event.stream, expected, events: [event], bytes };
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
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    // It may be refused, and then nothing behind it may have been written.
    const doubtful = run.bytes > this.#mostBytes;
    if (doubtful) await this.settled();
    else if (this.#underWay.length >= UNDER_WAY) await this.#underWay.shift();
    if (this.#failure !== undefined) throw this.#failure;
    this.#last = this.#append(run, this.#last);
    this.#underWay.push(this.#last);
    if (doubtful) await this.settled();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never rejects: what failed is told to who adds next. */
  async #append({ stream, expected, events, bytes }: Run, before: Promise<Position>): Promise<Position> {
    try {
      const { position } = await this.#target.append(stream, expected, events);
      if (position > (await before)) return position;
      throw new MoveError('not_equal', `the target has written ${stream} out of order: begin again with an empty one`);
    } catch (error) {
      this.#failure ??= reasonOf(error, events[0]!, bytes);
      return BEFORE_ALL;
    }
  }
}

function reasonOf(error: unknown, first: RecordedEvent, bytes: number): unknown {
  if (error instanceof PayloadTooLarge) return tooLarge(first, bytes);
  if (!(error instanceof WrongExpectedRevision)) return error;
  const { stream, revision } = first;
  if (error.actual < revision - 1) return hidden(stream, error.actual + 1);
  return new MoveError('target_holds_other_events', `somebody else writes to ${stream} in the target`);
}

/** Events of a stream come one revision after the other; one that is left out would be missing in the target. */
const hidden = (stream: string, revision: number): MoveError =>
  new MoveError(
    'source_not_whole',
    `event ${revision} of ${stream} is not shown: another client has written it there, and the stream cannot be moved whole`,
  );

const tooLarge = ({ stream, revision }: RecordedEvent, bytes: number): MoveError =>
  new MoveError(
    'event_too_large',
    `event ${revision} of ${stream} holds ${bytes} bytes, more than the target takes: raise the limit of its appends`,
  );
