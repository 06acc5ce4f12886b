import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openJournal } from '../../infrastructure/sandbox/journal.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { CATALOG, item, NUMBER_ID, type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const customer = (key: string) => `/sandbox/numbers/${NUMBER_ID}/customers/${encodeURIComponent(key)}/messages`;
const asha = { phone: '+252615550101' };
const send = (stage: SandboxStage, messageId: string, to: object = asha) =>
  stage
    .adapters()
    .messages.send(NUMBER_ID, { to, content: { type: 'text', text: 'Your order' }, messageId }, undefined);

describe('sandbox', () => {
  let stage: SandboxStage;
  beforeEach(async () => {
    stage = await sandboxStage();
  });
  afterEach(() => stage.close());

  it("delivers a customer's cart as the channel does, signed, priced from the catalog", async () => {
    await stage.adapters().catalog.submit(CATALOG, [{ method: 'update', item: item('SKU-1') }]);
    const cart = {
      items: [
        { retailerId: 'SKU-1', quantity: 2 },
        { retailerId: 'SKU-9', quantity: 1, itemPriceCents: 5 },
      ],
      text: 'Wrap it',
    };
    const { status, body } = await stage.control('POST', customer('252615550101'), { cart, name: 'Asha' });
    expect(status).to.equal(200);
    expect(body).to.have.nested.property('webhook.status', 200);
    const [value] = stage.values;
    expect(value?.contacts).to.deep.equal([{ profile: { name: 'Asha' }, wa_id: '252615550101' }]);
    expect(value?.messages?.[0]).to.deep.include({
      from: '252615550101',
      id: (body as { wamid: string }).wamid,
      type: 'order',
      order: {
        catalog_id: CATALOG,
        text: 'Wrap it',
        product_items: [
          { product_retailer_id: 'SKU-1', quantity: 2, item_price: 12.5, currency: 'USD' },
          { product_retailer_id: 'SKU-9', quantity: 1, item_price: 0.05, currency: 'USD' },
        ],
      },
    });
    expect(stage.forged).to.equal(0);
  });

  it('answers a checkout form of the customer, by its token', async () => {
    const content = {
      type: 'flow',
      text: 'Order no. 7',
      flowName: 'checkout',
      cta: 'Check out',
      token: 'order-1',
      screen: 'CHECKOUT',
      data: {},
    } as const;
    const sent = await stage.adapters().messages.send(NUMBER_ID, { to: asha, content, messageId: 'm1' }, undefined);
    const checkout = { flowToken: 'order-1', fulfilment: 'delivery', area: 'Hodan', name: 'Asha', phone: '0615550101' };
    await stage.control('POST', customer('+252615550101'), { checkout });
    const message = stage.values.find((value) => value.messages)?.messages?.[0] as never as {
      context: object;
      interactive: { nfm_reply: { name: string; response_json: string } };
    };
    expect(message.context).to.deep.equal({ id: sent.channelMessageId });
    expect(message.interactive.nfm_reply.name).to.equal('flow');
    expect(JSON.parse(message.interactive.nfm_reply.response_json)).to.deep.equal({
      flow_token: 'order-1',
      fulfilment: 'delivery',
      area: 'Hodan',
      name: 'Asha',
      contact_phone: '0615550101',
    });
  });

  it('lets a customer without a phone write and receive', async () => {
    await stage.control('POST', customer('SO.1349'), { text: 'hello' });
    expect(stage.values[0]?.messages?.[0]).to.include({ from_user_id: 'SO.1349' }).and.not.have.property('from');
    await send(stage, 'm1', { userId: 'SO.1349' });
    await until('a status', () => stage.statuses().length === 2);
    expect(stage.values.at(-1)?.statuses?.[0])
      .to.include({ recipient_user_id: 'SO.1349' })
      .and.not.have.property('recipient_id');
  });

  it('reports the statuses of a message: sent, delivered, and read when the customer reads it', async () => {
    await send(stage, 'message-1');
    await until('two statuses', () => stage.statuses().length === 2);
    expect(stage.values[0]?.statuses?.[0]).to.include({
      biz_opaque_callback_data: 'message-1',
      recipient_id: '252615550101',
    });
    await stage.control('POST', customer('252615550101').replace('/messages', '/read'));
    await until('it is read', () => stage.statuses().length === 3);
    expect(stage.statuses()).to.deep.equal(['sent', 'delivered', 'read']);
  });

  it('simulates faults of statuses: repeated, out of order, and a failure after the acceptance', async () => {
    await stage.fault('messages', 'duplicate_statuses');
    await stage.fault('messages', 'disordered_statuses');
    await stage.fault('messages', 'fail_later_131047');
    for (const id of ['m1', 'm2', 'm3']) await send(stage, id);
    await until('seven statuses', () => stage.statuses().length === 7);
    expect(stage.statuses()).to.deep.equal(['sent', 'sent', 'delivered', 'delivered', 'delivered', 'sent', 'failed']);
    expect(stage.values.at(-1)?.statuses?.[0]?.errors?.[0]?.code).to.equal(131047);
  });

  it('repeats statuses and customers’ messages while the webhook is unavailable', async () => {
    stage.answer = 503;
    await send(stage, 'm1');
    const { body } = await stage.control('POST', customer('252615550101'), { text: 'hi' });
    expect(body).to.have.nested.property('webhook.status', 503);
    stage.answer = 200;
    await until('the statuses arrive', () => stage.statuses().length === 2);
    const { wamid } = body as { wamid: string };
    const copies = () => stage.values.flatMap(({ messages = [] }) => messages).filter(({ id }) => id === wamid);
    await until('the message arrives, with its id', () => copies().length === 1);
  });

  it('accepts customers’ messages while the service’s store is unavailable', async () => {
    const number = { phoneNumberId: NUMBER_ID, displayPhoneNumber: '+15550100', catalogId: CATALOG };
    let isAway = false;
    const numbers = async () => {
      if (isAway) throw new Error('the store is unavailable');
      return [number];
    };
    const own = await sandboxStage({ numbers });
    const print = async (text: string) => (await own.control('POST', customer('252615550101'), { text })).status;
    const statuses = [await print('before')];
    isAway = true;
    statuses.push(await print('meanwhile'));
    await own.close();
    expect(statuses).to.deep.equal([200, 200]);
  });

  it('does not repeat a message that the webhook rejects', async () => {
    stage.answer = 401;
    const refused = await stage.control('POST', customer('252615550101'), { text: 'forged' });
    expect(refused.body).to.have.nested.property('webhook.status', 401);
    stage.answer = 200;
    await stage.control('POST', customer('252615550101'), { text: 'signed' });
    await send(stage, 'm1');
    await until('the later message arrives', () => stage.statuses().length === 2);
    const texts = stage.values.flatMap(({ messages = [] }) => messages).map(({ text }) => text);
    expect(texts).to.deep.equal([{ body: 'signed' }]);
  });

  it('sends no statuses if configured', async () => {
    await stage.control('POST', '/sandbox/settings', { statuses: false });
    await send(stage, 'm1');
    await stage.control('POST', '/sandbox/settings', { statuses: true });
    await send(stage, 'm2');
    await until('statuses of the second', () => stage.statuses().length === 2);
  });

  it('rejects what the channel rejects, with the same messages', async () => {
    const post = async (body: object, token = 'sandbox-token-of-the-tests') => {
      const answer = await fetch(`${stage.baseUrl}/v23.0/${NUMBER_ID}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      const { error } = (await answer.json()) as { error: { code: number; type: string } };
      return [answer.status, error.code, error.type];
    };
    const whole = { messaging_product: 'whatsapp', to: '+252615550101', type: 'text', text: { body: 'hi' } };
    expect(await post(whole, 'wrong')).to.deep.equal([401, 190, 'OAuthException']);
    expect(await post({ ...whole, messaging_product: undefined })).to.deep.equal([400, 100, 'OAuthException']);
    expect(await post({ ...whole, to: undefined })).to.deep.equal([400, 131009, 'OAuthException']);
    expect(await post({ ...whole, text: { body: 'x'.repeat(4_097) } })).to.deep.equal([400, 131009, 'OAuthException']);
  });

  it('explains an invalid fault and an invalid action', async () => {
    for (const wrong of [
      {},
      { target: 'messages', kind: 'empty_handles' },
      { target: 'messages', kind: 'error', times: 0 },
      null,
    ])
      expect((await stage.control('POST', '/sandbox/faults', wrong)).status).to.equal(422);
    for (const wrong of [{}, [], { cart: { items: [] } }, { checkout: { fulfilment: 'pickup' } }])
      expect((await stage.control('POST', customer('252615550101'), wrong)).status).to.equal(422);
    expect(stage.values).to.deep.equal([]);
  });

  it('performs the handshake with the webhook', async () => {
    expect((await stage.control('POST', '/sandbox/webhook/verify')).body).to.deep.equal({ verified: true });
  });

  it('redirects a browser to the phone in the console, or explains where that is', async () => {
    const alone = await fetch(stage.baseUrl);
    expect([alone.status, await alone.text()]).to.satisfy(
      ([status, html]: [number, string]) => status === 200 && html.includes('npx suuq console'),
    );
    expect(alone.headers.get('content-security-policy')).to.include("default-src 'none'");
    const consoleUrl = 'http://127.0.0.1:3000/console';
    const concurrent = await sandboxStage({ consoleUrl: () => consoleUrl });
    const led = await fetch(concurrent.baseUrl, { redirect: 'manual' });
    await concurrent.close();
    expect([led.status, led.headers.get('location')]).to.deep.equal([302, `${consoleUrl}/phone`]);
  });

  it('rejects forms of another site', async () => {
    const form = await fetch(`${stage.baseUrl}${customer('252615550101')}`, { method: 'POST', body: '{"text":"hi"}' });
    expect(form.status).to.equal(415);
  });

  it('answers so that no browser interprets it as another type, for any request', async () => {
    for (const path of ['/', '/assets/nothing', '/sandbox/faults', '/sandbox/nothing', '/v23.0/1/messages', '/%ff'])
      for (const method of ['GET', 'POST', 'HEAD']) {
        const { headers } = await fetch(stage.baseUrl + path, { method });
        expect(headers.get('x-content-type-options'), `${method} ${path}`).to.equal('nosniff');
      }
  });

  it('reports errors in a body before it acts on it', async () => {
    const post = async (body: string | Uint8Array, type = 'application/json') => {
      const answer = await fetch(`${stage.baseUrl}/sandbox/faults`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: body as string,
      });
      return [answer.status, ((await answer.json()) as { error: { code: number } }).error.code];
    };
    expect(await post('{')).to.deep.equal([400, 100]);
    expect(await post('')).to.deep.equal([400, 100]);
    expect(await post(`"${'x'.repeat(1024 * 1024)}"`)).to.deep.equal([413, 100]);
    expect(await post('{}', 'application/jsonish')).to.deep.equal([415, 100]);
    const unknown = await fetch(`${stage.baseUrl}/sandbox/nothing/here/at/all`);
    expect([unknown.status, ((await unknown.json()) as { error: { code: number } }).error.code]).to.deep.equal([
      404, 2500,
    ]);
    expect((await fetch(`${stage.baseUrl}/sandbox/media/%ff`)).status).to.equal(400);
    expect((await fetch(`${stage.baseUrl}/sandbox/faults`, { method: 'HEAD' })).status).to.equal(200);
  });
});

describe('sandbox reviews', () => {
  it('move from pending to approved, and are temporarily outdated after a change', async () => {
    const clock = fakeClock();
    const stage = await sandboxStage({ clock, reviewMs: 1_000 });
    const { catalog } = stage.adapters();
    const status = async () => (await catalog.reviews(CATALOG, ['SKU-1']))[0]?.status;
    const { handle } = await catalog.submit(CATALOG, [{ method: 'update', item: item('SKU-1') }]);
    expect((await catalog.batchStatus(CATALOG, handle!)).finished).to.equal(false);
    expect(await status()).to.equal('pending');
    await clock.advance(1_000);
    expect((await catalog.batchStatus(CATALOG, handle!)).finished).to.equal(true);
    expect(await status()).to.equal('approved');
    await catalog.submit(CATALOG, [{ method: 'update', item: item('SKU-1') }]);
    expect(await status(), 'the same again').to.equal('approved');
    await catalog.submit(CATALOG, [{ method: 'update', item: item('SKU-1', { priceCents: 1_300 }) }]);
    expect(await status()).to.equal('outdated');
    await clock.advance(1_000);
    expect(await status()).to.equal('approved');
    await catalog.submit(CATALOG, [{ method: 'update', item: item('SKU-1', { description: 'counterfeit' }) }]);
    await clock.advance(1_000);
    expect(await status()).to.equal('rejected');
    await stage.close();
  });
});

/** A journal's content: the newest value by name. */
function stored() {
  const values = new Map<string, number>();
  return {
    values,
    apply(entry: unknown) {
      const { name, value } = entry as { name: string; value: number };
      values.set(name, value);
    },
    *entries() {
      for (const [name, value] of values) yield { name, value };
    },
  };
}

describe('sandbox state', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-sandbox-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('survives a restart: items, batches, chats', async () => {
    const stage = await sandboxStage({ stateFile: join(folder, 'sandbox.jsonl') });
    const first = stage.adapters().catalog;
    const { handle } = await first.submit(CATALOG, [
      { method: 'update', item: item('SKU-1') },
      { method: 'update', item: item('SKU-2') },
    ]);
    await first.submit(CATALOG, [{ method: 'delete', retailerId: 'SKU-2' }]);
    await send(stage, 'm1');
    await stage.control('POST', customer('252615550101'), { text: 'hi' });
    const before = await stage.control('GET', `${customer('252615550101')}?all=1`);
    await stage.restart();
    await stage.restart();
    const { catalog } = stage.adapters();
    expect((await catalog.batchStatus(CATALOG, handle!)).finished).to.equal(true);
    expect((await catalog.reviews(CATALOG, ['SKU-1', 'SKU-2'])).map(({ retailerId }) => retailerId)).to.deep.equal([
      'SKU-1',
    ]);
    expect((await stage.control('GET', `${customer('252615550101')}?all=1`)).body).to.deep.equal(before.body);
    expect((before.body as { messages: unknown[] }).messages).to.have.lengthOf(2);
    await stage.close();
  });

  it('resends the statuses of the newest messages, which may have been lost', async () => {
    const stage = await sandboxStage({ stateFile: join(folder, 'sandbox.jsonl') });
    stage.answer = 503;
    await send(stage, 'm1');
    await stage.restart();
    stage.answer = 200;
    await until('it is sent again', () => stage.statuses().includes('delivered'));
    expect(stage.statuses()).to.deep.equal(['sent', 'delivered']);
    expect(stage.values[0]).to.have.nested.property('statuses[0].biz_opaque_callback_data', 'm1');
    await stage.close();
  });

  it('keeps its file short while it grows, and skips an incomplete line of a killed process', async () => {
    const file = join(folder, 'journal.jsonl');
    const first = stored();
    const journal = await openJournal(file, first, 2_000);
    const together = Array.from({ length: 1_000 }, (_, value) => {
      const entry = { name: `item-${value % 10}`, value };
      first.apply(entry);
      return journal.append(entry);
    });
    await Promise.all(together);
    for (let value = 1_000; value < 1_100; value++) {
      first.apply({ name: 'last', value });
      await journal.append({ name: 'last', value });
    }
    await journal.close();
    expect((await stat(file)).size).to.be.below(4_000);
    await appendFile(file, '{"name":"half","val');
    const second = stored();
    await (await openJournal(file, second)).close();
    expect([...second.values].sort()).to.deep.equal([...first.values].sort());
    expect(second.values.get('last')).to.equal(1_099);
  });
});
