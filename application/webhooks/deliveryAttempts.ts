import { createSecretKey, type KeyObject } from 'node:crypto';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import {
  disableFailingEndpoint,
  type ExistingEndpoint,
  isOpen,
  signingSecrets,
  webhookEndpoint,
} from '../../domain/webhooks/webhookEndpoint.js';
import { unconfirmedMs } from '../../engine/clockEvidence.js';
import { LateCache } from '../../engine/lateCache.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { SealedText } from '../ports/personTexts.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { WebhookResult, WebhookSender } from '../ports/webhookSender.js';
import { type SeeAttempt, seenAttempt } from './attemptReports.js';
import {
  afterAttempt,
  DELIVERIES,
  deliveryDocument,
  HEALTH,
  isSameFailing,
  SOURCES,
  type Source,
  type Trigger,
  withoutFailures,
} from './deliveryLog.js';
import { secretContext } from './endpoints.js';
import type { StoreReference } from './envelope.js';
import type { HealthBook } from './healthBook.js';
import { FAILING_END_MS, FAILING_MS, lateAfter, nextAttemptAt } from './retrySchedule.js';
import { signatureOf } from './signature.js';
import type { SourceBook } from './sourceBook.js';

/** A pending delivery of one event to one endpoint. The body is the same for every attempt while its customer is not erased. */
export interface PendingDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  /** Absent if it is sealed, or was erased. */
  readonly body?: string;
  /** Body sealed under the key of its customer. */
  readonly sealed?: SealedText;
  /** Absent in tasks of versions that did not log it. */
  readonly store?: StoreReference;
  /** Absent in tasks of versions without replays. */
  readonly source?: Source;
  /** Time in which the service made no attempt although one was due. */
  readonly lateMs?: number;
}

/** Checks, when it is due, whether the endpoint has failed ever since. */
export interface FailingCheck {
  readonly endpointId: string;
  /** RFC 3339, as in the endpoint's health. */
  readonly since: string;
}

export interface DeliverParts {
  readonly sender: WebhookSender;
  readonly secretBox: SecretBox;
  readonly health: (context: ProcessorContext) => HealthBook;
  /** Removes expired attempts. */
  readonly sweep: (now: number) => Promise<void>;
  /** Records the sources of events. */
  readonly sources: (context: ProcessorContext) => SourceBook;
  /** Random number in [0, 1) for jitter of the retries. */
  readonly random: () => number;
  readonly seen?: SeeAttempt;
  /** Returns the body to send. Undefined: there is nothing to publish any more. */
  readonly bodyOf: (pending: PendingDelivery) => Promise<string | undefined>;
}

/** Time in ms after which an endpoint is read again before a delivery. */
const OUTDATED_MS = 100;

/** Maximum unsealed signing secrets, those of the endpoints used last. */
const MOST_OPEN = 2_000;

/** Unseals each signing secret once. Key objects are not visible in a heap dump. */
function openedSecrets(secretBox: SecretBox): (sealed: string, endpointId: string) => KeyObject {
  const known = new LateCache<KeyObject>({ max: MOST_OPEN });
  return (sealed, endpointId) =>
    known.getOrMake(sealed, () => createSecretKey(secretBox.open(sealed, secretContext(endpointId)), 'utf8'));
}

/** (Specification 2, 'Headers on every delivery'.) */
function headersOf(
  pending: PendingDelivery,
  body: string,
  attempt: number,
  secrets: readonly KeyObject[],
  now: number,
) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'Service-Signature': signatureOf(secrets, now, body),
    'Service-Event-Id': pending.eventId,
    'Service-Event-Type': pending.eventType,
    'Service-Delivery-Attempt': String(attempt),
  };
}

const isSuccess = ({ responseCode = 0, error }: WebhookResult): boolean =>
  error === undefined && responseCode >= 200 && responseCode <= 299;

const statusOf = (result: WebhookResult) => (isSuccess(result) ? 'succeeded' : 'failed');

function logged(
  { id, payload: pending, attempt }: Task<PendingDelivery>,
  at: string,
  result: WebhookResult,
  retryAt?: number,
): NewDocument {
  const { responseCode, error, latencyMs } = result;
  const body = {
    eventId: pending.eventId,
    eventType: pending.eventType,
    attempt,
    attemptedAt: at,
    latencyMs,
    status: statusOf(result),
    trigger: pending.trigger,
    ...defined({ responseCode, error }),
    ...(retryAt === undefined ? {} : { nextRetryAt: new Date(retryAt).toISOString() }),
    ...pending.store,
  } as const;
  return deliveryDocument(pending.endpointId, body, pending.trigger === 'replay' ? id : undefined);
}

const failingCheck = (endpointId: string, since: string): NewTask<FailingCheck> => ({
  id: derivedId('webhookFailing', endpointId, since),
  kind: 'checkFailing',
  lane: `${endpointId}.check`,
  dueAt: Date.parse(since) + FAILING_MS,
  payload: { endpointId, since },
});

const existingEndpoint = async (
  context: ProcessorContext,
  endpointId: string,
): Promise<ExistingEndpoint | undefined> => {
  const endpoint = await context.commands.query(webhookEndpoint, endpointId, (state) => state);
  return isOpen(endpoint) ? endpoint : undefined;
};

/** Tests are also sent to disabled endpoints. (Specification 2, rule 4 of endpoints.) */
const receives = ({ status }: ExistingEndpoint, trigger: Trigger): boolean => status === 'active' || trigger === 'test';

/** Returns the time of the next attempt, ms since 1970. Undefined: none. A test has only one attempt. */
function retryAfter(
  task: Task<PendingDelivery>,
  result: WebhookResult,
  now: number,
  random: number,
): number | undefined {
  if (isSuccess(result) || task.payload.trigger === 'test') return undefined;
  const { attempt, createdAt, payload } = task;
  return nextAttemptAt({
    ...{ attempt, now, createdAt, random },
    retryAfterMs: result.retryAfterMs,
    lateMs: payload.lateMs,
  });
}

/** Adds the delay of this attempt if the service was down or its clock was set. */
function withLateness(task: Task<PendingDelivery>, startedAt: number): Task<PendingDelivery> {
  const { lateMs = 0 } = task.payload;
  const late = lateAfter(lateMs, task.dueAt, startedAt);
  return late === lateMs ? task : { ...task, payload: { ...task.payload, lateMs: late } };
}

/** Drops a stored body that differs from the one just sent: its customer was erased since, so each retry renders the body again. */
function withCurrent(pending: PendingDelivery, sent: string): PendingDelivery {
  const { body, ...rest } = pending;
  return body === undefined || body === sent ? pending : rest;
}

/** Returns the receiving endpoint, if it exists and is enabled. */
async function receiverOf({ endpointId, trigger }: PendingDelivery, context: ProcessorContext) {
  const endpoint = await existingEndpoint(context, endpointId);
  return endpoint !== undefined && receives(endpoint, trigger) ? endpoint : undefined;
}

/** Returns the receiver and the body of an attempt. Undefined: nothing is sent. */
async function prepared(
  { health, sweep, bodyOf }: DeliverParts,
  pending: PendingDelivery,
  context: ProcessorContext,
): Promise<{ readonly endpoint: ExistingEndpoint; readonly body: string } | undefined> {
  const { clock } = context;
  const before = await receiverOf(pending, context);
  if (before === undefined) return undefined;
  const readAt = clock.steady.now();
  const body = await bodyOf(pending);
  if (body === undefined) return undefined;
  await health(context).know(pending.endpointId);
  if (unconfirmedMs(clock) === 0) await sweep(clock.now());
  // Waiting for views takes up to seconds, in which the endpoint may get another address or secret, or be deleted.
  const isOutdated = clock.steady.now() - readAt >= OUTDATED_MS;
  const endpoint = isOutdated ? await receiverOf(pending, context) : before;
  return endpoint && { endpoint, body };
}

/** Makes one attempt: sends, logs, and schedules the next one. A deleted or disabled endpoint gets nothing. */
export function deliver(parts: DeliverParts) {
  const { sender, health: healthOf, sources, random, seen } = parts;
  const open = openedSecrets(parts.secretBox);
  return async (task: Task<PendingDelivery>, context: ProcessorContext): Promise<Outcome> => {
    const { payload: pending, attempt } = task;
    const { endpointId, trigger, source } = pending;
    const health = healthOf(context);
    const sent = await prepared(parts, pending, context);
    if (sent === undefined) return { done: true };
    const { endpoint, body } = sent;
    const startedAt = context.clock.now();
    const at = new Date(startedAt).toISOString();
    const secrets = signingSecrets(endpoint, startedAt).map((sealed) => open(sealed, endpointId));
    const headers = headersOf(pending, body, attempt, secrets, startedAt);
    const result = await sender.send({ url: endpoint.url, headers, body, signal: context.signal });

    const now = context.clock.now();
    const late = withLateness({ ...task, payload: withCurrent(pending, body) }, startedAt);
    const retryAt = retryAfter(late, result, now, random());
    seen?.(seenAttempt({ task, endpointId, endpoint, result, status: statusOf(result), startedAt, retryAt }));
    const also = {
      [DELIVERIES]: { put: [logged(task, at, result, retryAt)] },
      ...(source === undefined ? {} : { [SOURCES]: { put: sources(context).note(pending.eventId, source, now) } }),
    };
    // A successful test counts for the endpoint's health. A failed one does not.
    if (trigger === 'test' && !isSuccess(result)) return { done: true, also };
    const state = health.change(endpointId, (before) => afterAttempt(before, isSuccess(result), at));
    const since = state.body.failingSince;
    const alsoHealth = {
      ...also,
      [HEALTH]: { put: [{ id: endpointId, keys: {}, revision: state.revision, body: state.body }] },
    };
    const next = since === at ? [failingCheck(endpointId, since)] : [];
    return retryAt === undefined
      ? { done: true, also: alsoHealth, next }
      : { again: { at: retryAt, payload: late.payload }, also: alsoHealth, next };
  };
}

/** Resets the health of an endpoint that was enabled again: failures count from the next one. */
export const resetHealth =
  ({ health: healthOf }: Pick<DeliverParts, 'health'>) =>
  async ({ payload: { endpointId } }: Task<{ endpointId: string }>, context: ProcessorContext): Promise<Outcome> => {
    const health = healthOf(context);
    await health.know(endpointId);
    const { revision, body } = health.change(endpointId, withoutFailures);
    return { done: true, also: { [HEALTH]: { put: [{ id: endpointId, keys: {}, revision, body }] } } };
  };

/**
 * Disables an endpoint that failed at the start and the end of 3 days and had no success in between. (Delivery rule 2.) If there were no
 * attempts for long, because the service was down or its clock was set, the next failure starts a new period.
 */
export const checkFailing =
  ({ health }: Pick<DeliverParts, 'health'>) =>
  async (task: Task<FailingCheck>, context: ProcessorContext): Promise<Outcome> => {
    const { endpointId, since } = task.payload;
    const endpoint = await existingEndpoint(context, endpointId);
    const { body } = await health(context).know(endpointId);
    const now = context.clock.now();
    if (endpoint?.status !== 'active' || body.failingSince !== since || !isSameFailing(body, now))
      return { done: true };
    if (Date.parse(body.lastFailureAt ?? since) < Date.parse(since) + FAILING_MS - FAILING_END_MS)
      return { again: { at: now + FAILING_END_MS } };
    const cause = context.contextFor(task, endpoint.owner);
    const decision = disableFailingEndpoint(Date.parse(since));
    await context.commands.decide(cause, webhookEndpoint, endpointId, decision);
    return { done: true };
  };
