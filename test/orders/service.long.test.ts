/** The whole service: orders that arrive at the channel's webhook, as the store and the customer see them. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { customerOf, signedInbound } from '../../harness/service/signedCart.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
type Body = any;

const DAY = 86_400_000;

describe('carts of a running service', () => {
  const folder = temporaryFolder('suuq-carts-');
  let service: ServiceProcess;
  let demo: Demo;
  let target: Receiver;

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    target = await receiver();
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    folder.remove();
  });

  const call = async (method: string, path: string, body?: object): Promise<Body> => {
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.store.secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read = JSON.parse(await answer.text());
    expect(answer.status, JSON.stringify(read)).to.be.within(200, 299);
    return read;
  };
  async function print(customer: number, id: string, message: object): Promise<void> {
    const signed = signedInbound(demo.channel, customerOf(customer), id, message);
    const { pathname } = new URL(demo.channel.webhookUrl);
    expect((await fetch(`${service.baseUrl}${pathname}`, { method: 'POST', ...signed })).status).to.equal(200);
  }
  const cart = (items: unknown, more: object = {}) => ({
    type: 'order',
    order: { catalog_id: demo.channel.catalogId, product_items: items, ...more },
  });
  const thread = async (customer: number): Promise<Body[]> => {
    const { conversations } = await call('GET', '/conversations?status=active');
    const one = conversations.find(({ contact }: Body) => contact.phone === `+${customerOf(customer)}`);
    return one === undefined ? [] : (await call('GET', `/conversations/${one.id}/messages`)).messages;
  };
  const orders = async (query = ''): Promise<Body[]> => (await call('GET', `/commerce/orders${query}`)).orders;

  it('note the items beyond 100 and the customer’s text in the order', async () => {
    const ids = Array.from({ length: 103 }, (_, n) => `BEAD-${n + 1}`);
    const product = { imageUrls: ['https://img.example.com/1.jpg'], priceCents: 50 };
    const products = ids.map((externalId) => ({ ...product, externalId, name: `Bead ${externalId}` }));
    await call('POST', '/commerce/products/batch', { products });
    await print(
      1,
      'wamid.many',
      cart(
        ids.map((id) => ({ product_retailer_id: id, quantity: 1 })),
        { text: 'No onions please' },
      ),
    );
    await until('it was placed', async () => (await orders()).length === 1);
    const [order] = await orders();
    expect(order.customerNote).to.equal('No onions please');
    expect([order.itemCount, order.totalCents]).to.deep.equal([100, 50_00]);
    for (const id of ['BEAD-101', 'BEAD-102', 'BEAD-103'])
      expect(order.note).to.include(`Bead ${id} (${id}) was left out: an order holds at most 100 different items.`);
  });

  it('get an answer also if no item can be read, and appear in the thread as carts', async () => {
    await print(2, 'wamid.unreadable', cart([{ quantity: 'many' }]));
    await until('it was answered', async () => (await thread(2)).length === 2);
    const [answer, received] = await thread(2);
    expect(answer).to.include({ direction: 'outbound', type: 'text' });
    expect(answer.text).to.include('could not read your cart');
    expect(received).to.include({ direction: 'inbound', type: 'order' });
    expect(received.order.items).to.deep.equal([]);
    await print(3, 'wamid.empty', { type: 'order' });
    await until('it was answered', async () => (await thread(3)).length === 2);
    expect(await orders(`?phone=${customerOf(2)}`)).to.deep.equal([]);
  });

  /** Appends an order as a previous version of the service did, placed this many days ago. Returns its id. */
  async function placedBefore(days: number, number: number, conversationId: string): Promise<string> {
    const id = derivedId('order of before', number);
    const amounts = { subtotalCents: 9_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 9_00 };
    const line = { productExternalId: 'LAMP', retailerId: 'LAMP', name: 'Lamp', quantity: 1, unitPriceCents: 9_00 };
    const data = { number, lines: [line], totals: amounts, currency: 'USD', customerPhone: '', conversationId };
    const meta = {
      at: new Date(Date.now() - days * DAY).toISOString(),
      actor: { type: 'customer' as const },
      correlationId: id,
      workspaceId: demo.store.workspaceId,
    };
    const log = await openEmbeddedEventStore(folder.path);
    await log.append(`order-${id}`, 'noStream', [{ id: derivedId('placed', id), type: 'OrderPlaced', data, meta }]);
    await log.close();
    return id;
  }

  it('get new prices when their form is answered late, and are cancelled after a month', async () => {
    const lamp = { imageUrls: ['https://img.example.com/1.jpg'], priceCents: 11_00, externalId: 'LAMP', name: 'Lamp' };
    await call('POST', '/commerce/products/batch', { products: [lamp] });
    await call('POST', '/webhook-endpoints', { url: target.url, events: ['order.status_changed'] });
    await print(4, 'wamid.hello', { type: 'text', text: { body: 'Hello' } });
    await until('the chat is there', async () => (await thread(4)).length > 0);
    const { conversations } = await call('GET', '/conversations?status=active');
    const { id: chat } = conversations.find(({ contact }: Body) => contact.phone === `+${customerOf(4)}`);
    await service.stop();
    const [late, left] = [await placedBefore(8, 801, chat), await placedBefore(31, 802, chat)];
    // Without an event of today the service would distrust its clock, and cancel nothing for an hour.
    await placedBefore(0, 803, chat);
    service = await startService(folder.path);

    await until('it was cancelled', async () => (await call('GET', `/commerce/orders/${left}`)).status === 'cancelled');
    const cancelled = await call('GET', `/commerce/orders/${left}`);
    expect(cancelled.cancelReason).to.equal('Nobody checked it out within 30 days.');
    expect(cancelled.events.find(({ kind }: Body) => kind === 'status_changed')).to.include({ actorType: 'system' });
    await until('the endpoint was notified', () => target.received.length === 1);
    expect(eventOf(target.received[0]!).data.order).to.include({ id: left, status: 'cancelled' });

    const form = (id: string, flow_token: string) => {
      const answers = { flow_token, fulfilment: 'pickup', name: 'Hodan' };
      const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) };
      return print(4, id, { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } });
    };
    await form('wamid.late', late);
    await until('it has new prices', async () => (await call('GET', `/commerce/orders/${late}`)).totalCents === 11_00);
    await until('the form was sent again', async () => (await thread(4))[0].text.includes('today'));
    expect((await orders('?checkedOut=false')).map(({ id }) => id)).to.include.members([late, left]);
    const inbox = `${readDemo(folder.path).sandbox.baseUrl}/sandbox/numbers/${demo.channel.phoneNumberId}/customers/${customerOf(4)}/messages`;
    // Other forms may arrive first: forms of the other order, and this order's first form with the old price.
    const newest = async (): Promise<string | undefined> => {
      const { messages = [] } = (await (await fetch(inbox)).json()) as { messages?: Body[] };
      const isAgain = (message: Body): boolean => JSON.stringify(message).includes('today');
      return messages
        .filter(isAgain)
        .flatMap(({ flow }) => flow?.token ?? [])
        .findLast((token: string) => token.startsWith(late));
    };
    await until('the form arrived', async () => (await newest()) !== undefined);
    await form('wamid.agreed', (await newest())!);
    await until('it was checked out', async () => (await orders('?checkedOut=true')).length > 0);
    expect((await orders('?checkedOut=true')).map(({ id }) => id)).to.deep.equal([late]);
    expect(await call('GET', `/commerce/orders/${late}`)).to.include({ totalCents: 11_00, fulfilment: 'pickup' });
  });

  it('stay with a customer who is merged: a pin and a deleted cart find their orders', async () => {
    const delivery = { deliveryEnabled: true, pickupEnabled: false, pickupAddress: '', requestLocation: true };
    const areas = [{ name: 'Hodan', feeCents: 1_00, active: true }];
    await call('PUT', '/commerce/delivery', { ...delivery, notifyStatuses: [], areas });
    const lamps = [{ product_retailer_id: 'BEAD-1', quantity: 1 }];
    const user = { from_user_id: 'SO.6' };
    await print(6, 'wamid.kept', cart(lamps));
    await until('it was placed', async () => (await orders(`?phone=${customerOf(6)}`)).length === 1);
    await print(6, 'wamid.deleted', cart(lamps));
    await until('the other was placed', async () => (await orders(`?phone=${customerOf(6)}`)).length === 2);
    const [deleted, retained] = await orders(`?phone=${customerOf(6)}`);
    const answers = { flow_token: retained.id, fulfilment: 'delivery', area: 'Hodan', name: 'Hodan' };
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) };
    await print(6, 'wamid.form', { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } });
    const text = (body: string, more: object) => ({ type: 'text', text: { body }, ...more });
    const requested = async () => (await thread(6)).some(({ text }) => text.includes('share the location'));
    await until('the location was requested', requested);
    const [{ id: cartId }] = (await thread(6)).filter(({ type }) => type === 'order');
    const { conversations } = await call('GET', '/conversations?status=active');
    const { id: former } = conversations.find(({ contact }: Body) => contact.phone === `+${customerOf(6)}`);
    await print(6, 'wamid.user', text('by user', { from: undefined, ...user }));
    await print(6, 'wamid.both', text('by both', user));
    await until(
      'they are merged',
      async () => (await call('GET', `/conversations/${former}`)).mergedInto !== undefined,
    );
    await print(6, 'wamid.pin', { type: 'location', location: { latitude: 2.04, longitude: 45.34 }, ...user });
    await print(6, 'wamid.gone', { type: 'revoke', revoke: { original_message_id: 'wamid.deleted' }, ...user });
    const at = async (id: string): Promise<Body> => call('GET', `/commerce/orders/${id}`);
    await until('the pin reached its order', async () => (await at(retained.id)).location !== undefined);
    await until('the cart is not an order', async () => (await at(deleted.id)).status === 'cancelled');
    expect(await at(retained.id)).to.deep.include({ location: { latitude: 2.04, longitude: 45.34 }, status: 'new' });
    const { messages } = await call('GET', `/conversations/${former}/messages`);
    expect(messages.find(({ id }: Body) => id === cartId)).to.include({ deleted: true });
  });
});
