/** Replay of missed events since a time, mainly of events while the endpoint was disabled. */
import { expect } from 'chai';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import type { Running } from '../support/stages/processorStage.js';
import { type Body, type ReceivedRequest, type WebhookServer, webhookServer } from '../support/stages/webhookServer.js';
import { OTHER_STORE, STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FOREIGN = '00000000-0000-4000-8000-0000000000a9';
const OWNERS = [
  { name: 'a store', base: '/webhook-endpoints', foreign: { key: 'sk_test_other', store: OTHER_STORE } },
  { name: 'a partner', base: '/partner/webhook-endpoints', foreign: { key: 'psk_test_rival' } },
] as const;

for (const { name, base, foreign } of OWNERS)
  describe(`replaying from a given time, to an endpoint of ${name}`, () => {
    const ofPartner = name === 'a partner';
    let stage: WebhookStage;
    let target: Receiver;
    let server: WebhookServer;
    let path: string;

    beforeEach(async () => {
      stage = await webhookStage();
      target = await receiver();
      server = await webhookServer(stage);
      const body = { url: target.url, events: ['order.created', 'order.checked_out'] };
      const made = await server.call('POST', base, { body });
      path = `${base}/${made.body.endpoint.id}`;
      await stage.processors.clock.advance(HOUR);
    });
    afterEach(async () => {
      await server.close();
      await stage.close();
      await target.close();
    });

    const turn = async (status: 'active' | 'disabled'): Promise<void> => {
      expect((await server.call('PATCH', path, { body: { status } })).status).to.equal(200);
    };
    const ago = (ms: number): string => new Date(stage.processors.clock.now() - ms).toISOString();
    const replay = (body: object, requested: ReceivedRequest = {}) =>
      server.call('POST', `${path}/replay`, { body, ...requested });
    const ids = (): string[] => target.received.map((one) => eventOf(one).id);
    const log = async (): Promise<Body[]> =>
      (await server.call('GET', `${path}/deliveries?limit=200`)).body.deliveries.reverse();
    /** Waits until every event is processed and every outcome is stored. */
    const settled = async (running: Running): Promise<void> => {
      const head = await stage.processors.eventStore.head();
      await until('all is seen', () => running.runtime.status().every(({ position }) => position >= head));
      await stage.quiet(running);
    };

    it('sends what happened while it was disabled: with the original ids, in order, of its own stores, as subscribed', async () => {
      const running = await stage.start();
      const before = await stage.happens('OrderPlaced');
      await until('the first has arrived', () => target.received.length === 1);
      await turn('disabled');
      await stage.processors.clock.advance(HOUR);
      const missed = [
        await stage.happens('OrderPlaced', {}, STORE, 'order'),
        await stage.happens('OrderCheckedOut', {}, STORE, 'order'),
      ];
      await stage.happens('OrderPaid', {}, STORE, 'order');
      const others = await stage.happens('OrderPlaced', {}, OTHER_STORE);
      await stage.quiet(running);
      await stage.processors.clock.advance(HOUR);
      await turn('active');
      const live = await stage.happens('OrderPlaced');
      await until('it is sent again', () => ids().includes(live));
      expect(ids()).to.deep.equal([before, live]);

      expect((await replay({ since: ago(2 * HOUR) })).status).to.equal(202);
      const expected = ofPartner ? [...missed, others] : missed;
      await until('all have arrived', () => target.received.length >= 2 + expected.length);
      await settled(running);
      expect(ids().slice(2)).to.have.members(expected);
      expect(ids().filter((id) => missed.includes(id))).to.deep.equal(missed);
      const again = (await log()).filter(({ trigger }) => trigger === 'replay');
      expect(again.map(({ eventId }) => eventId)).to.have.members(expected);
      // Every event has been delivered by now.
      await replay({ since: ago(3 * HOUR) });
      await settled(running);
      expect(target.received).to.have.lengthOf(2 + expected.length);
    });

    it('sends also what failed before it was disabled, and leaves out what waits for its next attempt', async () => {
      const running = await stage.start();
      target.answer(500);
      const dropped = await stage.happens('OrderPlaced');
      await until('it has failed', () => target.received.length === 1);
      await stage.quiet(running);
      await turn('disabled');
      while (await stage.nextTimer(running));
      await turn('active');
      const waiting = await stage.happens('OrderPlaced');
      await until('it has failed', () => target.received.length === 2);
      await stage.quiet(running);
      target.answer(204);
      await replay({ since: ago(2 * DAY * 2) });
      await until('the one has arrived', () => target.received.length === 3);
      expect(ids().slice(2)).to.deep.equal([dropped]);
      await stage.nextTimer(running);
      await until('the other arrives by itself', () => target.received.length === 4);
      expect(ids().at(-1)).to.equal(waiting);
    });

    it('does not resend what is in progress', async () => {
      const running = await stage.start();
      let end = (): void => undefined;
      target.answer((response) => {
        end = () => void response.writeHead(204).end();
      });
      const first = await stage.happens('OrderPlaced');
      await until('it is in progress', () => target.received.length === 1);
      // Too short for the delivery to be stored.
      await stage.processors.clock.advance(100);
      await replay({ since: ago(2 * HOUR) });
      // The replay ends during this time.
      await settle(500);
      target.answer(204);
      end();
      await settled(running);
      expect(ids()).to.deep.equal([first]);
    });

    it('sends only events since the given time', async () => {
      const running = await stage.start();
      await turn('disabled');
      const happened: string[] = [];
      for (let i = 0; i < 4; i++) {
        happened.push(await stage.happens('OrderPlaced'));
        await stage.processors.clock.advance(HOUR);
      }
      await stage.quiet(running);
      await turn('active');
      await replay({ since: ago(3 * HOUR), until: ago(HOUR) });
      await settled(running);
      await until('two have arrived', () => target.received.length === 2);
      expect(ids()).to.have.members(happened.slice(1, 3));
      await replay({ since: ago(30 * DAY) });
      await until('all have arrived', () => target.received.length === 4);
      await settled(running);
      expect(new Set(ids())).to.deep.equal(new Set(happened));
    });

    it('is rejected while it is disabled, for invalid times, and for other callers', async () => {
      const located = async (body: object) => {
        const answer = await replay(body);
        return [answer.status, answer.body.code, answer.body.errors?.[0]?.location];
      };
      expect(await located({ since: ago(30 * DAY + 1) })).to.deep.equal([422, 'validation_failed', 'body.since']);
      expect(await located({ since: ago(-1) })).to.deep.equal([422, 'validation_failed', 'body.since']);
      const empty = { since: ago(HOUR), until: ago(HOUR) };
      expect(await located(empty)).to.deep.equal([422, 'validation_failed', 'body.until']);
      expect(await located({})).to.deep.equal([422, 'validation_failed', 'body.since']);
      const body = { since: ago(HOUR) };
      expect((await server.call('POST', `${path}/replay`, { ...foreign, body })).body.code).to.equal('not_found');
      await turn('disabled');
      expect(await located(body)).to.deep.equal([409, 'webhook_endpoint_disabled', undefined]);
    });

    it('runs once for a request repeated with its Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'replay' };
      const body = { since: ago(HOUR) };
      expect((await replay(body, { headers })).status).to.equal(202);
      const again = await replay(body, { headers });
      expect([again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([202, 'true']);
      const { events } = await stage.processors.eventStore.readAll(-1, { filter: { categories: ['webhookEndpoint'] } });
      expect(events.filter(({ type }) => type === 'WebhookReplaySinceRequested')).to.have.lengthOf(1);
    });
  });

describe('a long replay', () => {
  const COUNT = 650;

  it('continues after a crash, has a limited number pending at once, and loses nothing', async () => {
    const stage = await webhookStage();
    const target = await receiver();
    const server = await webhookServer(stage);
    try {
      const made = await server.call('POST', '/webhook-endpoints', {
        body: { url: target.url, events: ['order.created'] },
      });
      const path = `/webhook-endpoints/${made.body.endpoint.id}`;
      await server.call('PATCH', path, { body: { status: 'disabled' } });
      await stage.processors.clock.advance(HOUR);
      const first = await stage.start();
      const happened = await Promise.all(Array.from({ length: COUNT }, () => stage.happens('OrderPlaced')));
      await Promise.all(Array.from({ length: 50 }, () => stage.happens('OrderPlaced', {}, FOREIGN)));
      const head = await stage.processors.eventStore.head();
      await until('all are seen', () => first.runtime.status().every(({ position }) => position >= head));
      await stage.processors.clock.advance(HOUR);
      await server.call('PATCH', path, { body: { status: 'active' } });
      target.answer('hang');
      const since = new Date(stage.processors.clock.now() - 2 * HOUR).toISOString();
      await server.call('POST', `${path}/replay`, { body: { since } });

      const walk = async (): Promise<Body> => {
        const rows = await stage.processors.work.find(tasksCollection('webhooks'), { sort: ['dueAt'], limit: 2000 });
        return rows.map(({ body }) => body as Body).find(({ kind }) => kind === 'replaySince');
      };
      const rests = async (): Promise<boolean> => {
        // Pending deliveries are stored shortly after.
        await stage.processors.clock.advance(1000);
        return (await walk())?.payload.after !== undefined && (await stage.processors.pending('webhooks')) > 500;
      };
      await until('it is idle', rests);
      const { payload } = await walk();
      first.crash();
      target.answer(204);
      const second = await stage.start();
      expect((await walk()).payload.after).to.deep.equal(payload.after);
      expect(await stage.processors.pending('webhooks')).to.be.at.most(500 + 200 + 1);
      await until('all have arrived', async () => {
        await stage.processors.clock.advance(5000);
        await stage.quiet(second);
        return new Set(target.received.map((one) => eventOf(one).id)).size >= COUNT;
      });
      await until('nothing is pending', async () => (await stage.processors.pending('webhooks')) === 0);
      expect(new Set(target.received.map((one) => eventOf(one).id))).to.deep.equal(new Set(happened));
      // Only deliveries in flight were repeated.
      expect(target.received.length).to.be.at.most(COUNT + 4);
    } finally {
      await server.close();
      await stage.close();
      await target.close();
    }
  });
});
