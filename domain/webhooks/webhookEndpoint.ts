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
  readonly description: string;
  readonly events: readonly string[];
  readonly secretSealed: string;
  /** The secret before the last rotation; signs until then (ms since 1970). */
  readonly previous?: { readonly secretSealed: string; readonly until: number };
  readonly rotationId?: string;
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
      const { owner, url, description, events, secretSealed } = event.data;
      const createdAt = Date.parse(event.meta.at);
      return { status: 'active', owner, url, description, events, secretSealed, createdAt };
    }
    case 'WebhookEndpointDeleted':
      return { status: 'deleted' };
    default:
      return isStanding(endpoint) ? evolveStanding(endpoint, event) : endpoint;
  }
}

type Change = Exclude<
  WithMeta<WebhookEndpointEvent>,
  { type: 'WebhookEndpointCreated' } | { type: 'WebhookEndpointDeleted' }
>;

function evolveStanding(endpoint: StandingEndpoint, event: Change): StandingEndpoint {
  switch (event.type) {
    case 'WebhookEndpointRevised':
      return { ...endpoint, ...event.data.changes };
    case 'WebhookEndpointDisabled':
      return { ...endpoint, status: 'disabled' };
    case 'WebhookEndpointEnabled':
      return { ...endpoint, status: 'active' };
    case 'WebhookSecretRotated': {
      const { previous: _, ...others } = endpoint;
      const { secretSealed, rotationId, previousExpiresAt } = event.data;
      const until = previousExpiresAt === undefined ? 0 : Date.parse(previousExpiresAt);
      const previous = until === 0 ? {} : { previous: { secretSealed: endpoint.secretSealed, until } };
      return { ...others, secretSealed, rotationId, ...previous };
    }
    case 'WebhookTestRequested':
    case 'WebhookReplayRequested':
      return endpoint;
    default:
      return never(event);
  }
}

/** The sealed secrets that sign at a time (ms since 1970), the newest first. */
export const signingSecrets = ({ secretSealed, previous }: StandingEndpoint, now: number): readonly string[] =>
  previous === undefined || previous.until <= now ? [secretSealed] : [secretSealed, previous.secretSealed];

export const webhookEndpoint: Aggregate<WebhookEndpoint, WebhookEndpointEvent> = {
  name: 'webhookEndpoint',
  initial: () => absent,
  evolve,
  weigh: () => 3000,
};

// Decisions --------------------------------------------------------------------------------------------------------
export type CreateWebhookEndpoint = Extract<WebhookEndpointEvent, { type: 'WebhookEndpointCreated' }>['data'];

const MOST_EVENTS = 64;

/** Each type once. Refuses `validation_failed` for a type that does not exist, and for none or too many. */
export function checkedEvents(wanted: readonly string[]): readonly string[] {
  const events = [...new Set(wanted)];
  if (events.length < 1 || events.length > MOST_EVENTS)
    refuse('validation_failed', `An endpoint receives 1 to ${MOST_EVENTS} event types.`, [
      { message: `1 to ${MOST_EVENTS} event types`, location: 'body.events' },
    ]);
  const unknown = wanted.flatMap((type, i) =>
    Object.hasOwn(EVENT_TYPES, type)
      ? []
      : [{ message: 'not an event type', location: `body.events[${i}]`, value: type }],
  );
  if (unknown.length > 0) refuse('validation_failed', 'Some of the event types do not exist.', unknown);
  return events;
}

/** Creating it again changes nothing: the first url and the first secret stay. (Specification 2, 'Webhook endpoint'.) */
export const createWebhookEndpoint =
  (command: CreateWebhookEndpoint): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (before) => {
    if (before.status !== 'absent') return [];
    const events = checkedEvents(command.events);
    return [{ type: 'WebhookEndpointCreated', data: { ...command, events } }];
  };

/** Decides on an endpoint that stands and is this owner's; refuses `not_found` otherwise. */
export const standing =
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
