import {
  disableWebhookEndpoint,
  isStanding,
  type StandingEndpoint,
  webhookEndpoint,
} from '../../domain/webhooks/webhookEndpoint.js';
import { derivedId } from '../ids.js';
import type { NewDocument } from '../ports/readModels.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { WebhookResult, WebhookSender } from '../ports/webhookSender.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../processors/processor.js';
import { afterAttempt, DELIVERIES, deliveryDocument, HEALTH, type Trigger } from './deliveryLog.js';
import { secretContext } from './endpoints.js';
import type { HealthBook } from './healthBook.js';
import { FAILING_MS, nextAttemptAt } from './schedule.js';
import { signatureOf } from './signature.js';

/** One event owed to one endpoint, the body's text as it is sent every time. */
export interface OwedDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  readonly body: string;
}

/** Asks, when it is due, whether the endpoint has failed ever since. */
export interface FailingCheck {
  readonly endpointId: string;
  /** RFC 3339, as in the endpoint's health. */
  readonly since: string;
}

export interface DeliverParts {
  readonly sender: WebhookSender;
  readonly secretBox: SecretBox;
  readonly health: HealthBook;
  /** Removes attempts that are kept no longer. */
  readonly sweep: (now: number) => Promise<void>;
  /** In [0, 1): jitter of the retries. */
  readonly random: () => number;
}

/** (Specification 2, 'Headers on every delivery'.) */
function headersOf(owed: OwedDelivery, attempt: number, secrets: readonly string[], now: number) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'Service-Signature': signatureOf(secrets, now, owed.body),
    'Service-Event-Id': owed.eventId,
    'Service-Event-Type': owed.eventType,
    'Service-Delivery-Attempt': String(attempt),
  };
}

const isSuccess = ({ responseCode = 0, error }: WebhookResult): boolean =>
  error === undefined && responseCode >= 200 && responseCode <= 299;

function logged(owed: OwedDelivery, attempt: number, at: string, result: WebhookResult, retryAt?: number): NewDocument {
  const { responseCode, error, latencyMs } = result;
  return deliveryDocument(owed.endpointId, {
    eventId: owed.eventId,
    eventType: owed.eventType,
    attempt,
    attemptedAt: at,
    latencyMs,
    status: isSuccess(result) ? 'succeeded' : 'failed',
    trigger: owed.trigger,
    ...(responseCode === undefined ? {} : { responseCode }),
    ...(error === undefined ? {} : { error }),
    ...(retryAt === undefined ? {} : { nextRetryAt: new Date(retryAt).toISOString() }),
  });
}

const failingCheck = (endpointId: string, since: string): NewTask<FailingCheck> => ({
  id: derivedId('webhookFailing', endpointId, since),
  kind: 'checkFailing',
  lane: `${endpointId}.check`,
  dueAt: Date.parse(since) + FAILING_MS,
  payload: { endpointId, since },
});

const standing = async (context: ProcessorContext, endpointId: string): Promise<StandingEndpoint | undefined> => {
  const endpoint = await context.commands.query(webhookEndpoint, endpointId, (state) => state);
  return isStanding(endpoint) ? endpoint : undefined;
};

/** One attempt: sends, logs, and says when to try again. An endpoint that is deleted or disabled is owed nothing. */
export const deliver =
  ({ sender, secretBox, health, sweep, random }: DeliverParts) =>
  async (task: Task<OwedDelivery>, context: ProcessorContext): Promise<Outcome> => {
    const { payload: owed, attempt } = task;
    const { endpointId } = owed;
    const endpoint = await standing(context, endpointId);
    if (endpoint?.status !== 'active') return { done: true };
    await health.know(endpointId);
    await sweep(context.clock.now());
    const begun = context.clock.now();
    const at = new Date(begun).toISOString();
    const secrets = [secretBox.open(endpoint.secretSealed, secretContext(endpointId))];
    const headers = headersOf(owed, attempt, secrets, begun);
    const result = await sender.send({ url: endpoint.url, headers, body: owed.body, signal: context.signal });

    const now = context.clock.now();
    const succeeded = isSuccess(result);
    const { createdAt } = task;
    const { retryAfterMs } = result;
    const retryAt = succeeded ? undefined : nextAttemptAt({ attempt, now, createdAt, retryAfterMs, random: random() });
    const state = health.change(endpointId, (before) => afterAttempt(before, succeeded, at));
    const since = state.body.failingSince;
    const also = {
      [DELIVERIES]: { put: [logged(owed, attempt, at, result, retryAt)] },
      [HEALTH]: { put: [{ id: endpointId, keys: {}, revision: state.revision, body: state.body }] },
    };
    const next = since === at ? [failingCheck(endpointId, since)] : [];
    return retryAt === undefined ? { done: true, also, next } : { again: { at: retryAt }, also, next };
  };

/** Disables an endpoint that had no success in the 3 days since its failing began. (Delivery rule 2.) */
export const checkFailing =
  ({ health }: Pick<DeliverParts, 'health'>) =>
  async (task: Task<FailingCheck>, context: ProcessorContext): Promise<Outcome> => {
    const { endpointId, since } = task.payload;
    const endpoint = await standing(context, endpointId);
    const { body } = await health.know(endpointId);
    if (endpoint?.status !== 'active' || body.failingSince !== since) return { done: true };
    const cause = context.contextFor(task, endpoint.owner);
    await context.commands.decide(cause, webhookEndpoint, endpointId, disableWebhookEndpoint('failing'));
    return { done: true };
  };
