/** The channel's rules for messages of the service: the window, files, menus, and rate limits. */
import { expect } from 'chai';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { NUMBER_ID, type SandboxStage, sandboxStage, TOKEN } from '../support/stages/sandboxStage.js';

const ASHA = `/sandbox/numbers/${NUMBER_ID}/customers/252615550101`;
const DAY = 86_400_000;

describe('sandbox sends', () => {
  let stage: SandboxStage;
  const clock = fakeClock();
  beforeEach(async () => {
    stage = await sandboxStage({ clock });
  });
  afterEach(() => stage.close());

  /** Sends a message. Returns 200, or the channel's error code. */
  async function send(message: object): Promise<number> {
    const answer = await fetch(`${stage.baseUrl}/v23.0/${NUMBER_ID}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messaging_product: 'whatsapp', to: '+252615550101', ...message }),
    });
    const body = (await answer.json()) as { error?: { code: number } };
    return body.error?.code ?? answer.status;
  }
  const text = { type: 'text', text: { body: 'hi' } };
  const statuses = async (count: number) => {
    await until(`${count} statuses`, async () => {
      await clock.advance(20);
      return stage.statuses().length >= count;
    });
    return stage.statuses();
  };
  async function upload(type: string): Promise<string> {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob(['12345'], { type }), 'file');
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${stage.baseUrl}/v23.0/${NUMBER_ID}/media`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { id: string }).id;
  }

  it('are accepted for a day after the customer’s last message, and fail later, except templates', async () => {
    await stage.control('POST', `${ASHA}/messages`, { text: 'hi' });
    await clock.advance(DAY - 1_000);
    expect(await send(text)).to.equal(200);
    expect(await statuses(2)).to.deep.equal(['sent', 'delivered']);
    await clock.advance(1_000);
    expect(await send(text)).to.equal(200);
    expect(await statuses(3)).to.deep.equal(['sent', 'delivered', 'failed']);
    expect(stage.values.at(-1)?.statuses?.[0]?.errors?.[0]?.code).to.equal(131047);
    const template = { name: 'order_update', language: { code: 'en' } };
    const parameters = [{ type: 'text', text: 'Preparing' }];
    await send({ type: 'template', template: { ...template, components: [{ type: 'body', parameters }] } });
    expect((await statuses(5)).slice(3)).to.deep.equal(['sent', 'delivered']);
    await stage.control('POST', `${ASHA}/messages`, { text: 'hi again' });
    await send(text);
    expect((await statuses(7)).slice(5)).to.deep.equal(['sent', 'delivered']);
  });

  it('fail if the customer’s last message is declared as old', async () => {
    await stage.control('POST', `${ASHA}/messages`, { text: 'hi', at: clock.now() - DAY - 3_600_000 });
    await send(text);
    expect(await statuses(1)).to.deep.equal(['failed']);
  });

  it('support forms with matching options', async () => {
    const form = (option: object): object => {
      const payload = { screen: 'CHECKOUT', data: { areas: [option], orderNumber: 7 } };
      const flow = { flow_message_version: '3', flow_name: 'checkout', flow_cta: 'Check out', flow_token: 'order-1' };
      const parameters = { ...flow, flow_action: 'navigate', flow_action_payload: payload };
      const interactive = { type: 'flow', body: { text: 'Order no. 7' }, action: { name: 'flow', parameters } };
      return { type: 'interactive', interactive };
    };
    expect(await send(form({ id: 'a', title: 'x'.repeat(30), description: '😀'.repeat(300) }))).to.equal(200);
    expect(await send(form({ id: 'a', title: 'x'.repeat(31) }))).to.equal(131009);
    expect(await send(form({ id: 'a', title: 'x', description: 'x'.repeat(301) }))).to.equal(131009);
  });

  it('go to customers who never wrote, unless disabled', async () => {
    await send(text);
    expect(await statuses(2)).to.deep.equal(['sent', 'delivered']);
    await stage.control('POST', '/sandbox/settings', { unknownWindow: 'closed' });
    await send(text);
    expect(await statuses(3)).to.deep.equal(['sent', 'delivered', 'failed']);
  });

  it('require files that the channel has, of the right kind', async () => {
    const picture = await upload('image/png');
    const sound = await upload('audio/ogg');
    expect(await send({ type: 'image', image: { id: picture, caption: 'The dress' } })).to.equal(200);
    expect(await send({ type: 'document', document: { id: picture, filename: 'a.png' } })).to.equal(200);
    expect(await send({ type: 'image', image: { link: 'https://img.example.com/1.jpg' } })).to.equal(200);
    expect(await send({ type: 'audio', audio: { id: sound } })).to.equal(200);
    expect(await send({ type: 'image', image: { id: '1' } })).to.equal(131009);
    expect(await send({ type: 'image', image: { id: sound } })).to.equal(131009);
    expect(await send({ type: 'image', image: {} })).to.equal(131008);
    expect(await send({ type: 'audio', audio: { id: sound, caption: 'no' } })).to.equal(131009);
    expect(await send({ type: 'image', image: { id: picture, caption: 'x'.repeat(1_025) } })).to.equal(131009);
    const { body } = await stage.control('GET', `${ASHA}/messages`);
    expect((body as { messages: { file: object }[] }).messages[0]?.file).to.include({
      id: picture,
      caption: 'The dress',
      url: `/sandbox/media/${picture}`,
    });
  });

  it('enforce the channel’s limits for menus', async () => {
    const buttons = (count: number, title = 'Team') => ({
      type: 'button',
      body: { text: 'Who?' },
      action: {
        buttons: Array.from({ length: count }, (_, n) => ({
          type: 'reply',
          reply: { id: `t${n}`, title: `${title} ${n}` },
        })),
      },
    });
    const rows = (count: number, more: object = {}) => ({
      type: 'list',
      body: { text: 'Who?' },
      action: {
        button: 'Choose',
        sections: [{ rows: Array.from({ length: count }, (_, n) => ({ id: `t${n}`, title: `Team ${n}`, ...more })) }],
      },
    });
    const sent = (interactive: object) => send({ type: 'interactive', interactive });
    expect(await sent(buttons(3))).to.equal(200);
    expect(await sent(rows(10))).to.equal(200);
    for (const wrong of [
      buttons(0),
      buttons(4),
      buttons(1, 'x'.repeat(20)),
      rows(11),
      rows(1, { title: 'x'.repeat(25) }),
      rows(2, { id: 'same' }),
      { type: 'carousel', body: { text: 'x' } },
    ])
      expect(await sent(wrong)).to.equal(131009);
    expect(await sent({ ...buttons(1), body: {} })).to.equal(131008);
  });

  it('respect the channel’s rate limit if configured', async () => {
    await stage.control('POST', '/sandbox/settings', { rates: true, statuses: false });
    const codes: number[] = [];
    for (let n = 0; n < 46; n++) codes.push(await send(text));
    expect(codes.filter((code) => code === 200)).to.have.lengthOf(45);
    expect(codes.at(-1)).to.equal(131056);
    const others: number[] = [];
    for (let n = 0; n < 40; n++) others.push(await send({ ...text, to: `+2526155502${10 + n}` }));
    expect(others.filter((code) => code === 200)).to.have.lengthOf(34);
    expect(others.at(-1)).to.equal(130429);
    await clock.advance(6_000);
    expect(await send(text)).to.equal(200);
    expect(await send(text)).to.equal(131056);
  });

  it('simulate delivery faults', async () => {
    for (const kind of ['skipped_statuses', 'only_read_status', 'no_statuses']) {
      await stage.fault('messages', kind);
      await send(text);
    }
    await stage.fault('messages', 'fail_later', { code: 131026 });
    await send(text);
    expect(await statuses(3)).to.deep.equal(['delivered', 'read', 'failed']);
    expect(stage.values.at(-1)?.statuses?.[0]?.errors?.[0]?.code).to.equal(131026);
  });
});
