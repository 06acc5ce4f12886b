import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { partitionedDefinition, taskDocument, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { buildInfo, saturationMetrics } from '../../service/composition/metrics/saturationMetrics.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('metrics of saturation', () => {
  const folder = temporaryFolder('suuq-saturation-');
  const work = openEmbeddedReadModels(join(folder.path, 'work.db'));
  after(async () => {
    await work.close();
    folder.remove();
  });

  const task = (id: string, lane: string, dueAt: number, shard?: number) =>
    taskDocument({
      id,
      kind: 'deliver',
      lane,
      dueAt,
      payload: {},
      attempt: 1,
      revision: 1,
      createdAt: dueAt,
      failures: 0,
      ...(shard !== undefined && { shard }),
    });

  it("show the age of each processor's oldest task, except timers", async () => {
    const webhooks = partitionedDefinition('webhooks', 64);
    for (const definition of [webhooks, tasksDefinition('orders'), tasksDefinition('catalog')])
      await work.open(definition);
    await work.write({
      [webhooks.name]: { put: [task('b', 'shop/1', NOON - 5_000, 7), task('a', 'shop/2', NOON - 90_000, 63)] },
      [tasksDefinition('orders').name]: { put: [task('timer', 'shop', NOON + 60_000)] },
    });
    const registry = new Registry();
    saturationMetrics(registry, { work, clock: { now: () => NOON }, waiting: () => 3 });
    const lines = (await registry.metrics()).split('\n');
    expect(lines.filter((line) => /^suuq_(processor|log_appends)/.test(line)).sort()).to.deep.equal([
      'suuq_log_appends_waiting 3',
      'suuq_processor_overdue_seconds{processor="orders"} 0',
      'suuq_processor_overdue_seconds{processor="webhooks"} 90',
    ]);
    const busy = lines.find((line) => line.startsWith('suuq_thread_busy_seconds_total{thread="main"}'));
    expect(Number(busy?.split(' ')[1])).to.be.greaterThan(0);
  });

  it('show which release runs on what', async () => {
    const registry = new Registry();
    const engine = (name: string) => ({ name }) as never;
    buildInfo(registry, '1.2.3', {
      engines: { events: engine('EventStoreDB at log-1:2113'), documents: engine('SQLite, views.db and work.db') },
    });
    expect(await registry.metrics()).to.include(
      `suuq_build_info{version="1.2.3",node="${process.version}",events="EventStoreDB",documents="SQLite"} 1`,
    );
  });
});
