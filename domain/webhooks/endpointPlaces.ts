/**
 * The places of an owner's webhook endpoints: what makes 'up to 20 per workspace' exact when several are created at
 * once. A place is taken before its endpoint is created and freed after it is deleted. Stream `webhookPlaces-{ownerId}`.
 */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import type { WebhookPlacesEvent } from './webhookEvents.js';

// Events: WebhookPlacesEvent in webhookEvents.ts -------------------------------------------------------------------
// State ------------------------------------------------------------------------------------------------------------
/** When each endpoint's place was taken, ms since 1970. */
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

/** Taking a place that is taken changes nothing, so that a repeated creation goes on where it was. */
export const takePlace =
  (endpointId: string, most: number): Decision<WebhookPlaces, WebhookPlacesEvent> =>
  (places) => {
    if (places.has(endpointId)) return [];
    if (places.size >= most)
      refuse('webhook_endpoint_limit_reached', `There are ${most} webhook endpoints already; delete one first.`);
    return [{ type: 'WebhookPlaceTaken', data: { endpointId } }];
  };

export const freePlace =
  (endpointId: string): Decision<WebhookPlaces, WebhookPlacesEvent> =>
  (places) =>
    places.has(endpointId) ? [{ type: 'WebhookPlaceFreed', data: { endpointId } }] : [];
