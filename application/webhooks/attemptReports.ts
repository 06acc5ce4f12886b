import { defined } from '../../domain/defined.js';
import { type ExistingEndpoint, ownerId } from '../../domain/webhooks/webhookEndpoint.js';
import { LateCache } from '../../engine/lateCache.js';
import type { Task } from '../../engine/processors/processor.js';
import type { WebhookResult } from '../ports/webhookSender.js';
import type { DeliveryBody, Trigger } from './deliveryLog.js';

/** One attempt for operators, without the payload, secrets, or the URL beyond its host. */
export interface SeenAttempt {
  readonly endpointId: string;
  /** Id of the workspace or the partner. */
  readonly ownerId: string;
  readonly host: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly status: DeliveryBody['status'];
  readonly responseCode?: number;
  readonly error?: string;
  /** Time from the request to the end of the response. */
  readonly latencyMs: number;
  /** Time in the queue, from the due time to the start. */
  readonly waitedMs: number;
  readonly nextRetryAt?: string;
}

/** Called after every attempt. Must not throw. */
export type SeeAttempt = (seen: SeenAttempt) => void;

export interface Attempted {
  readonly task: Task<{ readonly eventId: string; readonly eventType: string; readonly trigger: Trigger }>;
  readonly endpointId: string;
  readonly endpoint: ExistingEndpoint;
  readonly result: WebhookResult;
  readonly status: DeliveryBody['status'];
  /** ms since 1970. */
  readonly startedAt: number;
  readonly retryAt: number | undefined;
}

/** Hosts of the URLs used last. */
const hosts = new LateCache<string>({ max: 2_000 });

const hostOf = (url: string): string => hosts.getOrMake(url, () => new URL(url).host);

export function seenAttempt(attempted: Attempted): SeenAttempt {
  const { task, endpointId, endpoint, result, status, startedAt, retryAt } = attempted;
  const { eventId, eventType, trigger } = task.payload;
  const { responseCode, error, latencyMs } = result;
  return {
    endpointId,
    ownerId: ownerId(endpoint.owner),
    host: hostOf(endpoint.url),
    eventId,
    eventType,
    trigger,
    attempt: task.attempt,
    status,
    ...defined({ responseCode, error }),
    latencyMs,
    // Tasks that are due at once have due times within the preceding millisecond, in their order.
    waitedMs: Math.max(0, Math.ceil(startedAt - task.dueAt - 1)),
    ...(retryAt === undefined ? {} : { nextRetryAt: new Date(retryAt).toISOString() }),
  };
}
