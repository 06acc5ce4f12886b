/** What an owner asks of an endpoint that stands: changes, a new secret, a test, a replay. */
import { type Decision, refuse } from '../decider.js';
import { checkedEvents, type StandingEndpoint, standing, type WebhookEndpoint } from './webhookEndpoint.js';
import type { EndpointOwner, EndpointSettings, WebhookEndpointEvent } from './webhookEvents.js';

export interface EndpointChange extends EndpointSettings {
  readonly status?: 'active' | 'disabled';
}

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

function revised(endpoint: StandingEndpoint, { url, description, events }: EndpointSettings): WebhookEndpointEvent[] {
  const wanted = events === undefined ? undefined : checkedEvents(events);
  const changes: EndpointSettings = {
    ...(url !== undefined && url !== endpoint.url && { url }),
    ...(description !== undefined && description !== endpoint.description && { description }),
    ...(wanted !== undefined && !sameList(wanted, endpoint.events) && { events: wanted }),
  };
  const changed = Object.keys(changes) as (keyof EndpointSettings)[];
  if (changed.length === 0) return [];
  const before: EndpointSettings = Object.fromEntries(changed.map((name) => [name, endpoint[name]]));
  return [{ type: 'WebhookEndpointRevised', data: { owner: endpoint.owner, changes, before } }];
}

/** Fields that are absent stay. Status `active` turns a disabled endpoint back on. (Specification 2, 'Partner update'.) */
export const updateWebhookEndpoint = (
  owner: EndpointOwner,
  { status, ...settings }: EndpointChange,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  standing(owner, (endpoint) => {
    const events = revised(endpoint, settings);
    if (status === undefined || status === endpoint.status) return events;
    if (status === 'active') return [...events, { type: 'WebhookEndpointEnabled', data: { owner: endpoint.owner } }];
    return [...events, { type: 'WebhookEndpointDisabled', data: { owner: endpoint.owner, reason: 'manual' } }];
  });

export interface SecretRotation {
  readonly rotationId: string;
  readonly secretSealed: string;
  readonly secretLast4: string;
  /** ms since 1970; absent: the replaced secret ends at once, and all that were replaced before. */
  readonly previousUntil?: number;
}

/** Replaces the signing secret; the same rotation again changes nothing. (Specification 2, rule 3 of endpoints.) */
export const rotateSecret = (
  owner: EndpointOwner,
  { previousUntil, ...rotation }: SecretRotation,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  standing(owner, (endpoint) => {
    if (endpoint.rotationId === rotation.rotationId) return [];
    const previous = previousUntil === undefined ? {} : { previousExpiresAt: new Date(previousUntil).toISOString() };
    return [{ type: 'WebhookSecretRotated', data: { owner: endpoint.owner, ...rotation, ...previous } }];
  });

/** Also for a disabled endpoint. (Specification 2, rule 4 of endpoints.) */
export const requestTest = (owner: EndpointOwner, eventId: string): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  standing(owner, (endpoint) => [{ type: 'WebhookTestRequested', data: { owner: endpoint.owner, eventId } }]);

/** Refuses `webhook_endpoint_disabled`: what is sent to a disabled endpoint would be dropped. */
export const requestReplay = (
  owner: EndpointOwner,
  eventId: string,
  eventType: string,
): Decision<WebhookEndpoint, WebhookEndpointEvent> =>
  standing(owner, (endpoint) => {
    if (endpoint.status === 'disabled')
      refuse('webhook_endpoint_disabled', 'The endpoint is disabled: turn it on (status active), then replay.');
    return [{ type: 'WebhookReplayRequested', data: { owner: endpoint.owner, eventId, eventType } }];
  });
