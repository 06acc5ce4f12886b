import {
  categoryOf,
  type EventFilter,
  type EventMark,
  markOf,
  type Position,
  type RecordedEvent,
} from '../../../engine/ports/eventStore.js';
import { firstAfter } from '../../placeInLog.js';

/** Events kept: enough for subscribers that are a few batches apart. */
const MOST_EVENTS = 1_000;

/** A part of the log without a filter, in order; `through` as in readAll. */
export type ReadOn = (after: Position, upTo: Position) => { events: readonly RecordedEvent[]; through: Position };

/**
 * The newest events, read and parsed once for all who follow: a new head costs one read, however many subscriptions it
 * wakes. Who is further behind reads for himself.
 */
export class LiveTail {
  readonly #readOn: ReadOn;
  /** Everything in (after, through] is here. */
  #after: Position;
  #through: Position;
  #events: RecordedEvent[] = [];

  constructor(head: Position, readOn: ReadOn) {
    this.#after = head;
    this.#through = head;
    this.#readOn = readOn;
  }

  /** Undefined: this part is not kept. */
  read(
    after: Position,
    head: Position,
    filter: EventFilter,
    limit: number,
  ): { events: RecordedEvent[]; through: Position; end: boolean; last?: EventMark | undefined } | undefined {
    if (after < this.#after) return undefined;
    if (!this.#extend(head)) return undefined;
    const events: RecordedEvent[] = [];
    for (let i = firstAfter(this.#events, after); i < this.#events.length; i++) {
      const event = this.#events[i]!;
      if (!passes(filter, event)) continue;
      events.push(event);
      if (events.length === limit)
        return { events, through: event.position, end: event.position >= head, last: markOf(event) };
    }
    const newest = this.#events.at(-1);
    return { events, through: this.#through, end: this.#through >= head, last: newest && markOf(newest) };
  }

  /** False when the head is too far away: the tail then begins anew there. */
  #extend(head: Position): boolean {
    if (head <= this.#through) return true;
    if (head - this.#through > MOST_EVENTS) {
      this.#after = head;
      this.#through = head;
      this.#events = [];
      return false;
    }
    const { events, through } = this.#readOn(this.#through, head);
    this.#events.push(...events);
    this.#through = through;
    // Twice as many as kept, so that moving them is rare.
    if (this.#events.length > 2 * MOST_EVENTS) {
      this.#events = this.#events.slice(-MOST_EVENTS);
      this.#after = this.#events[0]!.position - 1;
    }
    return true;
  }
}

const passes = ({ categories, types }: EventFilter, { stream, type }: RecordedEvent): boolean =>
  (categories === undefined || categories.includes(categoryOf(stream))) &&
  (types === undefined || types.includes(type));
