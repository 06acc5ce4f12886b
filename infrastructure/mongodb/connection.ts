import { type ClientSession, type Db, MongoClient, type ReadConcernLike, type Timestamp } from 'mongodb';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { ReadModelError } from '../readModels/shape.js';
import { type InternalErrors, internalErrors, translated } from './errors.js';
import { momentsOf } from './moments.js';

/** One database of one server, as one user of a shared client has it. */
export interface MongoConnection {
  /** Ask for it with every call: a client that got stuck is replaced. */
  readonly db: Db;
  /** Host and port, for messages. */
  readonly server: string;
  /**
   * Runs calls of the driver, bounded as a whole; give them the session. Rejects with `StoreUnavailable` or
   * `ReadModelError`.
   */
  run<T>(work: (own: Session) => Promise<T>): Promise<T>;
  /**
   * The same for what only reads; give it all of the options. It sees whatever this process has read or written before: a
   * member of the set that does not know it, as a former primary that is cut off from the others, does not answer.
   */
  read<T>(work: (own: Reading) => Promise<T>): Promise<T>;
  /** For what takes as long as the collection is large: a client of its own, bounded by half an hour. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Closes the client with its last user. */
  close(): Promise<void>;
}

/** By it the moments of what was done are known. Nothing where servers keep no sessions. */
export interface Session {
  readonly session?: ClientSession;
}

export interface Reading extends Session {
  readonly readConcern?: ReadConcernLike;
}

/** What the driver has told of the servers. */
interface Watched {
  /** Members of the set, with the time at which the driver last heard, or heard nothing, of each. */
  readonly heard: ReadonlyMap<string, number>;
  readonly keepsSessions: boolean;
  /** The driver has given the client up: one whose first connection failed never tries again. */
  readonly isClosed: boolean;
}

interface Shared {
  client: MongoClient;
  users: number;
  readonly ready: Promise<unknown>;
  watched: Watched;
  /** When the first call began of those that have got no answer of the driver since the last one that has. */
  lateSince?: number;
  /** Replaced clients whose last calls are not over. */
  readonly leaving: Set<MongoClient>;
}

interface Address {
  readonly server: string;
  readonly database: string;
}

const PATIENCE_MS = 30 * 60_000;
/** A dead connection of the monitor is noticed by then, so that it does not hide that the server is back. */
const LONGEST_CONNECT_MS = 3000;
const HEARTBEAT_MS = 3000;
const LONGEST_CLOSE_MS = 2000;
/** After so long without a word of the driver a new client takes over. */
const STUCK_MS = 5000;
/** A member of which the driver has heard nothing for so long, nor found it away, is hardly watched any more. */
const UNWATCHED_MS = 5000;
/** The driver's own limits end a call before ours, so that an answer of ours says that the driver is stuck. */
const DRIVERS_SHARE = 0.9;

/** Only what the majority has is certain to stand; of anything else the moment means nothing. */
const MAJORITY = { level: 'majority' } as const;

const clients = new Map<string, Shared>();

const badUrl = (): ReadModelError =>
  new ReadModelError(
    'bad_mongodb_url',
    'MONGODB_URL is not an address of MongoDB; it looks like mongodb://user:password@host:27017/suuq',
  );

/** Never says the user or the password. */
function addressOf(url: string): Address {
  const match = /^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^/?]+)(?:\/([^?]*))?/.exec(url);
  if (match === null) throw badUrl();
  return { server: match[1]!, database: match[2] === undefined || match[2] === '' ? 'suuq' : match[2] };
}

/** The driver has said nothing at all. */
class NoAnswer extends StoreUnavailable {}

/** Rejects with `StoreUnavailable` after `ms`; what was begun ends by the driver's own limits. */
async function within<T>(ms: number, server: string, internal: InternalErrors, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`MongoDB at ${server} did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw translated(error, server, internal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The driver's own limits: it has no timeout for a call as a whole. Writes are confirmed when the majority of the members
 * has them in its journal, and reads come from the primary, so that what was answered is read from then on.
 */
function clientFor(url: string, timeoutMs: number): MongoClient {
  const limitMs = Math.floor(timeoutMs * DRIVERS_SHARE);
  try {
    return new MongoClient(url, {
      appName: 'suuq',
      serverSelectionTimeoutMS: limitMs,
      connectTimeoutMS: Math.min(limitMs, LONGEST_CONNECT_MS),
      socketTimeoutMS: limitMs,
      waitQueueTimeoutMS: limitMs,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
      ignoreUndefined: false,
    });
  } catch {
    // The driver's message may quote the address with the password.
    throw badUrl();
  }
}

function watched(client: MongoClient): Watched {
  const heard = new Map<string, number>();
  let keepsSessions = false;
  let isClosed = false;
  const note = (address: string): void => void heard.set(address, performance.now());
  client.on('serverOpening', ({ address }) => note(address));
  client.on('serverClosed', ({ address }) => void heard.delete(address));
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => note(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => note(connectionId));
  client.on('topologyOpening', () => {
    isClosed = false;
  });
  client.on('topologyClosed', () => {
    isClosed = true;
  });
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    keepsSessions ||= newDescription.logicalSessionTimeoutMinutes !== null;
  });
  return {
    heard,
    get keepsSessions() {
      return keepsSessions;
    },
    get isClosed() {
      return isClosed;
    },
  };
}

function share(url: string, timeoutMs: number): { readonly key: string; readonly shared: Shared } {
  const key = `${timeoutMs} ${url}`;
  let shared = clients.get(key);
  if (shared === undefined) {
    const client = clientFor(url, timeoutMs);
    shared = { client, users: 0, watched: watched(client), ready: client.connect(), leaving: new Set() };
    clients.set(key, shared);
  }
  shared.users++;
  return { key, shared };
}

/**
 * Tells a server that is away, as in an election, from a client that is stuck: driver 7.9 waits for ever when a connection
 * closes in the moment that it writes to it, also the connection by which it would notice that the server is back; and one
 * that took over while the server was away is closed by the driver when its first connection fails, for ever. The stuck one is closed when its last calls are over, since some of them may be writes that the server still answers.
 */
function replaceIfStuck(shared: Shared, error: StoreUnavailable, began: number, url: string, timeoutMs: number): void {
  const now = performance.now();
  if (error instanceof NoAnswer) shared.lateSince = Math.min(shared.lateSince ?? began, began);
  else delete shared.lateSince;
  const isLate = shared.lateSince !== undefined && now - shared.lateSince >= Math.min(STUCK_MS, 2 * timeoutMs);
  const isUnwatched = [...shared.watched.heard.values()].some((heard) => now - heard >= UNWATCHED_MS);
  if (!(isLate || isUnwatched || shared.watched.isClosed) || shared.users === 0) return;
  const stuck = shared.client;
  shared.client = clientFor(url, timeoutMs);
  shared.watched = watched(shared.client);
  delete shared.lateSince;
  shared.leaving.add(stuck);
  setTimeout(() => {
    shared.leaving.delete(stuck);
    stuck.close().catch(() => undefined);
  }, timeoutMs).unref();
}

async function leave(key: string, shared: Shared): Promise<void> {
  shared.users--;
  if (shared.users > 0) return;
  if (clients.get(key) === shared) clients.delete(key);
  const closing = [shared.client, ...shared.leaving].map((client) => client.close().catch(() => undefined));
  const closed = Promise.all(closing);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LONGEST_CLOSE_MS).unref())]);
}

/**
 * Connects; all users of one URL in this thread share one client. Rejects within `timeoutMs`, naming MONGODB_URL and the
 * host but never the password: `StoreUnavailable` when nothing answers, `ReadModelError` when the URL or user is wrong.
 */
export async function connectMongo(url: string, timeoutMs: number): Promise<MongoConnection> {
  const { server, database } = addressOf(url);
  const { key, shared } = share(url, timeoutMs);
  const db = () => shared.client.db(database);
  const internal = internalErrors();
  const moments = momentsOf(server);

  /** `from`: the moment that what is done must know. */
  async function bounded<T>(from: Timestamp | undefined, work: (own: Session) => Promise<T>): Promise<T> {
    const began = performance.now();
    const own = shared.watched.keepsSessions
      ? { session: shared.client.startSession({ causalConsistency: true }) }
      : {};
    if (from !== undefined) own.session?.advanceOperationTime(from);
    try {
      const result = await within(timeoutMs, server, internal, () => work(own));
      moments.note(own.session?.operationTime);
      delete shared.lateSince;
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) replaceIfStuck(shared, error, began, url, timeoutMs);
      else delete shared.lateSince;
      if (error instanceof StoreUnavailable && from !== undefined) moments.unreached();
      throw error;
    } finally {
      void own.session?.endSession();
    }
  }

  try {
    await within(timeoutMs, server, internal, async () => {
      await shared.ready;
      await db().command({ ping: 1 });
    });
  } catch (error) {
    // A client that never connected is not for others to find.
    if (clients.get(key) === shared) clients.delete(key);
    await leave(key, shared).catch(() => undefined);
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreUnavailable(`${error.message}. Is MONGODB_URL right, and does the server run?`);
  }
  let open = true;
  return {
    get db() {
      return db();
    },
    server,
    // A write needs no moment to begin from: without the majority of the set it is not confirmed.
    run: (work) => bounded(undefined, work),
    read(work) {
      const from = moments.newest();
      if (from === undefined) return bounded(undefined, work);
      return bounded(from, (own) => work({ ...own, readConcern: MAJORITY }));
    },
    async patiently(work) {
      const client = clientFor(url, PATIENCE_MS);
      try {
        return await within(PATIENCE_MS, server, internal, () => work(client.db(database)));
      } finally {
        await client.close();
      }
    },
    async close() {
      if (!open) return;
      open = false;
      await leave(key, shared);
    },
  };
}
