/**
 * Stored for ever: a webhook endpoint, stream `webhookEndpoint-{endpointId}`, and the places of a workspace's or
 * partner's endpoints, stream `webhookPlaces-{ownerId}`. Add fields as optional, never change a meaning.
 */
import type { DomainEvent } from '../decider.js';

/** Whose endpoint it is: a store's own, or a partner's for all of its stores. */
export type EndpointOwner = { readonly workspaceId: string } | { readonly partnerId: string };

export type DisabledReason = 'failing' | 'manual';

export type WebhookEndpointEvent =
  | DomainEvent<
      'WebhookEndpointCreated',
      {
        owner: EndpointOwner;
        url: string;
        description: string;
        events: readonly string[];
        /** The signing secret under the master key, context `webhookEndpoint {endpointId}`. */
        secretSealed: string;
        secretLast4: string;
        /** Id of the key or user that created it. */
        createdBy: string;
      }
    >
  | DomainEvent<'WebhookEndpointDisabled', { owner: EndpointOwner; reason: DisabledReason }>
  | DomainEvent<'WebhookEndpointDeleted', { owner: EndpointOwner }>;

export type WebhookPlacesEvent =
  | DomainEvent<'WebhookPlaceTaken', { endpointId: string }>
  | DomainEvent<'WebhookPlaceFreed', { endpointId: string }>;
