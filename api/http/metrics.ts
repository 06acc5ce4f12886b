/** Prometheus metrics. Other parts add theirs to `registry`. */
import { createRequire } from 'node:module';
import type { Metric, Registry } from 'prom-client';
import type { MetricsRegistry } from '../../infrastructure/metrics/registry.js';
import { requestDurations } from './requestDurations.js';

export interface Metrics {
  /** Parts of the service register counters and gauges of their own here, named `suuq_…`. Throws for a name that is there already. */
  readonly registry: MetricsRegistry;
  /** Counts one answered request. `operation` is the operation's id, or `none` where no route was found. */
  answered(operation: string, status: number, seconds: number): void;
  /** Loads what writes them, and begins to count what the process itself does: when a start is over, or with the first scrape. */
  begin(): Promise<void>;
  /** Collects all metrics now. */
  scraped(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Required when it is needed, not imported: see infrastructure/http/clients.ts. */
const require = createRequire(import.meta.url);

/** The event loop's lag is among the process metrics (nodejs_eventloop_lag_…). */
function processMetrics(): Registry {
  const { collectDefaultMetrics, Registry } = require('prom-client') as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function createMetrics(): Metrics {
  const own = new Map<string, Metric>();
  const registry: MetricsRegistry = {
    registerMetric(metric: Metric) {
      const { name } = metric as unknown as { readonly name: string };
      if (own.has(name)) throw new Error(`there is a metric ${name} already`);
      own.set(name, metric);
    },
  };
  let loading: Registry | undefined;
  const loaded = (): Registry => {
    loading ??= processMetrics();
    return loading;
  };
  return {
    registry,
    answered: requestDurations(registry),
    async begin() {
      loaded();
    },
    async scraped() {
      const all = loaded();
      // Those that it has already are no others.
      for (const metric of own.values()) all.registerMetric(metric);
      return { contentType: all.contentType, text: await all.metrics() };
    },
  };
}
