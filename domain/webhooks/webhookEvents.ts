/**
 * Stored for ever: a webhook endpoint, stream `webhookEndpoint-{endpointId}`, and the places of a workspace's or
 * partner's endpoints, stream `webhookPlaces-{ownerId}`. Add fields as optional, never change a meaning.
 */
import type { DomainEvent } from '../decider.js';

/** Whose endpoint it is: a store's own, or a partner's for all of its stores. */
export type EndpointOwner = { readonly workspaceId: string } | { readonly partnerId: string };

export type DisabledReason = 'failing' | 'manual';

/** What an owner may change. */
export interface EndpointSettings {
  readonly url?: string;
  readonly description?: string;
  readonly events?: readonly string[];
}

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
  /** Only what changed, with the values before. */
  | DomainEvent<'WebhookEndpointRevised', { owner: EndpointOwner; changes: EndpointSettings; before: EndpointSettings }>
  | DomainEvent<'WebhookEndpointDisabled', { owner: EndpointOwner; reason: DisabledReason }>
  | DomainEvent<'WebhookEndpointEnabled', { owner: EndpointOwner }>
  | DomainEvent<
      'WebhookSecretRotated',
      {
        owner: EndpointOwner;
        /** Of this rotation: a repeated request is known by it. */
        rotationId: string;
        secretSealed: string;
        secretLast4: string;
        /** Until then the replaced secret signs too, RFC 3339; absent: it and all before it ended at once. */
        previousExpiresAt?: string;
      }
    >
  /** `eventId`: of the `webhook.test` event that is to be sent. */
  | DomainEvent<'WebhookTestRequested', { owner: EndpointOwner; eventId: string }>
  /** `eventId`: of an event in the endpoint's delivery log. */
  | DomainEvent<'WebhookReplayRequested', { owner: EndpointOwner; eventId: string; eventType: string }>
  /** All that was not delivered since a time, and before another; until the request where that is absent. RFC 3339. */
  | DomainEvent<'WebhookReplaySinceRequested', { owner: EndpointOwner; since: string; until?: string }>
  | DomainEvent<'WebhookEndpointDeleted', { owner: EndpointOwner }>;

export type WebhookPlacesEvent =
  | DomainEvent<'WebhookPlaceTaken', { endpointId: string }>
  | DomainEvent<'WebhookPlaceFreed', { endpointId: string }>;
