/**
 * Stored for ever: a webhook endpoint, stream `webhookEndpoint-{endpointId}`, and the places of a workspace's or
 * partner's endpoints, stream `webhookPlaces-{ownerId}`. Add fields as optional, never change a meaning.
 */

import { OneOf, Type } from '../schema.js';
import { resealingEvents } from '../secrets/resealing.js';
import {
  Code,
  defineEvents,
  Either,
  type EventsOf,
  event,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
} from '../storedEvents.js';

const EndpointOwner = Either(Type.Object({ workspaceId: Id() }), Type.Object({ partnerId: Id() }));
/** Owner of an endpoint: a store, or a partner for all of its stores. */
export type EndpointOwner = Stored<typeof EndpointOwner>;

const DisabledReason = OneOf('failing', 'manual');
export type DisabledReason = Stored<typeof DisabledReason>;

const EndpointSettings = Shape('EndpointSettings', {
  url: Maybe(Label()),
  description: Maybe(Label()),
  events: Maybe(List(Code())),
});
/** Fields that an owner may change. */
export type EndpointSettings = Stored<typeof EndpointSettings>;

const owner = EndpointOwner;
const secret = {
  secretSealed: Code('The signing secret under the master key, context `webhookEndpoint {endpointId}`.'),
  secretLast4: Code(),
};

export const webhookEndpointEvents = defineEvents({
  WebhookEndpointCreated: event(
    'The owner registers an endpoint.',
    {
      owner,
      url: Label(),
      description: Label(),
      events: List(Code()),
      ...secret,
      createdBy: Personal('derivedId', Text('Id of the key or user that created it.')),
    },
    { subject: { user: 'createdBy', by: 'member' } },
  ),
  WebhookEndpointRevised: event(
    'The owner changes the endpoint. The event has the changed fields with their previous values.',
    {
      owner,
      changes: EndpointSettings,
      before: EndpointSettings,
    },
  ),
  WebhookEndpointDisabled: event('The owner disables the endpoint, or it has failed for too long.', {
    owner,
    reason: DisabledReason,
  }),
  WebhookEndpointEnabled: event('The owner enables the endpoint.', { owner }),
  WebhookSecretRotated: event('The owner rotates the signing secret.', {
    owner,
    rotationId: Id('Id of the rotation, which identifies a repeated request.'),
    ...secret,
    previousExpiresAt: Maybe(
      Time('Until then the previous secret also signs. If absent, all previous secrets ended at once.'),
    ),
  }),
  WebhookTestRequested: event('The owner requests a test delivery.', {
    owner,
    eventId: Id('Of the `webhook.test` event that is to be sent.'),
  }),
  WebhookReplayRequested: event('The owner requests another delivery of an event.', {
    owner,
    eventId: Id("Of an event in the endpoint's delivery log."),
    eventType: Code(),
  }),
  WebhookReplaySinceRequested: event('The owner requests a replay of all undelivered events since a time.', {
    owner,
    since: Time(),
    until: Maybe(Time('End of the range, exclusive. If absent, the time of the request.')),
  }),
  WebhookEndpointDeleted: event('The owner deletes the endpoint, or its creation was interrupted and abandoned.', {
    owner,
  }),
  ...resealingEvents,
});
export type WebhookEndpointEvent = EventsOf<typeof webhookEndpointEvents>;

export const webhookPlacesEvents = defineEvents({
  WebhookPlaceTaken: event('The owner is about to register an endpoint.', { endpointId: Id() }),
  WebhookPlaceFreed: event("The owner's endpoint was deleted, or was not registered.", { endpointId: Id() }),
});
export type WebhookPlacesEvent = EventsOf<typeof webhookPlacesEvents>;
