import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createEndpoint } from '../../application/webhooks/endpoints.js';
import { EVENT_TYPES } from '../../domain/webhooks/eventTypes.js';
import { webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { until } from '../support/doubles/fakeClock.js';
import { type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { type Body, type ReceivedRequest, type WebhookServer, webhookServer } from '../support/stages/webhookServer.js';
import { OTHER_STORE, STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';

describe('webhook endpoints over HTTP', () => {
  let stage: WebhookStage;
  let target: Receiver;
  let server: WebhookServer;

  beforeEach(async () => {
    stage = await webhookStage();
    target = await receiver();
    server = await webhookServer(stage);
  });
  afterEach(async () => {
    await server.close();
    await stage.close();
    await target.close();
  });

  const call: WebhookServer['call'] = (...requested) => server.call(...requested);
  const create = (body: object = {}, requested: ReceivedRequest = {}) =>
    call('POST', '/webhook-endpoints', { body: { url: target.url, events: ['order.created'], ...body }, ...requested });

  it('are created with a secret that is shown once, listed, read and deleted', async () => {
    const made = await create({ description: 'our shop' });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { endpoint, secret } = made.body;
    expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/);
    const at = new Date(stage.processors.clock.now()).toISOString();
    expect(endpoint).to.deep.equal({
      id: endpoint.id,
      url: target.url,
      description: 'our shop',
      events: ['order.created'],
      status: 'active',
      secretMasked: `whsec_${secret.slice(-4)}`,
      createdAt: at,
      updatedAt: at,
      createdBy: 'key-of-a1',
    });
    const path = `/webhook-endpoints/${endpoint.id}`;
    expect((await call('GET', path)).body).to.deep.equal(endpoint);
    expect((await call('GET', '/webhook-endpoints')).body).to.deep.equal({ endpoints: [endpoint] });
    expect((await call('DELETE', path)).status).to.equal(204);
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).body.code).to.equal('not_found');
    expect((await call('GET', '/webhook-endpoints')).body).to.deep.equal({ endpoints: [] });
    const stored = await stage.processors.eventStore.readAll(-1);
    expect(JSON.stringify(stored.events)).not.to.contain(secret);
  });

  it('answer a repeated creation without the secret, and sign with the first one', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await create({}, { headers });
    const again = await create({}, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([201, 'true']);
    expect(again.body).to.deep.equal({ endpoint: first.body.endpoint });
    await stage.start();
    await stage.happens('OrderPlaced');
    await until('it has arrived', () => target.received.length === 1);
    expect(verifies(first.body.secret, target.received[0]!)).to.equal(true);
  });

  it('are accessible to their own store and the right scope only', async () => {
    const { endpoint } = (await create()).body;
    const path = `/webhook-endpoints/${endpoint.id}`;
    const foreign = { key: 'sk_test_other', store: OTHER_STORE };
    for (const [method, where] of [
      ['GET', path],
      ['DELETE', path],
      ['GET', `${path}/deliveries`],
    ] as const) {
      expect((await call(method, where, foreign)).body.code, where).to.equal('not_found');
      expect((await call(method, where, { key: 'sk_test_orders' })).body.code, where).to.equal('permission_denied');
    }
    expect((await call('GET', '/webhook-endpoints', foreign)).body).to.deep.equal({ endpoints: [] });
    expect((await call('GET', `/webhook-endpoints/${UNKNOWN}`)).status).to.equal(404);
    expect((await call('GET', path)).status).to.equal(200);
  });

  it('are at most 20 per store, also when 30 are created at once; deleting one frees a place', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => create()));
    const good = made.filter(({ status }) => status === 201);
    expect(good).to.have.lengthOf(20);
    for (const { status, body } of made.filter((one) => one.status !== 201))
      expect([status, body.code]).to.deep.equal([409, 'webhook_endpoint_limit_reached']);
    expect((await call('GET', '/webhook-endpoints')).body.endpoints).to.have.lengthOf(20);
    expect((await create({}, { key: 'sk_test_other', store: OTHER_STORE })).status).to.equal(201);
    await call('DELETE', `/webhook-endpoints/${good[0]!.body.endpoint.id}`);
    expect((await create()).status).to.equal(201);
  });

  it('report all validation problems at once, with their paths', async () => {
    const refused = async (body: object): Promise<string[]> => {
      const answer = await create(body);
      expect([answer.status, answer.body.code], JSON.stringify(answer.body)).to.deep.equal([422, 'validation_failed']);
      return answer.body.errors.map((problem: { location: string }) => problem.location);
    };
    expect(await refused({ url: 'https://192.168.0.1/' })).to.deep.equal(['body.url']);
    expect(await refused({ url: 'https://no-such-host.test/' })).to.deep.equal(['body.url']);
    expect(await refused({ url: 'http://example.com/hook' })).to.deep.equal(['body.url']);
    expect(await refused({ url: 'https:/', events: [], description: 'd'.repeat(201) })).to.have.members([
      'body.url',
      'body.events',
      'body.description',
    ]);
    expect(await refused({ events: ['order.created', 'order.eaten'] })).to.deep.equal(['body.events[1]']);
    expect(await refused({ events: Array(65).fill('order.created') })).to.deep.equal(['body.events']);
    expect(await refused({ secret: 'mine' })).to.deep.equal(['body.secret']);
    expect((await call('GET', '/webhook-endpoints')).body.endpoints).to.deep.equal([]);
  });

  it('show every attempt, latest first, by event and status, page by page', async () => {
    const { endpoint } = (await create()).body;
    const path = `/webhook-endpoints/${endpoint.id}`;
    const running = await stage.start();
    target.answer(500);
    const first = await stage.happens('OrderPlaced');
    await until('the first has arrived', () => target.received.length === 1);
    for (let i = 0; i < 3; i++) await stage.nextTimer(running);
    target.answer(200);
    await stage.processors.clock.advance(1000);
    const second = await stage.happens('OrderPlaced');
    await until('the second has arrived', () => target.received.length === 5);
    await stage.quiet(running);
    const all = (await call('GET', `${path}/deliveries`)).body;
    expect(all.deliveries.map((one: Body) => [one.eventId, one.attempt, one.status])).to.deep.equal([
      [second, 1, 'succeeded'],
      [first, 4, 'failed'],
      [first, 3, 'failed'],
      [first, 2, 'failed'],
      [first, 1, 'failed'],
    ]);
    expect(all).not.to.have.property('next');
    const pages: Body[] = [];
    for (let next = ''; ; ) {
      const page = (await call('GET', `${path}/deliveries?limit=2${next}`)).body;
      pages.push(...page.deliveries);
      if (page.next === undefined) break;
      next = `&cursor=${encodeURIComponent(page.next)}`;
    }
    expect(pages).to.deep.equal(all.deliveries);
    const some = async (query: string) => (await call('GET', `${path}/deliveries?${query}`)).body.deliveries.length;
    expect(await some(`eventId=${first}`)).to.equal(4);
    expect(await some('status=succeeded')).to.equal(1);
    expect(await some(`eventId=${second}&status=failed`)).to.equal(0);
    expect((await call('GET', `${path}/deliveries?cursor=made-up`)).body.code).to.equal('invalid_cursor');
    const now = (await call('GET', path)).body;
    expect(now).to.have.property('lastSuccessAt');
    expect(now).not.to.have.property('failingSince');
  });

  it('report that the service has disabled one that kept failing', async () => {
    const { endpoint } = (await create()).body;
    const running = await stage.start();
    target.answer(410);
    await stage.happens('OrderPlaced');
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(running);
    const failingSince = endpoint.createdAt;
    const path = `/webhook-endpoints/${endpoint.id}`;
    expect((await call('GET', path)).body).to.include({ status: 'active', failingSince });
    while (await stage.nextTimer(running));
    await server.viewed();
    expect((await call('GET', path)).body).to.include({ status: 'disabled', disabledReason: 'failing', failingSince });
  });

  it('list the event types with what is sent', async () => {
    const { body } = await call('GET', '/webhook-event-types');
    expect(body.eventTypes.map(({ type }: Body) => type)).to.deep.equal(Object.keys(EVENT_TYPES));
    expect(body.eventTypes.filter(({ emitted }: Body) => emitted).map(({ type }: Body) => type)).to.include(
      'order.status_changed',
    );
  });

  it('free a place that an interrupted deletion left taken', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create()));
    const { id } = made[7]!.body.endpoint;
    // The process ended between the two steps of the deletion.
    const gone = { type: 'WebhookEndpointDeleted' as const, data: { owner: { workspaceId: STORE } } };
    await stage.commands.decide(webhookEndpoint, id, () => [gone]);
    expect((await create()).status).to.equal(201);
    expect((await create()).body.code).to.equal('webhook_endpoint_limit_reached');
  });

  it('are at most 20 also if a creation continues after its place was given to another', async () => {
    await Promise.all(Array.from({ length: 19 }, () => create()));
    const owner = { workspaceId: STORE };
    const means = { secretBox: createSecretBox(new Uint8Array(32)), urls: { check: async () => undefined } };
    const { commands } = stage;
    const expected = (now: number) => ({
      ...{ endpointId: randomUUID(), owner, url: target.url, description: '', events: ['order.created'], now },
      createdBy: 'spec',
    });
    const FIVE_MINUTES = 300_000;
    const now = stage.processors.clock.now();
    const slow: typeof commands = {
      ...commands,
      async decide(aggregate, id, decision) {
        // Its place is taken; the endpoint follows too late.
        if (aggregate.name === 'webhookEndpoint')
          await createEndpoint({ ...means, commands }, expected(now + FIVE_MINUTES + 1_000));
        return commands.decide(aggregate, id, decision);
      },
    };
    const late = await createEndpoint({ ...means, commands: slow }, expected(now)).catch((error: unknown) => error);
    expect(late).to.include({ code: 'not_found' });
    await server.viewed();
    expect((await call('GET', '/webhook-endpoints')).body.endpoints).to.have.length(20);
  });
});
