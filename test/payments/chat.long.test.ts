/** Payments in the chat: the real processors, and the sandbox provider over HTTP. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { paymentFailed } from '../../application/payments/paymentMessages.js';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import { money } from '../../application/texts/localeFormats.js';
import { text } from '../../application/texts/texts.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import type { OrderStatus, PaymentFailureReason } from '../../domain/orders/orderEvents.js';
import { deletePaymentSettings, payments } from '../../domain/payments/payments.js';
import { systemClock } from '../../engine/ports/clock.js';
import { createWaafiPay } from '../../infrastructure/payments/waafiPay.js';
import type { SandboxPayment } from '../../infrastructure/sandbox/payments.js';
import { until } from '../support/doubles/fakeClock.js';
import { endsOf } from '../support/samples/textFiles.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';
import { confirmsNumber } from '../support/stages/payerConfirmation.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const ASHA = '+252615550101';
const settings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['paid' as const, 'refunded' as const],
  areas: [],
};

describe('texts about payments', () => {
  it("cover everything in each language, and fit the channel's limits", () => {
    const reasons = endsOf('payments.why.') satisfies PaymentFailureReason[];
    const wallets = ['evc_plus', 'zaad', 'sahal', 'waafi', 'edahab', 'jeeb'] as const;
    const form = {
      form: 'payment' as const,
      token: 'o.20/m',
      messageId: 'm',
      lines: [],
      attempt: 20,
      totalCents: 1e11,
    };
    const again = { form, number: 1_000_000, phone: ASHA, offered: { merchantId: 'M1', wallets } };
    for (const locale of ['en', 'so', 'ar'] as const) {
      for (const reason of reasons) {
        const message = paymentFailed(locale, { number: 1_000_000, reason }, again);
        expect(message.type).to.equal('flow');
        expect(message.text.length).to.be.within(1, 1024);
        const last = paymentFailed(locale, { number: 1_000_000, reason }, undefined);
        expect(last).to.include({ type: 'text' });
        expect(last.text).to.include(text(locale, 'payments.askUs'));
      }
    }
  });
});

describe('payments in the chat', () => {
  let sandbox: SandboxStage;
  let provider: PaymentProvider & { close(): Promise<void> };
  let stage: OrderStage;
  let messages = 0;

  const start = async (over: Partial<PaymentProvider> = {}, unknownMs?: number): Promise<void> => {
    stage = await orderStage({ provider: { ...provider, ...over }, ...(unknownMs === undefined ? {} : { unknownMs }) });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.saveDelivery(settings);
    await stage.takePayments(['evc_plus', 'zaad']);
    await stage.startProcessors();
  };
  const print = (content: Parameters<OrderStage['receive']>[2]): Promise<void> =>
    stage.receive(ASHA, `wamid.${++messages}`, content);
  const fill = (token: string, fields: Record<string, unknown>): Promise<void> =>
    print({ type: 'flow_reply', fields: { flow_token: token, ...fields } });
  const cart = async (): Promise<string> => {
    await print({ type: 'order', items: [{ productRetailerId: 'SCARF', quantity: 2 }] });
    const id = orderIdOf(conversationOf(ASHA), `wamid.${messages}`);
    await stage.quiet();
    return id;
  };
  const checkOut = (id: string, fields: Record<string, unknown>): Promise<void> =>
    fill(id, { fulfilment: 'pickup', name: 'Asha', wallet: 'evc_plus', ...fields });
  const statusIs = (id: string, status: OrderStatus): Promise<void> =>
    until(`the order is ${status}`, async () => (await stage.order(id))?.status === status);
  const texts = async (): Promise<string[]> => (await stage.queued(ASHA)).map(({ content }) => content.text);
  const lastForm = async () => {
    const { content } = (await stage.queued(ASHA)).at(-1)!;
    if (content.type !== 'flow') throw new Error(`no form: ${content.text}`);
    return content;
  };
  const charged = async (id: string): Promise<SandboxPayment[]> => {
    const { body } = await sandbox.control('GET', '/sandbox/payments');
    return (body as { payments: SandboxPayment[] }).payments.filter(({ reference }) => reference.startsWith(id));
  };
  const kinds = async (id: string) => (await stage.order(id))?.events.map(({ kind, toStatus }) => toStatus ?? kind);
  const move = (id: string, to: OrderStatus) =>
    stage.commands.decide(stage.context(to), order, id, ofStore(STORE, moveOrder('store', to)));
  /** Returns the types of the order's events in the log. */
  const types = async (id: string) => (await stage.events.readStream(`order-${id}`)).map(({ type }) => type);

  before(async () => {
    sandbox = await sandboxStage();
    provider = createWaafiPay({ baseUrl: sandbox.baseUrl, clock: systemClock });
  });
  afterEach(() => stage.close());
  after(async () => {
    await provider.close();
    await sandbox.close();
  });

  for (const locale of ['en', 'so', 'ar'] as const)
    it(`are requested at checkout and reported, in ${locale}`, async () => {
      await start();
      stage.store.locale = locale;
      const id = await cart();
      expect((await lastForm()).data.wallets).to.deep.equal([
        { id: 'evc_plus', title: 'EVC Plus' },
        { id: 'zaad', title: 'ZAAD' },
      ]);
      await checkOut(id, { wallet: 'zaad', wallet_phone: '00252 63 4449901' });
      const paying = (wallet: string, phone: string) => ({ total: money(locale, 11_00), wallet, phone });
      const confirm = (wallet: string, phone: string) => text(locale, 'payments.confirm', paying(wallet, phone));
      await confirmsNumber(stage, ASHA, `${id}.1`);
      await until('the failure is reported', async () => (await texts()).length === 5);
      expect((await texts())[1]).to.not.include('+252634449901');
      expect((await texts())[2]).to.equal(text(locale, 'payments.confirmNumber', paying('ZAAD', '+252634449901')));
      expect((await texts())[3]).to.equal(confirm('ZAAD', '+252634449901'));
      const form = await lastForm();
      expect(form.text).to.equal(
        [
          text(locale, 'payments.failed', { number: 1 }),
          text(locale, 'payments.why.cancelled'),
          text(locale, 'payments.again'),
        ].join('\n'),
      );
      expect(form).to.include({ flowName: 'payment', screen: 'PAYMENT', cta: text(locale, 'payments.payButton') });
      expect(form.data).to.include({ orderNumber: 1, totalText: money(locale, 11_00), walletPhone: '+252634449901' });
      expect(await stage.order(id)).to.include({ status: 'awaiting_payment' });
      await fill(form.token, { wallet: 'evc_plus', wallet_phone: ASHA });
      await statusIs(id, 'paid');
      await stage.quiet();
      expect((await texts()).slice(5)).to.have.members([
        confirm('EVC Plus', ASHA),
        text(locale, 'orders.status.paid', { number: 1 }),
      ]);
      expect(await kinds(id)).to.deep.equal(['new', 'awaiting_payment', 'checkout', 'payment_failed', 'paid']);
      expect((await charged(id)).map(({ state, amount, payer }) => [state, amount, payer])).to.deep.equal([
        ['CANCELLED', '11.00', '252634449901'],
        ['APPROVED', '11.00', '252615550101'],
      ]);
      const log = JSON.stringify(await stage.events.readStream(`payments-${STORE}`));
      expect(log, 'the key is sealed').to.not.include('API-1901083745AHX');
    });

  it('need a wallet of the store and a number; the only wallet needs no choice', async () => {
    await start();
    const id = await cart();
    for (const [fields, wrong] of [
      [{ wallet: 'sahal' }, 'wallet'],
      [{ wallet: undefined }, 'wallet'],
      [{ wallet_phone: '12' }, 'number'],
    ] as const) {
      await checkOut(id, fields);
      await stage.quiet();
      expect((await lastForm()).text).to.include(text('en', `payments.wrong.${wrong}`));
    }
    expect(await stage.order(id)).to.include({ status: 'new' });
    await stage.takePayments(['zaad']);
    await checkOut(id, { wallet: undefined });
    await statusIs(id, 'paid');
    expect(await charged(id)).to.have.length(1);
  });

  for (const typed of ['063 4449901', '63 4449901', '252634449901'])
    it(`charge the Somali wallet that the customer names as ${typed}`, async () => {
      await start();
      const id = await cart();
      await checkOut(id, { wallet: 'zaad', wallet_phone: typed });
      await confirmsNumber(stage, ASHA, `${id}.1`);
      await until('the failure is reported', async () => (await texts()).length === 5);
      expect((await charged(id)).map(({ payer }) => payer)).to.deep.equal(['252634449901']);
    });

  it('are not requested if the store accepts none', async () => {
    await start();
    await stage.commands.decide(stage.context('delete'), payments, STORE, deletePaymentSettings());
    const id = await cart();
    expect((await lastForm()).data).to.not.have.property('wallets');
    await checkOut(id, {});
    await stage.quiet();
    expect(await stage.order(id)).to.deep.include({ status: 'new', nextStatuses: ['preparing', 'cancelled'] });
    expect(await charged(id)).to.deep.equal([]);
  });

  it('begin once for each form; later answers change nothing and get a notice', async () => {
    await start();
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559902' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await stage.quiet();
    const { token, text: message } = await lastForm();
    expect(message).to.include(text('en', 'payments.why.insufficient_funds'));
    await fill(token, { wallet: 'sahal' });
    await stage.quiet();
    expect((await lastForm()).text).to.include(text('en', 'payments.wrong.wallet'));
    await Promise.all([1, 2, 3].map(() => fill(token, { wallet: 'zaad' })));
    await statusIs(id, 'paid');
    await stage.quiet();
    const reported = await texts();
    const nothing = [text('en', 'payments.notOpen', { number: 1 }), text('en', 'payments.underWay', { number: 1 })];
    expect(reported.filter((one) => nothing.includes(one))).to.have.length(2);
    expect((await charged(id)).map(({ state, asked }) => [state, asked])).to.deep.equal([
      ['DECLINED', 1],
      ['APPROVED', 1],
    ]);
  });

  it('are refunded when the store cancels the paid order', async () => {
    await start();
    const id = await cart();
    await checkOut(id, {});
    await statusIs(id, 'paid');
    await sandbox.fault('refunds', 'error');
    await move(id, 'cancelled');
    await statusIs(id, 'refunded');
    expect((await charged(id)).map(({ reversed }) => reversed)).to.deep.equal([true]);
    await stage.quiet();
    expect(await kinds(id)).to.deep.equal(['new', 'awaiting_payment', 'checkout', 'paid', 'cancelled', 'refunded']);
    const before = await types(id);
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await types(id), 'a repeat changes nothing').to.deep.equal(before);
  });

  it('are refunded when they arrive after the cancellation', async () => {
    await start({}, 60_000);
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559905' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await until('the customer was asked', async () => (await charged(id)).length === 1);
    await move(id, 'cancelled');
    await sandbox.control('POST', `/sandbox/payments/${id}.1`, { state: 'APPROVED' });
    await statusIs(id, 'refunded');
    expect(await charged(id)).to.have.length(1);
    expect((await charged(id))[0]).to.include({ reversed: true, asked: 1 });
    expect(await types(id)).to.not.include('OrderPaid');
    expect((await stage.order(id))?.events.at(-1)?.note).to.equal('The payment came after the cancellation.');
  });

  it('are found after a lost response, also if the store has changed its account', async () => {
    await start({}, 60_000);
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559905' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await until('the customer was asked', async () => (await charged(id)).length === 1);
    await stage.commands.decide(stage.context('delete'), payments, STORE, deletePaymentSettings());
    await sandbox.fault('payment_inquiries', 'hang', { times: 2 });
    await sandbox.control('POST', `/sandbox/payments/${id}.1`, { state: 'APPROVED' });
    await statusIs(id, 'paid');
    expect((await charged(id)).map(({ asked }) => asked)).to.deep.equal([1]);
  });

  it('fail in the end if the provider never received them, and can be retried', async () => {
    await start();
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559908' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await until('the failure is reported', async () => (await types(id)).includes('OrderPaymentFailed'));
    await stage.quiet();
    const { token, text: message } = await lastForm();
    expect(message).to.include(text('en', 'payments.why.no_answer'));
    await fill(token, { wallet: 'zaad', wallet_phone: ASHA });
    await statusIs(id, 'paid');
    expect((await charged(id)).map(({ reference }) => reference)).to.deep.equal([`${id}.2`]);
  });

  it('are charged once when the service stops between the charge and its event', async () => {
    let crashed = 0;
    await start({
      async charge(account, expected, signal) {
        await provider.charge(account, expected, signal);
        crashed += 1;
        // The process is killed before the answer arrives.
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw new Error('gone');
      },
    });
    const id = await cart();
    await checkOut(id, {});
    await until('the customer was charged', async () => crashed === 1);
    expect((await charged(id)).map(({ state }) => state)).to.deep.equal(['APPROVED']);
    expect(await stage.order(id)).to.include({ status: 'awaiting_payment' });
    await stage.restartProcessorsFromTheBeginning();
    await statusIs(id, 'paid');
    await stage.quiet();
    expect((await charged(id)).map(({ asked }) => asked)).to.deep.equal([1]);
    expect(crashed).to.equal(1);
  });

  it('fail at once with an invalid API key, and when the provider is unreachable', async () => {
    await start({ charge: async () => ({ state: 'not_sent', code: 'ECONNREFUSED' }) });
    const id = await cart();
    await checkOut(id, {});
    await until('the failure is known', async () => (await types(id)).includes('OrderPaymentFailed'));
    await stage.quiet();
    expect((await stage.order(id))?.events.at(-1)?.note).to.include('could not be reached');
    expect((await lastForm()).text).to.include(text('en', 'payments.why.unavailable'));
    await stage.close();
    await start();
    await stage.takePayments(['zaad'], 'API-wrong');
    const other = await cart();
    await checkOut(other, { wallet: 'zaad' });
    await until('the failure is known', async () => (await types(other)).includes('OrderPaymentFailed'));
    await stage.quiet();
    expect((await stage.order(other))?.events.at(-1)?.note).to.include("did not accept the store's key");
    expect(JSON.stringify(await stage.events.readStream(`order-${other}`))).to.not.include('API-wrong');
  });
});
