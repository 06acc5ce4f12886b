/** How long requests took, by operation and status. */
import { Histogram, type Registry } from 'prom-client';

export const REQUEST_DURATIONS = 'suuq_http_request_duration_seconds';

/** Registers the histogram; what is answered counts a request that took so many seconds. */
export function requestDurations(registry: Registry): (operation: string, status: number, seconds: number) => void {
  const durations = new Histogram({
    name: REQUEST_DURATIONS,
    help: 'Duration of a request, from the request line to the end of the response, by operation and status.',
    labelNames: ['operation', 'status'],
    // In seconds: a read answers in well under one ms, a view that is late in 5 s.
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (operation, status, seconds) => durations.observe({ operation, status }, seconds);
}
