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
  WebhookEndpointRevised: event('The owner changes the endpoint; only what changed, with the values before.', {
    owner,
    changes: EndpointSettings,
    before: EndpointSettings,
  }),
  WebhookEndpointDisabled: event('The owner switches the endpoint off, or it has failed for too long.', {
    owner,
    reason: DisabledReason,
  }),
  WebhookEndpointEnabled: event('The owner switches the endpoint on again.', { owner }),
  WebhookSecretRotated: event('The owner asks for a new signing secret.', {
    owner,
    rotationId: Id('Of this rotation: a repeated request is known by it.'),
    ...secret,
    previousExpiresAt: Maybe(
      Time('Until then the replaced secret signs too; absent: it and all before it ended at once.'),
    ),
  }),
  WebhookTestRequested: event('The owner asks for a test delivery.', {
    owner,
    eventId: Id('Of the `webhook.test` event that is to be sent.'),
  }),
  WebhookReplayRequested: event('The owner asks for a delivery once more.', {
    owner,
    eventId: Id("Of an event in the endpoint's delivery log."),
    eventType: Code(),
  }),
  WebhookReplaySinceRequested: event('The owner asks for all that was not delivered since a time.', {
    owner,
    since: Time(),
    until: Maybe(Time('Before this; until the request when absent.')),
  }),
  WebhookEndpointDeleted: event('The owner deletes the endpoint, or its creation broke off and is given up.', {
    owner,
  }),
  ...resealingEvents,
});
export type WebhookEndpointEvent = EventsOf<typeof webhookEndpointEvents>;

export const webhookPlacesEvents = defineEvents({
  WebhookPlaceTaken: event('The owner is about to register an endpoint.', { endpointId: Id() }),
  WebhookPlaceFreed: event("The owner's endpoint is deleted, or was not registered after all.", { endpointId: Id() }),
});
export type WebhookPlacesEvent = EventsOf<typeof webhookPlacesEvents>;
