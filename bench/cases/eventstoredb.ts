/** Overhead of EventStoreDB's adapter over the bare client, against one server; both take turns in one run. */
import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { EventMeta } from '../../domain/decider.js';
import { type EventStore, type Position, streamName } from '../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { eventStoreServer } from '../support/eventStoreServer.js';
import { comparedWith, type Figure } from '../support/report.js';
import { inTurns, undisturbed } from '../support/turns.js';
import { rebuilding } from './eventstoredbRebuild.js';

const PARALLEL = 32;
const ROUNDS = 12;
const ROUND_MS = 400;
const LOG_EVENTS = 20_000;
const STREAM_EVENTS = 20;
/** Required share of the bare client's figure. */
const REACH = 0.9;

const meta: EventMeta = {
  at: '2025-03-01T10:00:00.000Z',
  actor: { type: 'api_key', id: 'key-1' },
  correlationId: 'request-1',
};
const data = { text: 'x'.repeat(512 - 11) };

interface Contender {
  append(stream: string): Promise<unknown>;
  readStream(stream: string): Promise<number>;
  /** Catches up from where the log is filled; answers when so many events have come. */
  catchUp(events: number): Promise<void>;
}

function bareClient(client: EventStoreDBClient, from: { commit: bigint; prepare: bigint }): Contender {
  return {
    append: (stream) =>
      client.appendToStream(stream, jsonEvent({ id: randomUUID(), type: 'Measured', data, metadata: meta }), {
        expectedRevision: 'no_stream',
      }),
    async readStream(stream) {
      let count = 0;
      for await (const { event } of client.readStream(stream)) if (event !== undefined) count += 1;
      return count;
    },
    catchUp: (events) =>
      new Promise((resolve, reject) => {
        let count = 0;
        const subscription = client.subscribeToAll({ fromPosition: from });
        subscription.on('error', reject);
        subscription.on('data', () => {
          count += 1;
          if (count === events) subscription.unsubscribe().then(resolve, reject);
        });
      }),
  };
}

function adapter(store: EventStore, after: Position): Contender {
  return {
    append: (stream) => store.append(stream, 'noStream', [{ id: randomUUID(), type: 'Measured', data, meta }]),
    readStream: async (stream) => (await store.readStream(stream)).length,
    catchUp: (events) =>
      new Promise((resolve, reject) => {
        let count = 0;
        const subscription = store.subscribe(
          after,
          {},
          {
            batch(batch) {
              count += batch.length;
              if (count >= events) void subscription.stop().then(resolve);
            },
          },
        );
        subscription.ended.catch(reject);
      }),
  };
}

/** Operations a second of `PARALLEL` callers that each wait for their answer. */
async function rate(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - began < ROUND_MS) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, caller));
  return done / ((performance.now() - began) / 1000);
}

async function speed(events: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return events / ((performance.now() - began) / 1000);
}

async function compare(
  name: string,
  unit: string,
  [ours, bare]: readonly [Contender, Contender],
  measure: (contender: Contender) => Promise<number>,
): Promise<Figure> {
  const [own, others] = await inTurns(ROUNDS, [() => measure(ours), () => measure(bare)]);
  return comparedWith(name, undisturbed(own!), unit, {
    of: 'bare client',
    figure: undisturbed(others!),
    factor: REACH,
  });
}

/** Names of streams that no run before has used: a real server keeps them. */
const freshStreams = (run: string) => (category: string, id: number) => streamName(category, `${run}-${id}`);

async function measured(url: string): Promise<Figure[]> {
  const client = EventStoreDBClient.connectionString(url);
  const store = await openEventStoreDb(url);
  const stream = freshStreams(randomUUID());
  try {
    const streams = Array.from({ length: 200 }, (_, i) => stream('read', i));
    const several = (count: number) =>
      Array.from({ length: count }, () => ({ id: randomUUID(), type: 'Measured', data, meta }));
    for (const one of streams) await store.append(one, 'noStream', several(STREAM_EVENTS));
    const { position: from } = await client.appendToStream(stream('mark', 1), jsonEvent({ type: 'Marked', data }));
    const after = await store.head();
    const log = stream('log', 1);
    for (let i = 0; i < LOG_EVENTS; i += 500) await store.append(log, i === 0 ? 'noStream' : i - 1, several(500));
    const contenders = [adapter(store, after), bareClient(client, from!)] as const;
    let next = 0;
    const catchUp = await compare('EventStoreDB adapter: catch-up subscription', 'events/s', contenders, (one) =>
      speed(LOG_EVENTS, () => one.catchUp(LOG_EVENTS)),
    );
    const reads = await compare(
      'EventStoreDB adapter: read a stream of 20 events, 32 at a time',
      'reads/s',
      contenders,
      (one) => rate(() => one.readStream(streams[next++ % streams.length]!)),
    );
    const appends = await compare('EventStoreDB adapter: append, 32 at a time', 'appends/s', contenders, (one) =>
      rate(() => one.append(stream('append', next++))),
    );
    return [appends, reads, catchUp];
  } finally {
    await client.dispose();
    await store.close();
  }
}

/** On the server of EVENTSTORE_URL, else on the endpoint. */
export async function eventStoreDb(): Promise<Figure[]> {
  const server = await eventStoreServer();
  process.stderr.write(`eventStoreDb: on ${server.name}\n`);
  try {
    return [...(await measured(server.url)), ...(await rebuilding(server.url))];
  } finally {
    await server.stop();
  }
}
