import { ownerId } from '../domain/webhooks/webhookEndpoint.js';
import type { DisabledReason, WebhookEndpointEvent } from '../domain/webhooks/webhookEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/**
 * The API's `WebhookEndpointBody` but for `failingSince` and `lastSuccessAt`, which come from the log of attempts when
 * it is read. The secret is not here in any form. (Specification 2, 'Webhook endpoint'.)
 */
export interface WebhookEndpointView {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly status: 'active' | 'disabled';
  readonly secretMasked: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
  readonly disabledAt?: string;
  readonly disabledReason?: DisabledReason;
  /** When the last of the replaced secrets ends. Also when it has passed: who reads it looks at the time. */
  readonly previousSecretExpiresAt?: string;
}

const later = (a: string, b: string): string => new Date(Math.max(Date.parse(a), Date.parse(b))).toISOString();

/** One document an endpoint, listed by its owner, newest first. */
export const webhookEndpoints = defineProjection<WebhookEndpointView, WebhookEndpointEvent>({
  name: 'webhookEndpoints',
  version: 2,
  categories: ['webhookEndpoint'],
  keys: { ownerId: 'text', createdAt: 'text' },
  indexes: [{ keys: ['ownerId', '-createdAt'] }],
  on: {
    WebhookEndpointCreated: (_, { data, meta: { at }, streamId }) => ({
      keys: { ownerId: ownerId(data.owner), createdAt: at },
      body: {
        id: streamId,
        url: data.url,
        description: data.description,
        events: data.events,
        status: 'active',
        secretMasked: `whsec_${data.secretLast4}`,
        createdAt: at,
        updatedAt: at,
        createdBy: data.createdBy,
      },
    }),
    WebhookEndpointDisabled: (view, { data, meta: { at } }) =>
      view && {
        ...view,
        body: { ...view.body, status: 'disabled', updatedAt: at, disabledAt: at, disabledReason: data.reason },
      },
    WebhookEndpointRevised: (view, { data, meta: { at } }) =>
      view && { ...view, body: { ...view.body, ...data.changes, updatedAt: at } },
    WebhookEndpointEnabled: (view, { meta: { at } }) => {
      if (view === undefined) return undefined;
      const { disabledAt: _at, disabledReason: _reason, ...body } = view.body;
      return { ...view, body: { ...body, status: 'active', updatedAt: at } };
    },
    WebhookSecretRotated: (view, { data, meta: { at } }) => {
      if (view === undefined) return undefined;
      const { previousSecretExpiresAt: before, ...body } = view.body;
      const secretMasked = `whsec_${data.secretLast4}`;
      const until = data.previousExpiresAt;
      // The one that is dropped when there are too many ends first, so it is never the last to end.
      const previous = until === undefined ? {} : { previousSecretExpiresAt: later(until, before ?? until) };
      return { ...view, body: { ...body, secretMasked, updatedAt: at, ...previous } };
    },
    WebhookEndpointDeleted: () => undefined,
  },
});
