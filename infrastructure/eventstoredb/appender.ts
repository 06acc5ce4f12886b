import {
  type Appended,
  type EventData,
  type EventStore,
  type Expected,
  StoreUnavailable,
} from '../../engine/ports/eventStore.js';
import { dropOldest } from '../dropOldest.js';
import type { AppendLimit } from './appendLimit.js';
import type { AppendPipe } from './appendPipe.js';
import { CallDeadline, tried } from './callDeadline.js';
import { Passing } from './failures.js';
import { proposedEvents } from './proposals.js';

/** Events of a stream's end that are looked through for an append whose outcome is unknown. */
const TAIL_EVENTS = 1_000;
/** Most appends of unknown outcome that are tracked. */
const MOST_DOUBTFUL = 1_000;

interface Parts {
  readonly pipe: AppendPipe;
  readonly readStream: EventStore['readStream'];
  readonly head: EventStore['head'];
  readonly limit: AppendLimit;
  readonly timeoutMs: number;
}

/**
 * Appends with the guarantee that the same ids at the same place are written once. With an exact revision or `noStream`, the server
 * guarantees it permanently by the stream's contents, so a repeat must use the expectation of the first attempt, and does. With `any` the
 * server only knows its own writes since it started. So this side checks whether the events are at the stream's end before it repeats such
 * an append: after a broken connection, or when a caller repeats an append of unknown outcome. Not covered: a repeat under `any` by another
 * process, after a restart of the server.
 */
export class Appender {
  readonly #parts: Parts;
  /** Ids of the first events of appends under `any` whose outcome is unknown. */
  readonly #doubtful = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async append(stream: string, expected: Expected, events: readonly EventData[]): Promise<Appended> {
    const { pipe, limit, timeoutMs } = this.#parts;
    const { proposed, bytes } = proposedEvents(stream, expected, events, limit);
    const [first] = proposed;
    const deadline = new CallDeadline(timeoutMs);
    let doubtful = expected === 'any' && this.#doubtful.has(first!.id);
    const attempt = async () => {
      if (doubtful) {
        const found = await this.#stored(stream, events);
        if (found !== undefined) return found;
      }
      doubtful = expected === 'any';
      return pipe.append(stream, expected, proposed, bytes);
    };
    try {
      // The first try goes out in this very turn: who appends twice is written in that order.
      const answered = await attempt().catch((error) => {
        if (!(error instanceof Passing)) throw error;
        return tried(`the append to ${stream} has an unknown outcome`, deadline, attempt);
      });
      this.#doubtful.delete(first!.id);
      return { ...answered, position: answered.position ?? (await this.#parts.head()) };
    } catch (error) {
      if (expected === 'any' && error instanceof StoreUnavailable) this.#doubt(first!.id);
      throw error;
    }
  }

  async #stored(stream: string, events: readonly EventData[]): Promise<Appended | undefined> {
    const tail = await this.#parts.readStream(stream, { direction: 'backwards', limit: TAIL_EVENTS });
    tail.reverse();
    const at = tail.findIndex(({ id }) => id === events[0]!.id);
    const last = tail[at + events.length - 1];
    if (at === -1 || last === undefined || !events.every(({ id }, i) => tail[at + i]!.id === id)) return undefined;
    return { revision: last.revision, position: last.position, repeated: true };
  }

  #doubt(id: string): void {
    this.#doubtful.add(id);
    dropOldest(this.#doubtful, MOST_DOUBTFUL);
  }
}
