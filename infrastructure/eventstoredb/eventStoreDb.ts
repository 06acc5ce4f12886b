/**
 * The event store on EventStoreDB 23.10 or newer, through @eventstore/db-client. One for each thread: everything in a
 * thread shares it, and another thread opens its own.
 *
 *     const store = await openEventStoreDb('esdb://user:password@host:2113');
 */

import {
  type EventFilter,
  type EventStore,
  type Position,
  StoreRefused,
  StoreUnavailable,
  type SubscribeOptions,
  type Subscriber,
  type Subscription,
} from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { StoredEvent, StoredLog } from '../../engine/ports/storedLog.js';
import { Appender } from './appender.js';
import { type AppendLimit, countedBy, installedBytes } from './appendLimit.js';
import { AppendPipe } from './appendPipe.js';
import { CallDeadline, tried } from './callDeadline.js';
import { Connection } from './connection.js';
import { readConnectionString } from './connectionString.js';
import { LiveTail } from './liveTail.js';
import { LogFeed } from './logFeed.js';
import { LogReader } from './logReader.js';
import { LogScan } from './logScan.js';
import { LogSubscription, type LogSubscriptionSource } from './logSubscription.js';
import type { Resolve } from './nodes.js';
import { BYTES } from './positions.js';
import { stored } from './recordedEvents.js';
import type { ServerLimits } from './serverOptions.js';
import { isPlace } from './startPosition.js';

export interface EventStoreDbOptions {
  /**
   * Maximum size of one append in bytes. Default: the server's limit, or its version's default. A lower limit of the server takes
   * precedence.
   */
  readonly mostBytes?: number;
  /** How long one call may go on without progress, in ms; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** The same for the calls of the opening; `timeoutMs` when absent. */
  readonly openingMs?: number;
  readonly log?: Log;
  /** The addresses of a host; DNS when absent. */
  readonly resolve?: Resolve;
}

const TIMEOUT_MS = 5_000;
/** Time for pending calls to finish when the store closes. */
const GRACE_MS = 2_000;

const APPEND_METHOD = 'event_store.client.streams.streams/batchappend';

export interface EventStoreDb extends EventStore {
  /** As it was at the opening. */
  readonly limit: AppendLimit;
  /** True if the log can be read from a position: there is an event. */
  isPlace(position: Position): Promise<boolean>;
}

/**
 * Opens the event store of a connection string (`esdb://…` or `esdb+discover://…`; it holds the credentials). Rejects with BadEngineUrl,
 * with StoreUnavailable if the server cannot be reached in time, and with StoreRefused at once if waiting is pointless, such as for an old
 * server.
 */
export async function openEventStoreDb(
  connectionString: string,
  { mostBytes, timeoutMs = TIMEOUT_MS, openingMs = timeoutMs, log, resolve }: EventStoreDbOptions = {},
): Promise<EventStoreDb> {
  const connection = new Connection(readConnectionString(connectionString), resolve);
  const reading = new LogReader(connection, timeoutMs);
  let limit: AppendLimit;
  try {
    limit = await limitOf(connection, await checkServer(connection, openingMs), mostBytes);
    await new LogReader(connection, openingMs).head();
  } catch (error) {
    connection.close();
    throw error;
  }
  const pipe = new AppendPipe(connection, timeoutMs);
  const readStream: EventStore['readStream'] = (stream, options) => reading.readStream(stream, options);
  const head = () => reading.head();
  const feed = (after: Position, filter: EventFilter) => LogFeed.open(connection, after, filter, timeoutMs);
  const appending = new Appender({ pipe, readStream, head, limit, timeoutMs });
  const scanning = new LogScan({ head, feed, timeoutMs });
  const tail = () => LiveTail.open(connection, head, log);
  const followers = new Followers({ feed, tail, log });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([pipe.close(GRACE_MS), within(GRACE_MS, followers.close())]);
    scanning.close();
    connection.close();
  };
  return {
    append: (stream, expected, events) => appending.append(stream, expected, events),
    readStream,
    readAll: (after, options) => scanning.page(after, options),
    subscribe: (after, filter, subscriber, options) => followers.add(after, filter, subscriber, options),
    head,
    limit,
    isPlace: (position) =>
      tried('the log could not be read', new CallDeadline(timeoutMs), () => isPlace((at) => feed(at, {}), position)),
    mayLag: () => !connection.isAlone,
    measure: BYTES,
    spacing: () => reading.spacing(),
    close: () => (closing ??= close()),
  };
}

/** The log as it is stored, on a connection of its own. Rejects as the opening of the event store does. */
export async function openStoredEventStoreDb(
  connectionString: string,
  { timeoutMs = TIMEOUT_MS, resolve }: Pick<EventStoreDbOptions, 'timeoutMs' | 'resolve'> = {},
): Promise<StoredLog> {
  const connection = new Connection(readConnectionString(connectionString), resolve);
  const reading = new LogReader(connection, timeoutMs);
  const head = () => reading.head();
  const feed = (after: Position, filter: EventFilter) => LogFeed.of(connection, after, filter, timeoutMs, stored);
  const scanning = new LogScan<StoredEvent>({ head, feed, timeoutMs });
  try {
    await checkServer(connection, timeoutMs);
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    readAfter: (after, limit) => scanning.page(after, { limit }),
    readStream: (stream, from, limit) => reading.readStored(stream, from, limit),
    head,
    async close() {
      scanning.close();
      connection.close();
    },
  };
}

/** Limit of one append on a server, with `mostBytes` as in the options, without opening the store. Rejects as the opening does. */
export async function appendLimitOf(
  connectionString: string,
  { mostBytes, timeoutMs = TIMEOUT_MS, resolve }: Pick<EventStoreDbOptions, 'mostBytes' | 'timeoutMs' | 'resolve'> = {},
): Promise<AppendLimit> {
  const connection = new Connection(readConnectionString(connectionString), resolve);
  try {
    return await limitOf(connection, await checkServer(connection, timeoutMs), mostBytes);
  } finally {
    connection.close();
  }
}

async function limitOf(connection: Connection, version: string, mostBytes: number | undefined): Promise<AppendLimit> {
  // Whether it can be reached at all is found out by what follows.
  const { append, event } = await connection.limits().catch((): ServerLimits => ({}));
  return {
    bytes: Math.min(mostBytes ?? append ?? installedBytes(version), append ?? Number.POSITIVE_INFINITY),
    ...(event !== undefined && { eventBytes: event }),
    counts: countedBy(version),
    isReported: append !== undefined,
  };
}

/** Answers the server's version. */
async function checkServer(connection: Connection, timeoutMs: number): Promise<string> {
  const deadline = new CallDeadline(timeoutMs);
  const features = await tried('EventStoreDB cannot be reached', deadline, () => connection.features());
  const methods = features.getMethodsList().map((m) => `${m.getServiceName()}/${m.getMethodName()}`.toLowerCase());
  if (!methods.includes(APPEND_METHOD))
    throw new StoreRefused(
      `EventStoreDB ${features.getEventStoreServerVersion()} has no batch append: version 23.10 or newer is needed`,
    );
  return features.getEventStoreServerVersion();
}

/** All who follow in this thread, and the tail that they share while there are any. */
class Followers {
  readonly #source: LogSubscriptionSource;
  readonly #all = new Set<LogSubscription>();
  #tail: Promise<LiveTail> | undefined;
  #closed = false;

  constructor(source: LogSubscriptionSource) {
    this.#source = source;
  }

  add(
    after: Position,
    filter: EventFilter,
    subscriber: Subscriber,
    options: SubscribeOptions | undefined,
  ): Subscription {
    if (this.#closed) throw new StoreUnavailable('the event store is closed');
    const source = { ...this.#source, tail: () => this.#shared() };
    const following = new LogSubscription(source, after, filter, subscriber, options);
    this.#all.add(following);
    const forget = (): void => {
      this.#all.delete(following);
      if (this.#all.size === 0) this.#dropTail();
    };
    following.ended.then(forget, forget);
    return following;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const stopping = [...this.#all].map((following) => following.stop());
    this.#dropTail();
    await Promise.all(stopping);
  }

  #shared(): Promise<LiveTail> {
    if (this.#tail === undefined) {
      const opening = this.#source.tail();
      this.#tail = opening;
      opening.catch(() => {
        if (this.#tail === opening) this.#tail = undefined;
      });
    }
    return this.#tail;
  }

  #dropTail(): void {
    void this.#tail?.then(
      (tail) => tail.stop(),
      () => {},
    );
    this.#tail = undefined;
  }
}

/** Resolves with the work, or after so many ms without it. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
