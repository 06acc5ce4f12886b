import {
  type ClientSession,
  type Db,
  type MongoClient,
  MongoServerSelectionError,
  type ReadConcernLike,
  type Timestamp,
} from 'mongodb';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { addressOf, clientFor, requireFiles } from './address.js';
import { translated } from './errors.js';
import { momentsOf } from './moments.js';
import { tlsFailure } from './tlsFailure.js';

/** One database of one server, as one user of a shared client has it. */
export interface MongoConnection {
  /** Read it with every call: a stuck client is replaced. */
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

/** Provides the moments of operations. Empty if servers have no sessions. */
export interface Session {
  readonly session?: ClientSession;
}

export interface Reading extends Session {
  readonly readConcern?: ReadConcernLike;
}

/** Reports of the driver about the servers. */
interface Watched {
  /** Members of the set, with the time at which the driver last heard, or heard nothing, of each. */
  readonly heard: ReadonlyMap<string, number>;
  readonly supportsSessions: boolean;
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
  /** The newest look at why no server can be spoken to; calls that fail together share it. */
  probe?: { readonly until: number; readonly refusal: Promise<StoreRefused | undefined> };
}

const PATIENCE_MS = 30 * 60_000;
const LONGEST_CLOSE_MS = 2000;
/** After so long without a word of the driver a new client takes over. */
const STUCK_MS = 5000;
/** A member of which the driver has heard nothing for so long, nor found it away, is hardly watched any more. */
const UNWATCHED_MS = 5000;
/** So long the look at a server that cannot be spoken to counts. */
const PROBED_MS = 2000;

/** Only majority reads are final; the moment of any other read means nothing. */
const MAJORITY = { level: 'majority' } as const;

const clients = new Map<string, Shared>();

/** The driver has not answered at all. */
class NoAnswer extends StoreUnavailable {}

/** Examines the servers if the driver found none to work with, since it gives no reason. */
function refusalOf(shared: Shared, error: unknown): Promise<StoreRefused | undefined> | undefined {
  if (!(error instanceof MongoServerSelectionError)) return undefined;
  const now = performance.now();
  if (shared.probe === undefined || shared.probe.until < now)
    shared.probe = {
      until: now + PROBED_MS,
      refusal: tlsFailure(error, shared.client.options.tls === true),
    };
  return shared.probe.refusal;
}

/** Turns what the driver rejects with into an error of the port. */
type Translating = (error: unknown) => Promise<Error>;

/** Rejects after `ms`, and with the port's errors; what was begun ends by the driver's own limits. */
async function within<T>(ms: number, server: string, portError: Translating, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`MongoDB at ${server} did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw await portError(error);
  } finally {
    clearTimeout(timer);
  }
}

function watched(client: MongoClient): Watched {
  const heard = new Map<string, number>();
  let hasSessions = false;
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
    hasSessions ||= newDescription.logicalSessionTimeoutMinutes !== null;
  });
  return {
    heard,
    get supportsSessions() {
      return hasSessions;
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
    requireFiles(client);
    shared = { client, users: 0, watched: watched(client), ready: client.connect(), leaving: new Set() };
    clients.set(key, shared);
  }
  shared.users++;
  return { key, shared };
}

/**
 * Distinguishes a server that is down, as in an election, from a stuck client. Driver 7.9 waits for ever when a connection closes in the
 * moment that it writes to it, which includes the connection by which it would notice that the server is back. And a client that was
 * created while the server was down is closed for ever by the driver when its first connection fails. A stuck client is closed when its
 * last calls are over, since the server may still answer some of them.
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
 * host but never the password: `StoreUnavailable` when nothing answers, `StoreRefused` when waiting is in vain, and
 * `BadEngineUrl`.
 */
export async function connectMongo(url: string, timeoutMs: number): Promise<MongoConnection> {
  const { server, database } = addressOf(url);
  const { key, shared } = share(url, timeoutMs);
  const db = () => shared.client.db(database);
  const moments = momentsOf(server);
  const portError: Translating = async (error) => (await refusalOf(shared, error)) ?? translated(error, server);

  /** `from`: the moment that what is done must know. */
  async function bounded<T>(from: Timestamp | undefined, work: (own: Session) => Promise<T>): Promise<T> {
    const began = performance.now();
    let session: ClientSession | undefined;
    try {
      const result = await within(timeoutMs, server, portError, () => {
        if (shared.watched.supportsSessions) session = shared.client.startSession({ causalConsistency: true });
        if (from !== undefined) moments.advance(session, from);
        return work(session === undefined ? {} : { session });
      });
      moments.note(session?.operationTime, session?.clusterTime);
      delete shared.lateSince;
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) replaceIfStuck(shared, error, began, url, timeoutMs);
      else delete shared.lateSince;
      if (error instanceof StoreUnavailable && from !== undefined) moments.unreached();
      throw error;
    } finally {
      session?.endSession().catch(() => undefined);
    }
  }

  try {
    await within(timeoutMs, server, portError, async () => {
      await shared.ready;
      await db().command({ ping: 1 });
    });
  } catch (error) {
    // A client that never connected is not for others to find.
    if (clients.get(key) === shared) clients.delete(key);
    await leave(key, shared).catch(() => undefined);
    if (!(error instanceof StoreUnavailable) || error instanceof StoreRefused) throw error;
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
        return await within(PATIENCE_MS, server, portError, () => work(client.db(database)));
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
