import { expect } from 'chai';
import fc from 'fast-check';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { OTHER_STORE, PARTNER, STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const SECOND = 1000;
const HOUR = 3_600_000;
const ids = (target: Receiver): string[] => target.received.map((one) => eventOf(one).id);

describe('webhook delivery', () => {
  let stage: WebhookStage;
  let target: Receiver;
  let other: Receiver;

  beforeEach(async () => {
    stage = await webhookStage();
    target = await receiver();
    other = await receiver();
  });
  afterEach(async () => {
    await stage.close();
    await target.close();
    await other.close();
  });

  it('posts the signed event with every documented header', async () => {
    const running = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.status_changed']);
    const at = new Date(stage.processors.clock.now()).toISOString();
    const id = await stage.happens('OrderStatusChanged', { from: 'new', to: 'preparing' });
    await until('it has arrived', () => target.received.length === 1);
    const [came] = target.received;
    expect(eventOf(came!)).to.deep.include({
      id,
      type: 'order.status_changed',
      createdAt: at,
      workspaceId: STORE,
      partner: { storeExternalRef: 'ref-a1' },
    });
    expect(eventOf(came!).data.order).to.include({ revision: 0, to: 'preparing' });
    expect(came!.headers).to.include({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'service-event-id': id,
      'service-event-type': 'order.status_changed',
      'service-delivery-attempt': '1',
    });
    expect(came!.headers['service-signature']).to.match(
      new RegExp(`^t=${Math.floor(stage.processors.clock.now() / 1000)},v1=[0-9a-f]{64}$`),
    );
    expect(verifies(endpoint.secret, came!)).to.equal(true);
    expect(verifies(`${endpoint.secret}x`, came!)).to.equal(false);
    await stage.quiet(running);
    const [attempt] = await stage.log(endpoint.id);
    expect(attempt).to.deep.include({
      eventId: id,
      attempt: 1,
      status: 'succeeded',
      trigger: 'event',
      responseCode: 204,
    });
    expect(attempt).not.to.have.any.keys('error', 'nextRetryAt');
    expect(await stage.health(endpoint.id)).to.deep.equal({ lastSuccessAt: at });
  });

  it('retries by the schedule over 72 hours with the same bytes, then disables the endpoint', async () => {
    const running = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    target.answer(500);
    const start = stage.processors.clock.now();
    await stage.happens('OrderPlaced', { number: 1 });
    await until('the first has arrived', () => target.received.length === 1);
    while (await stage.nextTimer(running));
    const log = await stage.log(endpoint.id);
    const after = log.map(({ attemptedAt }) => Math.round((Date.parse(attemptedAt) - start) / SECOND));
    const waits = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200];
    expect(after.map((time, i) => time - (after[i - 1] ?? 0))).to.deep.equal([0, ...waits]);
    expect(log.map(({ attempt }) => attempt)).to.deep.equal(log.map((_, i) => i + 1));
    expect(log.slice(0, -1).map(({ nextRetryAt }) => nextRetryAt)).to.deep.equal(
      log.slice(1).map(({ attemptedAt }) => attemptedAt),
    );
    expect(log.at(-1)).not.to.have.property('nextRetryAt');
    expect(new Set(target.received.map(({ raw }) => raw.toString()))).to.have.lengthOf(1);
    expect(target.received.map(({ headers }) => headers['service-delivery-attempt'])).to.deep.equal(
      log.map(({ attempt }) => String(attempt)),
    );
    expect(target.received.every((one) => verifies(endpoint.secret, one))).to.equal(true);
    expect(await stage.statusOf(endpoint.id)).to.equal('disabled');
    expect(stage.processors.clock.now() - start).to.equal(72 * HOUR);
    await stage.happens('OrderPlaced', { number: 2 });
    await stage.quiet(running);
    expect(target.received).to.have.lengthOf(log.length);
  });

  it('does not disable an endpoint that accepted something in those 3 days', async () => {
    const running = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    target.answerBy((one) => ((eventOf(one).data.order as { number: number }).number === 2 ? 204 : 503));
    await stage.happens('OrderPlaced', { number: 1 });
    await until('the first has arrived', () => target.received.length === 1);
    for (let i = 0; i < 9; i++) await stage.nextTimer(running);
    await stage.happens('OrderPlaced', { number: 2 });
    await until('a success is logged', async () => 'lastSuccessAt' in (await stage.health(endpoint.id)));
    const { failingSince } = await stage.health(endpoint.id);
    expect(failingSince).to.equal(undefined);
    await stage.happens('OrderPlaced', { number: 3 });
    while (await stage.nextTimer(running));
    expect(await stage.statusOf(endpoint.id)).to.equal('disabled');
    const log = await stage.log(endpoint.id);
    // The next failure comes in the same instant.
    const since = Date.parse(log.find(({ status }) => status === 'succeeded')!.attemptedAt);
    expect(stage.processors.clock.now() - since).to.equal(72 * HOUR);
  });

  it('does not disable an endpoint for one failure before a downtime of more than 3 days', async () => {
    const before = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    target.answer(500);
    await stage.happens('OrderPlaced', { number: 1 });
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(before);
    await stage.processors.clock.advance(SECOND);
    before.crash();
    await stage.processors.clock.advance(80 * HOUR);
    const running = await stage.start();
    await until('the second has arrived', () => target.received.length === 2);
    await stage.quiet(running);
    expect(await stage.statusOf(endpoint.id)).to.equal('active');
    // What was not tried in all that time is not given up after one more attempt.
    for (let i = 0; i < 5; i++) await stage.nextTimer(running);
    expect(target.received).to.have.lengthOf.above(5);
    target.answer(204);
    while ((await stage.health(endpoint.id)).lastSuccessAt === undefined) await stage.nextTimer(running);
    expect(await stage.statusOf(endpoint.id)).to.equal('active');
    expect(await stage.processors.pending('webhooks')).to.be.at.most(2);
  });

  it('disables an endpoint 3 days after the service is back if it fails all that time', async () => {
    const before = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    target.answer(500);
    await stage.happens('OrderPlaced', { number: 1 });
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(before);
    await stage.processors.clock.advance(SECOND);
    before.crash();
    await stage.processors.clock.advance(80 * HOUR);
    const back = stage.processors.clock.now();
    const running = await stage.start();
    await until('the second has arrived', () => target.received.length === 2);
    while ((await stage.statusOf(endpoint.id)) === 'active' && (await stage.nextTimer(running)));
    expect(await stage.statusOf(endpoint.id)).to.equal('disabled');
    expect(stage.processors.clock.now() - back).to.be.within(72 * HOUR, 73 * HOUR);
  });

  it('waits as long as the receiver requests, but not beyond 72 hours', async () => {
    const running = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    let requested = 600;
    target.answer((response) => response.writeHead(429, { 'retry-after': String(requested) }).end());
    const start = stage.processors.clock.now();
    await stage.happens('OrderPlaced');
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(running);
    requested = 100 * 3600;
    await stage.nextTimer(running);
    const log = await stage.log(endpoint.id);
    expect(log.map(({ nextRetryAt }) => Date.parse(nextRetryAt!) - start)).to.deep.equal([600 * SECOND, 72 * HOUR]);
  });

  it('sends later events, also of the same order, while an earlier one waits for a retry', async () => {
    const running = await stage.start();
    await stage.endpoint(target.url, ['order.created', 'order.checked_out']);
    target.answerBy(({ headers }) => (headers['service-event-type'] === 'order.created' ? 500 : 204));
    const first = await stage.happens('OrderPlaced', {}, STORE, 'order');
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(running);
    const second = await stage.happens('OrderCheckedOut', {}, STORE, 'order');
    await until('the second has arrived', () => target.received.length === 2);
    expect(ids(target)).to.deep.equal([first, second]);
  });

  it('does not delay other endpoints when one hangs', async () => {
    await stage.start();
    const hanging = await stage.endpoint(other.url, ['order.created']);
    await stage.endpoint(target.url, ['order.created']);
    other.answer('hang');
    for (let i = 0; i < 60; i++) await stage.happens('OrderPlaced', { number: i });
    await until('the healthy one has all', () => target.received.length === 60);
    expect(other.received.length).to.be.within(1, 4);
    expect(await stage.log(hanging.id)).to.have.lengthOf(0);
  });

  it('keeps pending deliveries over a crash, and repeats them with the same id', async () => {
    const first = await stage.start();
    await stage.endpoint(target.url, ['order.created']);
    target.answer('hang');
    const pending = [];
    for (let i = 0; i < 10; i++) pending.push(await stage.happens('OrderPlaced', { number: i }));
    await until('some are in flight', () => target.received.length > 0);
    // What is not done a moment later is written.
    await stage.processors.clock.advance(1000);
    await until('all are recorded', async () => (await stage.processors.pending('webhooks')) === 10);
    first.crash();
    const before = target.received.length;
    target.answer(204);
    await stage.start();
    await until('nothing is pending', async () => (await stage.processors.pending('webhooks')) === 0);
    expect(new Set(ids(target).slice(before))).to.deep.equal(new Set(pending));
    expect(target.received).to.have.lengthOf(before + 10);
  });

  it('notifies only subscribers: the store and its partner, from their creation on', async () => {
    const running = await stage.start();
    const early = await stage.happens('OrderPlaced');
    await stage.processors.clock.advance(120 * SECOND);
    await stage.endpoint(target.url, ['order.created', 'order.checked_out']);
    const partners = await receiver();
    await stage.endpoint(partners.url, ['order.created'], { partnerId: PARTNER });
    await stage.endpoint(other.url, ['order.status_changed']);
    const own = await stage.happens('OrderPlaced');
    const out = await stage.happens('OrderCheckedOut');
    const foreign = await stage.happens('OrderPlaced', {}, OTHER_STORE);
    await stage.happens('OrderStatusChanged', { from: 'new', to: 'awaiting_payment' });
    await stage.happens('OrderSummarySent');
    await until('the partner has both', () => partners.received.length === 2);
    await stage.quiet(running);
    expect(ids(target)).to.have.members([own, out]).and.not.include(early);
    expect(ids(partners)).to.have.members([own, foreign]);
    expect(partners.received.map((one) => eventOf(one).partner)).to.deep.include({ storeExternalRef: 'ref-a2' });
    expect(other.received).to.have.lengthOf(0);
    await partners.close();
  });

  it('notifies an endpoint created while the clock was ahead, also of events before the clock was set back', async () => {
    const running = await stage.start();
    const early = await stage.happens('OrderPlaced');
    await stage.processors.clock.set(240 * HOUR);
    await stage.endpoint(target.url, ['order.created']);
    const then = await stage.happens('OrderPlaced');
    await stage.processors.clock.set(-240 * HOUR);
    const since = await stage.happens('OrderPlaced');
    await until('both have arrived', () => target.received.length === 2);
    await stage.quiet(running);
    expect(ids(target)).to.deep.equal([then, since]).and.not.include(early);
  });

  it('drops the pending deliveries and the log of a deleted endpoint', async () => {
    const running = await stage.start();
    const endpoint = await stage.endpoint(target.url, ['order.created']);
    target.answer(500);
    await stage.happens('OrderPlaced');
    await until('the first has arrived', () => target.received.length === 1);
    await stage.quiet(running);
    expect(await stage.log(endpoint.id)).to.have.lengthOf(1);
    await stage.remove(endpoint.id);
    // What is due later is written a moment after it was noted.
    await stage.processors.clock.advance(600);
    await until('the deletion is recorded', async () => (await stage.processors.pending('webhooks')) === 3);
    while (await stage.nextTimer(running));
    expect(target.received).to.have.lengthOf(1);
    expect(await stage.log(endpoint.id)).to.have.lengthOf(0);
    expect(await stage.health(endpoint.id)).to.deep.equal({});
    expect(await stage.processors.pending('webhooks')).to.equal(0);
  });

  it('delivers each event under random failures, and does not resend it after a success', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 }), async (failures) => {
        const own = await webhookStage();
        const hook = await receiver();
        try {
          const running = await own.start();
          const { id: endpointId } = await own.endpoint(hook.url, ['order.created']);
          hook.answerBy((one) => {
            const { number } = eventOf(one).data.order as { number: number };
            return Number(one.headers['service-delivery-attempt']) <= failures[number]! ? 500 : 200;
          });
          const sent = await Promise.all(failures.map((_, number) => own.happens('OrderPlaced', { number })));
          await until('each has succeeded', async () => {
            await own.processors.clock.advance(30 * SECOND);
            await own.quiet(running);
            const log = await own.log(endpointId);
            return log.filter(({ status }) => status === 'succeeded').length === sent.length;
          });
          await own.processors.clock.advance(HOUR);
          await own.quiet(running);
          const times = (id: string): number => ids(hook).filter((one) => one === id).length;
          expect(sent.map(times)).to.deep.equal(failures.map((count) => count + 1));
        } finally {
          await own.close();
          await hook.close();
        }
      }),
      { numRuns: 8 },
    ));
});
