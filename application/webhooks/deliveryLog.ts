import { derivedId } from '../../domain/ids.js';
import { expiringCollection } from '../../engine/collections.js';
import type { CollectionDefinition, Documents, NewDocument } from '../../engine/ports/documents.js';

export const DELIVERIES = 'webhookDeliveries';
export const HEALTH = 'webhookHealth';
/** Retention of attempts, in ms. */
export const LOG_KEPT_MS = 30 * 24 * 3_600_000;

/**
 * One document per attempt in the work database. Its body is the API's `WebhookDeliveryBody`.
 *
 * Each index is a B-tree that is written with each attempt, so there is no index without the status: queries for any status use `EITHER`,
 * which the engine merges in order.
 */
export const deliveriesDefinition: CollectionDefinition = {
  name: DELIVERIES,
  keys: { endpointId: 'text', eventId: 'text', status: 'text', attemptedAt: 'number', expiresAt: 'number' },
  indexes: [
    { keys: ['endpointId', 'status', '-attemptedAt'] },
    { keys: ['endpointId', 'eventId', 'status', '-attemptedAt'] },
  ],
  expiresAt: 'expiresAt',
};

/** One document per endpoint, with the summary of its attempts. */
const healthDefinition: CollectionDefinition = { name: HEALTH, keys: {}, indexes: [] };

export const SOURCES = 'webhookSources';

/** Source of a published event, so that it can be sent again unchanged. */
export type Source =
  | {
      readonly type: string;
      readonly stream: string;
      readonly revision: number;
      /** External id of the published product, if the event is about several. */
      readonly product?: string;
    }
  /** A test has no event. RFC 3339. */
  | { readonly type: 'webhook.test'; readonly at: string };

/** One document per event, by its id, retained as long as the log of its attempts. */
const sourcesDefinition = expiringCollection(SOURCES);

/** Time in ms in which later attempts do not record the event's source again. */
export const SOURCE_NOTED_MS = 3_600_000;

/** Stored with attempts, so that the source of a replayed event is retained as long as the new attempts. */
export const sourceDocument = (eventId: string, source: Source, now: number): NewDocument => ({
  id: eventId,
  keys: { expiresAt: now + LOG_KEPT_MS + SOURCE_NOTED_MS },
  body: source,
  revision: now,
});

/** Collections of webhooks in the work database. The composition root opens them. */
export const webhookCollections: readonly CollectionDefinition[] = [
  deliveriesDefinition,
  healthDefinition,
  sourcesDefinition,
];

export type Trigger = 'event' | 'replay' | 'test';

/** Filter for attempts with any status. */
export const EITHER = { in: ['succeeded', 'failed'] satisfies DeliveryBody['status'][] } as const;

/** (Specification 2, 'Delivery attempt'.) */
export interface DeliveryBody {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly attempt: number;
  readonly attemptedAt: string;
  readonly latencyMs: number;
  readonly status: 'succeeded' | 'failed';
  readonly trigger: Trigger;
  readonly responseCode?: number;
  readonly error?: string;
  readonly nextRetryAt?: string;
  /** Store of the event. Absent in documents of versions that did not record it. */
  readonly workspaceId?: string;
  readonly storeExternalRef?: string;
}

/** The id is the same if an attempt is logged again after a crash. `replayId`: distinguishes replays of an event. */
export function deliveryDocument(
  endpointId: string,
  logged: Omit<DeliveryBody, 'id'>,
  replayId: string | undefined,
): NewDocument {
  const of = replayId === undefined ? [] : [replayId];
  const id = derivedId('webhookAttempt', endpointId, logged.eventId, logged.trigger, logged.attempt, ...of);
  const attemptedAt = Date.parse(logged.attemptedAt);
  return {
    id,
    keys: {
      endpointId,
      eventId: logged.eventId,
      status: logged.status,
      attemptedAt,
      expiresAt: attemptedAt + LOG_KEPT_MS,
    },
    body: { id, ...logged } satisfies DeliveryBody,
    revision: 1,
  };
}

/** Times in RFC 3339. (Specification 2, 'Webhook endpoint'.) */
export interface HealthBody {
  /** Start of the failures without a success since. */
  readonly failingSince?: string;
  /** Latest failure since `failingSince`. Absent if an earlier version recorded the failures. */
  readonly lastFailureAt?: string;
  readonly lastSuccessAt?: string;
}

export interface Health {
  readonly revision: number;
  readonly body: HealthBody;
}

export const UNKNOWN_HEALTH: Health = { revision: 0, body: {} };

/** Maximum difference in the order of attempts, and between the clocks of instances, in ms. */
const CLOCK_STEP_MS = 60_000;
/** Failures further apart belong to two periods, since nothing is known about the time in between. */
const UNTRIED_MS = 24 * 3_600_000;

/** Returns true if a failure at `at` belongs to the same period of failures. A clock that was set back starts another one. */
export function isSameFailing({ failingSince, lastFailureAt = failingSince }: HealthBody, at: number): boolean {
  if (lastFailureAt === undefined) return false;
  const apart = at - Date.parse(lastFailureAt);
  return apart >= -CLOCK_STEP_MS && apart <= UNTRIED_MS;
}

export function afterAttempt({ revision, body }: Health, succeeded: boolean, at: string): Health {
  if (succeeded) return { revision: revision + 1, body: { lastSuccessAt: at } };
  const failingSince = isSameFailing(body, Date.parse(at)) ? body.failingSince! : at;
  return { revision: revision + 1, body: { ...body, failingSince, lastFailureAt: at } };
}

/** Clears the failures of an endpoint that was enabled again. */
export const withoutFailures = ({
  revision,
  body: { failingSince: _, lastFailureAt: __, ...body },
}: Health): Health => ({
  revision: revision + 1,
  body,
});

/** Returns the stored health of endpoints. Endpoints without an attempt are absent. */
export async function storedHealth(work: Documents, ids: readonly string[]): Promise<Map<string, Health>> {
  const found = await work.getMany<HealthBody>(HEALTH, ids);
  return new Map([...found].map(([id, { revision, body }]) => [id, { revision, body }]));
}

const SWEEP_EVERY_MS = 600_000;
const SWEEP_PORTION = 500;

/** Removes expired attempts, a portion at a time, if the interval has passed since the last call. */
export function logSweep(work: Documents): (now: number) => Promise<void> {
  let next = 0;
  return async (now) => {
    if (now < next) return;
    next = now + SWEEP_EVERY_MS;
    for (const collection of [DELIVERIES, SOURCES]) {
      const removed = await work.removeWhere(collection, { expiresAt: { lte: now } }, SWEEP_PORTION);
      if (removed === SWEEP_PORTION) next = now + 1000;
    }
  };
}
