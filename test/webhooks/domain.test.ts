import { expect } from 'chai';
import fc from 'fast-check';
import { nextAttemptAt, RETRY_PERIOD_MS } from '../../application/webhooks/retrySchedule.js';
import { signatureOf } from '../../application/webhooks/signature.js';
import { requestReplaySince } from '../../domain/webhooks/endpointChanges.js';
import { freePlace, MOST_WORKSPACE_ENDPOINTS, takePlace, webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import { EVENT_TYPES, type EventType, eventTypeOf, isEmitted } from '../../domain/webhooks/eventTypes.js';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableFailingEndpoint,
  isOpen,
  signingSecrets,
  webhookEndpoint,
} from '../../domain/webhooks/webhookEndpoint.js';
import type { WebhookEndpointEvent, WebhookPlacesEvent } from '../../domain/webhooks/webhookEvents.js';
import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const owner = { workspaceId: '00000000-0000-4000-8000-000000000001' };
const stranger = { workspaceId: '00000000-0000-4000-8000-000000000002' };
const settings = {
  owner,
  url: 'https://example.com/hook',
  description: '',
  events: ['order.created'],
  secretSealed: 'sealed',
  secretLast4: 'wxyz',
  createdBy: 'key',
};
const created: WebhookEndpointEvent = { type: 'WebhookEndpointCreated', data: settings };
const deleted: WebhookEndpointEvent = { type: 'WebhookEndpointDeleted', data: { owner } };
const disabled: WebhookEndpointEvent = { type: 'WebhookEndpointDisabled', data: { owner, reason: 'failing' } };
const taken = (endpointId: string): WebhookPlacesEvent => ({ type: 'WebhookPlaceTaken', data: { endpointId } });
const all = Array.from({ length: MOST_WORKSPACE_ENDPOINTS }, (_, i) => taken(`e${i}`));

describe('webhook endpoint', () => {
  it('is created once: a repetition keeps the first secret', () => {
    given(webhookEndpoint).when(createWebhookEndpoint(settings)).then([created]);
    given(webhookEndpoint, created)
      .when(createWebhookEndpoint({ ...settings, secretSealed: 'another' }))
      .then([]);
  });

  it('names each event type once, and only those that exist', () => {
    const twice = { ...settings, events: ['order.created', 'order.created'] };
    given(webhookEndpoint).when(createWebhookEndpoint(twice)).then([created]);
    const { problems } = given(webhookEndpoint)
      .when(createWebhookEndpoint({ ...settings, events: ['order.created', 'order.eaten', 'toString'] }))
      .thenRefused('validation_failed');
    expect(problems.map(({ location, value }) => [location, value])).to.deep.equal([
      ['body.events[1]', 'order.eaten'],
      ['body.events[2]', 'toString'],
    ]);
    given(webhookEndpoint)
      .when(createWebhookEndpoint({ ...settings, events: [] }))
      .thenRefused('validation_failed');
  });

  it('is deleted once, by its owner only', () => {
    given(webhookEndpoint, created).when(deleteWebhookEndpoint(owner)).then([deleted]);
    given(webhookEndpoint, created).when(deleteWebhookEndpoint(stranger)).thenRefused('not_found');
    given(webhookEndpoint, created, deleted).when(deleteWebhookEndpoint(owner)).thenRefused('not_found');
    given(webhookEndpoint).when(deleteWebhookEndpoint(owner)).thenRefused('not_found');
  });

  it('is disabled once, and never after its deletion', () => {
    const failing = disableFailingEndpoint(Date.parse(specMeta.at));
    given(webhookEndpoint, created).when(failing).then([disabled]);
    given(webhookEndpoint, created, disabled).when(failing).then([]);
    given(webhookEndpoint, created, deleted).when(failing).then([]);
  });

  it('is not disabled for failures from before its owner enabled it', () => {
    const enabled: WebhookEndpointEvent = { type: 'WebhookEndpointEnabled', data: { owner } };
    const on = given(webhookEndpoint, created, disabled, enabled);
    on.when(disableFailingEndpoint(Date.parse(specMeta.at) - 1)).then([]);
    on.when(disableFailingEndpoint(Date.parse(specMeta.at))).then([disabled]);
  });

  it('shows the secret only as its prefix and last four characters', () => {
    const evolve = webhookEndpoints.on.WebhookEndpointCreated as (...parts: unknown[]) => { body: object };
    const { body } = evolve(undefined, { ...created, meta: specMeta, streamId: 'e1' }, 'e1');
    expect(body).to.include({ id: 'e1', secretMasked: 'whsec_wxyz', status: 'active', createdAt: specMeta.at });
    expect(JSON.stringify(body)).not.to.contain('sealed');
  });
});

describe('replaying from a given time', () => {
  const now = Date.parse(specMeta.at);
  const DAY = 24 * 3_600_000;
  const request = (since: number, until?: number) => requestReplaySince(owner, { since, until, now });
  const iso = (ms: number): string => new Date(ms).toISOString();

  it('goes back at most 30 days, and not into the future', () => {
    const is = given(webhookEndpoint, created);
    const since = iso(now - 30 * DAY);
    is.when(request(now - 30 * DAY)).then([{ type: 'WebhookReplaySinceRequested', data: { owner, since } }]);
    is.when(request(now - DAY, now)).then([
      { type: 'WebhookReplaySinceRequested', data: { owner, since: iso(now - DAY), until: iso(now) } },
    ]);
    is.when(request(now - 30 * DAY - 1)).thenRefused('validation_failed');
    is.when(request(now + 1)).thenRefused('validation_failed');
    is.when(request(now, now)).thenRefused('validation_failed');
  });

  it('is available to the owner of an enabled endpoint', () => {
    given(webhookEndpoint, created, disabled).when(request(now)).thenRefused('webhook_endpoint_disabled');
    given(webhookEndpoint, created)
      .when(requestReplaySince(stranger, { since: now, now }))
      .thenRefused('not_found');
  });
});

describe('the secrets of a webhook endpoint', () => {
  const start = Date.parse(specMeta.at);
  const HOUR = 3_600_000;
  /** Rotation to this secret. The previous secret signs for these hours more. */
  const rotated = (secretSealed: string, hours?: number): WebhookEndpointEvent => ({
    type: 'WebhookSecretRotated',
    data: {
      owner,
      rotationId: `to ${secretSealed}`,
      secretSealed,
      secretLast4: secretSealed.slice(-4),
      ...(hours !== undefined && { previousExpiresAt: new Date(start + hours * HOUR).toISOString() }),
    },
  });
  const signing = (hours: number, ...rotations: readonly WebhookEndpointEvent[]): readonly string[] => {
    const state = stateAfter(webhookEndpoint, [created, ...rotations]);
    return isOpen(state) ? signingSecrets(state, start + hours * HOUR) : [];
  };

  it('sign until each has expired, also after another rotation', () => {
    const twice = [rotated('second', 24), rotated('third', 2)];
    expect(signing(1, ...twice)).to.deep.equal(['third', 'second', 'sealed']);
    expect(signing(2, ...twice)).to.deep.equal(['third', 'sealed']);
    expect(signing(24, ...twice)).to.deep.equal(['third']);
  });

  it('all expire with a rotation that keeps none', () =>
    expect(signing(0, rotated('second', 24), rotated('third'))).to.deep.equal(['third']));

  it('are at most five: beyond that, the one that expires first is dropped', () => {
    const four = [rotated('s2', 5), rotated('s3', 1), rotated('s4', 9), rotated('s5', 3)];
    expect(signing(0, ...four)).to.deep.equal(['s5', 's4', 's3', 's2', 'sealed']);
    // Of the four replaced secrets, `s2` expires first.
    expect(signing(0, ...four, rotated('s6', 1))).to.deep.equal(['s6', 's5', 's4', 's3', 'sealed']);
    const alike = [rotated('s2', 24), rotated('s3', 24), rotated('s4', 24), rotated('s5', 24), rotated('s6', 24)];
    expect(signing(0, ...alike)).to.deep.equal(['s6', 's5', 's4', 's3', 's2']);
  });
});

describe('places for webhook endpoints', () => {
  it('are as many as the limit', () => {
    const last = all.at(-1)!;
    given(webhookPlaces, ...all.slice(1))
      .when(takePlace('new', all.length))
      .then([taken('new')]);
    given(webhookPlaces, ...all)
      .when(takePlace('new', all.length))
      .thenRefused('webhook_endpoint_limit_reached');
    given(webhookPlaces, ...all)
      .when(takePlace(last.data.endpointId, all.length))
      .then([]);
  });

  it('are free after the endpoint is deleted', () => {
    const freed: WebhookPlacesEvent = { type: 'WebhookPlaceFreed', data: { endpointId: 'e3' } };
    given(webhookPlaces, ...all)
      .when(freePlace('e3'))
      .then([freed]);
    given(webhookPlaces, ...all, freed)
      .when(takePlace('new', all.length))
      .then([taken('new')]);
    given(webhookPlaces).when(freePlace('e3')).then([]);
  });
});

describe('webhook event types', () => {
  it('cover exactly the events that are sent', () => {
    const emitted = (Object.keys(EVENT_TYPES) as EventType[]).filter(isEmitted);
    expect(emitted).to.deep.equal([
      'message.received',
      'message.updated',
      'call.missed',
      'order.created',
      'order.checked_out',
      'order.paid',
      'order.payment_failed',
      'order.status_changed',
      'order.refunded',
      'product.sync_changed',
      'conversation.merged',
      'webhook.test',
    ]);
  });

  it('include statuses set by the store, not those set by checkout or payment', () => {
    const moved = (to: string) => eventTypeOf({ type: 'OrderStatusChanged', data: { to } });
    for (const to of ['preparing', 'out_for_delivery', 'delivered', 'cancelled'])
      expect(moved(to)).to.equal('order.status_changed');
    for (const to of ['awaiting_payment', 'paid']) expect(moved(to)).to.equal(undefined);
    expect(moved('refunded')).to.equal('order.refunded');
    // `OrderRefunded` may be about a payment that the order never accepted, so the event has no webhook.
    expect(eventTypeOf({ type: 'OrderRefunded', data: {} })).to.equal(undefined);
    expect(eventTypeOf({ type: 'toString', data: {} })).to.equal(undefined);
  });

  it('include merged conversations, and verdicts on products', () => {
    const changed = (more: object) =>
      eventTypeOf({ type: 'ConversationStatusChanged', data: { status: 'closed', ...more } });
    expect(changed({ reason: 'merged', mergedInto: 'other' })).to.equal('conversation.merged');
    // Older events do not name the conversation merged into.
    expect([changed({ reason: 'merged' }), changed({})]).to.deep.equal([undefined, undefined]);
    const revised = (changes: object) => eventTypeOf({ type: 'ProductRevised', data: { changes } });
    expect([revised({ active: false }), revised({ active: true }), revised({ name: 'x' })]).to.deep.equal([
      'product.sync_changed',
      undefined,
      undefined,
    ]);
    expect(eventTypeOf({ type: 'CatalogItemsReviewed', data: {} })).to.equal('product.sync_changed');
    expect(eventTypeOf({ type: 'CatalogItemsSubmitted', data: {} })).to.equal(undefined);
  });

  it('include missed calls, and accepted messages only once they are sent', () => {
    const call = (missed: boolean) => eventTypeOf({ type: 'CallReceived', data: { missed } });
    expect([call(true), call(false)]).to.deep.equal(['call.missed', undefined]);
    const moved = (status: string) => eventTypeOf({ type: 'MessageStatusChanged', data: { status } });
    expect(eventTypeOf({ type: 'MessageAccepted', data: {} })).to.equal('message.updated');
    expect([moved('sent'), moved('delivered'), moved('read')]).to.deep.equal([
      undefined,
      'message.updated',
      'message.updated',
    ]);
    expect(eventTypeOf({ type: 'MessageQueued', data: {} })).to.equal(undefined);
  });
});

describe('webhook schedule', () => {
  const state = fc.record({
    attempt: fc.integer({ min: 1, max: 40 }),
    elapsed: fc.integer({ min: 0, max: RETRY_PERIOD_MS }),
    random: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 10 * RETRY_PERIOD_MS }), { nil: undefined }),
  });

  it("never exceeds 72 hours, always moves forward, and grants the receiver's request within them", () =>
    fc.assert(
      fc.property(state, ({ elapsed, ...rest }) => {
        const createdAt = 1_000_000;
        const now = createdAt + elapsed;
        const next = nextAttemptAt({ ...rest, now, createdAt });
        if (next === undefined) return;
        expect(next).to.be.within(now + 4000, createdAt + RETRY_PERIOD_MS);
        const requested = Math.min(now + (rest.retryAfterMs ?? 0), createdAt + RETRY_PERIOD_MS);
        expect(next).to.be.at.least(requested);
      }),
    ));

  it('adds jitter of at most 20 %', () => {
    const at = (random: number) => nextAttemptAt({ attempt: 4, now: 0, createdAt: 0, random });
    expect([at(0), at(0.5), at(0.999999)]).to.deep.equal([480_000, 600_000, 720_000]);
  });
});

describe('webhook signature', () => {
  it('is hex HMAC-SHA256 over the time, a period and the body, one v1 per secret', () => {
    // printf '1772352000.{"a":"é"}' | openssl dgst -sha256 -hmac whsec_one
    const signature = signatureOf(['whsec_one', 'whsec_two'], 1_772_352_000_999, '{"a":"é"}');
    const one = '16d564213e45cc3275c9b3d42a6671493d2d407d3c51aedcc4f81294c79ca454';
    const two = '43c3710e5ad83542ac076f53ecc78e1c52a63738904c29fd5e62ff4eaf5936da';
    expect(signature).to.equal(`t=1772352000,v1=${one},v1=${two}`);
  });
});
