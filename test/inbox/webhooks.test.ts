import { expect } from 'chai';
import { isOfMessage, messageData } from '../../application/webhooks/messageData.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { createReads } from '../../engine/projections/documentReads.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { conversations } from '../../projections/conversations.js';
import { messages } from '../../projections/messages.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver, verifies } from '../support/doubles/receiver.js';
import { accepted, CHAT, deleted, failed, hello, moved, PHONE, reaction } from '../support/stages/inboxEvents.js';
import { conversationId, messageId, started, texted } from '../support/stages/inboxStage.js';
import { type Body, type WebhookServer, webhookServer } from '../support/stages/webhookServer.js';
import { STORE, type WebhookStage, webhookStage } from '../support/stages/webhookStage.js';

const TYPES = ['message.received', 'message.updated', 'call.missed'];

describe('webhooks of the inbox', () => {
  let stage: WebhookStage;
  let target: Receiver;
  let views: ProjectionRuntime;
  /** Positions from here on are not shown, as if the views were late. */
  let shownBefore: Position;
  let requested: number;

  const passed = async (position: Position): Promise<boolean> => {
    requested += 1;
    return position < shownBefore && views.waitFor(['conversations', 'messages'], position, 5000);
  };
  const happen = (events: readonly ConversationEvent[], name = 'chat', workspaceId = STORE) =>
    stage.processors.append(`conversation-${conversationId(name)}`, events, { workspaceId });
  const notify = (): Body[] => target.received.map(eventOf);
  const arrived = (count: number): Promise<void> => until(`${count} arrived`, () => target.received.length >= count);

  beforeEach(async () => {
    shownBefore = Number.POSITIVE_INFINITY;
    requested = 0;
    stage = await webhookStage({
      renderData: async (event) =>
        isOfMessage(event) ? messageData({ reads: createReads(stage.processors.work), passed })(event) : { order: {} },
    });
    const { eventStore, work } = stage.processors;
    views = createProjectionRuntime({ eventStore, readModels: work, projections: [conversations, messages] });
    await views.start();
    target = await receiver();
  });
  afterEach(async () => {
    await views.stop();
    await stage.close();
    await target.close();
  });

  it('contain a message with its conversation, as in the API, signed', async () => {
    await stage.start();
    const { secret } = await stage.endpoint(target.url, TYPES);
    const [, id] = await happen([started(PHONE), texted('in', 'Is it open?', 1)]);
    await arrived(1);
    const [event] = notify();
    expect(event).to.include({ id, type: 'message.received', workspaceId: STORE });
    expect(event.data).to.have.all.keys('message', 'conversation');
    const reads = createReads(stage.processors.work);
    expect(event.data.message).to.deep.equal((await reads.get(messages, messageId('in')))?.body);
    expect(event.data.conversation).to.deep.equal((await reads.get(conversations, CHAT))?.body);
    expect(event.data.conversation.unreadCount).to.equal(1);
    expect(verifies(secret, target.received[0]!)).to.equal(true);
  });

  it('report every status once, each as it was, though the message has advanced since', async () => {
    await happen([started(PHONE), hello]);
    await stage.endpoint(target.url, TYPES);
    const events = [accepted, moved('sent', 3), moved('delivered', 3), moved('read', 4), reaction('👍')];
    await happen(events);
    await stage.start();
    await arrived(4);
    const of = (index: number): Body => notify()[index].data.message;
    expect(notify().map(({ type }) => type)).to.deep.equal(Array(4).fill('message.updated'));
    expect([0, 1, 2, 3].map((index) => of(index).status)).to.deep.equal(['sent', 'delivered', 'read', 'read']);
    expect(of(0)).to.not.have.any.keys('deliveredAt', 'readAt');
    expect(of(1)).to.not.have.property('readAt');
    expect(of(3).reactions).to.deep.equal([{ by: 'contact', emoji: '👍' }]);
  });

  it('report why a message failed, and a missed call', async () => {
    await stage.start();
    await stage.endpoint(target.url, TYPES);
    const call = (name: string, missed: boolean): ConversationEvent => ({
      type: 'CallReceived',
      data: {
        messageId: messageId(name),
        callId: derivedId(name),
        channelCallId: name,
        missed,
        at: '2026-03-01T08:00:00.000Z',
        customer: { phone: PHONE },
      },
    });
    await happen([started(PHONE), hello, failed, call('answered', false), call('missed', true)]);
    await arrived(2);
    const [first, second] = notify();
    expect(first.data.message).to.include({ status: 'failed', errorCode: '131026' });
    expect([second.type, second.data.message.call]).to.deep.equal([
      'call.missed',
      { callId: derivedId('missed'), missed: true },
    ]);
    expect(second.data.conversation.lastMessage.type).to.equal('call');
  });

  it('wait for late views without delaying other conversations, and lose nothing', async () => {
    const running = await stage.start();
    await stage.endpoint(target.url, TYPES);
    await happen([started(PHONE)]);
    shownBefore = (await stage.processors.eventStore.head()) + 1;
    await happen([texted('late', 'late', 1)]);
    await until('the late view is detected', () => requested > 0);
    shownBefore = Number.POSITIVE_INFINITY;
    await happen([started('+252611000002'), texted('other', 'other', 1)], 'other');
    await arrived(1);
    expect(notify()[0].data.message.text).to.equal('other');
    await stage.nextTimer(running);
    await arrived(2);
    expect(notify()[1].data.message.text).to.equal('late');
  });

  it('report nothing of a message deleted before it arrives, and not its content when it arrives', async () => {
    await stage.start();
    await stage.endpoint(target.url, TYPES);
    await happen([deleted()]);
    await happen([started(PHONE), texted('in', 'secret', 1), deleted(), texted('next', 'next', 2)]);
    await arrived(3);
    expect(notify().map(({ type }) => type)).to.deep.equal(['message.received', 'message.updated', 'message.received']);
    expect(notify()[0].data.message).to.include({ id: messageId('in'), deleted: true, text: '' });
    expect(target.received.map(({ raw }) => raw.toString()).join()).to.not.include('secret');
  });

  it('read no view while no endpoint subscribes to messages', async () => {
    const running = await stage.start();
    await stage.endpoint(target.url, ['order.created']);
    await happen([started(PHONE), texted('in', 'hi', 1), hello, accepted]);
    await stage.happens('OrderPlaced');
    await arrived(1);
    await stage.quiet(running);
    expect(requested).to.equal(0);
    expect(notify().map(({ type }) => type)).to.deep.equal(['order.created']);
  });

  it('are replayed unchanged; messages deleted since stay deleted', async () => {
    const server: WebhookServer = await webhookServer(stage);
    try {
      await stage.start();
      const { id: endpoint } = await stage.endpoint(target.url, TYPES);
      const [, received] = await happen([started(PHONE), texted('in', 'my pin is 1234', 1), hello]);
      await arrived(1);
      const [updated] = await happen([accepted]);
      await arrived(2);
      const before = notify()[1].data.message;
      await happen([moved('read', 5), deleted()]);
      await arrived(4);
      for (const id of [updated, received]) {
        await server.viewed();
        const { status } = await server.call('POST', `/webhook-endpoints/${endpoint}/events/${id}/replay`);
        expect(status).to.equal(202);
      }
      await arrived(6);
      const again = notify().slice(4);
      expect(again.find(({ id }) => id === updated)?.data.message).to.deep.equal(before);
      const gone = again.find(({ id }) => id === received)?.data.message;
      expect(gone).to.include({ text: '', deleted: true });
      expect(JSON.stringify(again)).to.not.include('my pin');
    } finally {
      await server.close();
    }
  });
});
