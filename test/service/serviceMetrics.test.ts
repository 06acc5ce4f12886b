import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { ProcessorStatus } from '../../engine/processors/processor.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { serviceMetrics } from '../../service/composition/metrics/metrics.js';

const projection = (name: string, state: ProjectionStatus['state'], lag: number): ProjectionStatus => ({
  name,
  version: 1,
  position: 41 - lag,
  head: 41,
  eventsPerSecond: 0,
  state,
  lag,
  served: 41 - lag,
});

describe('metrics of the service', () => {
  it('show the current state at the first scrape, not the previous one', async () => {
    const registry = new Registry();
    const trouble = { error: 'no answer in time', since: '2026-11-01T09:00:00.000Z', attempts: 3 };
    let projections = [
      { ...projection('orders', 'stopped', 7), differing: 2, trouble },
      projection('stores', 'live', 0),
    ];
    let processors = [
      { name: 'webhooks', state: 'failed', inFlight: 3, position: 36, waitingSince: 9 } as ProcessorStatus,
    ];
    const metrics = serviceMetrics(registry, {
      projections: { status: async () => projections },
      eventStore: { head: async () => 41 },
      folders: {},
      storedBytes: async () => 0,
      engines: async () => [{ name: 'event store', ok: true }],
    });
    metrics.watch({ status: () => processors });
    const first = (await registry.metrics()).split('\n');
    expect(first).to.include.members([
      'suuq_projection_lag_events{projection="orders"} 7',
      'suuq_projection_stopped{projection="orders"} 1',
      'suuq_projection_stopped{projection="stores"} 0',
      'suuq_projection_waiting{projection="orders"} 1',
      'suuq_projection_waiting{projection="stores"} 0',
      'suuq_projection_differing_documents{projection="orders"} 2',
      'suuq_projection_differing_documents{projection="stores"} 0',
      'suuq_events 41',
      'suuq_processor_lag_events{processor="webhooks"} 5',
      'suuq_processor_failed{processor="webhooks"} 1',
      'suuq_processor_waiting{processor="webhooks"} 1',
      'suuq_processor_in_flight{processor="webhooks"} 3',
    ]);
    projections = [{ ...projection('orders', 'live', 0) } as (typeof projections)[number]];
    processors = [{ name: 'webhooks', state: 'running', inFlight: 0, position: 41 } as ProcessorStatus];
    expect((await registry.metrics()).split('\n')).to.include.members([
      'suuq_projection_lag_events{projection="orders"} 0',
      'suuq_projection_stopped{projection="orders"} 0',
      'suuq_projection_waiting{projection="orders"} 0',
      'suuq_processor_failed{processor="webhooks"} 0',
      'suuq_processor_waiting{processor="webhooks"} 0',
    ]);
  });

  it('use the right unit if positions are bytes of the log', async () => {
    const registry = new Registry();
    const metrics = serviceMetrics(registry, {
      projections: { status: async () => [projection('orders', 'live', 14)] },
      // EventStoreDB counts two positions per byte.
      eventStore: { head: async () => 1_041, measure: { unit: 'bytes', positions: 2 } },
      folders: {},
      storedBytes: async () => 0,
      engines: async () => [{ name: 'event store', ok: true }],
    });
    metrics.watch({ status: () => [{ name: 'webhooks', state: 'running', position: 1_001 } as ProcessorStatus] });
    const text = await registry.metrics();
    expect(text.split('\n')).to.include.members([
      '# HELP suuq_projection_lag_bytes Bytes of the log that the projection has not applied yet.',
      'suuq_projection_lag_bytes{projection="orders"} 7',
      'suuq_processor_lag_bytes{processor="webhooks"} 20',
      'suuq_log_bytes 521',
    ]);
    expect(text).not.to.match(/suuq_(?:projection_lag_events|processor_lag_events|events)[ {]/);
  });

  it('leave out data of an unavailable engine, and what now runs elsewhere', async () => {
    const registry = new Registry();
    let projections = [projection('orders', 'live', 0), projection('stores', 'live', 0)];
    let up = true;
    const metrics = serviceMetrics(registry, {
      projections: { status: async () => projections },
      eventStore: { head: () => (up ? Promise.resolve(41) : Promise.reject(new Error('away'))) },
      folders: {},
      storedBytes: async () => 0,
      engines: async () => [
        { name: 'event store', ok: up },
        { name: 'read models', ok: true },
      ],
    });
    metrics.watch({
      status: () => [{ name: 'outbox', state: 'running', inFlight: 1, position: 41 } as ProcessorStatus],
    });
    await registry.metrics();
    up = false;
    projections = [projection('orders', 'elsewhere', 0), { ...projection('stores', 'live', 3), owner: 'two' }];
    const text = await registry.metrics();
    expect(text.split('\n')).to.include.members([
      'suuq_engine_up{engine="event store"} 0',
      'suuq_engine_up{engine="read models"} 1',
      'suuq_processor_in_flight{processor="outbox"} 1',
      'suuq_events 41',
    ]);
    expect(text).not.to.include('suuq_projection_lag_events{').and.not.to.include('suuq_processor_lag_events{');
  });
});
