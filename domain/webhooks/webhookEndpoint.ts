/** An endpoint to which events of a store or a partner are delivered. Stream `webhookEndpoint-{endpointId}`. */
import { type Aggregate, type Decision, never, refuse, type WithMeta } from '../decider.js';
import { resealedBy } from '../secrets/resealing.js';
import { EVENT_TYPES } from './eventTypes.js';
import type { EndpointOwner, WebhookEndpointEvent } from './webhookEvents.js';

// Events: WebhookEndpointEvent in webhookEvents.ts -----------------------------------------------------------------
// State ------------------------------------------------------------------------------------------------------------
export interface PreviousSecret {
  readonly secretSealed: string;
  /** Signs until this time, ms since 1970. */
  readonly until: number;
}

export interface ExistingEndpoint {
  readonly status: 'active' | 'disabled';
  readonly owner: EndpointOwner;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly secretSealed: string;
  /** Replaced secrets that still sign, the newest first. */
  readonly previous: readonly PreviousSecret[];
  readonly rotationId?: string;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Time when its owner last enabled it, ms since 1970. Initially its creation. */
  readonly enabledAt: number;
}
export type WebhookEndpoint = { readonly status: 'absent' } | { readonly status: 'deleted' } | ExistingEndpoint;

export const isOpen = (endpoint: WebhookEndpoint): endpoint is ExistingEndpoint =>
  endpoint.status === 'active' || endpoint.status === 'disabled';

/** Id by which the endpoints of an owner are found: the workspace's or the partner's. */
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
      return isOpen(endpoint) ? evolveExisting(endpoint, event) : endpoint;
  }
}

type Change = Exclude<
  WithMeta<WebhookEndpointEvent>,
  { type: 'WebhookEndpointCreated' } | { type: 'WebhookEndpointDeleted' }
>;

/** Maximum replaced secrets that sign at the same time: a receiver tries each signature, and a header has a maximum length. */
const MOST_PREVIOUS = 4;

/** Returns the replaced secret and the earlier ones that are still valid. If there are too many, the one that expires first is dropped. */
function secretsAfter({ secretSealed, previous }: ExistingEndpoint, at: string, expiresAt: string): PreviousSecret[] {
  const valid = previous.filter(({ until }) => until > Date.parse(at));
  const first = Math.min(...valid.map(({ until }) => until));
  // If several expire at the same time, the oldest is dropped.
  const dropped = valid.length < MOST_PREVIOUS ? -1 : valid.findLastIndex(({ until }) => until === first);
  return [{ secretSealed, until: Date.parse(expiresAt) }, ...valid.filter((_, index) => index !== dropped)];
}

function evolveExisting(endpoint: ExistingEndpoint, event: Change): ExistingEndpoint {
  switch (event.type) {
    case 'WebhookEndpointRevised':
      return { ...endpoint, ...event.data.changes };
    case 'WebhookEndpointDisabled':
      return { ...endpoint, status: 'disabled' };
    case 'WebhookEndpointEnabled':
      return { ...endpoint, status: 'active', enabledAt: Date.parse(event.meta.at) };
    case 'WebhookSecretRotated': {
      const { secretSealed, rotationId, previousExpiresAt } = event.data;
      const previous = previousExpiresAt === undefined ? [] : secretsAfter(endpoint, event.meta.at, previousExpiresAt);
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

/** Returns the sealed secrets that sign at a time (ms since 1970), the newest first. */
export const signingSecrets = ({ secretSealed, previous }: ExistingEndpoint, now: number): readonly string[] => [
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

/** Returns each type once. Refuses `validation_failed` for an unknown type, and for none or too many. */
export function checkedEvents(requested: readonly string[]): readonly string[] {
  const events = [...new Set(requested)];
  if (events.length < 1 || events.length > MOST_EVENTS)
    refuse('validation_failed', `An endpoint receives 1 to ${MOST_EVENTS} event types.`, [
      { message: `1 to ${MOST_EVENTS} event types`, location: 'body.events' },
    ]);
  const unknown = requested.flatMap((type, i) =>
    Object.hasOwn(EVENT_TYPES, type)
      ? []
      : [{ message: 'not an event type', location: `body.events[${i}]`, value: type }],
  );
  if (unknown.length > 0) refuse('validation_failed', 'Some of the event types do not exist.', unknown);
  return events;
}

/** Creates the endpoint. Repeating it changes nothing: the first url and the first secret remain. (Specification 2, 'Webhook endpoint'.) */
export const createWebhookEndpoint =
  (command: CreateWebhookEndpoint): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (before) => {
    if (before.status !== 'absent') return [];
    const events = checkedEvents(command.events);
    return [{ type: 'WebhookEndpointCreated', data: { ...command, events } }];
  };

/** Limits a decision to an existing endpoint of this owner. Refuses `not_found` otherwise. */
export const openEndpoint =
  (
    owner: EndpointOwner | undefined,
    decide: (endpoint: ExistingEndpoint) => readonly WebhookEndpointEvent[],
  ): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (endpoint) => {
    const reached = isOpen(endpoint) && (owner === undefined || ownerId(endpoint.owner) === ownerId(owner));
    if (!reached) refuse('not_found', 'There is no such webhook endpoint.');
    return decide(endpoint);
  };

/** Deletes the endpoint. Refuses `not_found` for another owner's endpoint and for a deleted one. */
export const deleteWebhookEndpoint = (owner: EndpointOwner): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => [{ type: 'WebhookEndpointDeleted', data: { owner: endpoint.owner } }]);

/** Ends a creation that stopped before the endpoint existed, so that it cannot continue later. No effect on any other endpoint. */
export const abandonWebhookEndpoint =
  (owner: EndpointOwner): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  ({ status }) =>
    status === 'absent' ? [{ type: 'WebhookEndpointDeleted', data: { owner } }] : [];

/**
 * Disables an endpoint that has failed since `failingSince`, ms since 1970. No effect on an endpoint that is disabled or deleted, or that
 * its owner has enabled after that time: its failures count from then on. (Specification 2, delivery rule 2.)
 */
export const disableFailingEndpoint =
  (failingSince: number): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  (endpoint) =>
    endpoint.status === 'active' && endpoint.enabledAt <= failingSince
      ? [{ type: 'WebhookEndpointDisabled', data: { owner: endpoint.owner, reason: 'failing' } }]
      : [];
