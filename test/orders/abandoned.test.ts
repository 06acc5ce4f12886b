/** Orders that nobody checks out: their prices grow old, and after a month the service cancels them. */
import { expect } from 'chai';
import { ABANDONED } from '../../application/orders/customerNotices.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { text } from '../../application/texts/texts.js';
import { claimPromotions } from '../../domain/orders/checkout.js';
import { order } from '../../domain/orders/order.js';
import { promotion, redeem } from '../../domain/promotions/promotion.js';
import { eventTypeOf } from '../../domain/webhooks/eventTypes.js';
import { ClockEvidence } from '../../engine/clockEvidence.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const DAY = 86_400_000;
const MINUTE = 60_000;

const cart = (...items: [string, number][]) => ({
  type: 'order' as const,
  items: items.map(([productRetailerId, quantity]) => ({ productRetailerId, quantity })),
});
const pickup = (orderId: string, fields: object = {}) => ({
  type: 'flow_reply' as const,
  fields: { flow_token: orderId, fulfilment: 'pickup', name: 'Asha Warsame', ...fields },
});
const settings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['cancelled' as const],
  areas: [],
};

describe('an order without a checkout', () => {
  let clock: FakeClock;
  let stage: OrderStage;
  let processors: ProcessorRuntime;
  let count = 0;
  const lastMessage = async () => (await stage.queued(ASHA)).at(-1)!;
  const send = async (content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(ASHA, id, content);
    await stage.quiet();
    return orderIdOf(conversationOf(ASHA), id);
  };
  const days = async (number: number): Promise<void> => {
    await clock.advance(number * DAY);
    await stage.quiet();
  };

  beforeEach(async () => {
    clock = fakeClock();
    stage = await orderStage({ clock, statusTemplates: { en: { name: 'order_update', language: 'en_US' } } });
    await stage.addProducts({
      SHIRT: { name: 'Shirt', priceCents: 12_00 },
      SCARF: { name: 'Scarf', priceCents: 5_50 },
      MUG: { name: 'Mug', priceCents: 1_00 },
    });
    await stage.saveDelivery(settings);
    processors = await stage.startProcessors();
  });
  afterEach(() => stage.close());

  it('is checked out at its old prices within seven days', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 15_00 } });
    await days(7);
    await send(pickup(id));
    expect(await stage.order(id)).to.include({ totalCents: 12_00, fulfilment: 'pickup' });
  });

  it('gets new prices when the customer answers later, and is checked out when the customer agrees', async () => {
    const id = await send(cart(['SHIRT', 1], ['SCARF', 2], ['MUG', 1]));
    await stage.addProducts({
      SHIRT: { name: 'Shirt', priceCents: 15_00 },
      SCARF: { name: 'Scarf', priceCents: 5_50, stock: 1 },
    });
    await days(8);
    await send(pickup(id));
    const requested = await stage.order(id);
    expect(requested).to.include({ status: 'new', subtotalCents: 16_00, totalCents: 16_00, itemCount: 2 });
    expect(requested).to.not.have.property('checkedOutAt');
    expect(requested?.note).to.equal('Scarf (SCARF) was left out: more were asked for than the 1 in stock.');
    expect(requested?.items.map(({ retailerId, unitPriceCents }) => [retailerId, unitPriceCents])).to.deep.equal([
      ['SHIRT', 15_00],
      ['MUG', 1_00],
    ]);
    const form = await lastMessage();
    expect(form.content).to.include({ type: 'flow' }).and.not.to.include({ token: id });
    expect(form.content).to.have.nested.property('data.totalText', '$16.00');
    for (const words of [text('en', 'orders.pricedAnew'), '1 × Shirt: $15.00', 'Total: $16.00', 'Scarf: only 1 left'])
      expect(form.content.text).to.include(words);
    const row = await stage.views.get('orderRows', id);
    expect(row?.body).to.include({ totalCents: 16_00, itemCount: 2, note: requested?.note });
    // Read again from the log, the answer is still one from before the new price.
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await stage.order(id)).to.deep.equal(requested);
    expect((await lastMessage()).messageId).to.equal(form.messageId);
    await days(6);
    await send(pickup(await stage.newestForm(ASHA)));
    expect(await stage.order(id)).to.include({ totalCents: 16_00, fulfilment: 'pickup' });
  });

  it('does not take a second answer to the old form as agreement to the new price', async () => {
    const id = await send(cart(['SHIRT', 1], ['MUG', 1]));
    await stage.addProducts({ SHIRT: { name: 'Shirt', active: false }, MUG: { name: 'Mug', priceCents: 2_00 } });
    await days(8);
    await stage.receive(ASHA, 'wamid.tap1', pickup(id));
    await stage.receive(ASHA, 'wamid.tap2', pickup(id));
    await stage.quiet();
    expect(await stage.order(id))
      .to.include({ totalCents: 2_00 })
      .and.not.have.property('checkedOutAt');
    const forms = (await stage.queued(ASHA)).slice(-2).map(({ content }) => content);
    expect(forms[1]?.text).to.equal(forms[0]?.text);
    expect(forms[1]?.text).to.include('Shirt: not for sale at present');
  });

  it('is checked out at once if the price is unchanged', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await days(20);
    await send(pickup(id));
    expect(await stage.order(id)).to.include({ totalCents: 12_00, fulfilment: 'pickup' });
  });

  it('gets the promotions of the day when the customer answers late', async () => {
    const list = { name: 'Regulars', kind: 'number_list', amountOffCents: 2_00 } as const;
    const ended = await stage.addPromotion({ ...list, endsAt: '2026-03-03T00:00:00Z' }, [ASHA]);
    const id = await send(cart(['SHIRT', 1]));
    expect(await stage.order(id)).to.include({ discountCents: 2_00, discountReason: 'Regulars' });
    await days(8);
    await send(pickup(id));
    expect(await stage.order(id)).to.include({ discountCents: 0, totalCents: 12_00 });
    await clock.advance(60_000);
    await send(pickup(await stage.newestForm(ASHA)));
    expect(await stage.order(id)).to.include({ fulfilment: 'pickup', discountCents: 0 });
    expect(await stage.usesOf(ended)).to.deep.equal([]);
  });

  it('is cancelled after a late answer if nothing is available any more, with one message to the customer', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await stage.addProducts({ SHIRT: { name: 'Shirt', availability: 'out_of_stock' } });
    await days(8);
    const before = (await stage.queued(ASHA)).length;
    await send(pickup(id));
    const cancelled = await stage.order(id);
    expect(cancelled).to.include({ status: 'cancelled', cancelReason: 'Nothing in it could be ordered any more.' });
    expect(cancelled?.events.at(-1)).to.include({ kind: 'status_changed', toStatus: 'cancelled', actorType: 'system' });
    const [reported, ...more] = (await stage.queued(ASHA)).slice(before);
    expect(more).to.deep.equal([]);
    expect(reported?.content.text).to.include('Shirt: out of stock').and.include('has been cancelled');
  });

  it('keeps its prices for as long as the store has configured', async () => {
    await stage.saveDelivery({ ...settings, cartValidDays: 0 });
    const id = await send(cart(['SHIRT', 1]));
    const other = await send(cart(['SHIRT', 2]));
    await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 15_00 } });
    await days(45);
    await send(pickup(id));
    expect(await stage.order(id)).to.include({ totalCents: 12_00, fulfilment: 'pickup' });
    await stage.saveDelivery({ ...settings, cartValidDays: 40 });
    await days(45);
    expect(await stage.order(other), 'the store has changed its mind').to.include({
      status: 'cancelled',
      cancelReason: 'Nobody checked it out within 40 days.',
    });
  });

  it('is cancelled by the service after 30 days, also after downtime, and without a template message', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await days(29.9);
    expect(await stage.order(id)).to.include({ status: 'new' });
    await processors.stop();
    await clock.advance(DAY);
    await stage.startProcessors();
    await stage.quiet();
    const cancelled = await stage.order(id);
    expect(cancelled).to.include({ status: 'cancelled', cancelReason: 'Nobody checked it out within 30 days.' });
    const history = cancelled?.events.map(({ kind, actorType, note }) => [kind, actorType, note]);
    expect(history?.slice(-2)).to.deep.equal([
      ['status_changed', 'system', 'Nobody checked it out within 30 days.'],
      ['customer_not_notified', 'system', ABANDONED],
    ]);
    expect((await lastMessage()).purpose).to.deep.equal({ kind: 'order_summary', orderId: id });
    const reported = (await stage.events.readStream(`order-${id}`))
      .map(eventTypeOf)
      .filter((type) => type !== undefined);
    expect(reported, 'to endpoints').to.deep.equal(['order.created', 'order.status_changed']);
    await send(pickup(id));
    expect((await lastMessage()).content.text).to.equal(text('en', 'orders.noLongerOpen', { number: 1 }));
  });

  it('is not cancelled by an unconfirmed clock, nor after that clock is corrected', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await processors.stop();
    const placedAt = clock.now();
    await clock.set(800 * DAY);
    Object.assign(clock, { evidence: new ClockEvidence(clock, [placedAt]) });
    await stage.startProcessors();
    await clock.advance(59 * MINUTE);
    expect(await stage.order(id)).to.include({ status: 'new' });
    await clock.set(-800 * DAY);
    await clock.advance(2 * DAY);
    expect(await stage.order(id)).to.include({ status: 'new' });
    await clock.advance(28 * DAY);
    await stage.quiet();
    expect(await stage.order(id)).to.include({ status: 'cancelled' });
  });

  it('notifies a customer who has just written by text, and never later by template', async () => {
    const id = await send(cart(['SHIRT', 1]));
    await days(29.9);
    await send({ type: 'text', text: 'Are you open today?' });
    await days(0.2);
    const reported = await lastMessage();
    expect(reported.content).to.deep.equal({
      type: 'text',
      text: text('en', 'orders.status.cancelled', { number: 1 }),
    });
    await stage.fail(ASHA, reported.messageId, 'Outside the window.');
    await stage.quiet();
    expect((await lastMessage()).messageId).to.equal(reported.messageId);
    expect((await stage.order(id))?.events.at(-1)).to.include({ kind: 'customer_not_notified' });
  });

  it('gets a timer from the log if it is older than timers, unless it was checked out', async () => {
    const [left, taken] = [await send(cart(['SHIRT', 1])), await send(cart(['MUG', 1]))];
    await send(pickup(taken));
    await processors.stop();
    await stage.work.removeWhere('tasks_abandonedCarts', {}, 10);
    await stage.work.dropCheckpoint('processor_abandonedCarts');
    await clock.advance(50 * DAY);
    await stage.startProcessors();
    await stage.quiet();
    expect(await stage.order(left)).to.include({ status: 'cancelled' });
    expect(await stage.order(taken)).to.include({ status: 'new', fulfilment: 'pickup' });
  });

  it('releases its promotion redemptions when it is cancelled', async () => {
    const id = await send(cart(['SHIRT', 1]));
    const coupon = await stage.addPromotion({ name: 'Eid', kind: 'coupon', code: 'EID', amountOffCents: 1_00 });
    await stage.commands.decide(stage.context('claim'), order, id, claimPromotions([coupon]));
    await stage.commands.decide(stage.context('use'), promotion, coupon, redeem({ orderId: id, customer: ASHA }));
    await stage.quiet();
    expect(await stage.usesOf(coupon)).to.deep.equal([id]);
    await days(30);
    expect(await stage.usesOf(coupon)).to.deep.equal([]);
  });

  it('is either checked out or cancelled when both happen at the same moment', async () => {
    const customers = Array.from({ length: 12 }, (_, n) => `+2526160000${10 + n}`);
    for (const customer of customers) await stage.receive(customer, `wamid.${customer}`, cart(['SHIRT', 1]));
    await stage.quiet();
    await clock.advance(30 * DAY - 1);
    const ids = customers.map((customer) => orderIdOf(conversationOf(customer), `wamid.${customer}`));
    const answers = customers.map((customer, n) => stage.receive(customer, `wamid.form.${customer}`, pickup(ids[n]!)));
    await Promise.all([...answers, clock.advance(1)]);
    await stage.quiet();
    for (const id of ids) {
      const seen = await stage.order(id);
      expect([seen?.status, seen?.checkedOutAt !== undefined]).to.be.deep.oneOf([
        ['new', true],
        ['cancelled', false],
      ]);
    }
  });
});
