import {
  categoryOf,
  type EventFilter,
  type EventMark,
  markOf,
  type Position,
  type RecordedEvent,
} from '../../../engine/ports/eventStore.js';
import { firstAfter } from '../../positionSearch.js';
import { oneOf } from './messages.js';

/** Cached events: enough for subscribers that are a few batches apart. */
const MOST_EVENTS = 2_000;

/** A part of the log without a filter, in order; `through` as in readAll. */
export type ReadOn = (after: Position, upTo: Position) => { events: readonly RecordedEvent[]; through: Position };

/** An append of this thread: `ids`, `types`, `data` and `meta` (JSON texts) run in parallel, as in an `AppendRequest`. */
export interface WrittenHere {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly data: readonly string[];
  readonly meta: readonly string[];
  /** Position of its last event. */
  readonly revision: number;
  readonly position: Position;
}

/** One event of the tail: what filters look at, and the rest when somebody wants it. */
interface TailEvent extends EventMark {
  readonly category: string;
  readonly type: string;
  event(): RecordedEvent;
}

/** Metadata that events of one append may share. */
class WrittenMeta {
  readonly text: string;
  #parsed: RecordedEvent['meta'] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get parsed(): RecordedEvent['meta'] {
    this.#parsed ??= JSON.parse(this.text) as RecordedEvent['meta'];
    return this.#parsed;
  }
}

/** As it would be read: parsed from what was written, once, when it is wanted. */
class Written implements TailEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly category: string;
  readonly revision: number;
  readonly position: Position;
  readonly #meta: WrittenMeta;
  #data: string | undefined;
  #event: RecordedEvent | undefined;

  constructor(
    { ids, types, data, stream, revision, position }: WrittenHere,
    index: number,
    category: string,
    meta: WrittenMeta,
  ) {
    const back = ids.length - 1 - index;
    this.id = ids[index]!.toLowerCase();
    this.type = oneOf(types, index);
    this.stream = stream;
    this.category = category;
    this.revision = revision - back;
    this.position = position - back;
    this.#meta = meta;
    this.#data = data[index];
  }

  event(): RecordedEvent {
    if (this.#event === undefined) {
      const { id, type, stream, revision, position } = this;
      const data = JSON.parse(this.#data!) as object;
      this.#event = { id, type, data, meta: this.#meta.parsed, stream, revision, position };
      this.#data = undefined;
    }
    return this.#event;
  }
}

/**
 * The newest events, read and parsed once for all who follow: a new head costs one read, however many subscriptions it
 * wakes, and none where this thread wrote what is new. What nobody here follows is not parsed: of a cart, half of its events. Who is
 * further behind reads for himself.
 */
export class LiveTail {
  readonly #readOn: ReadOn;
  /** Everything in (after, through] is here. */
  #after: Position;
  #through: Position;
  #events: TailEvent[] = [];
  /** Written here and not looked at yet, without a gap from `#through` on. */
  #written: WrittenHere[] = [];
  #writtenThrough: Position;

  constructor(head: Position, readOn: ReadOn) {
    this.#after = head;
    this.#through = head;
    this.#writtenThrough = head;
    this.#readOn = readOn;
  }

  /** Stored as text until somebody reads on; writes of others in between make it worthless. */
  written(append: WrittenHere): void {
    // An append without events takes a position and leaves a gap.
    const first = append.position - append.ids.length + 1;
    if (append.position - this.#through > MOST_EVENTS) this.#forgetWritten();
    else if (first === this.#writtenThrough + 1) {
      this.#written.push(append);
      this.#writtenThrough = append.position;
    }
  }

  #forgetWritten(): void {
    this.#written = [];
    this.#writtenThrough = this.#through;
  }

  /** Takes over what was written here, up to the head. */
  #takeWritten(head: Position): void {
    for (const append of this.#written) {
      if (append.position > head) break;
      for (const event of writtenIn(append)) this.#events.push(event);
      this.#through = append.position;
    }
    this.#forgetWritten();
  }

  /** The head and the newest event up to it, if all events after `after` are cached and none of them passes the filter. */
  allLeftOut(after: Position, head: Position, filter: EventFilter): { through: Position; last: EventMark } | undefined {
    if (after < this.#after || !this.#extend(head) || after < this.#after || this.#through < head) return undefined;
    for (let i = firstAfter(this.#events, after); i < this.#events.length; i++)
      if (passes(filter, this.#events[i]!)) return undefined;
    const newest = this.#events.at(-1);
    return newest && { through: this.#through, last: markOf(newest) };
  }

  /** Undefined: this part is not cached. */
  read(
    after: Position,
    head: Position,
    filter: EventFilter,
    limit: number,
  ): { events: RecordedEvent[]; through: Position; end: boolean; last?: EventMark | undefined } | undefined {
    if (after < this.#after || !this.#extend(head)) return undefined;
    // What is new may have taken the place of what this one has not seen yet.
    if (after < this.#after) return undefined;
    const events: RecordedEvent[] = [];
    for (let i = firstAfter(this.#events, after); i < this.#events.length; i++) {
      const retained = this.#events[i]!;
      if (!passes(filter, retained)) continue;
      const event = retained.event();
      events.push(event);
      if (events.length === limit)
        return { events, through: event.position, end: event.position >= head, last: markOf(event) };
    }
    const newest = this.#events.at(-1);
    return { events, through: this.#through, end: this.#through >= head, last: newest && markOf(newest) };
  }

  /** False if the head is too far away: the tail then restarts there. */
  #extend(head: Position): boolean {
    if (head <= this.#through) return true;
    if (head - this.#through > MOST_EVENTS) {
      this.#after = head;
      this.#through = head;
      this.#events = [];
      this.#forgetWritten();
      return false;
    }
    this.#takeWritten(head);
    if (this.#through < head) {
      const { events, through } = this.#readOn(this.#through, head);
      for (const event of events) this.#events.push(tailEventOf(event));
      this.#through = through;
      this.#forgetWritten();
    }
    // Twice the limit, so that moving them is rare.
    if (this.#events.length > 2 * MOST_EVENTS) {
      this.#events = this.#events.slice(-MOST_EVENTS);
      this.#after = this.#events[0]!.position - 1;
    }
    return true;
  }
}

const tailEventOf = (event: RecordedEvent): TailEvent => ({
  ...markOf(event),
  ...{ category: categoryOf(event.stream), type: event.type, event: () => event },
});

function writtenIn(append: WrittenHere): TailEvent[] {
  const category = categoryOf(append.stream);
  let meta: WrittenMeta | undefined;
  return append.ids.map((_, index) => {
    const text = oneOf(append.meta, index);
    if (meta?.text !== text) meta = new WrittenMeta(text);
    return new Written(append, index, category, meta);
  });
}

const passes = ({ categories, types }: EventFilter, { category, type }: TailEvent): boolean =>
  (categories === undefined || categories.includes(category)) && (types === undefined || types.includes(type));
