import { expect } from 'chai';
import { Registry } from 'prom-client';
import { serviceMetrics } from '../api/composition/metrics.js';
import type { ProcessorStatus } from '../application/processors/runtimeParts.js';
import type { ProjectionStatus } from '../projections/runtime/status.js';

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
  it('tell at the first scrape what is so then, not what was at the one before', async () => {
    const registry = new Registry();
    let projections = [projection('orders', 'stopped', 7), projection('stores', 'live', 0)];
    let processors = [{ name: 'webhooks', state: 'failed', inFlight: 3, position: 36 } as ProcessorStatus];
    const metrics = serviceMetrics(registry, {
      projections: { status: async () => projections },
      eventStore: { head: async () => 41 },
    });
    metrics.watch({ status: () => processors });
    const first = (await registry.metrics()).split('\n');
    expect(first).to.include.members([
      'suuq_projection_lag{projection="orders"} 7',
      'suuq_projection_stopped{projection="orders"} 1',
      'suuq_projection_stopped{projection="stores"} 0',
      'suuq_events 41',
      'suuq_processor_lag{processor="webhooks"} 5',
      'suuq_processor_failed{processor="webhooks"} 1',
      'suuq_processor_in_flight{processor="webhooks"} 3',
    ]);
    projections = [projection('orders', 'live', 0)];
    processors = [{ name: 'webhooks', state: 'running', inFlight: 0, position: 41 } as ProcessorStatus];
    expect((await registry.metrics()).split('\n')).to.include.members([
      'suuq_projection_lag{projection="orders"} 0',
      'suuq_projection_stopped{projection="orders"} 0',
      'suuq_processor_failed{processor="webhooks"} 0',
    ]);
  });
});
