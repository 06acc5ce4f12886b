import { expect } from 'chai';
import fc from 'fast-check';
import { failureReason } from '../../application/channel/failureReasons.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationIdOf } from '../../domain/channel/conversationIds.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { signatureOf } from '../../infrastructure/channel/signature.js';
import { until } from '../support/doubles/fakeClock.js';
import { rawClient } from '../support/protocol/rawClient.js';
import {
  APP_SECRET,
  type ChannelStage,
  change,
  channelStage,
  delivery,
  NUMBER,
  textMessage,
  VERIFY_TOKEN,
} from '../support/stages/channelStage.js';

const ASHA = { phone: '+252615550101' };
const received = (events: readonly ConversationEvent[]) =>
  events.flatMap((event) => (event.type === 'MessageReceived' ? [event.data] : []));
const order = (items: object[], more: object = {}) => ({ catalog_id: '900', product_items: items, ...more });

describe('channel webhook', () => {
  let stage: ChannelStage;
  beforeEach(async () => {
    stage = await channelStage();
  });
  afterEach(() => stage.close());

  const queue = async (messageId: string, customer: { phone?: string; userId?: string } = ASHA) => {
    const { commandHandler } = stage.test.services;
    const id = conversationIdOf(NUMBER.numberId, customer);
    const content = { type: 'text', text: 'Your order' } as const;
    const purpose = { kind: 'order_status', orderId: 'order-1', status: 'preparing' } as const;
    await commandHandler.decide(
      { commandId: messageId, actor: { type: 'system' }, correlationId: 'spec' },
      conversation,
      id,
      queueMessage({ messageId, numberId: NUMBER.numberId, to: customer, content, purpose }),
    );
  };
  const status = (name: string, more: object = {}) => ({
    id: 'wamid.out.1',
    status: name,
    timestamp: '1772352060',
    recipient_id: '252615550101',
    biz_opaque_callback_data: 'message-1',
    ...more,
  });
  const statuses = async (customer = ASHA) =>
    (await stage.events(customer)).map((event) =>
      event.type === 'MessageStatusChanged' ? event.data.status : event.type,
    );

  it('does not read the body of a delivery without a valid signature header', async () => {
    const { pathname } = new URL(stage.webhookUrl);
    const right = signatureOf(Buffer.from('{}'), APP_SECRET);
    for (const signature of [undefined, '', 'sha256=', right.toUpperCase(), `sha1=${right.slice(7)}`, `${right}0`]) {
      const field = signature === undefined ? '' : `X-Hub-Signature-256: ${signature}\r\n`;
      const client = rawClient(
        stage.url,
        `POST ${pathname} HTTP/1.1\r\nHost: x\r\n${field}Content-Length: 3000000\r\n\r\n`,
      );
      await until(`${signature} is answered`, () => client.text() !== '', 5000);
      expect(client.text(), signature).to.match(/^HTTP\/1\.1 403 .*"code":"permission_denied"/s);
      client.socket.destroy();
    }
  });

  it('accepts deliveries of 3 MiB, and no larger ones', async () => {
    const most = 3 * 1024 * 1024;
    expect((await stage.deliver(JSON.stringify(delivery({})).padEnd(most))).status).to.equal(200);
    expect((await stage.deliver(' '.repeat(most + 1))).status).to.equal(413);
  });

  describe('handshake', () => {
    const request = (query: Record<string, string>) =>
      fetch(
        `${stage.webhookUrl}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '4711', ...query })}`,
      );

    it('echoes the challenge to callers with the verify token', async () => {
      const answer = await request({ 'hub.verify_token': VERIFY_TOKEN });
      expect([answer.status, await answer.text()]).to.deep.equal([200, '4711']);
      expect(answer.headers.get('content-type')).to.match(/^text\/plain/);
    });

    it('rejects everyone else', async () => {
      for (const query of [{}, { 'hub.verify_token': 'guess' }, { 'hub.verify_token': VERIFY_TOKEN, 'hub.mode': 'x' }])
        expect((await request(query as Record<string, string>)).status).to.equal(403);
    });
  });

  it('stores nothing from a forged, unsigned or changed delivery', async () => {
    const body = delivery({ messages: [textMessage('wamid.1', 'hi')] });
    const bytes = Buffer.from(JSON.stringify(body));
    const right = signatureOf(bytes, APP_SECRET);
    for (const signature of [
      null,
      '',
      'sha256=',
      right.slice(0, -1),
      signatureOf(bytes, 'other'),
      right.toUpperCase(),
    ]) {
      const answer = await stage.deliver(body, signature);
      expect(answer.status, String(signature)).to.equal(403);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    }
    expect((await stage.deliver(`${JSON.stringify(body)} `, right)).status).to.equal(403);
    expect(await stage.events(ASHA)).to.deep.equal([]);
  });

  it('stores a cart, with its sender and time', async () => {
    const cart = order([{ product_retailer_id: 'SKU-1', quantity: 2, item_price: 12.5, currency: 'USD' }], {
      text: 'Please wrap',
    });
    const message = { from: '252615550101', id: 'wamid.1', timestamp: '1772352000', type: 'order', order: cart };
    const contacts = [{ profile: { name: 'Asha' }, wa_id: '252615550101' }];
    expect((await stage.deliver(delivery({ contacts, messages: [message] }))).status).to.equal(200);
    const [start, first] = await stage.events(ASHA);
    expect(start?.type).to.equal('ConversationStarted');
    expect(first?.data).to.deep.include({
      channelMessageId: 'wamid.1',
      sentAt: '2026-03-01T08:00:00.000Z',
      customer: { phone: '+252615550101', name: 'Asha' },
      content: {
        type: 'order',
        catalogId: '900',
        text: 'Please wrap',
        items: [{ productRetailerId: 'SKU-1', quantity: 2, itemPrice: '12.5', currency: 'USD' }],
      },
    });
    expect(stage.counts).to.deep.equal({ received: 1 });
  });

  it('stores a customer without a phone', async () => {
    const message = {
      from_user_id: 'US.1349',
      id: 'wamid.1',
      timestamp: '1772352000',
      type: 'text',
      text: { body: 'hi' },
    };
    await stage.deliver(delivery({ contacts: [{ user_id: 'US.1349', profile: { name: 'S' } }], messages: [message] }));
    expect(received(await stage.events({ userId: 'US.1349' }))[0]?.customer).to.deep.equal({
      userId: 'US.1349',
      name: 'S',
    });
  });

  it('changes nothing for repeated messages, within one delivery or several', async () => {
    const twice = delivery({ messages: [textMessage('wamid.1', 'hi'), textMessage('wamid.1', 'hi')] });
    await Promise.all([stage.deliver(twice), stage.deliver(twice)]);
    await stage.deliver(delivery({ messages: [textMessage('wamid.1', 'hi'), textMessage('wamid.2', 'ho')] }));
    expect(received(await stage.events(ASHA)).map(({ channelMessageId }) => channelMessageId)).to.deep.equal([
      'wamid.1',
      'wamid.2',
    ]);
    expect(stage.counts).to.deep.equal({ received: 2, duplicate: 4 });
  });

  it('stores the valid parts of a delivery with invalid ones', async () => {
    const body = {
      object: 'whatsapp_business_account',
      entry: [
        null,
        { id: 'x' },
        {
          id: NUMBER.businessAccountId,
          changes: [
            'nothing',
            { field: 'account_update', value: {} },
            { field: 'messages', value: { messages: [textMessage('wamid.0', 'no number')] } },
            change({
              messages: [null, 7, {}, { id: 'wamid.9', type: 'text' }, textMessage('wamid.1', 'hi')],
              statuses: [{ id: 'x' }],
            }),
            change({ messages: [textMessage('wamid.2', 'ho', '252615550102')] }),
          ],
        },
      ],
    };
    expect((await stage.deliver(body)).status).to.equal(200);
    expect(received(await stage.events(ASHA))).to.have.lengthOf(1);
    expect(received(await stage.events({ phone: '+252615550102' }))).to.have.lengthOf(1);
    expect(stage.counts).to.deep.equal({ received: 2, malformed: 9, set_aside: 5, unknown_number: 1 });
  });

  it('stores once what arrives for unknown numbers, where an operator can find it', async () => {
    const unknown = delivery({ messages: [textMessage('wamid.1', 'secret words')] }, '999');
    for (let time = 0; time < 2; time++) expect((await stage.deliver(unknown)).status).to.equal(200);
    expect(stage.counts).to.deep.equal({ unknown_number: 2, set_aside: 1, duplicate: 1 });
    const { events } = await stage.test.services.eventStore.readAll(BEFORE_ALL);
    expect(events.map(({ type }) => type)).to.deep.equal(['UpdateOfUnknownNumberSetAside']);
    const { phoneNumberId, customer, update } = events[0]!.data as Record<string, unknown>;
    expect([phoneNumberId, customer]).to.deep.equal(['999', ASHA]);
    expect(update).to.contain('secret words');
    expect(events[0]!.meta).not.to.have.property('workspaceId');
    expect(stage.logged.join()).to.contain('999').and.not.contain('secret words').and.not.contain('252615550101');
  });

  it('accepts a delivery of 1,000 updates', async () => {
    const messages = Array.from({ length: 1_000 }, (_, i) =>
      textMessage(`wamid.${i}`, `message ${i}`, `25261555${1000 + (i % 3)}`),
    );
    expect((await stage.deliver(delivery({ messages }))).status).to.equal(200);
    const first = received(await stage.events({ phone: '+252615551000' }));
    expect(first.map(({ channelMessageId }) => channelMessageId)).to.deep.equal(
      messages.filter((_, i) => i % 3 === 0).map((message) => (message as { id: string }).id),
    );
    expect(stage.counts.received).to.equal(1_000);
  });

  it('requests redelivery while one store cannot write, and keeps the rest', async () => {
    const broken = conversationIdOf(NUMBER.numberId, ASHA);
    let unavailable = true;
    await stage.close();
    stage = await channelStage((commands) => ({
      ...commands,
      query: commands.query.bind(commands),
      decide: async (context, aggregate, id, decision) => {
        if (unavailable && id === broken) throw new StoreUnavailable('not now');
        return commands.decide(context, aggregate, id, decision);
      },
    }));
    const body = delivery({ messages: [textMessage('wamid.1', 'hi'), textMessage('wamid.2', 'ho', '252615550102')] });
    expect((await stage.deliver(body)).status).to.equal(503);
    expect(received(await stage.events({ phone: '+252615550102' }))).to.have.lengthOf(1);
    unavailable = false;
    expect((await stage.deliver(body)).status).to.equal(200);
    expect(received(await stage.events(ASHA))).to.have.lengthOf(1);
    expect(stage.counts).to.deep.equal({ received: 2, duplicate: 1 });
  });

  describe('statuses', () => {
    it('only move a message forward, in any order', async () => {
      await queue('message-1');
      for (const name of ['delivered', 'sent', 'delivered', 'played', 'failed'])
        await stage.deliver(delivery({ statuses: [status(name)] }));
      expect(await statuses()).to.deep.equal([
        'ConversationStarted',
        'MessageQueued',
        'MessageAccepted',
        'delivered',
        'read',
      ]);
    });

    it('report a failure after acceptance, with its purpose and a readable reason', async () => {
      await queue('message-1');
      const failed = status('failed', { errors: [{ code: 131047, title: 'Re-engagement message' }] });
      await stage.deliver(delivery({ statuses: [status('sent'), failed, failed] }));
      const events = await stage.events(ASHA);
      expect(events.at(-1)?.data).to.deep.equal({
        messageId: 'message-1',
        errorCode: '131047',
        reason: failureReason('131047'),
        purpose: { kind: 'order_status', orderId: 'order-1', status: 'preparing' },
        accepted: true,
      });
      expect(events).to.have.lengthOf(5);
    });

    it("find the message by the channel's id, by the phone of a customer with a user id, or not at all", async () => {
      await queue('message-1', { userId: 'SO.77' });
      const phoneOnly = { recipient_id: '252615550199' };
      await stage.deliver(
        delivery({ statuses: [status('sent', { recipient_id: undefined, recipient_user_id: 'SO.77' })] }),
      );
      stage.aliases.set('+252615550199', [conversationIdOf(NUMBER.numberId, { userId: 'SO.77' })]);
      await stage.deliver(
        delivery({ statuses: [status('delivered', { ...phoneOnly, biz_opaque_callback_data: undefined })] }),
      );
      await stage.deliver(
        delivery({ statuses: [status('read', { id: 'wamid.other', biz_opaque_callback_data: 'other' })] }),
      );
      expect(await statuses({ userId: 'SO.77' } as never))
        .to.include.members(['sent', 'delivered'])
        .and.not.include('read');
      expect(stage.counts).to.include({ status: 2, status_unknown: 1 });
    });
  });

  describe('bad input', () => {
    const contentOf = async (message: object) => {
      const id = `wamid.${Math.abs(JSON.stringify(message).length)}`;
      await stage.deliver(delivery({ messages: [{ from: '252615550101', id, timestamp: '1772352000', ...message }] }));
      return received(await stage.events(ASHA)).at(-1)!.content;
    };

    it('removes NUL and lone surrogates, and cuts overlong texts', async () => {
      const body = `{"from":"252615550101","id":"wamid.7","timestamp":"x","type":"text","text":{"body":"a\\u0000b\\ud83dc${'😀'.repeat(5_000)}"}}`;
      await stage.deliver(JSON.stringify(delivery({ messages: ['HERE'] })).replace('"HERE"', body));
      const [message] = received(await stage.events(ASHA));
      const text = (message!.content as { text: string }).text;
      expect(text.slice(0, 4)).to.equal('a\ufffdb\ufffd');
      expect([...text]).to.have.length(4_096);
      expect(message!.details).to.deep.equal({ cut: ['body'] });
      expect(Buffer.from(text).toString()).to.equal(text);
      expect(message!.sentAt).to.equal(new Date(stage.clock.now()).toISOString());
    });

    it('treats a future time as now, so that the window is open for a day and no longer', async () => {
      const timestamp = String(stage.clock.now() / 1_000 + 80_000);
      const message = { from: '252615550101', id: 'wamid.8', timestamp, type: 'text', text: { body: 'Hi' } };
      await stage.deliver(delivery({ messages: [message] }));
      const [first] = received(await stage.events(ASHA));
      expect(first!.sentAt).to.equal(new Date(stage.clock.now()).toISOString());
    });

    it('accepts 500 lines of a cart, with a note', async () => {
      const items = Array.from({ length: 534 }, (_, i) => ({
        product_retailer_id: `SKU-${i}`,
        quantity: i === 5 ? 1.5 : 120,
      }));
      const content = await contentOf({ type: 'order', order: order(items) });
      expect(content).to.have.property('items').with.lengthOf(499);
      expect(content).to.have.property(
        'remark',
        "Only the first 500 of the cart's 534 lines were taken. Left out for want of a product or a whole quantity: 1 of its lines.",
      );
    });

    it('stores an unreadable cart as a cart without items', async () => {
      expect(await contentOf({ type: 'order', order: order([{ quantity: 'many' }]) })).to.deep.include({
        type: 'order',
        items: [],
        remark: 'Left out for want of a product or a whole quantity: 1 of its lines.',
      });
      for (const unreadable of [{ product_items: [] }, { product_items: 'all' }, 'everything', undefined])
        expect(await contentOf({ type: 'order', order: unreadable })).to.deep.equal({ type: 'order', items: [] });
    });

    it('stores unknown types as unsupported', async () => {
      const unsupported = (channelType: string) => ({ type: 'unsupported', channelType });
      expect(await contentOf({ type: 'image', image: { url: 'x' } })).to.deep.equal(unsupported('image'));
      expect(await contentOf({ type: '__proto__' })).to.deep.equal(unsupported('__proto__'));
      expect(await contentOf({ type: 'location', location: { latitude: 91, longitude: 0 } })).to.deep.equal(
        unsupported('location'),
      );
      const form = { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{"half' } };
      expect(await contentOf({ type: 'interactive', interactive: form })).to.deep.equal(unsupported('interactive'));
    });

    it('stores the answers of a form', async () => {
      const json = '{"flow_token":"order-1","fulfilment":"pickup","__proto__":{"admin":true},"deep":[[[[[1]]]]]}';
      const form = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: json } };
      expect(await contentOf({ type: 'interactive', interactive: form })).to.deep.equal({
        type: 'flow_reply',
        name: 'flow',
        fields: { flow_token: 'order-1', fulfilment: 'pickup', deep: [[[null]]] },
      });
    });

    it('answers 400 to non-JSON, and never 5xx to a signed delivery', async () => {
      expect((await stage.deliver('{"half')).status).to.equal(400);
      const json = fc.jsonValue({ maxDepth: 4 });
      const message = fc.record(
        {
          from: json,
          id: fc.oneof(json, fc.string()),
          type: fc.constantFrom('text', 'order', 'interactive', 'location'),
          order: json,
          interactive: json,
          text: json,
          location: json,
          timestamp: json,
          context: json,
        },
        { requiredKeys: [] },
      );
      const value = fc.record(
        { messages: fc.oneof(json, fc.array(message)), statuses: json, contacts: json },
        { requiredKeys: [] },
      );
      const body = fc.oneof(
        json,
        value.map((one) => delivery(one)),
        fc.string(),
      );
      await fc.assert(
        fc.asyncProperty(body, async (one) => {
          expect((await stage.deliver(one)).status).to.be.oneOf([200, 400]);
        }),
        { numRuns: 150 },
      );
    });
  });
});
