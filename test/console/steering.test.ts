/** A store's webhooks managed from the console, through the API's operations and permissions. */
import { expect } from 'chai';
import { routeOf } from '../../api/contract/routes.js';
import { operations } from '../../api/operations/index.js';
import { DELIVERIES, deliveryDocument, SOURCES, sourceDocument } from '../../application/webhooks/deliveryLog.js';
import { createEndpoint } from '../../application/webhooks/endpoints.js';
import { openBox } from '../support/stages/apiServer.js';
import { type Browser, ORDER, OTHER, PARTNER, SHOP, signedIn } from '../support/stages/consoleStage.js';

const ENDPOINT = '00000000-0000-4000-8000-0000000000e1';
const OTHERS = '00000000-0000-4000-8000-0000000000e2';

describe('webhooks in the console', () => {
  const on = signedIn();
  /** Id of the delivered event that cancelled the order. */
  let reported = '';
  before(async () => {
    const { stage } = on;
    for (const [endpointId, workspaceId] of [
      [ENDPOINT, SHOP],
      [OTHERS, OTHER],
    ] as const)
      await createEndpoint(
        { commands: stage.commands, secretBox: openBox, urls: { check: async () => undefined } },
        {
          ...{ endpointId, owner: { workspaceId }, url: 'https://partner.example/hooks', description: '' },
          ...{ events: ['order.status_changed'], createdBy: 'test', now: stage.clock.now() },
        },
      );
    const [, cancelled] = await stage.eventStore.readStream(`order-${ORDER}`);
    reported = cancelled!.id;
    const at = new Date(stage.clock.now()).toISOString();
    const attempt = {
      eventId: reported,
      eventType: 'order.status_changed',
      attemptedAt: at,
      trigger: 'event',
    } as const;
    const failed = { attempt: 1, latencyMs: 31, status: 'failed', responseCode: 503, nextRetryAt: at } as const;
    for (const endpointId of [ENDPOINT, OTHERS])
      await stage.work.insert(DELIVERIES, deliveryDocument(endpointId, { ...attempt, ...failed }, undefined));
    const source = { type: 'order.status_changed', stream: `order-${ORDER}`, revision: 1 };
    await stage.work.insert(SOURCES, sourceDocument(reported, source, stage.clock.now()));
    await stage.shown();
  });
  const of = (endpointId: string, workspaceId = SHOP): string =>
    `/api/v1/workspaces/${workspaceId}/webhook-endpoints/${endpointId}`;
  const events = (endpointId: string) => on.stage.eventStore.readStream(`webhookEndpoint-${endpointId}`);
  const newest = async () => (await events(ENDPOINT)).at(-1)!;

  it('send a test, missed events, or one event again, and record who requested it', async () => {
    const test = await on.stage.change(on.operator, `${of(ENDPOINT)}/test`);
    expect([test.status, (await newest()).data]).to.deep.equal([
      202,
      { owner: { workspaceId: SHOP }, eventId: test.body.eventId },
    ]);
    expect((await newest()).meta.actor).to.deep.equal({ type: 'system', id: 'operator' });
    const since = new Date(on.stage.clock.now() - 60_000).toISOString();
    expect((await on.stage.change(on.shop, `${of(ENDPOINT)}/replay`, { since })).status).to.equal(202);
    expect((await newest()).data).to.include({ since });
    expect((await on.stage.change(on.shop, `${of(ENDPOINT)}/events/${reported}/replay`)).status).to.equal(202);
    expect((await newest()).type).to.equal('WebhookReplayRequested');
    const { body } = await on.stage.read(on.operator, `/api/events?stream=webhookEndpoint-${ENDPOINT}&limit=1`);
    expect(body.events[0].actor.name).to.match(/^The store's people \(console [0-9a-f]{8}\)$/);
  });

  it('replace their secret, which is shown once', async () => {
    const path = `${of(ENDPOINT)}/rotate-secret?keepPreviousHours=1`;
    const { status, body } = await on.stage.change(on.shop, path);
    expect([status, body.secret]).to.satisfy(([code, text]: [number, string]) => code === 200 && /^whsec_/.test(text));
    expect(body.endpoint.previousSecretExpiresAt).to.be.a('string');
    const listed = await on.stage.read(on.shop, `/api/v1/workspaces/${SHOP}/webhook-endpoints`);
    expect(listed.text).not.to.include(body.secret);
    const [event] = (await on.stage.read(on.shop, `/api/events?stream=webhookEndpoint-${ENDPOINT}&limit=1`)).body
      .events;
    expect(event.type).to.equal('WebhookSecretRotated');
    expect((await on.stage.read(on.shop, `/api/events/${event.position}`)).text).not.to.include(body.secret);
  });

  it('are turned off and on, and accept no replay while off', async () => {
    const turn = (status: string) => on.stage.change(on.shop, of(ENDPOINT), { status }, {}, 'PATCH');
    expect((await turn('disabled')).body.status).to.equal('disabled');
    const refused = await on.stage.change(on.shop, `${of(ENDPOINT)}/events/${reported}/replay`);
    expect(refused.body.code).to.equal('webhook_endpoint_disabled');
    expect((await turn('active')).body.status).to.equal('active');
  });

  it('are created with a secret that is shown once, changed, and deleted', async () => {
    const endpoints = `/api/v1/workspaces/${SHOP}/webhook-endpoints`;
    const url = 'https://hooks.example/suuq';
    const make = (body: object, headers = {}) => on.stage.change(on.shop, endpoints, body, headers);
    const wrong = await make({ url: 'http://hooks.example', events: [] });
    expect([wrong.status, wrong.body.code]).to.deep.equal([422, 'validation_failed']);
    expect(wrong.body.errors.map(({ location }: { location: string }) => location)).to.include('body.events');
    const once = { 'idempotency-key': 'made-in-the-console' };
    const body = { url, events: ['order.created', 'order.paid'], description: 'Till' };
    const made = await make(body, once);
    expect([made.status, made.body.detail, made.body.endpoint?.url]).to.deep.equal([201, undefined, url]);
    expect(made.body.secret).to.match(/^whsec_/);
    const again = await make(body, once);
    expect([again.body.endpoint.id, again.body.secret]).to.deep.equal([made.body.endpoint.id, undefined]);
    const { id } = made.body.endpoint;
    const changed = await on.stage.change(on.shop, of(id), { events: ['order.refunded'], url }, {}, 'PATCH');
    expect([changed.status, changed.body.events]).to.deep.equal([200, ['order.refunded']]);
    const refused = await on.stage.change(on.shop, of(id), { url: 'http://hooks.example' }, {}, 'PATCH');
    expect(refused.body.errors[0].location).to.equal('body.url');
    const remove = ({ cookie, csrf }: Browser) => on.stage.request('DELETE', of(id), { cookie, 'x-csrf-token': csrf });
    expect((await remove(on.auditor)).body.code).to.equal('permission_denied');
    expect((await remove(on.shop)).status).to.equal(204);
    const listed = await on.stage.read(on.shop, endpoints);
    expect(listed.text).not.to.include(id);
    const [deleted] = (await on.stage.eventStore.readStream(`webhookEndpoint-${id}`)).slice(-1);
    expect(deleted!.meta.actor.id).to.match(/^console-store-/);
  });

  it('are created only by permitted users', async () => {
    const body = { url: 'https://hooks.example/suuq', events: ['order.created'] };
    const make = (who: Browser, workspaceId: string, headers = {}) =>
      on.stage.change(who, `/api/v1/workspaces/${workspaceId}/webhook-endpoints`, body, headers);
    expect((await make(on.auditor, SHOP)).body.code).to.equal('permission_denied');
    expect((await make(on.shop, OTHER)).body.code).to.equal('not_found');
    expect((await make(on.shop, SHOP, { 'x-csrf-token': 'x' })).body.code).to.equal('csrf_token_missing');
    const form = await on.stage.change(on.auditor, `/api/v1/workspaces/${SHOP}/files`, {});
    expect(form.body.code).to.equal('permission_denied');
  });

  it("reject an auditor's changes, as every other operation of a store does", async () => {
    for (const operation of operations) {
      const { about, method, path } = routeOf(operation);
      if (about !== 'workspace' || method === 'GET') continue;
      const place = path.replace('{workspaceId}', SHOP).replace(/\{\w+\}/g, ENDPOINT);
      const { cookie, csrf } = on.auditor;
      const body = method === 'DELETE' ? undefined : {};
      const answer = await on.stage.request(method, place, { cookie, 'x-csrf-token': csrf }, body);
      const code = operation.id === 'createConsoleLink' ? 'not_found' : 'permission_denied';
      expect([operation.id, answer.body.code]).to.deep.equal([operation.id, code]);
    }
  });

  describe('reject changes by', () => {
    const refused = async (browser: Browser, path: string, headers: Record<string, string>, code: string) => {
      const before = [...(await events(ENDPOINT)), ...(await events(OTHERS))].length;
      for (const step of ['/test', '/replay', '/rotate-secret', `/events/${reported}/replay`]) {
        const answer = await on.stage.change(browser, path + step, { since: '2026-03-01T08:00:00Z' }, headers);
        expect([step, answer.body.code]).to.deep.equal([step, code]);
        expect(answer.text).not.to.include('whsec_');
      }
      const patched = await on.stage.change(browser, path, { status: 'disabled' }, headers, 'PATCH');
      expect(patched.body.code).to.equal(code);
      expect([...(await events(ENDPOINT)), ...(await events(OTHERS))].length).to.equal(before);
    };
    it('an auditor', () => refused(on.auditor, of(ENDPOINT), {}, 'permission_denied'));
    it('a request without its token', () =>
      refused(on.operator, of(ENDPOINT), { 'x-csrf-token': 'x' }, 'csrf_token_missing'));
    it('a page of another site', () =>
      refused(on.operator, of(ENDPOINT), { origin: 'https://other.example' }, 'foreign_request'));
    it('members of another store', () => refused(on.shop, of(OTHERS, OTHER), {}, 'not_found'));
    it('members of another store, under their own store’s address', () =>
      refused(on.shop, of(OTHERS), {}, 'not_found'));
  });

  it("show an attempt's request and response, and when the next one is due", async () => {
    const { body, status } = await on.stage.read(on.auditor, `/api/webhooks/${ENDPOINT}/events/${reported}`);
    expect(status).to.equal(200);
    const [attempt] = body.attempts;
    expect(attempt).to.include({ attempt: 1, status: 'failed', responseCode: 503, latencyMs: 31 });
    expect(attempt.nextRetryAt).to.be.a('string');
    const sent = JSON.parse(body.body);
    expect([sent.id, sent.type, sent.workspaceId]).to.deep.equal([reported, 'order.status_changed', SHOP]);
    expect([sent.data.order.id, sent.data.order.status]).to.deep.equal([ORDER, 'cancelled']);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({ operation: 'console.getDelivery' });
  });

  it('show store members no attempts of another store’s endpoint', async () => {
    const theirs = `/api/webhooks/${OTHERS}/events/${reported}`;
    expect((await on.stage.read(on.operator, theirs)).status).to.equal(200);
    expect((await on.stage.read(on.shop, theirs)).body.code).to.equal('not_found');
    const unknown = `/api/webhooks/${ENDPOINT}/events/00000000-0000-4000-8000-000000000000`;
    expect((await on.stage.read(on.shop, unknown)).body.code).to.equal('not_found');
  });
});

describe('a partner’s webhooks in the console', () => {
  const on = signedIn();
  const endpoints = `/api/v1/partners/${PARTNER}/webhook-endpoints`;
  const expected = { url: 'https://platform.example/hooks', events: ['order.created'] };
  const remove = ({ cookie, csrf }: Browser, path: string) =>
    on.stage.request('DELETE', path, { cookie, 'x-csrf-token': csrf });

  it('are created, shown, changed and deleted by an operator', async () => {
    const types = await on.stage.read(on.operator, `/api/v1/partners/${PARTNER}/webhook-event-types`);
    expect(types.body.eventTypes.map(({ type }: { type: string }) => type)).to.include('order.created');
    const made = await on.stage.change(on.operator, endpoints, expected, { 'idempotency-key': 'made-once' });
    expect([made.status, made.body.endpoint?.url]).to.deep.equal([201, expected.url]);
    expect(made.body.secret).to.match(/^whsec_/);
    const { id } = made.body.endpoint;
    const of = `${endpoints}/${id}`;
    const [created] = await on.stage.eventStore.readStream(`webhookEndpoint-${id}`);
    expect([created!.data, created!.meta.actor]).to.deep.equal([
      { ...(created!.data as object), owner: { partnerId: PARTNER } },
      { type: 'system', id: 'operator' },
    ]);
    const listed = await on.stage.read(on.operator, endpoints);
    expect(listed.body.endpoints.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    expect(listed.text).not.to.include(made.body.secret);
    expect((await on.stage.read(on.operator, `/api/v1/workspaces/${SHOP}/webhook-endpoints`)).text).not.to.include(id);
    const changed = await on.stage.change(on.operator, of, { description: 'Till' }, {}, 'PATCH');
    expect([changed.status, changed.body.description]).to.deep.equal([200, 'Till']);
    expect((await on.stage.change(on.operator, `${of}/rotate-secret`)).body.secret).to.match(/^whsec_/);
    expect((await on.stage.change(on.operator, `${of}/test`)).status).to.equal(202);
    expect((await on.stage.change(on.operator, `${of}/replay`, { since: '2026-03-01T08:00:00Z' })).status).to.equal(
      202,
    );
    expect((await on.stage.read(on.operator, `${of}/deliveries`)).body.deliveries).to.deep.equal([]);
    expect((await remove(on.operator, of)).status).to.equal(204);
  });

  it('are read by an auditor, which is recorded, and changed by no one else', async () => {
    const { id } = (await on.stage.change(on.operator, endpoints, expected)).body.endpoint;
    expect((await on.stage.read(on.auditor, `${endpoints}/${id}`)).body.url).to.equal(expected.url);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({
      operation: 'getPartnerWebhookEndpoint',
      path: `/console${endpoints}/${id}`,
    });
    const before = (await on.stage.eventStore.readStream(`webhookEndpoint-${id}`)).length;
    for (const who of [on.auditor, on.shop]) {
      expect((await on.stage.change(who, endpoints, expected)).body.code).to.equal('permission_denied');
      for (const step of ['/test', '/replay', '/rotate-secret'])
        expect((await on.stage.change(who, `${endpoints}/${id}${step}`)).body.code, step).to.equal('permission_denied');
      const patched = await on.stage.change(who, `${endpoints}/${id}`, { status: 'disabled' }, {}, 'PATCH');
      expect(patched.body.code).to.equal('permission_denied');
      expect((await remove(who, `${endpoints}/${id}`)).body.code).to.equal('permission_denied');
    }
    expect((await on.stage.eventStore.readStream(`webhookEndpoint-${id}`)).length).to.equal(before);
    const { cookie } = on.operator;
    const unasked = await on.stage.request('POST', `${endpoints}/${id}/test`, { cookie }, {});
    expect(unasked.body.code).to.equal('csrf_token_missing');
  });

  it('are not shown to store members, nor under another partner or store', async () => {
    const { id } = (await on.stage.change(on.operator, endpoints, expected)).body.endpoint;
    for (const path of [
      endpoints,
      `${endpoints}/${id}`,
      `${endpoints}/${id}/deliveries`,
      `/api/v1/partners/${PARTNER}/webhook-event-types`,
    ])
      expect((await on.stage.read(on.shop, path)).body.code, path).to.equal('permission_denied');
    const other = '00000000-0000-4000-8000-0000000000f2';
    expect((await on.stage.read(on.operator, endpoints.replace(PARTNER, other))).body.code).to.equal('not_found');
    const inStore = `/api/v1/workspaces/${SHOP}/webhook-endpoints/${id}`;
    for (const who of [on.operator, on.shop])
      expect((await on.stage.read(who, inStore)).body.code).to.equal('not_found');
    expect((await on.stage.read(on.operator, `/api/v1/partners/${PARTNER}/stores`)).status).to.equal(404);
  });
});
