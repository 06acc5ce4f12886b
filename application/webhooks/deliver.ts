import { createSecretKey, type KeyObject } from 'node:crypto';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import {
  disableFailingEndpoint,
  isStanding,
  type StandingEndpoint,
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
import {
  afterAttempt,
  DELIVERIES,
  deliveryDocument,
  HEALTH,
  isSameFailing,
  SOURCES,
  type Source,
  startedAnew,
  type Trigger,
} from './deliveryLog.js';
import { secretContext } from './endpoints.js';
import type { StoreTold } from './envelope.js';
import type { HealthBook } from './healthBook.js';
import { type SeeAttempt, seenAttempt } from './observing.js';
import { FAILING_END_MS, FAILING_MS, lateAfter, nextAttemptAt } from './schedule.js';
import { signatureOf } from './signature.js';
import type { SourceBook } from './sourceBook.js';

/** One event owed to one endpoint, the body's text as it is sent every time, as long as its customer is not forgotten. */
export interface OwedDelivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  /** Absent where it is sealed, or was erased. */
  readonly body?: string;
  /** Under the key of the customer whom it tells of. */
  readonly sealed?: SealedText;
  /** Absent in tasks of versions that did not log it. */
  readonly store?: StoreTold;
  /** Absent in tasks of versions that could not replay. */
  readonly source?: Source;
  /** Time in which the service did not try although it was due. */
  readonly lateMs?: number;
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
  readonly health: (context: ProcessorContext) => HealthBook;
  /** Removes attempts that are kept no longer. */
  readonly sweep: (now: number) => Promise<void>;
  /** What is to be noted of where an event came from. */
  readonly sources: (context: ProcessorContext) => SourceBook;
  /** In [0, 1): jitter of the retries. */
  readonly random: () => number;
  readonly seen?: SeeAttempt;
  /** The text to send; undefined: there is nothing to tell any more. */
  readonly bodyOf: (owed: OwedDelivery) => Promise<string | undefined>;
}

/** After so long an endpoint is read again before anything is sent to it. */
const OUTDATED_MS = 100;

/** Signing secrets that are open: of those endpoints that were told last. */
const MOST_OPEN = 2_000;

/** Opens each sealed signing secret once. It is kept outside of what a dump of the heap shows. */
function openedSecrets(secretBox: SecretBox): (sealed: string, endpointId: string) => KeyObject {
  const known = new LateCache<KeyObject>({ max: MOST_OPEN });
  return (sealed, endpointId) =>
    known.getOrMake(sealed, () => createSecretKey(secretBox.open(sealed, secretContext(endpointId)), 'utf8'));
}

/** (Specification 2, 'Headers on every delivery'.) */
function headersOf(owed: OwedDelivery, body: string, attempt: number, secrets: readonly KeyObject[], now: number) {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'Service-Signature': signatureOf(secrets, now, body),
    'Service-Event-Id': owed.eventId,
    'Service-Event-Type': owed.eventType,
    'Service-Delivery-Attempt': String(attempt),
  };
}

const isSuccess = ({ responseCode = 0, error }: WebhookResult): boolean =>
  error === undefined && responseCode >= 200 && responseCode <= 299;

const statusOf = (result: WebhookResult) => (isSuccess(result) ? 'succeeded' : 'failed');

function logged(
  { id, payload: owed, attempt }: Task<OwedDelivery>,
  at: string,
  result: WebhookResult,
  retryAt?: number,
): NewDocument {
  const { responseCode, error, latencyMs } = result;
  const body = {
    eventId: owed.eventId,
    eventType: owed.eventType,
    attempt,
    attemptedAt: at,
    latencyMs,
    status: statusOf(result),
    trigger: owed.trigger,
    ...defined({ responseCode, error }),
    ...(retryAt === undefined ? {} : { nextRetryAt: new Date(retryAt).toISOString() }),
    ...owed.store,
  } as const;
  return deliveryDocument(owed.endpointId, body, owed.trigger === 'replay' ? id : undefined);
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

/** A test goes to a disabled endpoint too; nothing else does. (Specification 2, rule 4 of endpoints.) */
const receives = ({ status }: StandingEndpoint, trigger: Trigger): boolean => status === 'active' || trigger === 'test';

/** When to try again, ms since 1970; undefined: never. A test is tried once. */
function retryAfter(task: Task<OwedDelivery>, result: WebhookResult, now: number, random: number): number | undefined {
  if (isSuccess(result) || task.payload.trigger === 'test') return undefined;
  const { attempt, createdAt, payload } = task;
  return nextAttemptAt({
    ...{ attempt, now, createdAt, random },
    retryAfterMs: result.retryAfterMs,
    lateMs: payload.lateMs,
  });
}

/** Notes how late this attempt is, where the service was down or its clock was set. */
function withLateness(task: Task<OwedDelivery>, begun: number): Task<OwedDelivery> {
  const { lateMs = 0 } = task.payload;
  const late = lateAfter(lateMs, task.dueAt, begun);
  return late === lateMs ? task : { ...task, payload: { ...task.payload, lateMs: late } };
}

/** Drops a stored body that is not the one just sent: its customer was forgotten since, so each retry renders the body again. */
function withCurrent(owed: OwedDelivery, sent: string): OwedDelivery {
  const { body, ...rest } = owed;
  return body === undefined || body === sent ? owed : rest;
}

/** The endpoint that is to receive it, if it is there and on. */
async function receiverOf({ endpointId, trigger }: OwedDelivery, context: ProcessorContext) {
  const endpoint = await standing(context, endpointId);
  return endpoint !== undefined && receives(endpoint, trigger) ? endpoint : undefined;
}

/** Looks up what an attempt sends, and to whom. Undefined: nothing is sent. */
async function prepared(
  { health, sweep, bodyOf }: DeliverParts,
  owed: OwedDelivery,
  context: ProcessorContext,
): Promise<{ readonly endpoint: StandingEndpoint; readonly body: string } | undefined> {
  const { clock } = context;
  const before = await receiverOf(owed, context);
  if (before === undefined) return undefined;
  const readAt = clock.steady.now();
  const body = await bodyOf(owed);
  if (body === undefined) return undefined;
  await health(context).know(owed.endpointId);
  if (unconfirmedMs(clock) === 0) await sweep(clock.now());
  // Views are waited for, for seconds: by then it may have another address or secret, or be gone.
  const isOutdated = clock.steady.now() - readAt >= OUTDATED_MS;
  const endpoint = isOutdated ? await receiverOf(owed, context) : before;
  return endpoint && { endpoint, body };
}

/** One attempt: sends, logs, and says when to try again. An endpoint that is deleted or disabled is owed nothing. */
export function deliver(parts: DeliverParts) {
  const { sender, health: healthOf, sources, random, seen } = parts;
  const open = openedSecrets(parts.secretBox);
  return async (task: Task<OwedDelivery>, context: ProcessorContext): Promise<Outcome> => {
    const { payload: owed, attempt } = task;
    const { endpointId, trigger, source } = owed;
    const health = healthOf(context);
    const sent = await prepared(parts, owed, context);
    if (sent === undefined) return { done: true };
    const { endpoint, body } = sent;
    const begun = context.clock.now();
    const at = new Date(begun).toISOString();
    const secrets = signingSecrets(endpoint, begun).map((sealed) => open(sealed, endpointId));
    const headers = headersOf(owed, body, attempt, secrets, begun);
    const result = await sender.send({ url: endpoint.url, headers, body, signal: context.signal });

    const now = context.clock.now();
    const late = withLateness({ ...task, payload: withCurrent(owed, body) }, begun);
    const retryAt = retryAfter(late, result, now, random());
    seen?.(seenAttempt({ task, endpointId, endpoint, result, status: statusOf(result), begun, retryAt }));
    const also = {
      [DELIVERIES]: { put: [logged(task, at, result, retryAt)] },
      ...(source === undefined ? {} : { [SOURCES]: { put: sources(context).note(owed.eventId, source, now) } }),
    };
    // Whether deliveries arrive is seen from a test too; one that fails is what tests are for, and begins nothing.
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

/** For an endpoint that has been turned on again: its failing is counted from its next failure. */
export const startAnew =
  ({ health: healthOf }: Pick<DeliverParts, 'health'>) =>
  async ({ payload: { endpointId } }: Task<{ endpointId: string }>, context: ProcessorContext): Promise<Outcome> => {
    const health = healthOf(context);
    await health.know(endpointId);
    const { revision, body } = health.change(endpointId, startedAnew);
    return { done: true, also: { [HEALTH]: { put: [{ id: endpointId, keys: {}, revision, body }] } } };
  };

/**
 * Disables an endpoint that failed at both ends of 3 days and had no success between them. (Delivery rule 2.) An endpoint that
 * was not tried for long, since the service was down or its clock was set, begins another period with its next failure.
 */
export const checkFailing =
  ({ health }: Pick<DeliverParts, 'health'>) =>
  async (task: Task<FailingCheck>, context: ProcessorContext): Promise<Outcome> => {
    const { endpointId, since } = task.payload;
    const endpoint = await standing(context, endpointId);
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
