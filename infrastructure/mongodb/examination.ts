/** Facts about a MongoDB that an operator should know before the service uses it. Nothing is written. */
import { type Db, type Document, MongoServerError } from 'mongodb';
import { defined } from '../../domain/defined.js';
import { clockDistance } from '../clockDistance.js';
import { connectMongo } from './connection.js';

export interface MongoFacts {
  /** Version such as 7.0.14; absent if the server does not report it. */
  readonly version?: string;
  /** Name of the replica set; absent: the server is none. */
  readonly replicaSet?: string;
  /** Members that hold data, as the primary names them. */
  readonly members: number;
  /** True if every write waits for the majority and its journal. */
  readonly waitsForMajority: boolean;
  readonly tls: boolean;
  /** Actions on the database that the user has no right to; none if the server requires no user, or lists no rights. */
  readonly missing: readonly string[];
  /** Ms by which the server's clock is ahead of ours, negative when it is behind. */
  readonly clockAheadMs: number;
}

/** Actions of the service on the database. */
const ACTIONS = [
  'find',
  'insert',
  'update',
  'remove',
  'createCollection',
  'dropCollection',
  'createIndex',
  'dropIndex',
];

interface Hello {
  readonly setName?: string;
  readonly hosts?: readonly string[];
  readonly passives?: readonly string[];
  readonly localTime?: Date;
}

interface Privilege {
  readonly resource?: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
  readonly actions?: readonly string[];
}

interface Status {
  readonly authInfo?: {
    readonly authenticatedUsers?: readonly unknown[];
    readonly authenticatedUserPrivileges?: readonly Privilege[];
  };
}

/**
 * Rejects within `timeoutMs`, naming hosts and never a password: StoreUnavailable when nothing answers, StoreRefused when
 * a user or certificate is, BadEngineUrl when the address is wrong.
 */
export async function examineMongo(url: string, timeoutMs: number): Promise<MongoFacts> {
  const connection = await connectMongo(url, timeoutMs);
  try {
    return await connection.run(async () => {
      const { db } = connection;
      const { version } = ((await answerOf(db, { buildInfo: 1 })) ?? {}) as { version?: unknown };
      // Requires a right that any user of the database has, and that nobody has without a user if one is required.
      await db.listCollections({}, { nameOnly: true }).toArray();
      const startedAt = Date.now();
      // By its older name, which every version knows.
      const { setName, hosts = [], passives = [], localTime } = (await db.command({ isMaster: 1 })) as Hello;
      const answered = Date.now();
      const { w, journal } = db.writeConcern ?? {};
      return {
        ...(typeof version === 'string' && { version }),
        ...defined({ replicaSet: setName }),
        members: Math.max(1, hosts.length + passives.length),
        waitsForMajority: w === 'majority' && journal !== false,
        tls: db.client.options.tls === true,
        missing: missingIn(await answerOf(db, { connectionStatus: 1, showPrivileges: true }), db.databaseName),
        clockAheadMs: !(localTime instanceof Date)
          ? 0
          : clockDistance(localTime.getTime() - answered, localTime.getTime() - startedAt),
      };
    });
  } finally {
    await connection.close();
  }
}

/** Undefined: the server does not know the question. */
async function answerOf(db: Db, question: Document): Promise<Document | undefined> {
  try {
    return await db.command(question);
  } catch (error) {
    if (error instanceof MongoServerError) return undefined;
    throw error;
  }
}

function missingIn(status: Status | undefined, database: string): readonly string[] {
  const { authenticatedUsers = [], authenticatedUserPrivileges: privileges } = status?.authInfo ?? {};
  if (authenticatedUsers.length === 0 || privileges === undefined) return [];
  const ours = privileges.filter(
    ({ resource: { db, collection, anyResource } = {} }) =>
      anyResource === true || ((db === database || db === '') && collection === ''),
  );
  const may = new Set(ours.flatMap(({ actions = [] }) => actions));
  return ACTIONS.filter((action) => !may.has(action) && !may.has('anyAction'));
}
