/** The whole service: verdicts on products, merged conversations and refunds reach the endpoints of the store and its partner. */
import { expect } from 'chai';
import { EVENT_SCHEMAS } from '../../api/operations/webhooks/eventSchemas.js';
import { Client } from '../../cli/demo/client.js';
import { Customer } from '../../cli/demo/customer.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { signedCart, signedInbound } from '../../harness/service/signedCart.js';
import { declaredEvents } from '../support/conformance/declaredEvents.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
type Body = any;

const PHONE = '252615550177';
/** Orders whose receivers race the views. */
const CARTS = 25;
const TYPES = ['product.sync_changed', 'conversation.merged', 'order.refunded', 'order.status_changed'];

describe('webhooks of a running service about products, merges and refunds', () => {
  const folder = temporaryFolder('suuq-webhooks-service-');
  const W = '/webhook-endpoints';
  let service: ServiceProcess;
  let demo: Demo;
  let store: Client;
  let partner: Client;
  let path: string;
  let own: Receiver;
  let partners: Receiver;
  let all: Receiver;

  const notify = (target: Receiver, type: string): Body[] =>
    target.received.map(eventOf).filter((event) => event.type === type);
  const both = (type: string, count: number): Promise<void> =>
    until(`${count} ${type}`, () => [own, partners].every((target) => notify(target, type).length >= count));
  const put = async (externalId: string, more: object = {}): Promise<void> => {
    const product = { name: externalId, imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 12_00, ...more };
    const { status } = await store.call('PUT', `${path}/commerce/products/${externalId}`, product);
    expect(status, externalId).to.be.oneOf([200, 201]);
  };
  const verdicts = (externalId: string): string[] =>
    notify(own, 'product.sync_changed')
      .map(({ data }) => data.product)
      .filter((product) => product.externalId === externalId)
      .map(({ sync }) => sync.status);

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    path = `/api/v1/workspaces/${demo.store.workspaceId}`;
    store = new Client(service.baseUrl, demo.store.secretKey);
    partner = new Client(service.baseUrl, demo.partner.secretKey);
    [own, partners, all] = [await receiver(), await receiver(), await receiver()];
    const made = await store.call('POST', path + W, { url: own.url, events: TYPES });
    expect(made.status).to.equal(201);
    await partner.call('POST', `/api/v1/partner${W}`, { url: partners.url, events: TYPES });
    await store.call('POST', path + W, { url: all.url, events: Object.keys(EVENT_SCHEMAS) });
  });
  after(async () => {
    await service?.stop();
    await own?.close();
    await partners?.close();
    await all?.close();
    folder.remove();
  });

  it('report each verdict on a product once, with the product as the API returns it', async () => {
    const categories = [{ externalId: 'scarves', name: 'Scarves' }];
    await store.call('PUT', `${path}/commerce/categories`, { categories });
    const variants = [{ externalId: 'scarf-red' }, { externalId: 'scarf-blue' }];
    await put('scarf', { categoryExternalId: 'scarves', variants });
    await put('watch', { name: 'Watch [reject]' });
    await both('product.sync_changed', 2);
    const { body } = await store.call('GET', `${path}/commerce/products`);
    for (const target of [own, partners])
      expect(notify(target, 'product.sync_changed').map(({ data }) => data.product)).to.have.deep.members(
        body.products.filter(({ externalId }: Body) => ['scarf', 'watch'].includes(externalId)),
      );
    expect([verdicts('scarf'), verdicts('watch')]).to.deep.equal([['approved'], ['rejected']]);
    const [event] = notify(partners, 'product.sync_changed');
    expect(event).to.include({ workspaceId: demo.store.workspaceId });
    expect(event.partner).to.deep.equal({ storeExternalRef: demo.store.externalRef });

    await put('scarf', { active: false });
    await until('its removal from the catalog is reported', () => verdicts('scarf').length === 2);
    await put('scarf', { active: false, name: 'Scarf' });
    await put('scarf', { name: 'Scarf' });
    await until('the new content is approved', () => verdicts('scarf').length === 3);
    expect(verdicts('scarf')).to.deep.equal(['approved', 'inactive', 'approved']);
  });

  it('send a verdict again with its id, and the current product', async () => {
    const { body } = await store.call('GET', path + W);
    const { id: endpointId } = body.endpoints.find(({ url }: Body) => url === own.url);
    const at = `${path}${W}/${endpointId}`;
    const first = notify(own, 'product.sync_changed').find(({ data }) => data.product.externalId === 'watch');
    expect((await store.call('POST', `${at}/events/${first.id}/replay`)).status).to.equal(202);
    const again = () => notify(own, 'product.sync_changed').filter(({ id }) => id === first.id);
    await until('it was sent again', () => again().length === 2);
    expect(again()[1]).to.deep.equal(first);
  });

  it('report which conversation continues after a merge', async () => {
    const print = async (id: string, more: object) => {
      const text = { type: 'text', text: { body: id }, ...more };
      const answer = await fetch(demo.channel.webhookUrl, {
        method: 'POST',
        ...signedInbound(demo.channel, PHONE, id, text),
      });
      expect(answer.status).to.equal(200);
    };
    await print('wamid.phone', {});
    await print('wamid.user', { from: undefined, from_user_id: 'SO.7' });
    await print('wamid.both', { from_user_id: 'SO.7' });
    await both('conversation.merged', 1);
    for (const target of [own, partners]) {
      const [{ data }, ...others] = notify(target, 'conversation.merged');
      expect(others).to.deep.equal([]);
      expect(data).to.have.all.keys('conversation', 'mergedConversationId');
      const closed = await store.call('GET', `${path}/conversations/${data.mergedConversationId}`);
      expect(closed.body.status).to.equal('closed');
      const open = await store.call('GET', `${path}/conversations/${data.conversation.id}`);
      expect(open.body).to.include({ status: 'open', createdAt: data.conversation.createdAt });
      expect(data.conversation).to.have.all.keys(Object.keys(open.body));
    }
  });

  it('send what happened while an endpoint was off, also for messages, orders and products', async () => {
    const late = await receiver();
    try {
      const events = ['message.received', 'order.created', 'product.sync_changed'];
      const made = await store.call('POST', path + W, { url: late.url, events });
      const at = `${path}${W}/${made.body.endpoint.id}`;
      const since = new Date().toISOString();
      await store.call('PATCH', at, { status: 'disabled' });
      await put('cap');
      await until('the cap is approved', () => verdicts('cap').length === 1);
      const asha = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, '252615550104', 'Asha');
      await asha.sendCart([{ retailerId: 'cap', quantity: 1 }]);
      await asha.checkoutForm();
      await store.call('PATCH', at, { status: 'active' });
      expect((await store.call('POST', `${at}/replay`, { since })).status).to.equal(202);
      await until('three have arrived', () => late.received.length === 3);
      expect(late.received.map((one) => eventOf(one).type)).to.have.members(events);
      expect(notify(late, 'product.sync_changed')[0]).to.deep.equal(
        notify(own, 'product.sync_changed').find(({ data }) => data.product.externalId === 'cap'),
      );
      const log = async () => (await store.call('GET', `${at}/deliveries`)).body.deliveries as Body[];
      await until('the log has them', async () => (await log()).length === 3);
      expect((await log()).map(({ trigger, status }) => `${trigger} ${status}`)).to.deep.equal(
        Array(3).fill('replay succeeded'),
      );
    } finally {
      await late.close();
    }
  });

  it('report orders from the chat only after a receiver can find them with getOrder and listOrders', async () => {
    const found: unknown[] = [];
    const request = await receiver();
    try {
      request.answerBy((one) => (response) => {
        const { id } = eventOf(one).data.order as Body;
        const requested = [
          store.call('GET', `${path}/commerce/orders/${id}`),
          store.call('GET', `${path}/commerce/orders`),
        ];
        Promise.all(requested)
          .then(([one_, list]) => found.push([one_!.status, list!.body.orders[0].id === id]))
          .finally(() => response.writeHead(204).end());
      });
      await store.call('POST', path + W, { url: request.url, events: ['order.created'] });
      for (let n = 1; n <= CARTS; n++) {
        const answer = await fetch(demo.channel.webhookUrl, { method: 'POST', ...signedCart(demo, n, ['cap']) });
        expect(answer.status).to.equal(200);
        await until(`order ${n} is reported`, () => found.length === n);
      }
      expect(found).to.deep.equal(Array.from({ length: CARTS }, () => [200, true]));
    } finally {
      await request.close();
    }
  });

  it('report a refund once, with the order at that time', async () => {
    await put('shirt');
    await store.call('PUT', `${path}/commerce/payments`, { merchantId: 'M0912269', apiKey: '1000297:API-1901083745' });
    await store.call('PUT', `${path}/commerce/payments/wallets`, { wallets: ['zaad'] });
    const layla = new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, '252615550103', 'Layla');
    await layla.sendCart([{ retailerId: 'shirt', quantity: 1 }]);
    const { token: id } = await layla.checkoutForm();
    await layla.checkOut(id, { fulfilment: 'pickup', name: 'Layla', wallet: 'zaad', wallet_phone: '252615550103' });
    const order = `${path}/commerce/orders/${id}`;
    const isNow = (status: string) =>
      until(`the order is ${status}`, async () => (await store.call('GET', order)).body.status === status);
    await isNow('paid');
    await store.call('POST', `${order}/cancel`, { reason: 'Sold' });
    await both('order.refunded', 1);
    await isNow('refunded');
    for (const target of [own, partners]) {
      const [event, ...others] = notify(target, 'order.refunded');
      expect(others).to.deep.equal([]);
      expect(event.data.order).to.include({ id, status: 'refunded', cancelReason: 'Sold' });
      expect(notify(target, 'order.status_changed').map(({ data }) => data.order.status)).to.deep.equal(['cancelled']);
    }
  });

  it('have exactly the shape of the OpenAPI document', async () => {
    const { body } = await store.call('GET', path + W);
    const mine = body.endpoints.find(({ url }: Body) => url === all.url);
    expect((await store.call('POST', `${path}${W}/${mine.id}/test`)).status).to.equal(202);
    await until('the test has arrived', () => notify(all, 'webhook.test').length === 1);
    const isDeclared = declaredEvents();
    const events = [...all.received, ...own.received, ...partners.received].map(eventOf);
    for (const event of events) isDeclared(event);
    expect([...new Set(events.map(({ type }) => type))]).to.include.members([
      'conversation.merged',
      'message.received',
      'message.updated',
      'order.checked_out',
      'order.created',
      'order.paid',
      'order.refunded',
      'order.status_changed',
      'product.sync_changed',
      'webhook.test',
    ]);
  });
});
