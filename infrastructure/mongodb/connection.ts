import { type Db, MongoClient } from 'mongodb';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { ReadModelError } from '../readModels/shape.js';
import { type InternalErrors, internalErrors, translated } from './errors.js';

/** One database of one server, as one user of a shared client has it. */
export interface MongoConnection {
  /** Ask for it with every call: a client that got stuck is replaced. */
  readonly db: Db;
  /** Host and port, for messages. */
  readonly server: string;
  /** Runs calls of the driver, bounded as a whole. Rejects with `StoreUnavailable` or `ReadModelError`. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** For what takes as long as the collection is large: a client of its own, bounded by half an hour. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Closes the client with its last user. */
  close(): Promise<void>;
}

interface Shared {
  client: MongoClient;
  users: number;
  readonly ready: Promise<unknown>;
  /** When the first call began of those that have failed since the last one that did not. */
  failingSince?: number;
}

interface Address {
  readonly server: string;
  readonly database: string;
}

const PATIENCE_MS = 30 * 60_000;
/** A dead connection of the monitor is noticed by then, so that it does not hide that the server is back. */
const LONGEST_CONNECT_MS = 3000;
const HEARTBEAT_MS = 5000;
const LONGEST_CLOSE_MS = 2000;
/** After so long without one good call a new client takes over. */
const STUCK_MS = 5000;

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

/** Rejects with `StoreUnavailable` after `ms`; what was begun ends by the driver's own limits. */
async function within<T>(ms: number, server: string, internal: InternalErrors, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`MongoDB at ${server} did not answer within ${ms} ms`)), ms);
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
  try {
    return new MongoClient(url, {
      appName: 'suuq',
      serverSelectionTimeoutMS: timeoutMs,
      connectTimeoutMS: Math.min(timeoutMs, LONGEST_CONNECT_MS),
      socketTimeoutMS: timeoutMs,
      waitQueueTimeoutMS: timeoutMs,
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

function share(url: string, timeoutMs: number): { readonly key: string; readonly shared: Shared } {
  const key = `${timeoutMs} ${url}`;
  let shared = clients.get(key);
  if (shared === undefined) {
    const client = clientFor(url, timeoutMs);
    shared = { client, users: 0, ready: client.connect() };
    clients.set(key, shared);
  }
  shared.users++;
  return { key, shared };
}

/**
 * Tells a server that is away from a client that is stuck: driver 7.9 waits for ever when a connection closes in the
 * moment that it writes to it, also the connection by which it would notice that the server is back.
 */
function noteFailure(shared: Shared, began: number, url: string, timeoutMs: number): void {
  shared.failingSince = Math.min(shared.failingSince ?? began, began);
  if (performance.now() - shared.failingSince < Math.min(STUCK_MS, 2 * timeoutMs) || shared.users === 0) return;
  const stuck = shared.client;
  shared.client = clientFor(url, timeoutMs);
  delete shared.failingSince;
  stuck.close().catch(() => undefined);
}

async function leave(key: string, shared: Shared): Promise<void> {
  shared.users--;
  if (shared.users > 0) return;
  if (clients.get(key) === shared) clients.delete(key);
  const closed = shared.client.close().catch(() => undefined);
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
    async run(work) {
      const began = performance.now();
      try {
        const result = await within(timeoutMs, server, internal, work);
        delete shared.failingSince;
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) noteFailure(shared, began, url, timeoutMs);
        else delete shared.failingSince;
        throw error;
      }
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
