/** Facts about an EventStoreDB that an operator should know before the service uses it. Nothing is written. */
import { randomUUID } from 'node:crypto';
import { defined } from '../../domain/defined.js';
import { StoreRefused, WrongExpectedRevision } from '../../engine/ports/eventStore.js';
import { AppendPipe } from './appendPipe.js';
import { CallDeadline, tried } from './callDeadline.js';
import { Connection } from './connection.js';
import { readConnectionString } from './connectionString.js';
import { LogReader } from './logReader.js';
import { serverClock } from './serverClock.js';

/** Undefined: it may. Otherwise why not. */
type Refusal = string | undefined;

export interface EventStoreDbFacts {
  /** Such as 23.10.8. */
  readonly version: string;
  readonly tls: boolean;
  /** A user is named, which goes over TLS only. */
  readonly login: boolean;
  /** Operations that the user may not perform. */
  readonly refused: {
    readonly readAll: Refusal;
    readonly readStream: Refusal;
    readonly readMetadata: Refusal;
    readonly write: Refusal;
  };
  /** Bytes of one append that it takes; absent where this user may not know. */
  readonly mostAppend?: number;
  /** Ms by which each server's clock is ahead of ours, keyed 'host:port'. Servers without a clock header are omitted. */
  readonly clocks: ReadonlyMap<string, number>;
}

/** Nobody writes to it, so reads of it find nothing. */
const STREAM = 'doctor-examination';
/** No stream is so long, so what expects it is refused by its place, once the right to write is there. */
const FAR = 2 ** 50;
const MOST_HOSTS = 9;

/**
 * Examines the leader. Rejects with StoreUnavailable if none answers within `timeoutMs`, with StoreRefused if waiting is pointless (a
 * certificate, TLS on one side), with an Error if the connection string is faulty.
 */
export async function examineEventStoreDb(connectionString: string, timeoutMs: number): Promise<EventStoreDbFacts> {
  const options = readConnectionString(connectionString);
  const connection = new Connection(options);
  try {
    const features = await tried('EventStoreDB cannot be reached', new CallDeadline(timeoutMs), () =>
      connection.features(),
    );
    const [refused, clocks, { append: mostAppend }] = await Promise.all([
      rightsOn(connection, timeoutMs),
      clocksOf(options, timeoutMs),
      connection.limits(),
    ]);
    return {
      version: features.getEventStoreServerVersion(),
      tls: options.tls !== false,
      login: options.defaultCredentials !== undefined,
      refused,
      clocks,
      ...defined({ mostAppend }),
    };
  } finally {
    connection.close();
  }
}

async function rightsOn(connection: Connection, timeoutMs: number): Promise<EventStoreDbFacts['refused']> {
  const reading = new LogReader(connection, timeoutMs);
  const pipe = new AppendPipe(connection, timeoutMs);
  const readStream: LogReader['readStream'] = (stream, of) => reading.readStream(stream, of);
  const head = () => reading.head();
  const empty = Buffer.from('{}');
  const event = { id: randomUUID(), type: 'Examined', data: empty, meta: empty };
  const append = () =>
    tried('an append was not answered', new CallDeadline(timeoutMs), () =>
      pipe.append(STREAM, FAR, [event], empty.length + empty.length),
    );
  try {
    const [readAll, readOne, readMetadata, write] = await Promise.all([
      refusalOf(head),
      refusalOf(() => readStream(STREAM, { limit: 1 })),
      refusalOf(() => readStream(`$$${STREAM}`, { limit: 1 })),
      refusalOf(append),
    ]);
    return { readAll, readStream: readOne, readMetadata, write };
  } finally {
    await pipe.close(0);
  }
}

async function refusalOf(attempt: () => Promise<unknown>): Promise<Refusal> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return undefined;
    if (error instanceof StoreRefused) return error.message;
    throw error;
  }
}

async function clocksOf(options: ReturnType<typeof readConnectionString>, timeoutMs: number) {
  const clocks = new Map<string, number>();
  const examine = async (host: (typeof options.hosts)[number]): Promise<void> => {
    const ahead = await serverClock(host, options, timeoutMs);
    if (ahead !== undefined) clocks.set(`${host.address}:${host.port}`, ahead);
  };
  await Promise.all(options.hosts.slice(0, MOST_HOSTS).map(examine));
  return clocks;
}
