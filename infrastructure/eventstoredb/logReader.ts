import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  BEFORE_ALL,
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../engine/ports/eventStore.js';
import type { StoredEvent } from '../../engine/ports/storedLog.js';
import { CallDeadline, tried } from './callDeadline.js';
import type { Connection, OpenCall } from './connection.js';
import { Passing } from './failures.js';
import { type Passes, serverFilter } from './filters.js';
import { LONGEST_SCAN_MS } from './logFeed.js';
import { positionOf } from './positions.js';
import { newestRequest, readStreamRequest } from './protocol.js';
import type { ReadMessage } from './readMessages.js';
import { decoded, stored } from './recordedEvents.js';

type StreamOptions = Parameters<EventStore['readStream']>[1];

const EVERYTHING: Passes = () => true;
const ALL = serverFilter({} satisfies EventFilter);
const NEWEST = newestRequest(ALL, 1);
/** Events by which the size of the log is estimated: about half a megabyte. */
const LOOKED_AT = 500;
const NEWEST_ONES = newestRequest(ALL, LOOKED_AT);

/** Reads that end by themselves: a stream, and the newest position. */
export class LogReader {
  readonly #connection: Connection;
  readonly #timeoutMs: number;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  async readStream(stream: string, options: StreamOptions = {}): Promise<RecordedEvent[]> {
    const { from, direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = options;
    if (limit < 1 || stream === '') return [];
    const request = readStreamRequest(stream, { from, backwards: direction === 'backwards', limit });
    const deadline = new CallDeadline(this.#timeoutMs);
    return tried(`${stream} could not be read`, deadline, async () => {
      const events: RecordedEvent[] = [];
      await this.#read(request, deadline, (message) => {
        const event = decoded(message, EVERYTHING)?.event;
        if (event !== undefined) events.push(event);
      });
      return events;
    });
  }

  /** The same as it is stored, inclusive `from`; what belongs to the server itself is left out. */
  async readStored(stream: string, from: number, limit: number): Promise<StoredEvent[]> {
    const request = readStreamRequest(stream, { from, backwards: false, limit });
    const deadline = new CallDeadline(this.#timeoutMs);
    return tried(`${stream} could not be read`, deadline, async () => {
      const events: StoredEvent[] = [];
      await this.#read(request, deadline, (message) => {
        const event = stored(message)?.event;
        if (event !== undefined) events.push(event);
      });
      return events;
    });
  }

  async head(): Promise<Position> {
    const deadline = new CallDeadline(this.#timeoutMs);
    return tried('the newest event could not be read', deadline, async () => {
      let head = BEFORE_ALL;
      const heard = (message: ReadMessage): void => {
        head = decoded(message, EVERYTHING)?.position ?? head;
      };
      await this.#read(NEWEST, deadline, heard, LONGEST_SCAN_MS);
      return head;
    });
  }

  /** How many positions each of the newest events takes on average; 1 where there are not two. */
  async spacing(): Promise<number> {
    const deadline = new CallDeadline(this.#timeoutMs);
    return tried('the newest events could not be read', deadline, async () => {
      const positions: Position[] = [];
      const heard = ({ event }: ReadMessage): void => {
        if (event !== undefined) positions.push(positionOf(event.commit, event.prepare));
      };
      await this.#read(NEWEST_ONES, deadline, heard, LONGEST_SCAN_MS);
      return positions.length < 2 ? 1 : (positions[0]! - positions.at(-1)!) / (positions.length - 1);
    });
  }

  /**
   * One attempt. Rejects if the server is silent until the deadline and does not answer other calls, after `scanMs` at most: it may be
   * scanning a long part of the log.
   */
  async #read(
    request: ReadReq,
    deadline: CallDeadline,
    message: (message: ReadMessage) => void,
    scanMs = 0,
  ): Promise<void> {
    const until = performance.now() + scanMs;
    let call: OpenCall | undefined;
    let late: NodeJS.Timeout | undefined;
    let over = false;
    try {
      await new Promise<void>((resolve, reject) => {
        const watch = async (): Promise<void> => {
          if (deadline.left() <= 0 && performance.now() < until && (await call?.answers())) deadline.progress();
          const left = deadline.left();
          if (over) return;
          if (left > 0) late = setTimeout(watch, left);
          else {
            void this.#connection.suspect();
            reject(new Passing('no answer in time'));
          }
        };
        void watch();
        const opening = this.#connection.read(request, {
          message(one) {
            deadline.progress();
            message(one);
          },
          ended: (error) => (error === undefined ? resolve() : reject(error)),
        });
        opening.then((opened) => {
          call = opened;
          if (over) call.cancel();
        }, reject);
      });
    } catch (error) {
      call?.cancel();
      throw error;
    } finally {
      over = true;
      clearTimeout(late);
    }
  }
}
