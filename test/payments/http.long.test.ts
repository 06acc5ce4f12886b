/** Store payments over HTTP, in the whole service with the sandbox provider. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { isProblem } from '../support/conformance/answers.js';
import {
  type ConformanceStage,
  conformanceStage,
  operationNamed,
  product,
  type Store,
} from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';

describe('store payments without a payment provider', () => {
  it('are shown as unavailable, and no key can be checked', async () => {
    const box = { seal: (text: string) => text, open: (text: string) => text };
    const accounts = new Map([['M1', 'API-1']]);
    const request = {
      workspace: { workspaceId: 'w' },
      read: { get: async () => undefined },
      commands: {
        query: async (_: unknown, __: string, read: (state: object) => unknown) => read({ merchantId: 'M1', accounts }),
      },
      services: { secretBox: box },
    } as never;
    const shown = await operationNamed(operations, 'getPaymentSettings').handle(request);
    expect(shown.body).to.deep.include({ available: false, saved: false, wallets: [] });
    const checked = await operationNamed(operations, 'checkPaymentKey').handle(request);
    expect(checked.body).to.deep.equal({ ok: false, reason: 'unreachable' });
  });
});

const KEY = '1000297:API-1901083745AHX';

describe('store payments', () => {
  let stage: ConformanceStage;
  const call = (id: string, body?: object, store?: Store, params?: Record<string, string>) =>
    stage.call(operationNamed(operations, id), { ...(body && { body }), ...(params && { params }) }, store);
  const options = [
    { id: 'evc_plus', name: 'EVC Plus' },
    { id: 'zaad', name: 'ZAAD' },
    { id: 'sahal', name: 'Sahal' },
    { id: 'waafi', name: 'WAAFI' },
    { id: 'edahab', name: 'eDahab' },
    { id: 'jeeb', name: 'Jeeb' },
  ];

  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  it('are not accepted until they are set up', async () => {
    const { body } = await call('getPaymentSettings');
    expect(body).to.deep.equal({ available: true, saved: false, options, wallets: [] });
    isProblem(await call('checkPaymentKey'), 404, 'not_found');
    isProblem(await call('deletePaymentSettings'), 404, 'not_found');
  });

  it('are saved, shown without the key, and changed', async () => {
    const saved = await call('savePaymentSettings', { merchantId: 'M0912269', apiKey: KEY });
    expect([saved.status, saved.body]).to.deep.equal([200, { saved: true, last4: '5AHX' }]);
    const wallets = await call('savePaymentWallets', { wallets: ['zaad', 'evc_plus'] });
    expect(wallets.body).to.deep.include({ saved: true, wallets: ['zaad', 'evc_plus'] });
    const { body, text } = await call('getPaymentSettings');
    expect(body).to.deep.include({ saved: true, merchantId: 'M0912269', last4: '5AHX', wallets: ['zaad', 'evc_plus'] });
    expect(text).to.not.include('API-1901083745');
    await call('savePaymentSettings', { merchantId: 'M0912269', apiKey: KEY });
    expect((await call('getPaymentSettings')).body, 'the same again changes nothing').to.deep.equal(body);
    const other = await call('savePaymentSettings', { merchantId: 'M2', apiKey: 'abc' });
    expect(other.body.last4).to.equal('abc');
    expect((await call('getPaymentSettings')).body).to.deep.include({
      merchantId: 'M2',
      wallets: ['zaad', 'evc_plus'],
    });
  });

  it('belong to one store', async () => {
    expect((await call('getPaymentSettings', undefined, stage.sibling)).body).to.deep.include({
      saved: false,
      wallets: [],
    });
    isProblem(await call('checkPaymentKey', undefined, stage.sibling), 404, 'not_found');
  });

  it('check the saved key', async () => {
    expect((await call('checkPaymentKey')).body).to.deep.equal({ ok: true });
    await call('savePaymentSettings', { merchantId: 'M2', apiKey: 'API-wrong' });
    expect((await call('checkPaymentKey')).body).to.deep.equal({ ok: false, reason: 'refused' });
    await call('savePaymentSettings', { merchantId: 'M2', apiKey: KEY });
    await fetch(`${stage.sandboxUrl}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target: 'payment_inquiries', kind: 'hang' }),
    });
    expect((await call('checkPaymentKey')).body).to.deep.equal({ ok: false, reason: 'unreachable' });
  });

  it('are shown as pending on the order, and the store may record another payment', async () => {
    const store = stage.main.store;
    await call('savePaymentSettings', { merchantId: 'M0912269', apiKey: KEY });
    await call('upsertProduct', product(), store, { externalId: 'shirt' });
    const orderId = await stage.order(store, ['shirt']);
    const sandbox = `${stage.sandboxUrl}/sandbox/numbers/${store.channel.phoneNumberId}/customers`;
    const found = await call('getOrder', undefined, store, { orderId });
    await fetch(`${sandbox}/${found.body.customerPhone}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        checkout: {
          flowToken: orderId,
          fulfilment: 'pickup',
          name: 'Asha',
          wallet: 'zaad',
          wallet_phone: '252634449901',
        },
      }),
    });
    const text = (body: object) =>
      fetch(`${sandbox}/${found.body.customerPhone}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    // The number differs from the chat's, so the customer must confirm.
    await until('it is requested', async () => (await text({ choice: { title: 'Yes, send it' } })).status === 200);
    const order = async () => (await call('getOrder', undefined, store, { orderId })).body;
    const kinds = async () => (await order()).events.map(({ kind }: { kind: string }) => kind);
    await until('the payment has failed', async () => (await kinds()).includes('payment_failed'));
    expect(await order()).to.deep.include({ status: 'awaiting_payment', nextStatuses: ['preparing', 'cancelled'] });
    const early = await call('setOrderStatus', { status: 'delivered' }, store, { orderId });
    isProblem(early, 409, 'order_status_not_allowed');
    const taken = await call('setOrderStatus', { status: 'preparing' }, store, { orderId });
    expect([taken.status, taken.body.status]).to.deep.equal([200, 'preparing']);
    const delivered = await call('setOrderStatus', { status: 'delivered' }, store, { orderId });
    expect(delivered.body).to.include({ status: 'delivered' });
  });

  it('are removed when they are deleted', async () => {
    expect((await call('deletePaymentSettings')).status).to.equal(204);
    expect((await call('getPaymentSettings')).body).to.deep.equal({
      available: true,
      saved: false,
      options,
      wallets: [],
    });
    isProblem(await call('deletePaymentSettings'), 404, 'not_found');
  });

  it('never store a key in plain text', async () => {
    const { workspaceId } = stage.main.store;
    await stage.stop();
    const names = readdirSync(stage.folder, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => /\.(db|db-wal|jsonl)$/.test(name)).map((name) => join(stage.folder, name));
    expect(files.length).to.be.at.least(2);
    for (const file of files) {
      const bytes = readFileSync(file);
      expect(bytes.includes('API-1901083745AHX'), file).to.equal(false);
    }
    const log = files.filter((file) => file.includes('events.db')).map((file) => readFileSync(file));
    expect(
      log.some((bytes) => bytes.includes(workspaceId)),
      'the events are there',
    ).to.equal(true);
  });
});
