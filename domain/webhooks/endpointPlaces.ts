/**
 * Places of an owner's webhook endpoints, which make 'up to 20 per workspace' exact when several are created at the same time. A place is
 * reserved before its endpoint is created, and freed after it is deleted. Stream `webhookPlaces-{ownerId}`.
 */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import type { WebhookPlacesEvent } from './webhookEvents.js';

// Events: WebhookPlacesEvent in webhookEvents.ts -------------------------------------------------------------------
// State ------------------------------------------------------------------------------------------------------------
/** Time at which each endpoint's place was reserved, ms since 1970. */
export type WebhookPlaces = ReadonlyMap<string, number>;

export const webhookPlaces: Aggregate<WebhookPlaces, WebhookPlacesEvent> = {
  name: 'webhookPlaces',
  initial: () => new Map(),
  evolve(places, { type, data, meta }) {
    const next = new Map(places);
    if (type === 'WebhookPlaceTaken') next.set(data.endpointId, Date.parse(meta.at));
    else next.delete(data.endpointId);
    return next;
  },
};

// Decisions --------------------------------------------------------------------------------------------------------
/** Specification 2, 'Limits'. */
export const MOST_WORKSPACE_ENDPOINTS = 20;

/** Reserves a place. No event if the endpoint has one, so that a repeated creation can continue. */
export const takePlace =
  (endpointId: string, most: number): Decision<WebhookPlaces, WebhookPlacesEvent> =>
  (places) => {
    if (places.has(endpointId)) return [];
    if (places.size >= most)
      refuse(
        'webhook_endpoint_limit_reached',
        `The limit of ${most} webhook endpoints is reached. Delete an endpoint first.`,
      );
    return [{ type: 'WebhookPlaceTaken', data: { endpointId } }];
  };

export const freePlace =
  (endpointId: string): Decision<WebhookPlaces, WebhookPlacesEvent> =>
  (places) =>
    places.has(endpointId) ? [{ type: 'WebhookPlaceFreed', data: { endpointId } }] : [];
