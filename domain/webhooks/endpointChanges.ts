/** Decisions on an existing endpoint: changes, a new secret, a test, a replay. */
import { type Decision, type FieldProblem, refuse } from '../decider.js';
import { checkedEvents, type ExistingEndpoint, openEndpoint, type WebhookEndpoint } from './webhookEndpoint.js';
import type { EndpointOwner, EndpointSettings, WebhookEndpointEvent } from './webhookEvents.js';

export interface EndpointChange extends EndpointSettings {
  readonly status?: 'active' | 'disabled';
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

function revised(endpoint: ExistingEndpoint, { url, description, events }: EndpointSettings): WebhookEndpointEvent[] {
  const requested = events === undefined ? undefined : checkedEvents(events);
  const changes: EndpointSettings = {
    ...(url !== undefined && url !== endpoint.url && { url }),
    ...(description !== undefined && description !== endpoint.description && { description }),
    ...(requested !== undefined && !sameList(requested, endpoint.events) && { events: requested }),
  };
  const changed = Object.keys(changes) as (keyof EndpointSettings)[];
  if (changed.length === 0) return [];
  const before: EndpointSettings = Object.fromEntries(changed.map((name) => [name, endpoint[name]]));
  return [{ type: 'WebhookEndpointRevised', data: { owner: endpoint.owner, changes, before } }];
}

/** Changes the endpoint. Absent fields are unchanged. Status `active` enables a disabled endpoint. (Specification 2, 'Partner update'.) */
export const updateWebhookEndpoint = (
  owner: EndpointOwner,
  { status, ...settings }: EndpointChange,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => {
    const events = revised(endpoint, settings);
    if (status === undefined || status === endpoint.status) return events;
    if (status === 'active') return [...events, { type: 'WebhookEndpointEnabled', data: { owner: endpoint.owner } }];
    return [...events, { type: 'WebhookEndpointDisabled', data: { owner: endpoint.owner, reason: 'manual' } }];
  });

export interface SecretRotation {
  readonly rotationId: string;
  readonly secretSealed: string;
  readonly secretLast4: string;
  /** ms since 1970. Absent: the replaced secret and all earlier ones end at once. */
  readonly previousUntil?: number;
}

/** Replaces the signing secret. Repeating the same rotation changes nothing. (Specification 2, rule 3 of endpoints.) */
export const rotateSecret = (
  owner: EndpointOwner,
  { previousUntil, ...rotation }: SecretRotation,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => {
    if (endpoint.rotationId === rotation.rotationId) return [];
    const previous = previousUntil === undefined ? {} : { previousExpiresAt: new Date(previousUntil).toISOString() };
    return [{ type: 'WebhookSecretRotated', data: { owner: endpoint.owner, ...rotation, ...previous } }];
  });

/** Requests a test, also for a disabled endpoint. (Specification 2, rule 4 of endpoints.) */
export const requestTest = (owner: EndpointOwner, eventId: string): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => [{ type: 'WebhookTestRequested', data: { owner: endpoint.owner, eventId } }]);

function mustBeOn({ status }: ExistingEndpoint): void {
  if (status === 'disabled')
    refuse('webhook_endpoint_disabled', 'The endpoint is disabled. Enable it (status active), then replay.');
}

/** Requests a replay. Refuses `webhook_endpoint_disabled`, since deliveries to a disabled endpoint are dropped. */
export const requestReplay = (
  owner: EndpointOwner,
  eventId: string,
  eventType: string,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => {
    mustBeOn(endpoint);
    return [{ type: 'WebhookReplayRequested', data: { owner: endpoint.owner, eventId, eventType } }];
  });

/** Retention of the delivery log, in ms. */
const REPLAYED_MS = 30 * 24 * 3_600_000;

/** Times in ms since 1970. */
export interface ReplayedTime {
  readonly since: number;
  /** Absent: now. */
  readonly until?: number | undefined;
  readonly now: number;
}

const timeProblem = (member: 'since' | 'until', message: string, ms: number): FieldProblem => ({
  message,
  location: `body.${member}`,
  value: new Date(ms).toISOString(),
});

/** Returns problems of a period to replay. */
export function timeProblems({ since, until = since + 1, now }: ReplayedTime): FieldProblem[] {
  return [
    ...(since < now - REPLAYED_MS ? [timeProblem('since', 'must not be more than 30 days ago', since)] : []),
    ...(since > now ? [timeProblem('since', 'must not be in the future', since)] : []),
    ...(until <= since ? [timeProblem('until', 'must be after `since`', until)] : []),
  ];
}

function checkTime(time: ReplayedTime): void {
  const problems = timeProblems(time);
  for (const { message, location } of problems) refuse('validation_failed', `${location} ${message}.`, problems);
}

/** Requests a replay of a period. Refuses `validation_failed` for an invalid period, and `webhook_endpoint_disabled`. */
export const requestReplaySince = (
  owner: EndpointOwner,
  time: ReplayedTime,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  openEndpoint(owner, (endpoint) => {
    checkTime(time);
    mustBeOn(endpoint);
    const until = time.until === undefined ? {} : { until: new Date(time.until).toISOString() };
    const since = new Date(time.since).toISOString();
    return [{ type: 'WebhookReplaySinceRequested', data: { owner: endpoint.owner, since, ...until } }];
  });
