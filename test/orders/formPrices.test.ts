/** Nobody is charged what they were not shown: forms, and what changes between a form and its answer. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { Charge, PaymentProvider } from '../../application/ports/paymentProvider.js';
import { text } from '../../application/texts/texts.js';
import type { SaveDeliverySettings } from '../../domain/delivery/delivery.js';
import { derivedId } from '../../domain/ids.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { type FakeClock, fakeClock, until } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const HOUR = 3_600_000;
const HODAN = '00000000-0000-4000-8000-0000000000a1';

const area = (name: string, feeCents: number) => ({ newId: HODAN, name, feeCents, active: true });
const settings = (more: Partial<SaveDeliverySettings> = {}): SaveDeliverySettings => ({
  deliveryEnabled: true,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['cancelled'],
  areas: [area('Hodan', 1_00)],
  ...more,
});
const cart = (...items: [string, number][]) => ({
  type: 'order' as const,
  items: items.map(([productRetailerId, quantity]) => ({ productRetailerId, quantity })),
});
const answers = (token: string, fields: object = {}) => ({
  type: 'flow_reply' as const,
  fields: { flow_token: token, fulfilment: 'pickup', name: 'Asha Warsame', ...fields },
});
const delivered = { fulfilment: 'delivery', area: HODAN };

describe('the values a form shows', () => {
  let clock: FakeClock;
  let stage: OrderStage;
  let processors: ProcessorRuntime;
  let charges: Charge[];
  let outcome: Awaited<ReturnType<PaymentProvider['charge']>>;
  let count = 0;
  const provider: PaymentProvider = {
    async charge(_, charge) {
      charges.push(charge);
      return outcome;
    },
    find: async () => ({ state: 'none' }),
    refund: async () => ({ state: 'refunded', refundId: 'r' }),
    check: async () => 'accepted',
  };
  const send = async (content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(ASHA, id, content);
    await stage.quiet();
    return orderIdOf(conversationOf(ASHA), id);
  };
  const answer = async (token: string, fields: object = {}): Promise<void> => void (await send(answers(token, fields)));
  const last = async () => (await stage.queued(ASHA)).at(-1)!.content;
  const newest = (): Promise<string> => stage.newestForm(ASHA);
  const passes = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await stage.quiet();
  };

  beforeEach(async () => {
    clock = fakeClock();
    charges = [];
    outcome = { state: 'approved', transactionId: 't1' };
    stage = await orderStage({ clock, provider });
    await stage.addProducts({
      SHIRT: { name: 'Shirt', priceCents: 10_00 },
      MUG: { name: 'Mug', priceCents: 2_00 },
    });
    await stage.saveDelivery(settings());
    processors = await stage.startProcessors();
  });
  afterEach(() => stage.close());

  describe('for delivery', () => {
    it('match the charge: a raised fee is shown before the checkout', async () => {
      const id = await send(cart(['SHIRT', 1]));
      expect(await last()).to.have.nested.property('data.areas[0].description', 'Delivery: $1.00. Total: $11.00');
      await stage.saveDelivery(settings({ areas: [area('Hodan', 50_00)] }));
      await answer(id, delivered);
      expect(await stage.order(id)).not.to.have.property('checkedOutAt');
      expect((await last()).text).to.include(text('en', 'orders.deliveryChanged'));
      expect(await last()).to.have.nested.property('data.areas[0].description', 'Delivery: $50.00. Total: $60.00');
      await answer(id, delivered);
      expect(await stage.order(id), 'the form of before, sent again').not.to.have.property('checkedOutAt');
      await answer(await newest(), delivered);
      expect(await stage.order(id)).to.include({ deliveryFeeCents: 50_00, totalCents: 60_00 });
    });

    it('match the charge when free delivery ends', async () => {
      await stage.saveDelivery(settings({ freeDeliveryAboveCents: 10_00 }));
      const id = await send(cart(['SHIRT', 1]));
      await stage.saveDelivery(settings());
      await answer(id, delivered);
      expect(await stage.order(id)).not.to.have.property('checkedOutAt');
      await answer(await newest(), delivered);
      expect(await stage.order(id)).to.include({ totalCents: 11_00 });
    });

    it('may exceed the charge when the store lowered the fee', async () => {
      const id = await send(cart(['SHIRT', 1]));
      await stage.saveDelivery(settings({ areas: [area('Hodan', 50)] }));
      await answer(id, delivered);
      expect(await stage.order(id)).to.include({ totalCents: 10_50 });
    });

    it('name the area: a renamed one is shown before the checkout', async () => {
      const id = await send(cart(['SHIRT', 1]));
      await stage.saveDelivery(settings({ areas: [{ ...area('Kismayo', 1_00), id: HODAN }] }));
      await answer(id, delivered);
      expect(await stage.order(id)).not.to.have.property('checkedOutAt');
      expect(await last()).to.have.nested.property('data.areas[0].title', 'Kismayo');
    });
  });

  describe('for the items', () => {
    it('match what is sold: unavailable items are left out, and only the new form buys the rest', async () => {
      const id = await send(cart(['SHIRT', 1], ['MUG', 1]));
      await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 10_00, availability: 'out_of_stock' } });
      await answer(id);
      expect(await stage.order(id)).to.include({ status: 'new', totalCents: 2_00 });
      expect((await last()).text)
        .to.include('Shirt: out of stock')
        .and.include(text('en', 'orders.changed'));
      await answer(id);
      expect(await stage.order(id), 'the form of before, sent again').not.to.have.property('checkedOutAt');
      await answer(await newest());
      expect(await stage.order(id)).to.include({ totalCents: 2_00, fulfilment: 'pickup' });
    });

    it('keep the prices of the remaining items', async () => {
      const id = await send(cart(['SHIRT', 1], ['MUG', 1]));
      await stage.addProducts({
        SHIRT: { name: 'Shirt', active: false },
        MUG: { name: 'Mug', priceCents: 9_00 },
      });
      await answer(id);
      await answer(await newest());
      expect(await stage.order(id)).to.include({ totalCents: 2_00, fulfilment: 'pickup' });
    });

    it('are sent also if the process ends between the new price and its form', async () => {
      await stage.takePayments(['zaad']);
      const id = await send(cart(['SHIRT', 1]));
      await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 15_00 } });
      await passes(8 * 24 * HOUR);
      const before = (await stage.queued(ASHA)).length;
      const events = stage.events as { append: EventStore['append'] };
      const { append } = events;
      let isRepriced = false;
      events.append = (stream, expected, list) => {
        if (isRepriced) return Promise.reject(new Error('the process has ended'));
        isRepriced = list.some(({ type }) => type === 'OrderRepriced');
        return append.call(events, stream, expected, list);
      };
      await stage.receive(ASHA, `wamid.${++count}`, answers(id, { wallet: 'zaad' }));
      await until('the new price is stored', () => isRepriced);
      await processors.stop();
      events.append = append;
      await stage.startProcessors();
      await stage.quiet();
      expect(charges).to.deep.equal([]);
      expect(await stage.order(id)).to.include({ status: 'new', totalCents: 15_00 });
      expect((await stage.queued(ASHA)).length, 'the form, once').to.equal(before + 1);
      expect((await last()).text).to.include(text('en', 'orders.pricedAnew'));
      expect(await last()).to.have.nested.property('data.totalText', '$15.00');
      await answer(await newest(), { wallet: 'zaad' });
      expect(charges.map(({ amountCents }) => amountCents)).to.deep.equal([15_00]);
    });

    it('are replaced by a cancellation if no item is left', async () => {
      const id = await send(cart(['SHIRT', 1]));
      await stage.addProducts({ SHIRT: { name: 'Shirt', active: false } });
      await answer(id);
      expect(await stage.order(id)).to.include({ status: 'cancelled' });
      expect((await last()).text).to.include('Shirt: not for sale at present');
    });

    it('do not lead to an order after the customer deletes the cart', async () => {
      const id = await send(cart(['SHIRT', 1]));
      await stage.receive(ASHA, 'wamid.deletion', {
        type: 'revoke',
        messageId: derivedId('message', `wamid.${count}`),
      } as never);
      await stage.quiet();
      expect(await stage.order(id)).to.include({ status: 'cancelled' });
      await answer(id);
      expect(await stage.order(id)).not.to.have.property('checkedOutAt');
    });
  });

  describe('for a payment', () => {
    /** An order whose first payment failed. */
    async function failed(...items: [string, number][]): Promise<string> {
      await stage.takePayments(['zaad']);
      const id = await send(cart(...items));
      outcome = { state: 'failed', reason: 'insufficient_funds' };
      await answer(id, { wallet: 'zaad' });
      outcome = { state: 'approved', transactionId: 't2' };
      expect(charges).to.have.length(1);
      return id;
    }

    it('contain only items that the store still sells, however late the answer', async () => {
      await stage.saveDelivery(settings({ unpaidHours: 0 }));
      const id = await failed(['SHIRT', 1], ['MUG', 1]);
      const old = await newest();
      await passes(60 * 24 * HOUR);
      await stage.addProducts({ SHIRT: { name: 'Shirt', active: false } });
      await answer(old, { wallet: 'zaad' });
      expect(charges).to.have.length(1);
      expect(await stage.order(id)).to.include({ status: 'awaiting_payment', totalCents: 2_00 });
      expect(await last()).to.have.nested.property('data.totalText', '$2.00');
      await answer(old, { wallet: 'zaad' });
      expect(charges, 'the form of before, sent again').to.have.length(1);
      await answer(await newest(), { wallet: 'zaad' });
      expect(charges.map(({ amountCents }) => amountCents)).to.deep.equal([12_00, 2_00]);
      expect(await stage.order(id)).to.include({ status: 'paid' });
    });

    it('lead to no payment request when items become unavailable before the provider is called', async () => {
      await stage.takePayments(['zaad']);
      const id = await send(cart(['SHIRT', 1], ['MUG', 1]));
      await answer(id, { wallet: 'zaad', wallet_phone: '+252615550102' });
      await stage.addProducts({ MUG: { name: 'Mug', availability: 'out_of_stock' } });
      await send({ type: 'choice', id: `payer:yes:${id}.1`, title: 'Yes' });
      expect(charges).to.deep.equal([]);
      expect(await last()).to.have.nested.property('data.totalText', '$10.00');
      expect((await last()).text)
        .to.include(text('en', 'payments.why.goods_gone'))
        .and.include('Mug: out of stock');
      await answer(await newest(), { wallet: 'zaad' });
      expect(charges.map(({ amountCents }) => amountCents)).to.deep.equal([10_00]);
    });

    it('expire after a day, as the store configured: the order is cancelled, and its coupon can be used again', async () => {
      const coupon = { name: 'One', kind: 'coupon', code: 'ONE', percentOff: 50, maxRedemptions: 1 } as const;
      const promotion = await stage.addPromotion(coupon);
      await stage.takePayments(['zaad']);
      const id = await send(cart(['SHIRT', 1]));
      outcome = { state: 'failed', reason: 'insufficient_funds' };
      await answer(id, { wallet: 'zaad', coupon: 'ONE' });
      expect(await stage.usesOf(promotion)).to.deep.equal([id]);
      const old = await newest();
      for (let hour = 0; hour < 23; hour += 1) await passes(HOUR);
      expect(await stage.order(id)).to.include({ status: 'awaiting_payment' });
      await passes(HOUR);
      const order = await stage.order(id);
      expect(order).to.include({ status: 'cancelled', cancelReason: 'Nobody paid it within 24 hours.' });
      expect(await stage.usesOf(promotion)).to.deep.equal([]);
      await answer(old, { wallet: 'zaad' });
      expect(charges).to.have.length(1);
    });

    it('get the full time again after an outage in which nobody could pay', async () => {
      const id = await failed(['SHIRT', 1]);
      await processors.stop();
      await clock.advance(40 * HOUR);
      await stage.startProcessors();
      await passes(23 * HOUR);
      expect(await stage.order(id)).to.include({ status: 'awaiting_payment' });
      await passes(HOUR);
      expect(await stage.order(id)).to.include({ status: 'cancelled' });
    });

    it('never expire if the store sets no limit', async () => {
      await stage.saveDelivery(settings({ unpaidHours: 0 }));
      const id = await failed(['SHIRT', 1]);
      await passes(90 * 24 * HOUR);
      await answer(await newest(), { wallet: 'zaad' });
      expect(await stage.order(id)).to.include({ status: 'paid' });
    });
  });
});
