/** Prometheus metrics. Other parts add theirs to `registry`. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { requestDurations } from './requestDurations.js';

export interface Metrics {
  /** Parts of the service register counters and gauges of their own here, named `suuq_…`. */
  readonly registry: Registry;
  /** Counts one answered request. `operation` is the operation's id, or `none` where no route was found. */
  answered(operation: string, status: number, seconds: number): void;
  contentType(): string;
  text(): Promise<string>;
}

/** The event loop's lag is among the process metrics (nodejs_eventloop_lag_…). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    answered: requestDurations(registry),
    contentType: () => registry.contentType,
    text: () => registry.metrics(),
  };
}
