/**
 * One of several instances that share a processor, in a process of its own: deliveries without a network, each with a line in a
 * log, as webhooks have. Answers each line of its input with what it has done and what that has cost.
 */
import { createInterface } from 'node:readline';
import type { CommandHandler } from '../engine/commandHandler/commands.js';
import { createLeases } from '../engine/ownership/leases.js';
import { steadyClock } from '../engine/ownership/steadyClock.js';
import { systemClock } from '../engine/ports/clock.js';
import { silentLog } from '../engine/ports/log.js';
import { defineProcessor, type Task } from '../engine/processors/processor.js';
import { createProcessorRuntime } from '../engine/processors/runtime.js';
import { SHARDS } from '../engine/processors/shards.js';
import type { Reads } from '../engine/projections/reads.js';
import { openEventStoreDb, openMongo } from '../service/composition/engines.js';

export interface InstanceReport {
  readonly shards: number;
  readonly performed: number;
  /** Every event up to here is taken in. */
  readonly position: number;
  /** Of this process so far, in ms. */
  readonly cpuMs: number;
}

const LOG = { name: 'benchDeliveries', keys: {}, indexes: [] };
const MOST_BYTES = 1_048_576;
const [events, documents, name] = process.argv.slice(2) as [string, string, string];
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

const leases = createLeases({ work, clock: steadyClock, instance: name, log: silentLog });
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
await runtime.start();
await leases.start();

createInterface({ input: process.stdin }).on('line', () => {
  const [status] = runtime.status();
  const { user, system } = process.cpuUsage();
  const report: InstanceReport = {
    shards: status?.shards ?? 0,
    performed,
    position: status?.position ?? -1,
    cpuMs: (user + system) / 1000,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
});
process.once('SIGTERM', async () => {
  await leases.stop();
  await runtime.stop();
  process.exit(0);
});
