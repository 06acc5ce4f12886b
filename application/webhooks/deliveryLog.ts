import { derivedId } from '../ids.js';
import type { CollectionDefinition, NewDocument, ReadModels } from '../ports/readModels.js';

export const DELIVERIES = 'webhookDeliveries';
export const HEALTH = 'webhookHealth';
/** How long attempts are kept. */
export const LOG_KEPT_MS = 30 * 24 * 3_600_000;

/** One document an attempt, its body the API's `WebhookDeliveryBody`; in the work database. */
export const deliveriesDefinition: CollectionDefinition = {
  name: DELIVERIES,
  keys: { endpointId: 'text', eventId: 'text', status: 'text', attemptedAt: 'number', expiresAt: 'number' },
  indexes: [
    { keys: ['endpointId', '-attemptedAt'] },
    { keys: ['endpointId', 'eventId', '-attemptedAt'] },
    { keys: ['endpointId', 'status', '-attemptedAt'] },
    { keys: ['endpointId', 'eventId', 'status', '-attemptedAt'] },
  ],
  expiresAt: 'expiresAt',
};

/** One document an endpoint: what its attempts add up to. */
export const healthDefinition: CollectionDefinition = { name: HEALTH, keys: {}, indexes: [] };

/** The collections that webhooks need in the work database, for the composition to open. */
export const webhookCollections: readonly CollectionDefinition[] = [deliveriesDefinition, healthDefinition];

export type Trigger = 'event' | 'replay' | 'test';

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
}

/** The id repeats when the same attempt is logged again after a crash. */
export function deliveryDocument(endpointId: string, logged: Omit<DeliveryBody, 'id'>): NewDocument {
  const id = derivedId('webhookAttempt', endpointId, logged.eventId, logged.trigger, logged.attempt);
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
  readonly lastSuccessAt?: string;
}

export interface Health {
  readonly revision: number;
  readonly body: HealthBody;
}

export const UNKNOWN_HEALTH: Health = { revision: 0, body: {} };

export const afterAttempt = ({ revision, body }: Health, succeeded: boolean, at: string): Health => ({
  revision: revision + 1,
  body: succeeded ? { lastSuccessAt: at } : { ...body, failingSince: body.failingSince ?? at },
});

/** What stands in the database of each endpoint's health; absent ones have had no attempt. */
export async function storedHealth(work: ReadModels, ids: readonly string[]): Promise<Map<string, Health>> {
  const found = await work.getMany<HealthBody>(HEALTH, ids);
  return new Map([...found].map(([id, { revision, body }]) => [id, { revision, body }]));
}

const SWEEP_EVERY_MS = 600_000;
const SWEEP_PORTION = 500;

/** Removes attempts that are kept no longer, a portion at a time, whenever it is called and the time has come. */
export function logSweep(work: ReadModels): (now: number) => Promise<void> {
  let next = 0;
  return async (now) => {
    if (now < next) return;
    next = now + SWEEP_EVERY_MS;
    const removed = await work.removeWhere(DELIVERIES, { expiresAt: { lte: now } }, SWEEP_PORTION);
    if (removed === SWEEP_PORTION) next = now + 1000;
  };
}
