/** The whole service: what a customer sends to the channel's webhook, and what the store and the customer see of it. */
import { expect } from 'chai';
import { until } from './support/fakeClock.js';
import { type Demo, readDemo, type ServiceProcess, startService, temporaryFolder } from './support/serviceProcess.js';
import { customerOf, signedInbound } from './support/signedCart.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
type Body = any;

describe('carts of a running service', function () {
  this.timeout(60_000);
  const folder = temporaryFolder('suuq-carts-');
  let service: ServiceProcess;
  let demo: Demo;

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
  });
  after(async () => {
    await service?.stop();
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
  async function say(customer: number, id: string, message: object): Promise<void> {
    const signed = signedInbound(demo.channel, customerOf(customer), id, message);
    expect((await fetch(demo.channel.webhookUrl, { method: 'POST', ...signed })).status).to.equal(200);
  }
  const cart = (items: unknown) => ({
    type: 'order',
    order: { catalog_id: demo.channel.catalogId, product_items: items },
  });
  const thread = async (customer: number): Promise<Body[]> => {
    const { conversations } = await call('GET', '/conversations?status=active');
    const one = conversations.find(({ contact }: Body) => contact.phone === `+${customerOf(customer)}`);
    return one === undefined ? [] : (await call('GET', `/conversations/${one.id}/messages`)).messages;
  };
  const orders = async (query = ''): Promise<Body[]> => (await call('GET', `/commerce/orders${query}`)).orders;

  it('name in the note what an order of 100 different items has no room for', async () => {
    const ids = Array.from({ length: 103 }, (_, n) => `BEAD-${n + 1}`);
    const product = { imageUrls: ['https://img.example.com/1.jpg'], priceCents: 50 };
    const products = ids.map((externalId) => ({ ...product, externalId, name: `Bead ${externalId}` }));
    await call('POST', '/commerce/products/batch', { products });
    await say(1, 'wamid.many', cart(ids.map((id) => ({ product_retailer_id: id, quantity: 1 }))));
    await until('it was placed', async () => (await orders()).length === 1);
    const [order] = await orders();
    expect([order.itemCount, order.totalCents]).to.deep.equal([100, 50_00]);
    for (const id of ['BEAD-101', 'BEAD-102', 'BEAD-103'])
      expect(order.note).to.include(`Bead ${id} (${id}) was left out: an order holds at most 100 different items.`);
  });

  it('are answered also when nothing in them can be read, and stand in the thread as carts', async () => {
    await say(2, 'wamid.unreadable', cart([{ quantity: 'many' }]));
    await until('it was answered', async () => (await thread(2)).length === 2);
    const [answer, received] = await thread(2);
    expect(answer).to.include({ direction: 'outbound', type: 'text' });
    expect(answer.text).to.include('could not read your cart');
    expect(received).to.include({ direction: 'inbound', type: 'order' });
    expect(received.order.items).to.deep.equal([]);
    await say(3, 'wamid.empty', { type: 'order' });
    await until('it was answered', async () => (await thread(3)).length === 2);
    expect(await orders(`?phone=${customerOf(2)}`)).to.deep.equal([]);
  });
});
