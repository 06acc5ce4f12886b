/** The whole service: customer messages and the outcome of replies reach the inbox and the webhook endpoints. */
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { signedInbound } from '../../harness/service/signedCart.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
type Body = any;

const CUSTOMER = '252615550177';

const textOf = ({ channel }: Demo, id: string, message: object) => signedInbound(channel, CUSTOMER, id, message);

describe('the inbox of a running service', () => {
  const folder = temporaryFolder('suuq-inbox-service-');
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

  const call = async (method: string, path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.store.secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const notify = (type: string): Body[] => target.received.map(eventOf).filter((event) => event.type === type);

  it('shows and reports a message, and each status of the reply', async () => {
    const events = ['message.received', 'message.updated', 'call.missed'];
    expect((await call('POST', '/webhook-endpoints', { url: target.url, events })).status).to.equal(201);
    const text = { type: 'text', text: { body: 'Is the blue one still there?' } };
    const delivered = await fetch(demo.channel.webhookUrl, { method: 'POST', ...textOf(demo, 'wamid.first', text) });
    expect(delivered.status).to.equal(200);
    await until('it was reported', () => notify('message.received').length === 1);
    const { conversations } = (await call('GET', '/conversations?status=active&assignee=none')).body;
    expect(conversations).to.have.length(1);
    const [{ id, contact, unreadCount }] = conversations;
    expect([contact.phone, contact.name, unreadCount]).to.deep.equal([`+${CUSTOMER}`, 'Hodan', 1]);
    const thread = async (): Promise<Body[]> => (await call('GET', `/conversations/${id}/messages`)).body.messages;
    const [event] = notify('message.received');
    expect(event.data.message).to.deep.equal((await thread()).at(-1));
    expect(event.data.conversation).to.include({ id, unreadCount: 1 });

    const answer = { clientMsgId: 'answer-1', type: 'text', text: 'It is. Shall we bring it?' };
    const sent = await call('POST', `/conversations/${id}/messages`, answer);
    expect([sent.status, sent.body.status]).to.deep.equal([202, 'pending']);
    await until('it was accepted', () => notify('message.updated').some((one) => one.data.message.status === 'sent'));
    const [update] = notify('message.updated').filter((one) => one.data.message.status === 'sent');
    expect(update.data.message).to.include({ id: sent.body.id, clientMsgId: 'answer-1', text: answer.text });
    const [newest] = await thread();
    expect(newest).to.include({ id: sent.body.id, sentAt: update.data.message.sentAt });
    expect((await call('GET', `/conversations/${id}`)).body).to.deep.include({ unreadCount: 0 });
  });

  it('shows everything a customer sent with a message, and which message they edited', async () => {
    const send = async (id: string, message: object): Promise<void> => {
      await fetch(demo.channel.webhookUrl, { method: 'POST', ...textOf(demo, `wamid.${id}`, message) });
    };
    const emoji = '🧅'.repeat(4_096);
    await send('emoji', { type: 'text', text: { body: emoji }, referral: { headline: 'Shoes' } });
    const edit = { original_message_id: 'wamid.emoji', message: { type: 'text', text: { body: 'No onions' } } };
    await send('edit', { type: 'edit', edit });
    const [chat] = (await call('GET', '/conversations')).body.conversations;
    const thread = async (): Promise<Body[]> => (await call('GET', `/conversations/${chat.id}/messages`)).body.messages;
    await until('the edit is shown', async () => (await thread())[0].text === 'No onions');
    const [edited, first] = await thread();
    expect(first).to.deep.include({ text: emoji, details: { channel: { referral: { headline: 'Shoes' } } } });
    expect(edited.details).to.deep.equal({ edited: true, editsMessageId: first.id });
    await until('it was reported', () => notify('message.received').some((one) => one.data.message.details?.edited));
  });

  it("shows the channel's own reports, which start no chat, open no window and are not unread", async () => {
    const [chat] = (await call('GET', '/conversations')).body.conversations;
    const system = { type: 'customer_identity_changed', body: 'The security code changed.' };
    const welcome = { type: 'request_welcome' };
    for (const [from, id] of [
      [CUSTOMER, 'known'],
      ['252615550179', 'stranger'],
    ] as const)
      for (const message of [{ type: 'system', system }, welcome]) {
        const signed = signedInbound(demo.channel, from, `wamid.${id}.${message.type}`, message);
        expect((await fetch(demo.channel.webhookUrl, { method: 'POST', ...signed })).status).to.equal(200);
      }
    const thread = async (): Promise<Body[]> => (await call('GET', `/conversations/${chat.id}/messages`)).body.messages;
    await until('both are shown', async () => (await thread())[0].details?.notice === 'request_welcome');
    expect((await thread())[1]).to.deep.include({ text: system.body, details: { notice: system.type } });
    const { conversations } = (await call('GET', '/conversations')).body;
    const { windowExpiresAt, unreadCount, lastMessageAt } = chat;
    const [after] = conversations;
    expect(conversations).to.have.length(1);
    expect(after).to.deep.include({ windowExpiresAt, unreadCount, lastMessageAt });
  });

  it('attaches a reaction that arrived before its message, and reports it like others', async () => {
    const emoji = { type: 'reaction', reaction: { message_id: 'wamid.overtaken', emoji: '❤️' } };
    await fetch(demo.channel.webhookUrl, { method: 'POST', ...textOf(demo, 'wamid.early', emoji) });
    const [chat] = (await call('GET', '/conversations')).body.conversations;
    const thread = async (): Promise<Body[]> => (await call('GET', `/conversations/${chat.id}/messages`)).body.messages;
    await until('it is a separate message', async () => (await thread())[0].type === 'reaction');
    const [alone] = await thread();
    expect(alone).to.include({ text: '❤️', deleted: false });
    const text = { type: 'text', text: { body: 'I love it' } };
    await fetch(demo.channel.webhookUrl, { method: 'POST', ...textOf(demo, 'wamid.overtaken', text) });
    const reactions = [{ by: 'contact', emoji: '❤️' }];
    await until('its message shows it', async () => (await thread())[0].reactions.length === 1);
    const [message, before] = await thread();
    expect(message).to.deep.include({ text: 'I love it', reactions });
    expect(before).to.include({ id: alone.id, type: 'reaction', text: '', deleted: true });
    await until('both were reported', () => {
      const updates = notify('message.updated').map(({ data }) => data.message);
      return [message.id, alone.id].every((id) => updates.some((one) => one.id === id));
    });
    const updates = notify('message.updated').map(({ data }) => data.message);
    expect(updates.find(({ id }) => id === message.id)).to.deep.equal(message);
    expect(updates.find(({ id }) => id === alone.id).deleted).to.equal(true);
  });

  it("shows where a merged customer's chat continues", async () => {
    const phone = '252615550178';
    const write = async (id: string, more: object): Promise<void> => {
      const message = { type: 'text', text: { body: id }, ...more };
      const signed = signedInbound(demo.channel, phone, `wamid.${id}`, message);
      expect((await fetch(demo.channel.webhookUrl, { method: 'POST', ...signed })).status).to.equal(200);
    };
    const chats = async (): Promise<Body[]> => (await call('GET', '/conversations')).body.conversations;
    const messageWith = async (text: string): Promise<Body> =>
      (await chats()).find(({ lastMessage }) => lastMessage.text === text);
    await write('by phone', {});
    await write('by user', { from: undefined, from_user_id: 'SO.178' });
    await until('there are two', async () => (await messageWith('by user')) !== undefined);
    const [phones, users] = [await messageWith('by phone'), await messageWith('by user')];
    expect(phones.id).to.not.equal(users.id);
    await write('by both', { from_user_id: 'SO.178' });
    await until(
      'they are merged',
      async () => (await call('GET', `/conversations/${phones.id}`)).body.status === 'closed',
    );
    expect((await call('GET', `/conversations/${phones.id}`)).body.mergedInto).to.equal(users.id);
    const listed = await chats();
    expect(listed.find(({ id }) => id === phones.id).mergedInto).to.equal(users.id);
    expect(listed.find(({ id }) => id === users.id)).to.not.have.property('mergedInto');
    const text = { clientMsgId: 'to-merged', type: 'text', text: 'Hello' };
    const refused = await call('POST', `/conversations/${phones.id}/messages`, text);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'conversation_merged']);
    const { conversationId } = refused.body;
    expect(conversationId).to.equal(users.id);
    expect((await call('POST', `/conversations/${conversationId}/messages`, text)).status).to.equal(202);
  });
});
