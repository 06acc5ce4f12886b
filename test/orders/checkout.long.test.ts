/** The checkout form: parsing of answers, offered choices, and the order of messages to the customer. */
import { expect } from 'chai';
import { checkoutForm } from '../../application/orders/customerTexts.js';
import type { WrongAnswer } from '../../application/orders/formAnswers.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { PaymentProvider } from '../../application/ports/paymentProvider.js';
import { short, text } from '../../application/texts/texts.js';
import { delivery } from '../../domain/delivery/delivery.js';
import type { DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import { derivedId } from '../../domain/ids.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { until } from '../support/doubles/fakeClock.js';
import { offeredForm } from '../support/stages/offeredForm.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const LOCALES = ['en', 'so', 'ar'] as const;
const pickupOnly = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['awaiting_payment' as const, 'paid' as const],
  areas: [],
};

describe('the checkout form', () => {
  let stage: OrderStage;
  let processors: ProcessorRuntime;
  let messages = 0;
  const print = async (content: Parameters<OrderStage['receive']>[2]): Promise<void> =>
    stage.receive(ASHA, `wamid.${++messages}`, content);
  const cart = async (): Promise<string> => {
    await print({ type: 'order', items: [{ productRetailerId: 'SCARF', quantity: 2 }] });
    const id = orderIdOf(conversationOf(ASHA), `wamid.${messages}`);
    await stage.quiet();
    return id;
  };
  const answer = (id: string, fields: object): Promise<void> =>
    print({ type: 'flow_reply', fields: { flow_token: id, fulfilment: 'pickup', name: 'Asha', ...fields } });
  const texts = async (): Promise<string[]> => (await stage.queued(ASHA)).map(({ content }) => content.text);
  const last = async () => (await stage.queued(ASHA)).at(-1)!.content;
  const wrong = (...answers: readonly WrongAnswer[]): string[] =>
    answers.map((one) => text('en', `orders.wrong.${one}`));
  const start = async (provider?: PaymentProvider): Promise<void> => {
    stage = await orderStage(provider === undefined ? {} : { provider });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.saveDelivery(pickupOnly);
    processors = await stage.startProcessors();
  };
  afterEach(() => stage?.close());

  it('counts characters, not UTF-16 code units', async () => {
    await start();
    const id = await cart();
    await answer(id, { name: '😀'.repeat(121), address: '😀'.repeat(501) });
    await stage.quiet();
    expect((await last()).text.split('\n').slice(0, 2)).to.deep.equal(wrong('name', 'address'));
    await answer(id, { name: '😀'.repeat(120), address: '😀'.repeat(500) });
    await stage.quiet();
    expect(await stage.order(id)).to.include({ customerName: '😀'.repeat(120), address: '😀'.repeat(500) });
    expect(short('😀'.repeat(30), 30)).to.equal('😀'.repeat(30));
    expect(short('😀'.repeat(31), 30)).to.equal(`${'😀'.repeat(29)}…`);
  });

  it('converts numbers to text, and reports all unreadable values at once', async () => {
    await start();
    const id = await cart();
    await answer(id, { name: {}, contact_phone: true, address: [], coupon: false });
    await stage.quiet();
    expect((await last()).text.split('\n').slice(0, 4)).to.deep.equal(
      wrong('name', 'phone', 'addressUnread', 'couponUnread'),
    );
    await answer(id, { name: 7, contact_phone: 252615550199, address: 12, coupon: null });
    await stage.quiet();
    expect(await stage.order(id)).to.include({ customerName: '7', contactPhone: '+252615550199', address: '12' });
  });

  it('accepts an area by its number', async () => {
    await start();
    const areas = [{ name: '14', feeCents: 1_00, active: true, newId: derivedId('area', '14') }];
    await stage.saveDelivery({ ...pickupOnly, deliveryEnabled: true, areas });
    const id = await cart();
    await answer(id, { fulfilment: 'delivery', area: 14 });
    await stage.quiet();
    expect(await stage.order(id)).to.include({ deliveryArea: '14', totalCents: 12_00 });
  });

  it('informs the customer instead of showing an empty choice if old settings offer neither delivery nor pickup', async () => {
    await start();
    const open = await cart();
    // The API refuses such settings, but older stores may have them.
    const neither: DeliverySettings = { ...pickupOnly, pickupEnabled: false };
    const saved = [{ type: 'DeliverySettingsSaved' as const, data: neither }];
    await stage.commands.decide(stage.context('old'), delivery, STORE, () => saved);
    const noCheckout = text('en', 'orders.noCheckout');
    await answer(open, {});
    await stage.quiet();
    expect(await last()).to.deep.equal({ type: 'text', text: noCheckout });
    const other = await cart();
    expect(await last()).to.include({ type: 'text' });
    expect((await last()).text).to.include(noCheckout);
    expect(await stage.order(open)).not.to.have.property('checkedOutAt');
    await stage.saveDelivery(pickupOnly);
    await answer(open, {});
    await stage.quiet();
    expect(await stage.order(open), 'the form of before still shows the order').to.have.property('checkedOutAt');
    // The other order never had a form, so any answer sends one.
    await answer(other, {});
    await stage.quiet();
    for (const id of [other]) {
      await answer(await stage.newestForm(ASHA), {});
      await stage.quiet();
      expect(await stage.order(id), 'can be answered when the store has mended it').to.have.property('checkedOutAt');
    }
  });

  it('prompts for payment on the phone only after the confirmation with the total', async () => {
    let seen: string[] | undefined;
    await start({
      charge: async () => {
        seen = await texts();
        return { state: 'approved', transactionId: 't1' };
      },
    } as Partial<PaymentProvider> as PaymentProvider);
    await stage.takePayments(['zaad']);
    const id = await cart();
    // Blocks every announcement once the order is checked out.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { storeOf } = stage.dependencies;
    const isOut = (): Promise<boolean> =>
      stage.commands.query(order, id, (state) => isPlaced(state) && state.checkedOut);
    Object.assign(stage.dependencies, {
      storeOf: async (workspaceId: string) => {
        if (await isOut()) await released;
        return storeOf(workspaceId);
      },
    });
    await answer(id, {});
    await until('it is checked out', isOut);
    const head = await stage.events.head();
    const noted = () => processors.status().every(({ position }) => position >= head);
    await until('all events are processed', noted);
    expect(await stage.work.count('tasks_payments', {}, 10), 'nobody is asked yet').to.equal(0);
    expect(seen).to.equal(undefined);
    release();
    await until('it is paid', async () => (await stage.order(id))?.status === 'paid');
    await stage.quiet();
    expect(seen?.[1]).to.include('Total: $11.00');
    const [, confirmed, ...then] = await texts();
    expect(confirmed).to.include(text('en', 'orders.confirmed', { number: 1 }));
    expect(then).to.deep.equal([
      text('en', 'orders.status.awaiting_payment', { number: 1 }),
      text('en', 'orders.status.paid', { number: 1 }),
    ]);
  });

  it('fits the channel’s limits with the longest names and the highest amounts, in each language', () => {
    const area = { id: derivedId('area', 1), name: 'n'.repeat(30), feeCents: 100_000_000_000, totalCents: 9e14 };
    const totals = { subtotalCents: 9e14, discountCents: 0, deliveryFeeCents: 0, totalCents: 9e14 };
    for (const locale of LOCALES) {
      const choices = {
        ...{ deliveryEnabled: true, pickupEnabled: true, cashOnDelivery: true, wallets: ['zaad' as const] },
      };
      const shown = { totals, areas: [area, { ...area, feeCents: 0 }], freeDeliveryAboveCents: 100_000_000_000 };
      const form = checkoutForm(locale, 1, { form: offeredForm(shown), choices }, 'Text');
      if (form.type !== 'flow') throw new Error('no form');
      const { areas, wallets } = form.data as Record<'areas' | 'wallets', { title: string; description?: string }[]>;
      for (const { title, description = '' } of [...areas, ...wallets]) {
        expect([...title].length, title).to.be.within(1, 30);
        expect([...description].length, description).to.be.at.most(300);
      }
      expect(areas.every(({ description = '' }) => description.includes('Total') || locale !== 'en')).to.equal(true);
      expect(wallets.map(({ title }) => title)).to.deep.equal(['ZAAD', text(locale, 'payments.cash')]);
    }
  });
});
