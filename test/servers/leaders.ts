/** The leaders of the real servers that the tests run on, and how to get one elected. */
import { setTimeout as wait } from 'node:timers/promises';
import { credentials, Metadata } from '@grpc/grpc-js';
import { MongoClient } from 'mongodb';
import { channelOptions, keepaliveOf } from '../../infrastructure/eventstoredb/channelOptions.js';
import { readConnectionString } from '../../infrastructure/eventstoredb/connectionString.js';
import { channelTo } from '../../infrastructure/eventstoredb/dialling.js';
import { Gossip, leaderOf } from '../../infrastructure/eventstoredb/gossip.js';
import { FailedNodes, targetOf } from '../../infrastructure/eventstoredb/nodes.js';

const ASK_MS = 2_000;
const LOOK_MS = 500;

/** 'host:port' of the leader that the nodes of `url` report, or undefined if there is none. Works without TLS only. */
export async function eventStoreLeader(url: string): Promise<string | undefined> {
  const options = readConnectionString(url);
  const way = { credentials: credentials.createInsecure(), options: channelOptions(keepaliveOf(options)) };
  const failed = new FailedNodes();
  const gossip = new Gossip(
    { open: (address) => channelTo(address, way), metadata: () => new Metadata() },
    failed,
    ASK_MS,
  );
  try {
    const round = await gossip.query(options.hosts.map(({ address, port }) => ({ target: targetOf(address, port) })));
    return leaderOf(round, failed);
  } finally {
    gossip.close();
  }
}

/** 'host:port' of the primary, or undefined if there is none at the moment. */
export async function mongoPrimary(url: string): Promise<string | undefined> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: ASK_MS, readPreference: 'primaryPreferred' });
  try {
    const { primary } = await client.db('admin').command({ hello: 1 });
    return primary as string | undefined;
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}

/**
 * Creates one replica set of all members of `url`, unless it exists. Rejects if the first member is not up within
 * `withinMs`.
 */
export async function initiateReplicaSet(url: string, withinMs: number): Promise<void> {
  const hosts = /^mongodb:\/\/([^/?]+)/.exec(url)![1]!.split(',');
  const set = new URL(url.replace(hosts.join(','), 'host')).searchParams.get('replicaSet');
  const client = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`, {
    serverSelectionTimeoutMS: withinMs,
  });
  try {
    const members = hosts.map((host, _id) => ({ _id, host }));
    await client.db('admin').command({ replSetInitiate: { _id: set, members } });
  } catch (error) {
    if ((error as { codeName?: string }).codeName !== 'AlreadyInitialized') throw error;
  } finally {
    await client.close();
  }
}

/**
 * Resolves to the leader as soon as there is one other than `not`. Rejects after `withinMs` with the name of the
 * server.
 */
export async function leaderWithin(
  withinMs: number,
  name: string,
  leader: () => Promise<string | undefined>,
  not?: string,
): Promise<string> {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(LOOK_MS)) {
    const found = await leader();
    if (found !== undefined && found !== not) return found;
  }
  throw new Error(`no ${not === undefined ? '' : 'other '}node of ${name} leads after ${withinMs / 1000} s`);
}
