import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { derivedId } from '../../domain/ids.js';
import { claimPromotions } from '../../domain/orders/checkout.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import { promotion as promotions, redeem } from '../../domain/promotions/promotion.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const ISMAIL = '+252615550102';

const cart = (...items: [string, number][]) => ({
  type: 'order' as const,
  items: items.map(([productRetailerId, quantity]) => ({ productRetailerId, quantity })),
});
const pickup = (orderId: string, fields: Record<string, unknown> = {}) => ({
  type: 'flow_reply' as const,
  fields: { flow_token: orderId, fulfilment: 'pickup', name: 'Asha Warsame', ...fields },
});

describe('discounts in the chat', () => {
  let stage: OrderStage;
  let count = 0;
  const lastText = async (customer: string): Promise<string> => (await stage.queued(customer)).at(-1)!.content.text;
  const send = async (customer: string, content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(customer, id, content);
    await stage.quiet();
    return orderIdOf(conversationOf(customer), id);
  };
  const eventsOf = async (orderId: string) => stage.events.readStream(`order-${orderId}`);
  const lastOf = async (orderId: string, type: string) =>
    (await eventsOf(orderId)).filter((event) => event.type === type).at(-1)?.data as
      | Record<string, unknown>
      | undefined;
  const coupon = (code: string, more: object = {}) =>
    stage.addPromotion({ name: `Coupon ${code}`, kind: 'coupon', code, amountOffCents: 5_00, ...more });

  beforeEach(async () => {
    stage = await orderStage();
    await stage.addProducts({
      SHIRT: { name: 'Shirt', categoryExternalId: 'clothes' },
      SCARF: { name: 'Scarf', priceCents: 5_50 },
    });
    await stage.saveDelivery({
      deliveryEnabled: true,
      pickupEnabled: true,
      pickupAddress: '',
      requestLocation: false,
      notifyStatuses: [],
      areas: [{ name: 'Hodan', feeCents: 2_50, active: true, newId: derivedId('area', 'Hodan') }],
      freeDeliveryAboveCents: 12_00,
    });
    await stage.startProcessors();
  });
  afterEach(() => stage.close());

  it('a number on a list gets its discount with the cart, per line; other numbers do not', async () => {
    const list = { name: 'Regulars', kind: 'number_list', percentOff: 25 } as const;
    const regulars = await stage.addPromotion({ ...list, scope: 'categories', categoryExternalIds: ['clothes'] }, [
      ASHA,
    ]);
    const id = await send(ASHA, cart(['SCARF', 1], ['SHIRT', 1]));
    expect(await stage.order(id)).to.include({
      subtotalCents: 17_50,
      discountCents: 3_00,
      totalCents: 14_50,
      discountReason: 'Regulars',
    });
    expect(await lastText(ASHA)).to.include('Discount: −$3.00');
    expect(await lastOf(id, 'OrderPlaced')).to.deep.include({
      lineDiscounts: [0, 3_00],
      promotions: [
        {
          promotionId: regulars,
          kind: 'number_list',
          name: 'Regulars',
          discountCents: 3_00,
          percentOff: 25,
          combinable: false,
          lines: [1],
        },
      ],
    });
    expect(await stage.usesOf(regulars), 'a cart uses nothing up').to.deep.equal([]);
    expect((await stage.order(id))?.items[1]).to.deep.equal({
      productExternalId: 'SHIRT',
      retailerId: 'SHIRT',
      name: 'Shirt',
      quantity: 1,
      unitPriceCents: 12_00,
    });
    const other = await send(ISMAIL, cart(['SHIRT', 1]));
    expect(await stage.order(other))
      .to.include({ discountCents: 0 })
      .and.not.have.property('discountReason');
    await send(ASHA, pickup(id));
    expect(await stage.usesOf(regulars)).to.deep.equal([id]);
  });

  it('a flash sale is part of the unit price, and stays so if it ends before the checkout', async () => {
    const flash = await stage.addPromotion({ name: 'Flash', kind: 'flash_sale', amountOffCents: 2_00 });
    const id = await send(ASHA, cart(['SHIRT', 2]));
    expect(await stage.order(id)).to.include({ subtotalCents: 20_00, discountCents: 0 });
    await stage.removePromotion(flash);
    await send(ASHA, pickup(id));
    expect(await stage.order(id)).to.include({ totalCents: 20_00 });
    expect((await stage.order(id))?.items[0]).to.include({ unitPriceCents: 10_00 });
  });

  it('a coupon is accepted at checkout in any spelling, and applied before free delivery', async () => {
    const eid = await coupon('EID5', { minSubtotalCents: 12_00 });
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(id, { fulfilment: 'delivery', area: 'Hodan', coupon: ' eid5 ' }));
    expect(await stage.order(id)).to.include({
      discountCents: 5_00,
      deliveryFeeCents: 2_50,
      totalCents: 9_50,
      couponCode: 'EID5',
      discountReason: 'Coupon EID5 (EID5)',
    });
    expect(await lastOf(id, 'OrderCheckedOut')).to.deep.include({ lineDiscounts: [5_00] });
    expect(await lastText(ASHA)).to.include('Discount: −$5.00');
    expect(await stage.usesOf(eid)).to.deep.equal([id]);
  });

  const refusals: [string, object, RegExp][] = [
    ['that does not exist', { code: 'OTHER' }, /do not know this coupon/],
    ['that is switched off', { active: false }, /do not know this coupon/],
    ['that has ended', { endsAt: '2026-01-01T00:00:00Z' }, /expired/],
    ['that has not started', { startsAt: '2999-01-01T00:00:00Z' }, /cannot be used yet/],
    ['below its minimum', { minSubtotalCents: 12_01 }, /orders from \$12\.01/],
    ['for other products', { scope: 'products', productExternalIds: ['SCARF'] }, /does not apply to what you ordered/],
  ];
  for (const [what, more, text] of refusals)
    it(`a coupon ${what} sends the form again, with the reason`, async () => {
      await coupon((more as { code?: string }).code ?? 'EID5', more);
      const id = await send(ASHA, cart(['SHIRT', 1]));
      await send(ASHA, pickup(id, { coupon: 'EID5' }));
      expect(await stage.order(id)).not.to.have.property('checkedOutAt');
      expect((await stage.queued(ASHA)).at(-1)?.content).to.include({ type: 'flow' });
      expect(await lastText(ASHA)).to.match(text);
      await send(ASHA, pickup(id, { coupon: ' ' }));
      expect(await stage.order(id))
        .to.include({ totalCents: 12_00 })
        .and.to.have.property('checkedOutAt');
    });

  it('the reason is in the customer’s language', async () => {
    const id = await send(ASHA, cart(['SHIRT', 1]));
    stage.store.locale = 'so';
    await send(ASHA, pickup(id, { coupon: 'EID5' }));
    expect(await lastText(ASHA)).to.include('ma naqaanno');
    stage.store.locale = 'ar';
    await send(ASHA, pickup(id, { coupon: 'EID5' }));
    expect(await lastText(ASHA)).to.include('القسيمة');
  });

  it('a coupon redeemed by several customers at once goes to as many as allowed; the others are informed', async () => {
    const few = await coupon('FEW', { maxRedemptions: 3 });
    const customers = Array.from({ length: 20 }, (_, i) => `+2526160000${String(i).padStart(2, '0')}`);
    const ids = await Promise.all(
      customers.map(async (customer) => {
        await stage.receive(customer, `cart.${customer}`, cart(['SHIRT', 1]));
        return orderIdOf(conversationOf(customer), `cart.${customer}`);
      }),
    );
    await stage.quiet();
    await Promise.all(
      customers.map((customer, i) => stage.receive(customer, `form.${customer}`, pickup(ids[i]!, { coupon: 'few' }))),
    );
    await stage.quiet();
    const orders = await Promise.all(ids.map((id) => stage.order(id)));
    const lucky = orders.filter((one) => one?.checkedOutAt !== undefined);
    expect(lucky.map((one) => one?.couponCode)).to.deep.equal(['FEW', 'FEW', 'FEW']);
    expect(new Set(await stage.usesOf(few))).to.deep.equal(new Set(lucky.map((one) => one?.id)));
    const unlucky = customers[orders.findIndex((one) => one?.checkedOutAt === undefined)]!;
    expect(await lastText(unlucky)).to.include('used up');
  });

  it('a coupon is released when the order is cancelled before payment, and can be used once per customer', async () => {
    const once = await coupon('ONCE', { maxPerCustomer: 1 });
    const first = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(first, { coupon: 'ONCE' }));
    const second = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(second, { coupon: 'ONCE' }));
    expect(await lastText(ASHA)).to.include('already used this coupon');
    const cancel = ofStore(STORE, moveOrder('store', 'cancelled'));
    await stage.commands.decide(stage.context('cancel'), order, first, cancel);
    await stage.quiet();
    expect(await stage.usesOf(once)).to.deep.equal([]);
    await send(ASHA, pickup(second, { coupon: 'ONCE' }));
    expect(await stage.usesOf(once)).to.deep.equal([second]);
  });

  it('a coupon that is not better is not redeemed, and the customer is informed', async () => {
    await stage.addPromotion({ name: 'Regulars', kind: 'number_list', percentOff: 50 }, [ASHA]);
    const small = await coupon('SMALL');
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(id, { coupon: 'small' }));
    expect(await stage.order(id))
      .to.include({ discountCents: 6_00, discountReason: 'Regulars; not combinable with it: Coupon SMALL (SMALL)' })
      .and.not.have.property('couponCode');
    expect(await stage.usesOf(small)).to.deep.equal([]);
    expect(await lastText(ASHA)).to.include('small was not used');
  });

  it('an order keeps its discount when the promotion is deleted', async () => {
    const list = await stage.addPromotion({ name: 'Regulars', kind: 'number_list', percentOff: 25 }, [ASHA]);
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await stage.removePromotion(list);
    await send(ASHA, pickup(id));
    expect(await stage.order(id)).to.include({ discountCents: 3_00, discountReason: 'Regulars' });
    const later = await send(ASHA, cart(['SHIRT', 1]));
    expect(await stage.order(later)).to.include({ discountCents: 0 });
  });

  it('a promised discount without redemptions left sends the form again with the new total', async () => {
    const list = { name: 'First', kind: 'number_list', percentOff: 50, maxRedemptions: 1 } as const;
    const first = await stage.addPromotion(list, [ASHA, ISMAIL]);
    const [hers, his] = [await send(ASHA, cart(['SHIRT', 1])), await send(ISMAIL, cart(['SHIRT', 1]))];
    await send(ASHA, pickup(hers));
    expect(await stage.order(his)).to.include({ totalCents: 6_00 });
    await send(ISMAIL, pickup(his));
    expect(await stage.order(his))
      .to.include({ discountCents: 0, totalCents: 12_00 })
      .and.not.have.any.keys('checkedOutAt', 'discountReason');
    expect((await stage.queued(ISMAIL)).at(-1)?.content).to.have.deep.nested.property('data.totalText', '$12.00');
    expect(await lastText(ISMAIL)).to.include('new total is $12.00');
    await send(ISMAIL, pickup(his));
    expect(await stage.order(his), 'the form of before, sent again').not.to.have.property('checkedOutAt');
    await send(ISMAIL, pickup(await stage.newestForm(ISMAIL)));
    expect(await stage.order(his))
      .to.include({ totalCents: 12_00 })
      .and.to.have.property('checkedOutAt');
    expect(await stage.usesOf(first)).to.deep.equal([hers]);
  });

  it('a redemption left over from a crash is released when the checkout does not need it', async () => {
    const eid = await coupon('EID5');
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await stage.commands.decide(stage.context('claim'), order, id, claimPromotions([eid]));
    await stage.commands.decide(stage.context('use'), promotions, eid, redeem({ orderId: id, customer: ASHA }));
    await send(ASHA, pickup(id));
    expect(await stage.order(id))
      .to.include({ discountCents: 0 })
      .and.to.have.property('checkedOutAt');
    expect(await stage.usesOf(eid)).to.deep.equal([]);
  });

  it('running every task again changes nothing', async () => {
    const eid = await coupon('EID5', { combinable: true });
    await stage.addPromotion({ name: 'Regulars', kind: 'number_list', percentOff: 25, combinable: true }, [ASHA]);
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(id, { coupon: 'EID5' }));
    expect(await stage.order(id)).to.include({ discountCents: 8_00, discountReason: 'Regulars, Coupon EID5 (EID5)' });
    const head = await stage.events.head();
    const before = await stage.order(id);
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await stage.events.head(), 'nothing was appended').to.equal(head);
    expect(await stage.order(id)).to.deep.equal(before);
    expect(await stage.usesOf(eid)).to.deep.equal([id]);
  });
});
