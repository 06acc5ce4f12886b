/** Observation of webhook deliveries: metrics in total, and for a bounded number of endpoints; a log line per attempt. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { SeeAttempt, SeenAttempt } from '../../../application/webhooks/attemptReports.js';
import type { Log } from '../../../engine/ports/log.js';
import { collectedGauge } from '../../../infrastructure/metrics/collected.js';

/** Endpoints with series of their own: four each. All others are counted together. */
const MOST_ENDPOINTS = 200;
const OTHERS = 'other';
/** An endpoint keeps its series so long after its last attempt. */
const KEPT_MS = 3_600_000;
/** While deliveries are due, attempts are at most some 10 s apart, so without one for longer nothing waits. */
const WAITING_MS = 15_000;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Place {
  failed: boolean;
  /** ms, of a steady clock. */
  seenAt: number;
  waitedMs: number;
}

export interface EndpointPlaces {
  /** The label under which an attempt is counted. */
  labelOf(endpointId: string, failed: boolean, waitedMs: number): string;
  /** Seconds that the latest attempt of each endpoint had been due for; 0 where nothing waits any more. */
  waits(): ReadonlyMap<string, number>;
}

/**
 * Which endpoints have series of their own, so that any number of endpoints makes a bounded number of series: the first
 * `most`; one that fails takes the place of the one that has been healthy and quiet for longest.
 */
export function endpointPlaces(most: number, gone: (endpointId: string) => void, now = () => performance.now()) {
  /** Longest unseen first. */
  const places = new Map<string, Place>();

  function drop(endpointId: string): void {
    places.delete(endpointId);
    gone(endpointId);
  }

  function dropQuiet(): void {
    for (const [id, { seenAt }] of places) {
      if (now() - seenAt <= KEPT_MS) return;
      drop(id);
    }
  }

  function hasRoom(failed: boolean): boolean {
    if (places.size < most) return true;
    const healthy = failed ? [...places].find(([, place]) => !place.failed) : undefined;
    if (healthy !== undefined) drop(healthy[0]);
    return healthy !== undefined;
  }

  return {
    labelOf(endpointId, failed, waitedMs) {
      dropQuiet();
      if (!places.delete(endpointId) && !hasRoom(failed)) return OTHERS;
      places.set(endpointId, { failed, waitedMs, seenAt: now() });
      return endpointId;
    },
    waits: () =>
      new Map([...places].map(([id, { waitedMs, seenAt }]) => [id, now() - seenAt > WAITING_MS ? 0 : waitedMs / 1000])),
  } satisfies EndpointPlaces;
}

const codeOf = ({ responseCode }: SeenAttempt): string =>
  responseCode === undefined ? 'none' : `${Math.floor(responseCode / 100)}xx`;

/** Counts each attempt in the registry and writes it to the log: `debug` a success, `info` a failure. */
export function webhookMetrics(registry: Registry, log: Pick<Log, 'debug' | 'info'>): SeeAttempt {
  const duration = new Histogram({
    name: 'suuq_webhook_attempt_seconds',
    help: 'Duration of one delivery attempt, by status and class of the response code. `none`: no response.',
    labelNames: ['status', 'code'],
    buckets: SECONDS,
    registers: [registry],
  });
  const wait = new Histogram({
    name: 'suuq_webhook_wait_seconds',
    help: 'Time from the due time of a delivery to its attempt.',
    labelNames: [],
    buckets: SECONDS,
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'suuq_webhook_endpoint_attempts_total',
    help: `Delivery attempts by endpoint. Above ${MOST_ENDPOINTS} endpoints, the rest count as \`${OTHERS}\`.`,
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  });
  const spent = new Counter({
    name: 'suuq_webhook_endpoint_seconds_total',
    help: 'Total duration of the delivery attempts to an endpoint.',
    labelNames: ['endpoint'],
    registers: [registry],
  });
  const places = endpointPlaces(MOST_ENDPOINTS, (endpoint) => {
    for (const status of ['succeeded', 'failed']) attempts.remove(endpoint, status);
    spent.remove(endpoint);
  });
  const queue = {
    name: 'suuq_webhook_endpoint_queue_seconds',
    help: 'Overdue time of the latest delivery to the endpoint at its attempt, in seconds.',
    labelNames: ['endpoint'],
  };
  collectedGauge(registry, queue, (set) => {
    for (const [endpoint, seconds] of places.waits()) set(seconds, endpoint);
  });
  return (seen) => {
    const { status, latencyMs, waitedMs } = seen;
    duration.observe({ status, code: codeOf(seen) }, latencyMs / 1000);
    wait.observe(waitedMs / 1000);
    const endpoint = places.labelOf(seen.endpointId, status === 'failed', waitedMs);
    attempts.inc({ endpoint, status });
    spent.inc({ endpoint }, latencyMs / 1000);
    if (status === 'failed') log.info(seen, 'webhook delivery failed');
    else log.debug(seen, 'webhook delivered');
  };
}
