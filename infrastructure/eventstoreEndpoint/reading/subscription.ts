import { randomUUID } from 'node:crypto';
import type { RawEvent, RawLog } from '../../sqlite/eventStore/rawLog.js';
import type { RawLogTail } from '../../sqlite/eventStore/rawLogTail.js';
import type { HeadWaits } from './headWaits.js';
import type { ReaderStream } from './readerStream.js';
import { CAUGHT_UP, confirmation, FELL_BEHIND } from './readResponses.js';

/** Source that all calls of one endpoint read from. */
export interface Source {
  readonly log: RawLog;
  readonly tail: RawLogTail;
  readonly heads: HeadWaits;
  /** Ms since 1970. */
  readonly now: () => number;
}

/** Positions between a reader and the head: who is further away has fallen behind, and reads for himself. */
const FAR = 10_000;
export const isFar = (position: number, head: number): boolean => head - position > FAR;

/**
 * Messages to a subscriber other than events. EventStoreDB drops a live reader that is too slow. Here a slow reader is notified that it
 * fell behind, reads from the log at its own speed, and is notified when it has caught up.
 */
export class SubscriptionState {
  readonly #reader: ReaderStream;
  #live = false;

  constructor(reader: ReaderStream) {
    this.#reader = reader;
  }

  get live(): boolean {
    return this.#live;
  }

  confirm(): void {
    this.#reader.write(confirmation(randomUUID()));
  }

  caughtUp(): void {
    if (!this.#live) this.#reader.write(CAUGHT_UP);
    this.#live = true;
  }

  fellBehind(): void {
    if (this.#live) this.#reader.write(FELL_BEHIND);
    this.#live = false;
  }
}

/** The events of a part of the tail after a position. */
export const eventsAfter = (events: readonly RawEvent[], position: number): readonly RawEvent[] =>
  events.length === 0 || events[0]!.position > position ? events : events.filter((event) => event.position > position);
