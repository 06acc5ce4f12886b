/** Where a store or a partner is told of what happens. Stream `webhookEndpoint-{endpointId}`. */
import { type Aggregate, type Decision, never, refuse, type WithMeta } from '../decider.js';
import { resealedBy } from '../secrets/resealing.js';
import { EVENT_TYPES } from './eventTypes.js';
import type { EndpointOwner, WebhookEndpointEvent } from './webhookEvents.js';

// Events: WebhookEndpointEvent in webhookEvents.ts -----------------------------------------------------------------
// State ------------------------------------------------------------------------------------------------------------
export interface PreviousSecret {
  readonly secretSealed: string;
  /** Signs until then, ms since 1970. */
  readonly until: number;
}

export interface StandingEndpoint {
  readonly status: 'active' | 'disabled';
  readonly owner: EndpointOwner;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly secretSealed: string;
  /** Secrets that were replaced and still sign, the newest first. */
  readonly previous: readonly PreviousSecret[];
  readonly rotationId?: string;
  /** ms since 1970. */
  readonly createdAt: number;
  /** When its owner last switched it on, ms since 1970; at first its creation. */
  readonly enabledAt: number;
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
      return {
        status: 'active',
        owner,
        url,
        description,
        events,
        secretSealed,
        previous: [],
        createdAt,
        enabledAt: createdAt,
      };
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

/** A receiver tries each signature, and a header has a length: so many that were replaced sign at once. */
const MOST_PREVIOUS = 4;

/** The secret that was just replaced, and those from before that have not ended; one too many: what ends first goes. */
function keptAfter({ secretSealed, previous }: StandingEndpoint, at: string, expiresAt: string): PreviousSecret[] {
  const valid = previous.filter(({ until }) => until > Date.parse(at));
  const first = Math.min(...valid.map(({ until }) => until));
  // Of several that end at once the oldest.
  const dropped = valid.length < MOST_PREVIOUS ? -1 : valid.findLastIndex(({ until }) => until === first);
  return [{ secretSealed, until: Date.parse(expiresAt) }, ...valid.filter((_, index) => index !== dropped)];
}

function evolveStanding(endpoint: StandingEndpoint, event: Change): StandingEndpoint {
  switch (event.type) {
    case 'WebhookEndpointRevised':
      return { ...endpoint, ...event.data.changes };
    case 'WebhookEndpointDisabled':
      return { ...endpoint, status: 'disabled' };
    case 'WebhookEndpointEnabled':
      return { ...endpoint, status: 'active', enabledAt: Date.parse(event.meta.at) };
    case 'WebhookSecretRotated': {
      const { secretSealed, rotationId, previousExpiresAt } = event.data;
      const previous = previousExpiresAt === undefined ? [] : keptAfter(endpoint, event.meta.at, previousExpiresAt);
      return { ...endpoint, secretSealed, rotationId, previous };
    }
    case 'SecretsResealed': {
      const sealedNow = resealedBy(event);
      const previous = endpoint.previous.map((one) => ({ ...one, secretSealed: sealedNow(one.secretSealed) }));
      return { ...endpoint, secretSealed: sealedNow(endpoint.secretSealed), previous };
    }
    case 'WebhookTestRequested':
    case 'WebhookReplayRequested':
    case 'WebhookReplaySinceRequested':
      return endpoint;
    default:
      return never(event);
  }
}

/** The sealed secrets that sign at a time (ms since 1970), the newest first. */
export const signingSecrets = ({ secretSealed, previous }: StandingEndpoint, now: number): readonly string[] => [
  secretSealed,
  ...previous.filter(({ until }) => until > now).map((one) => one.secretSealed),
];

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

/** Ends a creation that broke off before the endpoint was there, so that it cannot go on later. No effect on any other endpoint. */
export const abandonWebhookEndpoint =
  (owner: EndpointOwner): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'WebhookEndpointDeleted', data: { owner } }] : [];

/**
 * Disables an endpoint that has failed since `failingSince`, ms since 1970. No effect on an endpoint that is disabled or deleted, or that its
 * owner has switched on after that time: its failures count from then on. (Specification 2, delivery rule 2.)
 */
export const disableFailingEndpoint =
  (failingSince: number): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (endpoint) =>
    endpoint.status === 'active' && endpoint.enabledAt <= failingSince
      ? [{ type: 'WebhookEndpointDisabled', data: { owner: endpoint.owner, reason: 'failing' } }]
      : [];
