import { EVENT_TYPES, type EventType } from '../../../domain/webhooks/eventTypes.js';
import { Closed, DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

const types = Object.keys(EVENT_TYPES) as EventType[];

/** (Specification 2, 'Webhook endpoint'.) */
export const WebhookEndpointBody = Named(
  'WebhookEndpointBody',
  Type.Object({
    id: Uuid,
    url: Type.String(),
    description: Type.String(),
    events: Type.Array(Type.String(), { description: 'Event types received.' }),
    status: OneOf('active', 'disabled'),
    secretMasked: Type.String({ description: "The signing secret's prefix and last four characters." }),
    createdAt: DateTime,
    updatedAt: DateTime,
    createdBy: Type.String({ description: 'Id of the creator: the key that was used.' }),
    disabledAt: Type.Optional(DateTime),
    disabledReason: Type.Optional(OneOf('failing', 'manual')),
    failingSince: Type.Optional(DateTime),
    lastSuccessAt: Type.Optional(DateTime),
    previousSecretExpiresAt: Type.Optional(DateTime),
  }),
);

const Url = Type.String({
  minLength: 8,
  maxLength: 2048,
  description: 'https, on the public internet, port 443 or from 1024 on.',
});
const Events = Type.Array(OneOf(...types), { minItems: 1, maxItems: 64 });
const Description = Type.String({ maxLength: 200 });

const creating = (name: string) =>
  Named(name, Closed({ url: Url, events: Events, description: Type.Optional(Description) }));

export const CreateWebhookEndpointInputBody = creating('CreateWebhookEndpointInputBody');
export const CreatePartnerEndpointInputBody = creating('CreatePartnerEndpointInputBody');

/** The specification allows `events: null`; like an absent list, it changes nothing. */
const updating = (name: string) =>
  Named(
    name,
    Closed({
      url: Type.Optional(Url),
      events: Type.Optional(Type.Union([Events, Type.Null()])),
      description: Type.Optional(Description),
      status: Type.Optional(OneOf('active', 'disabled')),
    }),
  );

export const UpdateWebhookEndpointInputBody = updating('UpdateWebhookEndpointInputBody');
export const UpdatePartnerEndpointInputBody = updating('UpdatePartnerEndpointInputBody');

export const WebhookTestOutputBody = Named(
  'WebhookTestOutputBody',
  Type.Object({ eventId: Type.String({ format: 'uuid', description: 'Of the `webhook.test` event.' }) }),
);

/** An addition to the specification. */
export const WebhookReplayInputBody = Named(
  'WebhookReplayInputBody',
  Closed({
    since: Type.Unsafe<string>({ ...DateTime, description: 'At most 30 days ago, and not in the future.' }),
    until: Type.Optional(
      Type.Unsafe<string>({
        ...DateTime,
        description: 'End of the range, exclusive; must be after since. Default: now.',
      }),
    ),
  }),
);

export const WebhookSecretOutputBody = Named(
  'WebhookSecretOutputBody',
  Type.Object({
    endpoint: WebhookEndpointBody,
    secret: Type.Optional(
      Type.String({ description: 'Shown only in this answer; absent when it is an idempotent replay.' }),
    ),
  }),
);

export const WebhookEndpointsOutputBody = Named(
  'WebhookEndpointsOutputBody',
  Type.Object({ endpoints: Type.Array(WebhookEndpointBody) }),
);

/** (Specification 2, 'Delivery attempt'.) */
export const WebhookDeliveryBody = Named(
  'WebhookDeliveryBody',
  Type.Object({
    id: Uuid,
    eventId: Uuid,
    eventType: Type.String(),
    attempt: Int64({ minimum: 1 }),
    attemptedAt: DateTime,
    latencyMs: Int64({ minimum: 0 }),
    status: OneOf('succeeded', 'failed'),
    trigger: OneOf('event', 'replay', 'test'),
    responseCode: Type.Optional(Int64()),
    error: Type.Optional(Type.String()),
    nextRetryAt: Type.Optional(DateTime),
    workspaceId: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'An addition: the store that the event happened in.' }),
    ),
    storeExternalRef: Type.Optional(
      Type.String({ description: "An addition: the partner's own id of that store; only of a partner's stores." }),
    ),
  }),
);

export const WebhookDeliveriesOutputBody = Named(
  'WebhookDeliveriesOutputBody',
  Type.Object({ deliveries: Type.Array(WebhookDeliveryBody), next: Type.Optional(Type.String()) }),
);

export const WebhookEventTypesOutputBody = Named(
  'WebhookEventTypesOutputBody',
  Type.Object({
    eventTypes: Type.Array(
      Named(
        'WebhookEventTypeBody',
        Type.Object({ type: Type.String(), description: Type.String(), emitted: Type.Boolean() }),
      ),
    ),
  }),
);
