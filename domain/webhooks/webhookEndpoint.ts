/** Where a store or a partner is told of what happens. Stream `webhookEndpoint-{endpointId}`. */
import { type Aggregate, type Decision, never, refuse, type WithMeta } from '../decider.js';
import { EVENT_TYPES } from './eventTypes.js';
import type { DisabledReason, EndpointOwner, WebhookEndpointEvent } from './webhookEvents.js';

// Events: WebhookEndpointEvent in webhookEvents.ts -----------------------------------------------------------------
// State ------------------------------------------------------------------------------------------------------------
export interface StandingEndpoint {
  readonly status: 'active' | 'disabled';
  readonly owner: EndpointOwner;
  readonly url: string;
  readonly events: readonly string[];
  readonly secretSealed: string;
  /** ms since 1970. */
  readonly createdAt: number;
}
export type WebhookEndpoint = { readonly status: 'absent' } | { readonly status: 'deleted' } | StandingEndpoint;

export const isStanding = (endpoint: WebhookEndpoint): endpoint is StandingEndpoint =>
  endpoint.status === 'active' || endpoint.status === 'disabled';

/** The id that the endpoints of one owner are found by: the workspace's or the partner's. */
export const ownerId = (owner: EndpointOwner): string => ('workspaceId' in owner ? owner.workspaceId : owner.partnerId);

const absent: WebhookEndpoint = { status: 'absent' };

function evolve(endpoint: WebhookEndpoint, event: WithMeta<WebhookEndpointEvent>): WebhookEndpoint {
  switch (event.type) {
    case 'WebhookEndpointCreated': {
      const { owner, url, events, secretSealed } = event.data;
      return { status: 'active', owner, url, events, secretSealed, createdAt: Date.parse(event.meta.at) };
    }
    case 'WebhookEndpointDisabled':
      return isStanding(endpoint) ? { ...endpoint, status: 'disabled' } : endpoint;
    case 'WebhookEndpointDeleted':
      return { status: 'deleted' };
    default:
      return never(event);
  }
}

export const webhookEndpoint: Aggregate<WebhookEndpoint, WebhookEndpointEvent> = {
  name: 'webhookEndpoint',
  initial: () => absent,
  evolve,
  weigh: () => 3000,
};

// Decisions --------------------------------------------------------------------------------------------------------
export type CreateWebhookEndpoint = Extract<WebhookEndpointEvent, { type: 'WebhookEndpointCreated' }>['data'];

const MOST_EVENTS = 64;

/** Creating it again changes nothing: the first url and the first secret stay. (Specification 2, 'Webhook endpoint'.) */
export const createWebhookEndpoint =
  (command: CreateWebhookEndpoint): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (before) => {
    if (before.status !== 'absent') return [];
    const events = [...new Set(command.events)];
    if (events.length < 1 || events.length > MOST_EVENTS)
      refuse('validation_failed', `An endpoint receives 1 to ${MOST_EVENTS} event types.`, [
        { message: `1 to ${MOST_EVENTS} event types`, location: 'body.events' },
      ]);
    const unknown = command.events.flatMap((type, i) =>
      Object.hasOwn(EVENT_TYPES, type)
        ? []
        : [{ message: 'not an event type', location: `body.events[${i}]`, value: type }],
    );
    if (unknown.length > 0) refuse('validation_failed', 'Some of the event types do not exist.', unknown);
    return [{ type: 'WebhookEndpointCreated', data: { ...command, events } }];
  };

const standing =
  (
    owner: EndpointOwner | undefined,
    decide: (endpoint: StandingEndpoint) => readonly WebhookEndpointEvent[],
  ): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (endpoint) => {
    const reached = isStanding(endpoint) && (owner === undefined || ownerId(endpoint.owner) === ownerId(owner));
    if (!reached) refuse('not_found', 'There is no such webhook endpoint.');
    return decide(endpoint);
  };

/** Refuses `not_found` for another owner's endpoint and for one that is deleted already. */
export const deleteWebhookEndpoint = (owner: EndpointOwner): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  standing(owner, (endpoint) => [{ type: 'WebhookEndpointDeleted', data: { owner: endpoint.owner } }]);

/** Without effect on one that is disabled or gone. */
export const disableWebhookEndpoint =
  (reason: DisabledReason): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (endpoint) =>
    endpoint.status === 'active' ? [{ type: 'WebhookEndpointDisabled', data: { owner: endpoint.owner, reason } }] : [];
