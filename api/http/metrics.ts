/** Prometheus metrics. Other parts add theirs to `registry`. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { requestDurations } from './requestDurations.js';

export interface Metrics {
  /** Parts of the service register metrics of their own here, named `suuq_…`. Throws for a name that is registered already. */
  readonly registry: Registry;
  /** Counts one answered request. `operation` is the operation's id, or `none` where no route was found. */
  answered(operation: string, status: number, seconds: number): void;
  /** Begins to measure the process itself: when a start is over, or with the first scrape. */
  begin(): Promise<void>;
  /** Returns all metrics with their current values. */
  scraped(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  let started = false;
  /** The event loop's lag is among the process metrics (nodejs_eventloop_lag_…). */
  async function begin(): Promise<void> {
    if (started) return;
    started = true;
    collectDefaultMetrics({ register: registry });
  }
  return {
    registry,
    answered: requestDurations(registry),
    begin,
    async scraped() {
      await begin();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
