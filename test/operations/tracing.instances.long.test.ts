/** One trace over two instances on shared engines: one accepts the request, the other delivers the webhook. */
import { expect } from 'chai';
import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { signedCart } from '../../harness/service/signedCart.js';
import { type Collector, type SeenSpan, startCollector } from '../support/doubles/collector.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import { until } from '../support/tools/until.js';

const TRACE = '7c'.repeat(16);

describe('a trace across several instances', function () {
  this.timeout(120_000);
  let stage: InstancesStage;
  let collector: Collector;
  let target: Receiver;
  let front: ServiceProcess;
  let store: Store;

  before(async function () {
    if (noInstances !== undefined) {
      this.test!.title = noInstances;
      this.skip();
    }
    [collector, target] = [await startCollector(), await receiver()];
    stage = await instancesStage({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' });
    front = await stage.start('front', { SUUQ_ROLES: 'api,projections' });
    await stage.start('back', { SUUQ_ROLES: 'projections,processors' });
    store = await stage.store('front');
  });
  after(async () => {
    await stage?.close();
    await target?.close();
    await collector?.close();
  });

  async function call(path: string, body: object): Promise<void> {
    const answer = await fetch(`${front.baseUrl}/api/v1/workspaces/${store.workspaceId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status, await answer.text()).to.be.within(200, 299);
  }

  it('connects the cart on one to the webhook on the other', async () => {
    const product = { name: 'Lamp', imageUrls: ['https://img.example.com/1.jpg'], priceCents: 11_00 };
    await call('/commerce/products/batch', { products: [{ ...product, externalId: 'LAMP' }] });
    await call('/webhook-endpoints', { url: target.url, events: ['order.created'] });
    const { body, headers } = signedCart(store, 1, ['LAMP']);
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    const answer = await fetch(`${front.baseUrl}/channel/webhook`, {
      method: 'POST',
      body,
      headers: { ...headers, traceparent },
    });
    expect(answer.status).to.equal(200);
    await until(
      'the order is delivered',
      () => target.received.some((one) => eventOf(one).type === 'order.created'),
      60_000,
    );
    const [, trace, sent] = String(target.received[0]!.headers.traceparent).split('-');
    expect(trace).to.equal(TRACE);
    const spans = (): SeenSpan[] => collector.spans.filter(({ traceId }) => traceId === TRACE);
    // The task ends after its request, so its span arrives last.
    await until('the task was collected', () => spans().some(({ name }) => name === 'process webhooks deliver'));

    const way: string[] = [];
    const by = (id: string | undefined) => spans().find(({ spanId }) => spanId === id);
    for (let span = by(sent); span !== undefined; span = by(span.parentSpanId))
      way.unshift(`${span.resource['service.instance.id']}: ${span.name}`);
    expect(way[0]).to.equal('front: POST /channel/webhook');
    expect(way[1]).to.equal('front: decide conversation');
    expect(way.slice(2).every((one) => one.startsWith('back: '))).to.equal(true);
    expect(way.slice(-3)).to.deep.equal(['back: decide order', 'back: process webhooks deliver', 'back: send webhook']);
    const append = spans().find(({ name }) => name === 'append conversation');
    expect(append!.attributes).to.include({ 'db.system.name': 'eventstoredb', 'db.operation.name': 'append' });
  });
});
