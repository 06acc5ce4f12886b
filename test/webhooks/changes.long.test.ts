/** Changes, new secrets, tests and replays of an existing endpoint, by a store and by a partner. */
import { expect } from 'chai';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Received, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { type Body, type ReceivedRequest, type WebhookServer, webhookServer } from '../support/stages/webhookServer.js';
import { OTHER_STORE, STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const HOUR = 3_600_000;
const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const OWNERS = [
  { name: 'a store', base: '/webhook-endpoints', foreign: { key: 'sk_test_other', store: OTHER_STORE } },
  { name: 'a partner', base: '/partner/webhook-endpoints', foreign: { key: 'psk_test_rival' } },
] as const;

const trigger = ({ trigger: by, attempt, status }: Body): unknown[] => [by, attempt, status];

for (const { name, base, foreign } of OWNERS) {
  describe(`webhook endpoint of ${name}`, () => {
    let stage: WebhookStage;
    let target: Receiver;
    let server: WebhookServer;
    let id: string;
    let secret: string;
    let path: string;

    beforeEach(async () => {
      stage = await webhookStage();
      target = await receiver();
      server = await webhookServer(stage);
      const made = await server.call('POST', base, { body: { url: target.url, events: ['order.created'] } });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      secret = made.body.secret;
      id = made.body.endpoint.id;
      path = `${base}/${id}`;
    });
    afterEach(async () => {
      await server.close();
      await stage.close();
      await target.close();
    });

    const change = (body: object, requested: ReceivedRequest = {}) =>
      server.call('PATCH', path, { body, ...requested });
    const arrived = (count: number): Promise<void> =>
      until(`${count} have arrived`, () => target.received.length === count);
    const last = (): Received => target.received.at(-1)!;
    const deliveries = async (): Promise<Body[]> => (await server.call('GET', `${path}/deliveries`)).body.deliveries;

    it('is changed field by field; absent or null fields keep their values', async () => {
      await stage.processors.clock.advance(1000);
      const before = (await server.call('GET', path)).body;
      const changed = await change({ description: 'all shops', events: ['order.paid', 'order.created'] });
      expect(changed.status).to.equal(200);
      const updatedAt = new Date(stage.processors.clock.now()).toISOString();
      const expected = { ...before, description: 'all shops', events: ['order.paid', 'order.created'], updatedAt };
      expect(changed.body).to.deep.equal(expected);
      await stage.processors.clock.advance(1000);
      expect((await change({ events: null, description: 'all shops' })).body).to.deep.equal(expected);
      expect((await change({ url: 'https://10.1.2.3/' })).body.errors[0].location).to.equal('body.url');
      expect((await change({ events: ['order.eaten'] })).body.errors[0].location).to.equal('body.events[0]');
    });

    it('is turned off and on by its owner, and receives nothing in between', async () => {
      const running = await stage.start();
      const off = await change({ status: 'disabled' });
      expect(off.body).to.include({ status: 'disabled', disabledReason: 'manual' });
      expect(off.body).to.have.property('disabledAt');
      await stage.happens('OrderPlaced');
      await stage.quiet(running);
      const on = await change({ status: 'active' });
      expect(on.body.status).to.equal('active');
      expect(on.body).to.not.have.any.keys('disabledAt', 'disabledReason');
      const eventId = await stage.happens('OrderPlaced');
      await arrived(1);
      expect(eventOf(last()).id).to.equal(eventId);
    });

    it('starts fresh when turned on after failing, and is turned off after 3 more days', async () => {
      const running = await stage.start();
      target.answer(500);
      await stage.happens('OrderPlaced');
      await arrived(1);
      while (await stage.nextTimer(running));
      await server.viewed();
      expect((await server.call('GET', path)).body).to.include({ status: 'disabled', disabledReason: 'failing' });
      await change({ status: 'active' });
      await stage.quiet(running);
      await until('its failure is cleared', async () => (await stage.health(id)).failingSince === undefined);
      const startedAt = stage.processors.clock.now();
      const count = target.received.length;
      await stage.happens('OrderPlaced');
      await arrived(count + 1);
      while ((await stage.statusOf(id)) === 'active' && (await stage.nextTimer(running)));
      expect(await stage.statusOf(id)).to.equal('disabled');
      expect(stage.processors.clock.now() - startedAt).to.be.within(72 * HOUR, 73 * HOUR);
    });

    it('gets a new secret once; both sign until the old one expires', async () => {
      await stage.start();
      const headers = { 'idempotency-key': 'rotate' };
      const rotated = await server.call('POST', `${path}/rotate-secret?keepPreviousHours=2`, { headers });
      expect(rotated.status).to.equal(200);
      const { secret: fresh, endpoint } = rotated.body;
      expect(fresh)
        .to.match(/^whsec_/)
        .and.not.equal(secret);
      expect(endpoint.secretMasked).to.equal(`whsec_${fresh.slice(-4)}`);
      expect(Date.parse(endpoint.previousSecretExpiresAt) - stage.processors.clock.now()).to.equal(2 * HOUR);
      const again = await server.call('POST', `${path}/rotate-secret?keepPreviousHours=2`, { headers });
      expect(again.body).to.deep.equal({ endpoint });

      await stage.happens('OrderPlaced');
      await arrived(1);
      expect([secret, fresh].map((one) => verifies(one, last()))).to.deep.equal([true, true]);
      await stage.processors.clock.advance(2 * HOUR);
      await stage.happens('OrderPlaced');
      await arrived(2);
      expect([secret, fresh].map((one) => verifies(one, last()))).to.deep.equal([false, true]);
      expect((await server.call('GET', path)).body).to.not.have.property('previousSecretExpiresAt');
      const stored = JSON.stringify((await stage.processors.eventStore.readAll(-1)).events);
      expect(stored).to.not.contain(fresh);
    });

    it('signs with every replaced secret until that expires, also after another rotation', async () => {
      await stage.start();
      const rotate = async (hours: number) =>
        (await server.call('POST', `${path}/rotate-secret?keepPreviousHours=${hours}`)).body;
      const second = (await rotate(48)).secret;
      await stage.processors.clock.advance(HOUR);
      const { secret: third, endpoint } = await rotate(2);
      // The first secret expires last.
      expect(Date.parse(endpoint.previousSecretExpiresAt) - stage.processors.clock.now()).to.equal(47 * HOUR);
      const secrets = [secret, second, third];
      const notify = async (): Promise<readonly boolean[]> => {
        const before = target.received.length;
        await stage.happens('OrderPlaced');
        await arrived(before + 1);
        return secrets.map((one) => verifies(one, last()));
      };
      expect(await notify()).to.deep.equal([true, true, true]);
      expect(String(last().headers['service-signature']).match(/v1=/g)).to.have.lengthOf(3);
      await stage.processors.clock.advance(2 * HOUR);
      expect(await notify()).to.deep.equal([true, false, true]);
      const none = await rotate(0);
      expect(none.endpoint).to.not.have.property('previousSecretExpiresAt');
      secrets.push(none.secret);
      expect(await notify()).to.deep.equal([false, false, false, true]);
    });

    it('keeps the old secret for 24 hours by default, and not at all with 0', async () => {
      const first = (await server.call('POST', `${path}/rotate-secret`)).body.endpoint;
      expect(Date.parse(first.previousSecretExpiresAt) - stage.processors.clock.now()).to.equal(24 * HOUR);
      const { body } = await server.call('POST', `${path}/rotate-secret?keepPreviousHours=0`);
      expect(body.endpoint).to.not.have.property('previousSecretExpiresAt');
      await stage.start();
      await stage.happens('OrderPlaced');
      await arrived(1);
      expect(verifies(body.secret, last())).to.equal(true);
      expect(String(last().headers['service-signature']).split('v1=')).to.have.lengthOf(2);
    });

    it('is tested once, also when disabled, whatever the response', async () => {
      const running = await stage.start();
      await change({ status: 'disabled' });
      target.answer(500);
      const test = await server.call('POST', `${path}/test`);
      expect(test.status).to.equal(202);
      await arrived(1);
      expect(eventOf(last())).to.include({ id: test.body.eventId, type: 'webhook.test' });
      expect(verifies(secret, last())).to.equal(true);
      await stage.quiet(running);
      expect(await stage.nextTimer(running)).to.equal(false);
      const [attempt, ...others] = await deliveries();
      expect(others).to.deep.equal([]);
      expect(attempt).to.include({ trigger: 'test', status: 'failed', responseCode: 500, eventType: 'webhook.test' });
      expect(attempt).to.not.have.property('nextRetryAt');
      expect((await server.call('GET', path)).body).to.not.have.property('failingSince');
    });

    it('is no longer failing after a successful test, which counts as a delivery', async () => {
      const running = await stage.start();
      target.answer(500);
      await stage.happens('OrderPlaced');
      await arrived(1);
      for (let i = 0; i < 3; i++) await stage.nextTimer(running);
      expect((await server.call('GET', path)).body).to.have.property('failingSince');
      target.answerBy(({ headers }) => (headers['service-event-type'] === 'webhook.test' ? 204 : 500));
      await server.call('POST', `${path}/test`);
      await until('the test is logged', async () => (await deliveries()).some((one) => one.trigger === 'test'));
      const lastSuccessAt = new Date(stage.processors.clock.now()).toISOString();
      const { body } = await server.call('GET', path);
      expect(body).to.include({ lastSuccessAt }).and.not.have.property('failingSince');
      const tested = stage.processors.clock.now();
      while ((await stage.statusOf(id)) === 'active' && (await stage.nextTimer(running)));
      // The period of failure starts at the first failure after the test.
      expect(stage.processors.clock.now() - tested).to.be.greaterThan(72 * HOUR);
    });

    it('receives in a test the fields of every event, and the log names the store', async () => {
      const running = await stage.start();
      const test = await server.call('POST', `${path}/test`);
      await arrived(1);
      const at = new Date(stage.processors.clock.now()).toISOString();
      const store = { workspaceId: STORE, partner: { storeExternalRef: 'ref-a1' } };
      const ownStore = name === 'a store';
      const common = { id: test.body.eventId, type: 'webhook.test', createdAt: at, data: { endpointId: id } };
      expect(eventOf(last())).to.deep.equal({ ...common, ...(ownStore && store) });
      await stage.quiet(running);
      await stage.processors.clock.advance(1000);
      await server.call('POST', `${path}/events/${test.body.eventId}/replay`);
      await arrived(2);
      expect(last().raw.equals(target.received[0]!.raw)).to.equal(true);
      await stage.processors.clock.advance(1000);
      await stage.happens('OrderPlaced', {}, ownStore ? STORE : OTHER_STORE);
      await arrived(3);
      await stage.quiet(running);
      const [event, again, first] = await deliveries();
      const named = ({ workspaceId, storeExternalRef }: Body) => [workspaceId, storeExternalRef];
      expect(named(event)).to.deep.equal(ownStore ? [STORE, 'ref-a1'] : [OTHER_STORE, 'ref-a2']);
      expect([again, first].map(named)).to.deep.equal(
        Array(2).fill(ownStore ? [STORE, 'ref-a1'] : [undefined, undefined]),
      );
    });

    it('receives an event of its log again with the same bytes, as often as requested, with retries', async () => {
      const running = await stage.start();
      const eventId = await stage.happens('OrderPlaced', { total: 5 });
      await arrived(1);
      await stage.quiet(running);
      const replay = async () => {
        await stage.processors.clock.advance(1000);
        return server.call('POST', `${path}/events/${eventId}/replay`);
      };
      expect((await replay()).status).to.equal(202);
      await arrived(2);
      expect(last().raw.equals(target.received[0]!.raw)).to.equal(true);
      expect(last().headers['service-event-id']).to.equal(eventId);
      target.answer(500);
      await replay();
      await arrived(3);
      target.answer(200);
      await stage.nextTimer(running);
      await arrived(4);
      await stage.quiet(running);
      expect((await deliveries()).reverse().map(trigger)).to.deep.equal([
        ['event', 1, 'succeeded'],
        ['replay', 1, 'succeeded'],
        ['replay', 1, 'failed'],
        ['replay', 2, 'succeeded'],
      ]);
    });

    it('receives no event that is not in its log, and none while disabled', async () => {
      const running = await stage.start();
      const eventId = await stage.happens('OrderPlaced');
      await arrived(1);
      await stage.quiet(running);
      expect((await server.call('POST', `${path}/events/${UNKNOWN}/replay`)).body.code).to.equal('not_found');
      await change({ status: 'disabled' });
      const refused = await server.call('POST', `${path}/events/${eventId}/replay`);
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'webhook_endpoint_disabled']);
    });

    it('is accessible to its owner only', async () => {
      const running = await stage.start();
      const eventId = await stage.happens('OrderPlaced');
      await arrived(1);
      await stage.quiet(running);
      for (const [method, where, body] of [
        ['GET', ''],
        ['PATCH', '', { status: 'disabled' }],
        ['POST', '/rotate-secret'],
        ['POST', '/test'],
        ['POST', `/events/${eventId}/replay`],
        ['GET', '/deliveries'],
        ['DELETE', ''],
      ] as const) {
        const answer = await server.call(method, `${path}${where}`, { ...foreign, ...(body && { body }) });
        expect(answer.body.code, `${method} ${where}`).to.equal('not_found');
      }
      expect((await server.call('GET', base, foreign)).body).to.deep.equal({ endpoints: [] });
      expect((await server.call('GET', path)).body.status).to.equal('active');
      expect(target.received).to.have.lengthOf(1);
    });
  });
}

describe("a partner's webhook endpoint", () => {
  it("receives events of every store of the partner, with the store's reference", async () => {
    const stage = await webhookStage();
    const target = await receiver();
    const server = await webhookServer(stage);
    try {
      await stage.start();
      const body = { url: target.url, events: ['order.created'] };
      await server.call('POST', '/partner/webhook-endpoints', { body });
      await stage.happens('OrderPlaced');
      await stage.happens('OrderPlaced', {}, OTHER_STORE);
      await until('both have arrived', () => target.received.length === 2);
      const reported = target.received.map((one) => eventOf(one).partner);
      expect(reported).to.have.deep.members([{ storeExternalRef: 'ref-a1' }, { storeExternalRef: 'ref-a2' }]);
    } finally {
      await server.close();
      await stage.close();
      await target.close();
    }
  });
});
