/** Payments whose store closes at each moment between the customer's answer and the provider's. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import { text } from '../../application/texts/texts.js';
import type { OrderStatus } from '../../domain/orders/orderEvents.js';
import { systemClock } from '../../engine/ports/clock.js';
import { createWaafiPay } from '../../infrastructure/payments/waafiPay.js';
import type { SandboxPayment } from '../../infrastructure/sandbox/payments.js';
import { until } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage } from '../support/stages/orderStage.js';
import { confirmsNumber } from '../support/stages/payerConfirmation.js';
import { type SandboxStage, sandboxStage } from '../support/stages/sandboxStage.js';

const ASHA = '+252615550101';
const settings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['paid' as const, 'cancelled' as const, 'refunded' as const],
  areas: [],
};

describe('payments in a store that closes', () => {
  let sandbox: SandboxStage;
  let provider: PaymentProvider & { close(): Promise<void> };
  let stage: OrderStage;
  let messages = 0;

  const start = async (over: Partial<PaymentProvider> = {}): Promise<void> => {
    stage = await orderStage({ provider: { ...provider, ...over }, unknownMs: 60_000 });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.saveDelivery(settings);
    await stage.takePayments(['zaad']);
    await stage.startProcessors();
  };
  const print = (content: Parameters<OrderStage['receive']>[2]): Promise<void> =>
    stage.receive(ASHA, `wamid.${++messages}`, content);
  const fill = (token: string, fields: Record<string, unknown> = {}): Promise<void> =>
    print({ type: 'flow_reply', fields: { flow_token: token, ...fields } });
  const cart = async (): Promise<string> => {
    await print({ type: 'order', items: [{ productRetailerId: 'SCARF', quantity: 2 }] });
    const id = orderIdOf(conversationOf(ASHA), `wamid.${messages}`);
    await stage.quiet();
    return id;
  };
  const checkOut = (id: string, fields: Record<string, unknown> = {}): Promise<void> =>
    fill(id, { fulfilment: 'pickup', name: 'Asha', ...fields });
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

  /** Nobody heard that the order was paid, and the money is back. */
  async function wentBack(id: string): Promise<void> {
    await statusIs(id, 'refunded');
    await stage.quiet();
    expect((await charged(id)).map(({ asked, reversed }) => [asked, reversed])).to.deep.equal([[1, true]]);
    expect(await types(id)).to.not.include('OrderPaid');
    expect(await kinds(id)).to.deep.equal(['new', 'awaiting_payment', 'checkout', 'cancelled', 'refunded']);
    expect((await stage.order(id))?.events.slice(-2).map(({ note }) => note)).to.deep.equal([
      'The store stopped taking orders while the customer was paying; the payment goes back to the customer.',
      'The store had stopped taking orders while the customer was paying.',
    ]);
    const notify = (status: 'cancelled' | 'refunded' | 'paid') => text('en', `orders.status.${status}`, { number: 1 });
    expect((await texts()).slice(-2)).to.deep.equal([notify('cancelled'), notify('refunded')]);
    expect(await texts()).to.not.include(notify('paid'));
  }

  it('are refunded if it closed while the customer was paying', async () => {
    await start();
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559905' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await until('the customer was asked', async () => (await charged(id)).length === 1);
    stage.store.open = false;
    await sandbox.control('POST', `/sandbox/payments/${id}.1`, { state: 'APPROVED' });
    await wentBack(id);
    const before = await types(id);
    stage.store.open = true;
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await types(id), 'a repeat after it reopened changes nothing').to.deep.equal(before);
  });

  it('are refunded if it closed between the last check and the charge', async () => {
    await start({
      charge(...expected) {
        stage.store.open = false;
        return provider.charge(...expected);
      },
    });
    const id = await cart();
    await checkOut(id);
    await wentBack(id);
  });

  const nextMillisecond = (): Promise<void> => {
    const now = Date.now();
    return until('the next millisecond', async () => Date.now() > now);
  };

  it('are refunded also if it reopened before their result, and the next one is kept', async () => {
    let closes = true;
    await start({
      async charge(...expected) {
        if (closes) stage.store.open = false;
        const outcome = await provider.charge(...expected);
        await nextMillisecond();
        stage.store.open = true;
        return outcome;
      },
    });
    const id = await cart();
    await checkOut(id);
    await wentBack(id);
    closes = false;
    const next = await cart();
    await checkOut(next);
    await statusIs(next, 'paid');
    expect((await charged(next)).map(({ reversed }) => reversed)).to.deep.equal([false]);
  });

  it('are refunded also if they are looked up after it reopened', async () => {
    await start();
    const id = await cart();
    await checkOut(id, { wallet_phone: '+252615559905' });
    await confirmsNumber(stage, ASHA, `${id}.1`);
    await until('the customer was asked', async () => (await charged(id)).length === 1);
    await nextMillisecond();
    stage.store.open = false;
    stage.store.open = true;
    await sandbox.control('POST', `/sandbox/payments/${id}.1`, { state: 'APPROVED' });
    await wentBack(id);
  });

  for (const locale of ['en', 'so', 'ar'] as const)
    it(`are not sent if it closed before, and can be made after it reopens, in ${locale}`, async () => {
      await start();
      stage.store.locale = locale;
      const id = await cart();
      // It closes as soon as the checkout has been taken: the try is decided, and not sent yet.
      let polls = 0;
      Object.defineProperty(stage.store, 'open', { configurable: true, get: () => ++polls === 1 });
      await checkOut(id);
      await until('the attempt has failed', async () => (await types(id)).includes('OrderPaymentFailed'));
      await stage.quiet();
      expect(await charged(id)).to.deep.equal([]);
      expect((await stage.order(id))?.events.at(-1)).to.include({
        kind: 'payment_failed',
        note: 'The store took no orders any more when the customer was to be asked.',
      });
      const form = await lastForm();
      expect(form.text).to.equal(
        [
          text(locale, 'payments.failed', { number: 1 }),
          text(locale, 'payments.why.store_closed'),
          text(locale, 'payments.whenOpen'),
        ].join('\n'),
      );
      await fill(form.token, { wallet_phone: ASHA });
      await stage.quiet();
      expect((await texts()).at(-1)).to.equal(text(locale, 'payments.closed'));
      expect(await charged(id)).to.deep.equal([]);
      Object.defineProperty(stage.store, 'open', { value: true, writable: true });
      await fill(form.token, { wallet_phone: ASHA });
      await statusIs(id, 'paid');
      expect(await charged(id)).to.have.length(1);
    });

  for (const locale of ['en', 'so', 'ar'] as const)
    it(`are not started by an older form, and the customer is informed, in ${locale}`, async () => {
      await start();
      stage.store.locale = locale;
      const id = await cart();
      stage.store.open = false;
      await checkOut(id);
      await stage.quiet();
      expect((await texts()).at(-1)).to.equal(text(locale, 'orders.closed'));
      expect(await types(id)).to.not.include('OrderCheckedOut');
      stage.store.open = true;
      await checkOut(id);
      await statusIs(id, 'paid');
      expect(await charged(id)).to.have.length(1);
    });
});
