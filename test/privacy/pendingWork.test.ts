/** Pending deliveries to a store and messages to a customer when the customer is forgotten. */
import { expect } from 'chai';
import { customerFrom } from '../../application/channel/customerMessages.js';
import { orderHistories } from '../../application/orders/orderHistory.js';
import { eraseTasks } from '../../application/privacy/pendingTasks.js';
import { speaksOf } from '../../application/privacy/traces.js';
import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { createEndpoint } from '../../application/webhooks/endpoints.js';
import { eventData } from '../../application/webhooks/eventData.js';
import { sealedEnvelope } from '../../application/webhooks/sealedBodies.js';
import { createWebhooksProcessor } from '../../application/webhooks/webhooksProcessor.js';
import { ERASED_PHONE } from '../../domain/erasure.js';
import { pagesOf } from '../../engine/collections.js';
import { tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { ERASED_TEXT } from '../../engine/sealing/erased.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { createGuardedSender } from '../../infrastructure/webhooks/guardedSender.js';
import { foldOrder } from '../../projections/orders.js';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { declaredEvents } from '../support/conformance/declaredEvents.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Received, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';
import { webhookStore } from '../support/stages/webhookStage.js';

const SHOP = '00000000-0000-4000-8000-0000000000a1';
const [ASHA, BILE] = ['+252615550101', '+252615550102'];
const QUESTION = 'Is there a blue one for my daughter?';
const ENDPOINT = '00000000-0000-4000-8000-0000000000e1';
const HOUR = 3_600_000;

describe('pending work of an erased customer', () => {
  let stage: ForgettingStage;
  let target: Receiver;
  beforeEach(async () => {
    stage = await forgettingStage();
    target = await receiver();
    await stage.store(SHOP);
  });
  afterEach(async () => {
    await stage.close();
    await target.close();
  });

  const commands = () => commandsOf(stage.stage.commands);
  async function forget(value: string): Promise<void> {
    const persons = await stage.people.everyone(SHOP, value);
    await stage.forgetting.forget([{ workspaceId: SHOP, value, persons }], commands());
  }

  it('queues no more messages, since the conversation has no customer', async () => {
    const stream = await stage.writes(SHOP, { phone: ASHA }, QUESTION);
    const id = stream.slice('conversation-'.length);
    const customerOf = customerFrom(stage.stage.commands);
    expect((await customerOf(id))?.customer.phone).to.equal(ASHA);
    await forget(ASHA);
    expect(await customerOf(id)).to.equal(undefined);
  });

  describe('as a webhook', () => {
    let secret: string;
    beforeEach(async () => {
      const { work, reads, eventStore, projections, clock, atEnd } = stage.stage;
      for (const collection of webhookCollections) await work.open(collection);
      const secretBox = createSecretBox(Buffer.alloc(32, 7));
      const sender = createGuardedSender({ allowLoopback: true });
      atEnd(() => sender.close());
      secret = await createEndpoint(
        { commands: commands()({ workspaceId: SHOP }), secretBox, urls: sender },
        {
          ...{ endpointId: ENDPOINT, owner: { workspaceId: SHOP }, url: target.url, description: '' },
          ...{ events: ['order.created', 'message.received'], createdBy: 'key', now: clock.now() },
        },
      );
      await stage.stage.start([
        createWebhooksProcessor({
          ...{ sender, work, secretBox, log: eventStore, random: () => 0.5, people: stage.texts },
          directory: { workspace: async (id) => webhookStore(id) },
          ...eventData({
            ...{ reads, clock, histories: orderHistories(eventStore, foldOrder) },
            passed: (_, position) => projections.waitFor(['messages', 'conversations'], position, 5_000),
            readable: () => undefined,
          }),
        }),
      ]);
    });

    const notify = (of: readonly Received[]) =>
      of.map((one) => eventOf(one)).sort((a, b) => (a.type < b.type ? -1 : 1));
    /** Reads all pending tasks as they are stored. */
    async function stored(): Promise<string[]> {
      const texts: string[] = [];
      for await (const page of pagesOf(stage.stage.work, 'tasks_webhooks')) texts.push(...page.map(({ json }) => json));
      return texts;
    }
    async function happened(): Promise<void> {
      target.answer(503);
      await stage.orders(SHOP, ASHA);
      await stage.writes(SHOP, { phone: ASHA }, QUESTION);
      await until('both were tried', () => target.received.length === 2);
      await until('both wait', async () => (await stored()).length >= 2);
    }

    it('is encrypted under the key of its subject', async () => {
      await happened();
      expect(target.received.map(({ raw }) => raw.includes(ASHA))).to.deep.equal([true, true]);
      for (const text of await stored()) {
        expect(text).not.to.include(ASHA.slice(1));
        expect(text).not.to.include(QUESTION);
      }
    });

    it('is sent unchanged if nobody is erased', async () => {
      await happened();
      target.answer(204);
      await stage.clock.advance(HOUR);
      await until('both have arrived', () => target.received.length === 4);
      const bodies = target.received.map(({ raw }) => raw.toString()).sort();
      expect(new Set(bodies).size).to.equal(2);
    });

    it('is sent without the customer, with its id, signed, and as documented', async () => {
      await happened();
      const before = notify(target.received.splice(0));
      await forget(ASHA);
      await stage.stage.shown();
      target.answer(204);
      for (let tries = 0; tries < 50 && target.received.length < 2; tries += 1) {
        await stage.clock.advance(HOUR / 20);
        await until('it is settled', async () => (await stage.texts.isShown(['messages', 'conversations'])) === true);
      }
      await until('both have arrived', () => target.received.length === 2);
      const after = notify(target.received);
      expect(after.map(({ id, type }) => [type, id])).to.deep.equal(before.map(({ id, type }) => [type, id]));
      for (const one of target.received) {
        expect(verifies(secret, one)).to.equal(true);
        expect(one.raw.toString()).not.to.include(ASHA.slice(1)).and.not.to.include(QUESTION);
      }
      const declared = declaredEvents();
      for (const one of after) declared(one as never);
      const [message, order] = after as unknown as [
        { data: { message: object; conversation: { contact: object } } },
        { data: { order: object } },
      ];
      expect(message.data.message).to.include({ text: ERASED_TEXT });
      expect(message.data.conversation.contact).to.include({ phone: ERASED_PHONE, name: '' });
      expect(order.data.order).to.include({ customerPhone: ERASED_PHONE });
    });

    it('waits for rebuilt read models if it is rendered from them', async () => {
      await happened();
      target.received.splice(0);
      target.answer(204);
      const release = stage.stage.holdViews();
      await forget(ASHA);
      await stage.clock.advance(HOUR / 60);
      await until('the order has arrived', () => target.received.length === 1);
      await stage.clock.advance(HOUR / 60);
      expect(notify(target.received).map(({ type }) => type)).to.deep.equal(['order.created']);
      release();
      await until('the views are there', () => stage.texts.isShown(['messages', 'conversations']));
      await until('the message has arrived', async () => {
        // On a slow machine, earlier attempts may have failed several times.
        if (target.received.length < 2) await stage.clock.advance(HOUR / 60);
        return target.received.length === 2;
      });
      for (const { raw } of target.received) expect(raw.toString()).not.to.include(ASHA.slice(1));
      // Waiting for read models does not count as an attempt of the endpoint.
      const attempts = target.received.map(({ headers }) => headers['service-delivery-attempt']);
      expect(attempts).to.deep.equal(['2', '2']);
    });
  });

  it('reports a customer who returned, also in the conversation of an erased one', async () => {
    const chat = await stage.writes(SHOP, { phone: ASHA }, QUESTION);
    await forget(ASHA);
    await stage.stage.shown();
    const content = { type: 'text', text: 'I am back' };
    const sentAt = new Date(stage.clock.now()).toISOString();
    const received = { messageId: 'm2', channelMessageId: 'w2', sentAt, content, customer: { phone: ASHA } };
    await stage.happens(SHOP, chat, 'MessageReceived', received);
    const people = stage.anotherTexts();
    await until('no erasure is running', () => people.isShown(['messages', 'conversations']));
    const data = { conversation: { contact: { phone: ASHA, name: '' } } };
    const envelope = async () => ({ eventId: 'e1', body: JSON.stringify({ data }) }) as never;
    // Even the forgotten customer's event is sealed, with only its id and time. The conversation now belongs to a new
    // customer.
    for (const event of (await stage.stage.eventStore.readStream(chat)).slice(1)) {
      const rendered = await sealedEnvelope({ people, envelope })(event, 'message.received');
      expect(rendered).to.have.property('sealed');
      expect(rendered).not.to.have.property('body');
    }
  });

  describe('as a task', () => {
    const payload = { workspaceId: SHOP, conversationId: 'c', correlationId: 'x' };
    async function erased(processor: string, tasks: readonly { id: string; kind: string; payload: object }[]) {
      const { work } = stage.stage;
      await work.open(tasksDefinition(processor));
      const put = tasks.map(({ id, ...body }) => ({
        ...{ id, keys: { lane: 'lane', dueAt: 0 }, revision: 1 },
        body: { ...body, createdAt: 0 },
      }));
      await work.write({ [`tasks_${processor}`]: { put } });
      await eraseTasks(work, { values: new Set([ASHA, ASHA.slice(1)]), orders: new Set(['order-of-asha']) });
      const left = new Map<string, object>();
      for await (const page of pagesOf(work, `tasks_${processor}`))
        for (const { id, body } of page) left.set(id, (body as { payload: object }).payload);
      return left;
    }

    it('loses the pending message, and stays, so that the chat shows that it was not sent', async () => {
      const sending = (to: string) => ({ ...payload, to: { phone: to }, content: { type: 'text', text: QUESTION } });
      const left = await erased('outbox', [
        { id: 'a', kind: 'send', payload: sending(ASHA) },
        { id: 'b', kind: 'send', payload: sending(BILE) },
      ]);
      expect(left.get('a')).to.deep.equal({ ...payload, to: {}, content: { type: 'text', text: '' } });
      expect(left.get('b')).to.deep.equal(sending(BILE));
    });

    it('is removed if nothing is left of it, and stays if it contains only order ids', async () => {
      const intake = await erased('orderIntake', [
        { id: 'a', kind: 'payer', payload: { ...payload, phone: ASHA } },
        { id: 'b', kind: 'payer', payload: { ...payload, phone: BILE } },
      ]);
      expect([...intake.keys()]).to.deep.equal(['b']);
      const paying = await erased('payments', [{ id: 'a', kind: 'pay', payload: { orderId: 'order-of-asha' } }]);
      expect([...paying.keys()]).to.deep.equal(['a']);
      const text = await erased('orderMessages', [
        { id: 'a', kind: 'confirmation', payload: { orderId: 'order-of-asha', deliveryArea: 'Hodan' } },
        { id: 'b', kind: 'confirmation', payload: { orderId: 'order-of-bile', deliveryArea: 'Hodan' } },
      ]);
      expect([...text.keys()]).to.deep.equal(['b']);
    });

    it('in an older log loses a plain-text webhook, which is then rendered again', async () => {
      const pending = { endpointId: ENDPOINT, eventId: 'e', body: `{"phone":"${ASHA}"}` };
      const left = await erased('webhooks', [{ id: 'a', kind: 'deliver', payload: pending }]);
      expect(left.get('a')).to.deep.equal({ endpointId: ENDPOINT, eventId: 'e' });
    });
  });

  it('is found by phones, ids and other names in any text', () => {
    const speaks = speaksOf([ASHA, ASHA.slice(1), SHOP, 'user.17']);
    for (const text of [`"${ASHA}"`, `wa:${ASHA.slice(1)}`, `conversation-${SHOP}`, 'of user.17!'])
      expect(speaks(text), text).to.equal(true);
    for (const text of [BILE, '25261555010', SHOP.replace('a1', 'a3'), 'user-17', ''])
      expect(speaks(text), text).to.equal(false);
  });
});
