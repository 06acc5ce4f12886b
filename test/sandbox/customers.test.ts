/** Actions of a customer in the sandbox, as the channel delivers them. */
import { expect } from 'chai';
import { until } from '../support/doubles/fakeClock.js';
import { NUMBER_ID, type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const customer = (key: string) => `/sandbox/numbers/${NUMBER_ID}/customers/${encodeURIComponent(key)}`;
const ASHA = customer('252615550101');
const asha = { phone: '+252615550101' };

describe('sandbox customers', () => {
  let stage: SandboxStage;
  beforeEach(async () => {
    stage = await sandboxStage();
  });
  afterEach(() => stage.close());

  /** Performs an action and returns the message as it was delivered. */
  async function act(body: object, path = ASHA) {
    const { status, body: answer } = await stage.control('POST', `${path}/messages`, body);
    expect(status, JSON.stringify(answer)).to.equal(200);
    const { wamid } = answer as { wamid: string };
    return stage.values.flatMap(({ messages = [] }) => messages).findLast(({ id }) => id === wamid)!;
  }
  const send = async (content: object, messageId = 'm1') =>
    (await stage.adapters().messages.send(NUMBER_ID, { to: asha, content: content as never, messageId }, undefined))
      .channelMessageId;
  const menu = (count: number) => ({
    type: 'menu',
    text: 'Who may help you?',
    options: Array.from({ length: count }, (_, at) => ({ id: `team:${at}`, title: `Team ${at}` })),
    ...(count > 3 ? { listButton: 'Choose' } : {}),
  });

  it('send one message once, by their own id, and can redeliver it', async () => {
    const wamid = 'wamid.chosen-by-a-script';
    const first = await act({ text: 'One shawl, please', wamid, at: '2026-11-20T09:00:00Z' });
    const again = await act({ text: 'other words', wamid });
    expect(again)
      .to.deep.equal(first)
      .and.deep.include({ id: wamid, text: { body: 'One shawl, please' } });
    expect(stage.values.flatMap(({ messages = [] }) => messages)).to.have.length(2);
    const { body } = await stage.control('GET', `${ASHA}/messages?all=1`);
    expect((body as { messages: object[] }).messages).to.have.length(1);
    for (const wrong of ['chosen', 'wamid.short', 'wamid.with blank', 7])
      expect((await stage.control('POST', `${ASHA}/messages`, { text: 'x', wamid: wrong })).status).to.equal(422);
  });

  it('tap a button of a menu', async () => {
    const wamid = await send(menu(2));
    expect(await act({ choice: { id: 'team:1' } })).to.deep.include({
      type: 'interactive',
      context: { id: wamid },
      interactive: { type: 'button_reply', button_reply: { id: 'team:1', title: 'Team 1' } },
    });
  });

  it('tap a row of a list, by its title too', async () => {
    const wamid = await send(menu(5));
    expect(await act({ choice: { title: 'Team 4' } })).to.deep.include({
      context: { id: wamid },
      interactive: { type: 'list_reply', list_reply: { id: 'team:4', title: 'Team 4' } },
    });
  });

  it('are known by every spelling of their number, and by one in the answer to a message', async () => {
    const [current, own] = ['+525512345678', '+5215512345678'];
    const { messages } = stage.adapters();
    const content = { type: 'text', text: 'hi' } as const;
    const sent = await messages.send(NUMBER_ID, { to: { phone: current }, content, messageId: 'm1' }, undefined);
    expect(sent.waId).to.equal(own);
    expect((await act({ text: 'hello', replyTo: 'last' }, customer(own))).context).to.deep.equal({
      id: sent.channelMessageId,
    });
    const { body } = await stage.control('GET', `${customer(current)}/messages?all=1`);
    expect((body as { messages: object[] }).messages).to.have.length(2);
  });

  it('react, and remove the reaction', async () => {
    const wamid = await send({ type: 'text', text: 'Here it is' });
    expect((await act({ reaction: { emoji: '👍' } })).reaction).to.deep.equal({ message_id: wamid, emoji: '👍' });
    expect((await act({ reaction: { to: wamid } })).reaction).to.deep.equal({ message_id: wamid });
  });

  it('reply, forward, delete and edit', async () => {
    const wamid = await send({ type: 'text', text: 'Which size?' });
    expect(await act({ text: 'M', replyTo: 'last' })).to.deep.include({ context: { id: wamid } });
    expect((await act({ text: 'See this', forwarded: true })).context).to.deep.equal({ forwarded: true });
    const often = { forwarded: true, frequently_forwarded: true };
    const { id, context } = await act({ image: { caption: 'See this' }, forwarded: 'often' });
    expect(context).to.deep.equal(often);
    expect(await act({ revoke: true })).to.deep.include({ type: 'revoke', revoke: { original_message_id: id } });
    const { edit } = (await act({ edit: { wamid: id, text: 'L' } })) as { edit?: object };
    expect(edit).to.deep.include({ original_message_id: id, message: { type: 'text', text: { body: 'L' } } });
  });

  it('share a location, contacts and files', async () => {
    const location = { latitude: 2.0469, longitude: 45.3182, name: 'Bakaara' };
    expect(await act({ location })).to.deep.include({ type: 'location', location });
    const { contacts } = await act({ contacts: [{ name: 'Hodan', phones: ['+252 61 5550199'] }] });
    expect(contacts).to.deep.equal([
      {
        name: { formatted_name: 'Hodan' },
        phones: [{ phone: '+252 61 5550199', wa_id: '252615550199', type: 'CELL' }],
      },
    ]);
    const file = { base64: Buffer.from('hello').toString('base64'), mimeType: 'text/plain', filename: 'a.txt' };
    expect((await act({ document: { ...file, caption: 'Mine' } })).document).to.deep.include({
      mime_type: 'text/plain',
      filename: 'a.txt',
      caption: 'Mine',
    });
  });

  it('tap a quick reply of a template, send unsupported messages, and change their number', async () => {
    const wamid = await send({ type: 'template', name: 'hello_world', language: 'en_US', body: [], text: '' });
    expect(await act({ button: { text: 'Yes', payload: 'yes-1' } })).to.deep.include({
      type: 'button',
      context: { id: wamid },
      button: { payload: 'yes-1', text: 'Yes' },
    });
    expect(await act({ unsupported: true })).to.have.nested.property('errors[0].code', 131051);
    expect((await act({ changedNumber: '+252615550177' })).system).to.deep.include({
      type: 'user_changed_number',
      wa_id: '252615550177',
    });
  });

  it('are known by a user id alone, and show their phone later', async () => {
    const first = await act({ text: 'hi', name: 'Asha' }, customer('SO.1349'));
    expect(first).to.include({ from_user_id: 'SO.1349' }).and.not.have.property('from');
    const second = await act({ text: 'me', phone: '252615550101' }, customer('SO.1349'));
    expect(second).to.include({ from_user_id: 'SO.1349', from: '252615550101' });
    const { contacts } = stage.values.at(-1)!;
    expect(contacts).to.deep.equal([{ profile: { name: 'Asha' }, wa_id: '252615550101', user_id: 'SO.1349' }]);
  });

  it('are the same after they have changed their number', async () => {
    const path = customer('SO.1349');
    await act({ text: 'hi', name: 'Asha', phone: '252615550101' }, path);
    await act({ changedNumber: '252615550177' }, path);
    expect(await act({ text: 'it is me' }, customer('252615550177'))).to.include({
      from: '252615550177',
      from_user_id: 'SO.1349',
    });
    const { body } = await stage.control('GET', `${path}/messages?all=1`);
    expect(body).to.have.nested.property('messages.length', 3);
  });

  it('can write at another time, and more than once', async () => {
    const { timestamp } = await act({ text: 'yesterday', at: '2026-03-01T08:00:00Z', times: 3 });
    expect(timestamp).to.equal('1772352000');
    expect(stage.values).to.have.lengthOf(3);
    expect(new Set(stage.values.map(({ messages }) => messages![0]!.id)).size).to.equal(1);
  });

  it('can be many in one delivery, in another order', async () => {
    const messages = [1, 2, 3].map((n) => ({ customer: `25261555010${n}`, text: `number ${n}` }));
    const path = `/sandbox/numbers/${NUMBER_ID}/deliveries`;
    const { body } = await stage.control('POST', path, { messages, order: 'reversed', times: 2 });
    expect(body).to.have.nested.property('webhook.status', 200);
    expect(stage.deliveries).to.deep.equal([6]);
    const texts = stage.values.map(({ messages }) => (messages![0]!.text as { body: string }).body);
    expect(texts).to.deep.equal([3, 2, 1, 3, 2, 1].map((n) => `number ${n}`));
    expect(new Set(stage.values.map(({ messages }) => messages![0]!.id)).size).to.equal(3);
  });

  it('call without an answer', async () => {
    const { body } = await stage.control('POST', `${ASHA}/calls`, { name: 'Asha' });
    const { callId } = body as { callId: string };
    expect(stage.changes.map(({ field }) => field)).to.deep.equal(['calls', 'calls']);
    expect(stage.values.map(({ calls }) => calls![0]!.event)).to.deep.equal(['connect', 'terminate']);
    for (const { calls } of stage.values)
      expect(calls![0]).to.deep.include({ id: callId, from: '252615550101', direction: 'USER_INITIATED' });
    await stage.control('POST', `${ASHA}/calls`, { events: ['terminate'], status: 'REJECTED', duration: 4 });
    expect(stage.values.at(-1)?.calls?.[0]).to.include({ event: 'terminate', status: 'REJECTED', duration: 4 });
  });

  it('receive statuses of any kind and number', async () => {
    await stage.control('POST', '/sandbox/settings', { statuses: false });
    const wamid = await send({ type: 'text', text: 'hi' });
    const status = (more: object) => stage.control('POST', `${ASHA}/statuses`, { wamid, ...more });
    await status({ status: 'read', times: 2 });
    await status({ status: 'delivered' });
    await status({ status: 'failed', errorCode: 131026 });
    await until('four statuses', () => stage.statuses().length === 4);
    expect(stage.statuses()).to.deep.equal(['read', 'read', 'delivered', 'failed']);
    expect((await status({ status: 'lost' })).status).to.equal(422);
  });

  it('get an explanation of invalid requests', async () => {
    for (const body of [
      { image: { base64: 'not base64!' } },
      { text: 'hi', at: 'yesterday' },
      { text: 'hi', times: 0 },
      { text: 'hi', replyTo: 'last' },
      { reaction: { emoji: '👍' } },
      { revoke: true },
      { contacts: [] },
      { choice: { title: 'Nobody' } },
      { changedNumber: 'new' },
    ])
      expect((await stage.control('POST', `${ASHA}/messages`, body)).status, JSON.stringify(body)).to.equal(422);
    for (const path of ['deliveries', 'customers/252615550101/statuses'])
      expect((await stage.control('POST', `/sandbox/numbers/${NUMBER_ID}/${path}`, {})).status).to.equal(422);
    expect(stage.values).to.deep.equal([]);
  });
});
