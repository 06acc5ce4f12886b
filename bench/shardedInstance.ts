/**
 * One of several instances, in a separate process. They share a processor: deliveries without a network, each with a line in a log, as
 * webhooks have; or a sharded read model, a document for each event, which it rebuilds when its input is 'rebuild'. Answers each other line
 * of its input with its work so far and the cost.
 */
import { createInterface } from 'node:readline';
import type { CommandHandler } from '../engine/commandHandler/commands.js';
import { createLeases } from '../engine/ownership/leases.js';
import { steadyClock, systemClock } from '../engine/ports/clock.js';
import { silentLog } from '../engine/ports/log.js';
import { defineProcessor, type Task } from '../engine/processors/processor.js';
import { createProcessorRuntime } from '../engine/processors/runtime.js';
import { defineProjection } from '../engine/projections/projection.js';
import type { Reads } from '../engine/projections/reads.js';
import { createProjectionRuntime } from '../engine/projections/runtime.js';
import type { ProjectionStatus } from '../engine/projections/status.js';
import { SHARDS } from '../engine/shards.js';
import { openEventStoreDb, openMongo } from '../service/engines/engines.js';

export interface InstanceReport {
  readonly shards: number;
  readonly performed: number;
  /** Every event up to here is taken in. */
  readonly position: number;
  /** CPU time of this process so far, in ms. */
  readonly cpuMs: number;
}

const LOG = { name: 'benchDeliveries', keys: {}, indexes: [] };
const MOST_BYTES = 1_048_576;
const [events, documents, name, shares] = process.argv.slice(2) as [string, string, string, 'processor' | 'readModel'];
const eventStore = await openEventStoreDb(events, MOST_BYTES);
const work = await openMongo(documents, 'work');
await work.open(LOG);
let performed = 0;

const deliveries = defineProcessor({
  name: 'benchDeliveries',
  categories: ['bench'],
  on: {
    Passed: () => [],
    Delivered: ({ id, streamId }: { id: string; streamId: string }) => [
      { id, kind: 'deliver', lane: `${streamId}/endpoint`, payload: { workspaceId: streamId, body: 'x'.repeat(600) } },
    ],
  },
  perform: {
    async deliver({ id, payload }: Task<{ body: string }>) {
      performed += 1;
      return { done: true, also: { [LOG.name]: { put: [{ id, keys: {}, revision: 1, body: payload.body }] } } };
    },
  },
});

const documentsOf = defineProjection({
  name: 'benchDocuments',
  version: 1,
  partitionedBy: 'store',
  categories: ['bench'],
  keys: {},
  indexes: [],
  on: {
    Delivered: {
      ids: ({ id }: { id: string }) => [id],
      evolve() {
        performed += 1;
        return { keys: {}, body: 'x'.repeat(600) };
      },
    },
  },
});

const leases = createLeases({ work, clock: steadyClock, instance: name, log: silentLog });

interface Shared {
  readonly runtime: { start(): Promise<void>; stop(): Promise<void> };
  /** Undefined: nothing of it has begun here. */
  status(): Promise<{ readonly shards?: number; readonly position: number } | undefined>;
  rebuild?(): Promise<void>;
}

function sharedProcessor(): Shared {
  const runtime = createProcessorRuntime({
    eventStore,
    work,
    processors: [deliveries],
    leases,
    shards: SHARDS,
    commands: {} as CommandHandler,
    reads: {} as Reads,
    clock: systemClock,
    log: silentLog,
  });
  return { runtime, status: async () => runtime.status()[0] };
}

async function sharedReadModel(): Promise<Shared> {
  const readModels = await openMongo(documents, 'views');
  const runtime = createProjectionRuntime({
    eventStore,
    readModels,
    projections: [documentsOf],
    leases,
    shards: SHARDS,
  });
  const isHere = ({ state }: ProjectionStatus): boolean => state !== 'elsewhere';
  return {
    runtime,
    status: async () => (await runtime.status()).find(isHere),
    rebuild: () => runtime.rebuild(documentsOf.name),
  };
}

const { runtime, status, rebuild } = shares === 'processor' ? sharedProcessor() : await sharedReadModel();
await runtime.start();
await leases.start();

async function report(): Promise<InstanceReport> {
  const now = await status();
  const { user, system } = process.cpuUsage();
  return { shards: now?.shards ?? 0, performed, position: now?.position ?? -1, cpuMs: (user + system) / 1000 };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  // Refused by those who do not keep its builds.
  if (line === 'rebuild') void rebuild?.().catch(() => undefined);
  else void report().then((text) => process.stdout.write(`${JSON.stringify(text)}\n`));
});
process.once('SIGTERM', async () => {
  await leases.stop();
  await runtime.stop();
  process.exit(0);
});
