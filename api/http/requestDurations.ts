/** How long requests took, by operation and status. */
import { histogram, type Series } from '../../infrastructure/metrics/histogram.js';
import type { MetricsRegistry } from '../../infrastructure/metrics/registry.js';

export const REQUEST_DURATIONS = 'suuq_http_request_duration_seconds';
const HELP = 'Time from the request line to the end of the answer, by operation and status.';
/** In seconds: a read answers in well under one ms, a view that is late in 5 s. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers the histogram; what is answered counts a request that took so many seconds. */
export function requestDurations(
  registry: MetricsRegistry,
): (operation: string, status: number, seconds: number) => void {
  const labelNames = ['operation', 'status'];
  const series = histogram(registry, { name: REQUEST_DURATIONS, help: HELP, labelNames, buckets: BOUNDS });
  const operations = new Map<string, Map<number, Series>>();

  function begun(operation: string, status: number): Series {
    const statuses = operations.get(operation) ?? new Map<number, Series>();
    operations.set(operation, statuses);
    const made = series(operation, status);
    statuses.set(status, made);
    return made;
  }

  return (operation, status, seconds) =>
    (operations.get(operation)?.get(status) ?? begun(operation, status)).observe(seconds);
}
