/** A forgotten customer whom the store had contacted first returns as a new customer, also after a restart. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Customer } from '../../cli/demo/customer.js';
import { createClient } from '../../client/src/index.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import { commandLine } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

const PHONE = '+252615557711';
const BEFORE = 'Have you got a blue lamp?';
const OFFER = {
  name: 'returning',
  language: 'en',
  category: 'utility',
  definition: { body: { text: 'The shop is open again.' } },
} as const;

describe('a customer who returns after an erasure', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-returning-');
  const { json } = commandLine(folder.path, { timeout: 120_000 });
  let service: ServiceProcess;
  let demo: Demo;
  let target: Receiver;
  let templateId: string;

  const store = () => createClient({ baseUrl: service.baseUrl, credential: demo.store.secretKey });
  const place = () => ({ workspaceId: demo.store.workspaceId });
  const customer = () => new Customer(demo.sandbox.baseUrl, demo.channel.phoneNumberId, PHONE.slice(1), 'Hodan');
  const writes = () =>
    store().startConversation({
      ...place(),
      body: { phone: PHONE, message: { clientMsgId: randomUUID(), type: 'template', template: { templateId } } },
    });
  const messagesOf = async (conversationId: string) =>
    (await store().listMessages({ ...place(), conversationId, limit: 100 })).messages;
  const sent = (conversationId: string, count: number) =>
    until(`${count} messages are sent in ${conversationId}`, async () => {
      const outbound = (await messagesOf(conversationId)).filter(({ direction }) => direction === 'outbound');
      expect(outbound.filter(({ status }) => status === 'failed')).to.deep.equal([]);
      return outbound.filter(({ status }) => status !== 'pending').length >= count;
    });
  const heardOf = (text: string) =>
    until(`the endpoint has received "${text}"`, () => target.received.some(({ raw }) => raw.includes(text)), 20_000);

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    target = await receiver();
    await store().createWebhookEndpoint({
      ...place(),
      body: { url: target.url, description: 'All of it', events: ['order.created', 'message.received'] },
    });
    const product = { name: 'Lamp', imageUrls: ['https://img.example.com/1.jpg'], priceCents: 1200 };
    await store().upsertProducts({ ...place(), body: { products: [{ ...product, externalId: 'LAMP' }] } });
    ({ id: templateId } = await store().createTemplate({ ...place(), body: OFFER }));
    await until('the template is approved', async () => {
      const { status } = await store().getTemplate({ ...place(), templateId });
      return status === 'approved';
    });
  });
  after(async () => {
    await service?.stop();
    await target?.close();
    folder.remove();
  });

  it('receives messages in a new conversation, writes, orders and gets replies, also after a restart', async () => {
    const { conversation: first } = await writes();
    await sent(first.id, 1);
    await customer().send({ text: BEFORE });
    await heardOf(BEFORE);
    json('admin', 'forget', '--phone', PHONE);
    expect(JSON.stringify(await messagesOf(first.id))).not.to.include(BEFORE);

    const { conversation: second } = await writes();
    expect(second.id).not.to.equal(first.id);
    expect(second.contact.id).not.to.equal(first.contact.id);
    await sent(second.id, 1);
    await service.stop();
    service = await startService(folder.path);
    demo = readDemo(folder.path);

    expect((await writes()).conversation.id).to.equal(second.id);
    await sent(second.id, 2);
    await customer().send({ text: 'I am back.' });
    await heardOf('I am back.');
    expect((await messagesOf(second.id)).map(({ text }) => text)).to.include('I am back.');
    const answer = { clientMsgId: randomUUID(), type: 'text', text: 'Welcome back!' } as const;
    await store().sendMessage({ ...place(), conversationId: second.id, body: answer });
    await sent(second.id, 3);
    await customer().sendCart([{ retailerId: 'LAMP', quantity: 1 }]);
    await until('the cart is an order', async () => {
      const { orders } = await store().listOrders({ ...place(), phone: PHONE });
      return orders.length === 1;
    });
    await until('the endpoint has received the order', () =>
      target.received.some((one) => eventOf(one).type === 'order.created'),
    );
    // Waits for the order summary.
    await sent(second.id, 4);

    expect(JSON.stringify(await messagesOf(first.id))).not.to.include(BEFORE);
    json('admin', 'forget', '--phone', PHONE);
    const text = JSON.stringify(await messagesOf(second.id));
    for (const message of ['I am back.', 'Welcome back!']) expect(text).not.to.include(message);
    const { conversation: third } = await writes();
    expect([first.id, second.id]).not.to.include(third.id);
  });
});
