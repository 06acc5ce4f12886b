/** The whole service with the sandbox: messages arrive as intended, and failures are reported. */
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { formWith, PIXEL } from '../support/conformance/areas/files.js';
import { until } from '../support/doubles/fakeClock.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as any client without types would
type Body = any;

const HODAN = '+252615550188';
const PATIENCE = 30_000;

describe('sending from a running service', () => {
  const folder = temporaryFolder('suuq-sending-service-');
  let service: ServiceProcess;
  let demo: Demo;
  let hodan: string;
  let first: Body;
  /** Channel id of the first message. */
  let question: string;
  let count = 0;

  const call = async (method: string, path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${demo.store.secretKey}`,
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const sandbox = async (method: string, path: string, body?: object): Promise<Body> => {
    const answer = await fetch(`${demo.sandbox.baseUrl}/sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  const chatOf = (phone: string): string => `/numbers/${demo.channel.phoneNumberId}/customers/${phone}/messages`;
  /** Returns the messages that a customer has received, oldest first. */
  const received = async (phone: string): Promise<Body[]> =>
    (await sandbox('GET', chatOf(phone))).messages.filter(({ direction }: Body) => direction === 'received');
  const send = (message: object, id = hodan) =>
    call('POST', `/conversations/${id}/messages`, { clientMsgId: `c-${++count}`, ...message });
  const messageOf = async (conversation: string, id: string): Promise<Body> =>
    (await call('GET', `/conversations/${conversation}/messages`)).body.messages.find((one: Body) => one.id === id);
  const comesTo = (status: string, id: string, conversation = hodan) =>
    until(`${id} is ${status}`, async () => (await messageOf(conversation, id)).status === status, PATIENCE);
  const approvedTemplate = async (name: string, language: string): Promise<string> => {
    let found: Body;
    await until('the template is known', async () => {
      const { templates } = (await call('GET', '/templates?limit=200')).body;
      found = templates.find(
        (one: Body) => one.name === name && one.language === language && one.status === 'approved',
      );
      return found !== undefined;
    });
    return found.id;
  };

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    await sandbox('POST', '/settings', { rates: true });
    const requested = { type: 'text', text: 'Is the blue one still there?', name: 'Hodan' };
    question = (await sandbox('POST', chatOf(HODAN), requested)).wamid;
    await until("the customer's message arrived", async () => {
      const { conversations } = (await call('GET', '/conversations')).body;
      hodan = conversations.find(({ contact }: Body) => contact.phone === HODAN)?.id;
      return hodan !== undefined;
    });
    [first] = (await call('GET', `/conversations/${hodan}/messages`)).body.messages.slice(-1);
    await call('POST', '/templates/sync');
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  it('sends a photo with its caption, as a reply', async () => {
    const file = (await call('POST', '/files', formWith(PIXEL))).body;
    const media = { fileId: file.id };
    const sent = await send({ type: 'image', media, text: 'This one?', replyToMessageId: first.id });
    expect([sent.status, sent.body.status]).to.deep.equal([202, 'pending']);
    await comesTo('delivered', sent.body.id);
    const photo = (await received(HODAN)).at(-1);
    expect(photo).to.include({ type: 'image', text: 'This one?' });
    const bytes = await fetch(`${demo.sandbox.baseUrl}${photo.file.url}`);
    expect(bytes.headers.get('content-type')).to.equal('image/png');
    expect(Buffer.from(await bytes.arrayBuffer()).equals(PIXEL)).to.equal(true);
    expect(photo.replyTo).to.equal(question);
  });

  it('starts with a template that reads as returned, and receives the answer in the same conversation', async () => {
    const templateId = await approvedTemplate('order_update', 'en');
    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Order no. 7 is ready.' }] }];
    const message = { clientMsgId: 'start-1', type: 'template', template: { templateId, components } };
    const phone = '+252615550189';
    const { status, body } = await call('POST', '/conversations', { phone, message });
    expect(status).to.equal(202);
    expect(body.message.text).to.equal('Order no. 7 is ready.');
    await comesTo('delivered', body.message.id, body.conversation.id);
    expect((await received(phone)).map(({ text }) => text)).to.deep.equal(['Order no. 7 is ready.']);
    const tooEarly = await send({ type: 'text', text: 'Hello?' }, body.conversation.id);
    expect([tooEarly.status, tooEarly.body.code]).to.deep.equal([409, 'window_closed']);
    await sandbox('POST', chatOf(phone), { type: 'text', text: 'I am coming' });
    await until('the answer arrived', async () => {
      const shown = (await call('GET', `/conversations/${body.conversation.id}`)).body;
      return shown.unreadCount === 1 && shown.windowExpiresAt !== undefined;
    });
    expect((await send({ type: 'text', text: 'See you' }, body.conversation.id)).status).to.equal(202);

    const [given, own] = ['+525512345601', '+5215512345601'];
    await sandbox('POST', chatOf(own), { type: 'text', text: 'Hola' });
    const theirs = async () =>
      (await call('GET', '/conversations')).body.conversations.find(
        ({ contact }: { contact: { phone: string } }) => contact.phone === own,
      );
    await until('the message under another spelling arrived', async () => (await theirs()) !== undefined);
    const again = { phone: given, message: { ...message, clientMsgId: 'start-2' } };
    const other = await call('POST', '/conversations', again);
    expect([other.status, other.body.conversation.id]).to.deep.equal([202, (await theirs()).id]);
  });

  it('retries what the channel rejects temporarily, and keeps the order', async () => {
    await sandbox('POST', '/faults', { target: 'messages', kind: 'error', code: 131056, times: 1 });
    await sandbox('POST', '/faults', { target: 'messages', kind: 'error', code: 131016, times: 1 });
    const ids: string[] = [];
    for (const text of ['One', 'Two', 'Three']) ids.push((await send({ type: 'text', text })).body.id);
    for (const id of ids) await comesTo('delivered', id);
    expect((await received(HODAN)).slice(-3).map(({ text }) => text)).to.deep.equal(['One', 'Two', 'Three']);
  });

  it('reports why a message failed, and continues with the next', async () => {
    await sandbox('POST', '/faults', { target: 'messages', kind: 'error', code: 131050, times: 1 });
    const stopped = (await send({ type: 'text', text: 'Our offers' })).body;
    const next = (await send({ type: 'text', text: 'Sorry' })).body;
    await comesTo('failed', stopped.id);
    expect(await messageOf(hodan, stopped.id)).to.include({
      errorCode: '131050',
      errorMessage: 'The customer does not want messages from the store; sending again will not reach them.',
    });
    await comesTo('delivered', next.id);
  });

  it('keeps the channel’s rate limit: nothing is rejected for it', async () => {
    const phone = '+252615550190';
    await sandbox('POST', chatOf(phone), { type: 'text', text: 'Hello' });
    let id = '';
    await until("the customer's message arrived", async () => {
      const { conversations } = (await call('GET', '/conversations')).body;
      id = conversations.find(({ contact }: Body) => contact.phone === phone)?.id;
      return id !== undefined;
    });
    const sent: string[] = [];
    for (let n = 1; n <= 46; n++) sent.push((await send({ type: 'text', text: `No. ${n}` }, id)).body.id);
    await comesTo('delivered', sent[44]!, id);
    expect((await messageOf(id, sent[45]!)).status).to.equal('pending');
    await comesTo('delivered', sent[45]!, id);
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    // One retry for each retryable fault above, and no others.
    expect(/suuq_channel_total\{what="send_retried"\} (\d+)/.exec(metrics)?.[1]).to.equal('2');
    expect((await received(phone)).map(({ text }) => text)).to.deep.equal(sent.map((_, n) => `No. ${n + 1}`));
  });
});
