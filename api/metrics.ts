/** Prometheus metrics. Other parts add theirs to `registry`. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Parts of the service register counters and gauges of their own here, named `suuq_…`. */
  readonly registry: Registry;
  /** Counts one answered request. `operation` is the operation's id, or `none` where no route was found. */
  answered(operation: string, status: number, seconds: number): void;
  contentType(): string;
  text(): Promise<string>;
}

/** Bounds in seconds: a read answers in well under one ms, a view that is late in 5 s. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The event loop's lag is among the process metrics (nodejs_eventloop_lag_…). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'suuq_http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: BOUNDS,
    registers: [registry],
  });
  return {
    registry,
    answered: (operation, status, seconds) => duration.observe({ operation, status }, seconds),
    contentType: () => registry.contentType,
    text: () => registry.metrics(),
  };
}
