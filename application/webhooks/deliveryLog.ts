import { derivedId } from '../../domain/ids.js';
import { expiringCollection } from '../../engine/collections.js';
import type { CollectionDefinition, Documents, NewDocument } from '../../engine/ports/documents.js';

export const DELIVERIES = 'webhookDeliveries';
export const HEALTH = 'webhookHealth';
/** How long attempts are kept. */
export const LOG_KEPT_MS = 30 * 24 * 3_600_000;

/**
 * One document an attempt, its body the API's `WebhookDeliveryBody`; in the work database. Each index is a B-tree to be written with each
 * attempt, so those without the status are not kept: who asks for attempts whatever came of them asks for `EITHER`, which the engine merges in order.
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

/** One document an endpoint: what its attempts add up to. */
const healthDefinition: CollectionDefinition = { name: HEALTH, keys: {}, indexes: [] };

export const SOURCES = 'webhookSources';

/** Where an event that was sent comes from, so that it can be sent again as it was. */
export type Source =
  | {
      readonly type: string;
      readonly stream: string;
      readonly revision: number;
      /** External id, where the event is about several products: which one was told. */
      readonly product?: string;
    }
  /** A test has no event behind it. RFC 3339. */
  | { readonly type: 'webhook.test'; readonly at: string };

/** One document an event, by its id; kept as long as the log of its attempts. */
const sourcesDefinition = expiringCollection(SOURCES);

/** Attempts within this time of one that noted the event's source do not note it again. */
export const SOURCE_NOTED_MS = 3_600_000;

/** Written with attempts: an event that is replayed late in its log's life lives as long as the new attempts. */
export const sourceDocument = (eventId: string, source: Source, now: number): NewDocument => ({
  id: eventId,
  keys: { expiresAt: now + LOG_KEPT_MS + SOURCE_NOTED_MS },
  body: source,
  revision: now,
});

/** The collections that webhooks need in the work database, for the composition to open. */
export const webhookCollections: readonly CollectionDefinition[] = [
  deliveriesDefinition,
  healthDefinition,
  sourcesDefinition,
];

export type Trigger = 'event' | 'replay' | 'test';

/** The status of an attempt in a query, whichever it is. */
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
  /** The store that the event happened in; absent in rows of versions that did not say it. */
  readonly workspaceId?: string;
  readonly storeExternalRef?: string;
}

/** The id repeats when the same attempt is logged again after a crash. `replayId`: an event may be replayed often. */
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
  /** Deliveries have failed since then without a success. */
  readonly failingSince?: string;
  /** The latest failure since `failingSince`. Absent where a previous version counted. */
  readonly lastFailureAt?: string;
  readonly lastSuccessAt?: string;
}

export interface Health {
  readonly revision: number;
  readonly body: HealthBody;
}

export const UNKNOWN_HEALTH: Health = { revision: 0, body: {} };

/** Attempts that end in another order than they began, and clocks of several instances, differ by less. */
const CLOCK_STEP_MS = 60_000;
/** Failures further apart are two periods: nothing is known of the time between them. */
const UNTRIED_MS = 24 * 3_600_000;

/** Whether a failure at `at` belongs to the same period of failing. A clock that was set back begins another one. */
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

/** An endpoint that is turned on again has failed at nothing yet. */
export const startedAnew = ({ revision, body: { failingSince: _, lastFailureAt: __, ...body } }: Health): Health => ({
  revision: revision + 1,
  body,
});

/** What stands in the database of each endpoint's health; absent ones have had no attempt. */
export async function storedHealth(work: Documents, ids: readonly string[]): Promise<Map<string, Health>> {
  const found = await work.getMany<HealthBody>(HEALTH, ids);
  return new Map([...found].map(([id, { revision, body }]) => [id, { revision, body }]));
}

const SWEEP_EVERY_MS = 600_000;
const SWEEP_PORTION = 500;

/** Removes attempts that are kept no longer, a portion at a time, whenever it is called and the time has come. */
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
