/** Traces of a running service, from a request to its webhook, received by a test collector. */
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type Signed, signedCart, signedForm } from '../../harness/service/signedCart.js';
import { type Collector, type SeenSpan, startCollector } from '../support/doubles/collector.js';
import { eventOf, type Received, type Receiver, receiver } from '../support/doubles/receiver.js';
import { until } from '../support/tools/until.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const SECRET = 'Bearer collector-credential';
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;

/** Checks that a span is the child of another. */
const isChild = (span: SeenSpan | undefined, of: SeenSpan | undefined): boolean =>
  span !== undefined && of !== undefined && span.traceId === of.traceId && span.parentSpanId === of.spanId;

describe('traces of a running service', () => {
  const folder = temporaryFolder('suuq-traces-');
  let collector: Collector;
  let target: Receiver;
  let service: ServiceProcess;
  let demo: Demo;

  const start = () =>
    startService(folder.path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(SECRET)}`,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'suuq-under-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      SUUQ_LOG: 'debug',
    });
  before(async () => {
    [collector, target] = [await startCollector(), await receiver()];
    service = await start();
    demo = readDemo(folder.path);
    await call('POST', '/webhook-endpoints', { url: target.url, events: ['order.created', 'order.checked_out'] });
    const product = { name: 'Lamp', imageUrls: ['https://img.example.com/1.jpg'], priceCents: 11_00 };
    await call('POST', '/commerce/products/batch', { products: [{ ...product, externalId: 'LAMP' }] });
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    await collector?.close();
    folder.remove();
  });

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.store.secretKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.status, `${method} ${path}`).to.be.within(200, 299);
    return JSON.parse(await answer.text());
  }
  async function print({ body, headers }: Signed, trace: Record<string, string> = {}): Promise<void> {
    const { pathname } = new URL(demo.channel.webhookUrl);
    const answer = await fetch(service.baseUrl + pathname, { method: 'POST', body, headers: { ...headers, ...trace } });
    expect(answer.status).to.equal(200);
  }
  const spans = (traceId: string): SeenSpan[] => collector.spans.filter((span) => span.traceId === traceId);
  const named = (traceId: string, name: string): SeenSpan | undefined =>
    spans(traceId).find((span) => span.name === name);
  const notify = (type: string): Received[] => target.received.filter((one) => eventOf(one).type === type);
  const orderOf = (one: Received): string => (eventOf(one).data.order as { id: string }).id;
  /** Sends the cart of customer `n` and returns the order. */
  async function ordered(n: number): Promise<string> {
    const before = notify('order.created').length;
    await print(signedCart(demo, n, ['LAMP']));
    await until('the order is delivered', () => notify('order.created').length > before);
    return orderOf(notify('order.created').at(-1)!);
  }
  const form = (n: number, orderId: string): Signed =>
    signedForm(demo, n, orderId, { fulfilment: 'pickup', name: 'Hodan' });

  it('link the caller, the checkout and the webhook in one trace, each span below its cause', async () => {
    const orderId = await ordered(1);
    await print(form(1, orderId), { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=one,other=two' });
    await until('the checkout is delivered', () => notify('order.checked_out').length === 1);
    const [delivery] = notify('order.checked_out');
    expect(String(delivery!.headers.traceparent)).to.match(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(delivery!.headers.tracestate).to.equal('vendor=one,other=two');
    const sent = String(delivery!.headers.traceparent).split('-')[2];
    // The task ends after its request, so its span arrives last.
    await until('the task was collected', () => named(TRACE, 'process webhooks deliver') !== undefined);

    const requested = named(TRACE, 'POST /channel/webhook');
    expect(requested).to.include({ parentSpanId: CALLER, kind: SERVER, status: 0, traceState: 'vendor=one,other=two' });
    expect(requested!.attributes).to.include({ 'http.response.status_code': 200, 'http.route': '/channel/webhook' });
    const decided = named(TRACE, 'decide conversation');
    expect(isChild(decided, requested), 'the message was decided for the request').to.equal(true);
    expect(isChild(named(TRACE, 'append conversation'), decided), 'and appended for the decision').to.equal(true);
    const delivered = spans(TRACE).find(({ spanId }) => spanId === sent);
    expect(delivered).to.include({ name: 'send webhook', kind: CLIENT, status: 0 });
    expect(delivered!.attributes).to.include({
      'messaging.message.id': eventOf(delivery!).id,
      'suuq.event.type': 'order.checked_out',
      'server.port': target.port,
      'http.response.status_code': 204,
    });

    // Follows the parents from the delivery, over tasks and commands, to the caller.
    const path: string[] = [];
    for (let span = delivered; span !== undefined; span = spans(TRACE).find((one) => isChild(span, one)))
      path.unshift(span.name);
    expect(path[0]).to.equal('POST /channel/webhook');
    expect(path.slice(-3)).to.deep.equal(['decide order', 'process webhooks deliver', 'send webhook']);
    expect(spans(TRACE).find(({ name }) => name === 'process webhooks deliver')).to.include({ kind: CONSUMER });
    expect(requested!.resource).to.include({
      'service.name': 'suuq-under-test',
      'deployment.environment.name': 'test',
    });
    expect(collector.headers().authorization).to.equal(SECRET);
  });

  it('contain no personal data, no secret, no body, and no name with an id', () => {
    const all = JSON.stringify(collector.spans);
    expect(collector.spans.length).to.be.greaterThan(20);
    for (const text of ['25261', 'Hodan', 'Lamp', demo.store.secretKey, demo.channel.appSecret, SECRET, 'whsec_'])
      expect(all).not.to.include(text);
    // A stream name derived from a phone number would identify the customer.
    const known = collector.spans.filter(({ name }) => name === 'decide customer');
    expect(known.length).to.be.greaterThan(0);
    for (const { attributes } of known) expect(attributes).not.to.have.property('suuq.stream');
    expect(all).not.to.include('customer-');
    for (const { name } of collector.spans)
      expect(name)
        .to.match(/^[A-Za-z/ {}.0-9_-]+$/)
        .and.not.match(/[0-9a-f]{8}/);
  });

  it('continue when the process ends between the event and its delivery', async () => {
    const trace = 'a1'.repeat(16);
    const orderId = await ordered(2);
    target.answer('hang');
    const before = target.received.length;
    await print(form(2, orderId), { traceparent: `00-${trace}-${CALLER}-01` });
    await until('the first attempt hangs', () => target.received.length > before);
    // An earlier decision only checks for a checkout and produces no event.
    const decision = (): SeenSpan | undefined =>
      spans(trace).find(({ name, attributes }) => name === 'decide order' && attributes['suuq.events'] === 1);
    await until('the decision was collected', () => decision() !== undefined);
    await service.kill();
    expect(named(trace, 'send webhook')).to.equal(undefined);
    target.answer(204);
    target.closeConnections();
    service = await start();
    await until('it was delivered by the next process', () => named(trace, 'process webhooks deliver') !== undefined);
    const task = named(trace, 'process webhooks deliver');
    expect(isChild(named(trace, 'send webhook'), task)).to.equal(true);
    expect(isChild(task, decision())).to.equal(true);
    expect(String(target.received.at(-1)!.headers.traceparent)).to.include(trace);
  });

  it('start a new trace for an invalid header, with a normal response', async () => {
    const nonsense = [
      'nonsense',
      '',
      `00-${'0'.repeat(32)}-${CALLER}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${CALLER}-01`,
      `ff-${TRACE}-${CALLER}-01`,
      `00-${TRACE}-${CALLER}-01-more`,
      `00-${TRACE}-${CALLER}-01, 00-${TRACE}-${CALLER}-01`,
      `00-${TRACE}-${CALLER}-01${'-x'.repeat(2000)}`,
    ];
    const before = spans(TRACE).length;
    for (const [n, traceparent] of nonsense.entries())
      await call('GET', `/commerce/products`, undefined, {
        traceparent,
        tracestate: '=,=',
        'x-request-id': `odd-${n}`,
      });
    const requested = () =>
      collector.spans.filter(({ attributes }) => String(attributes['suuq.request.id']).startsWith('odd-'));
    await until('they were collected', () => requested().length === nonsense.length);
    for (const { parentSpanId, traceState } of requested()) expect([parentSpanId, traceState]).to.deep.equal(['', '']);
    expect(spans(TRACE).length).to.equal(before);
  });

  it('leave out an invalid state, and keep the parent', async () => {
    const trace = 'b2'.repeat(16);
    const headers = { traceparent: `00-${trace}-${CALLER}-01`, tracestate: `k=${'v'.repeat(600)}` };
    await call('GET', '/commerce/products', undefined, headers);
    await until('it was collected', () => spans(trace).length > 0);
    expect(spans(trace)[0]).to.include({ parentSpanId: CALLER, traceState: '' });
  });

  it("are not written if the caller's are not, which is passed on", async () => {
    const trace = 'c3'.repeat(16);
    const orderId = await ordered(3);
    const before = notify('order.checked_out').length;
    const long = `k=${'v'.repeat(200)}`;
    await print(form(3, orderId), { traceparent: `00-${trace}-${CALLER}-00`, tracestate: long });
    await until('it was delivered', () => notify('order.checked_out').length > before);
    expect(notify('order.checked_out').at(-1)!.headers.traceparent).to.match(new RegExp(`^00-${trace}-\\w{16}-00$`));
    expect(notify('order.checked_out').at(-1)!.headers.tracestate, 'not kept with events').to.equal(undefined);
    await ordered(4);
    expect(spans(trace)).to.deep.equal([]);
  });

  it('add their ids to log lines', async () => {
    const trace = 'd4'.repeat(16);
    await call('GET', '/commerce/products', undefined, { traceparent: `00-${trace}-${CALLER}-01` });
    await until('it was collected', () => spans(trace).length > 0);
    const line = service
      .output()
      .split('\n')
      .find((one) => one.includes(trace));
    expect(JSON.parse(line!)).to.include({ trace_id: trace, span_id: spans(trace)[0]!.spanId, msg: 'request' });
  });

  it('show a rejection by its code, not as a failure', async () => {
    const trace = 'e5'.repeat(16);
    const path = `/commerce/orders/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}${path}`, {
      headers: { authorization: `Bearer ${demo.store.secretKey}`, traceparent: `00-${trace}-${CALLER}-01` },
    });
    expect(answer.status).to.equal(404);
    await until('it was collected', () => spans(trace).length > 0);
    expect(spans(trace)[0]).to.include({ status: 0 });
    expect(spans(trace)[0]!.attributes).to.include({ 'http.response.status_code': 404, 'suuq.operation': 'getOrder' });
  });
});
