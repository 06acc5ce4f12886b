import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { conversationOf, type OrderStage, orderStage } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const ISMAIL = '+252615550102';
const AREA = '00000000-0000-4000-8000-0000000000a1';

const cart = (...items: [string, number][]) => ({
  type: 'order' as const,
  items: items.map(([productRetailerId, quantity]) => ({ productRetailerId, quantity })),
});
const pickup = (orderId: string, fields: Record<string, unknown> = {}) => ({
  type: 'flow_reply' as const,
  fields: { flow_token: orderId, fulfilment: 'pickup', name: 'Asha Warsame', ...fields },
});

describe('a flash sale and other promotions in the chat', () => {
  let stage: OrderStage;
  let count = 0;
  const lastText = async (customer: string): Promise<string> => (await stage.queued(customer)).at(-1)!.content.text;
  const send = async (customer: string, content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(customer, id, content);
    await stage.quiet();
    return orderIdOf(conversationOf(customer), id);
  };
  const coupon = (code: string, more: object) =>
    stage.addPromotion({ name: `Coupon ${code}`, kind: 'coupon', code, ...more });
  const flash = (more: object = { percentOff: 25 }) =>
    stage.addPromotion({ name: 'Flash Friday', kind: 'flash_sale', ...more });

  beforeEach(async () => {
    stage = await orderStage();
    await stage.addProducts({ SHIRT: { name: 'Shirt' } });
    await stage.saveDelivery({
      deliveryEnabled: false,
      pickupEnabled: true,
      pickupAddress: '',
      requestLocation: false,
      notifyStatuses: [],
      areas: [],
    });
    await stage.startProcessors();
  });
  afterEach(() => stage.close());

  it('do not combine: the better one applies, and the customer and the store see which and why', async () => {
    await flash({ percentOff: 50 });
    await stage.addPromotion({ name: 'Regulars', kind: 'number_list', percentOff: 50 }, [ASHA]);
    const id = await send(ASHA, cart(['SHIRT', 2]));
    expect(await stage.order(id)).to.include({
      subtotalCents: 12_00,
      discountCents: 0,
      totalCents: 12_00,
      discountReason: 'in the prices: Flash Friday; not combinable with it: Regulars',
    });
    const text = await lastText(ASHA);
    expect(text).to.include('Our flash sale Flash Friday is in these prices. No other discount adds to it.');
    expect(text, 'a list’s name is the store’s own affair').not.to.include('Regulars');
  });

  it('a better coupon replaces the flash sale at checkout in the items, the total and the message', async () => {
    const sale = await flash();
    const half = await coupon('HALF', { percentOff: 50 });
    const id = await send(ASHA, cart(['SHIRT', 2]));
    expect(await stage.order(id)).to.include({ subtotalCents: 18_00, totalCents: 18_00 });
    await stage.removePromotion(sale);
    await send(ASHA, pickup(id, { coupon: 'half' }));
    const order = await stage.order(id);
    expect(order).to.include({
      subtotalCents: 24_00,
      discountCents: 12_00,
      totalCents: 12_00,
      couponCode: 'HALF',
      discountReason: 'Coupon HALF (HALF); not combinable with it: Flash Friday',
    });
    expect(order?.items[0]).to.include({ quantity: 2, unitPriceCents: 12_00 });
    const text = await lastText(ASHA);
    expect(text).to.include('Discount: −$12.00');
    expect(text).to.include('This is instead of our flash sale Flash Friday');
    expect(await stage.usesOf(half)).to.deep.equal([id]);
  });

  it('a worse coupon is not redeemed, and the flash sale’s price applies', async () => {
    await flash();
    const small = await coupon('SMALL', { percentOff: 20, minSubtotalCents: 24_00 });
    const id = await send(ASHA, cart(['SHIRT', 2]));
    await send(ASHA, pickup(id, { coupon: 'SMALL' }));
    const order = await stage.order(id);
    expect(order)
      .to.include({ subtotalCents: 18_00, discountCents: 0, totalCents: 18_00 })
      .and.not.have.property('couponCode');
    expect(order?.items[0]).to.include({ unitPriceCents: 9_00 });
    expect(order?.discountReason).to.equal('in the prices: Flash Friday; not combinable with it: Coupon SMALL (SMALL)');
    expect(await lastText(ASHA))
      .to.include('SMALL was not used')
      .and.to.include('flash sale Flash Friday');
    expect(await stage.usesOf(small)).to.deep.equal([]);
  });

  it('combine when both are combinable', async () => {
    await flash({ percentOff: 50, combinable: true });
    await coupon('HALF', { percentOff: 50, combinable: true });
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(id, { coupon: 'HALF' }));
    expect(await stage.order(id)).to.include({
      subtotalCents: 6_00,
      discountCents: 3_00,
      totalCents: 3_00,
      discountReason: 'Coupon HALF (HALF); in the prices: Flash Friday',
    });
    expect(await lastText(ASHA)).not.to.include('instead of');
  });

  it('a coupon without redemptions left keeps the flash sale’s price, and the form is sent again', async () => {
    await flash();
    const once = await coupon('ONCE', { percentOff: 50, maxRedemptions: 1 });
    const [hers, his] = [await send(ASHA, cart(['SHIRT', 1])), await send(ISMAIL, cart(['SHIRT', 1]))];
    await send(ASHA, pickup(hers, { coupon: 'ONCE' }));
    await send(ISMAIL, pickup(his, { coupon: 'ONCE' }));
    expect(await lastText(ISMAIL)).to.include('used up');
    await send(ISMAIL, pickup(his));
    expect(await stage.order(his))
      .to.include({ subtotalCents: 9_00, totalCents: 9_00 })
      .and.to.have.property('checkedOutAt');
    expect(await stage.usesOf(once)).to.deep.equal([hers]);
  });

  it('a promised discount without redemptions left is replaced by the dearer flash sale, if the customer agrees', async () => {
    await flash();
    const list = { name: 'First', kind: 'number_list', percentOff: 50, maxRedemptions: 1 } as const;
    await stage.addPromotion(list, [ASHA, ISMAIL]);
    const [hers, his] = [await send(ASHA, cart(['SHIRT', 1])), await send(ISMAIL, cart(['SHIRT', 1]))];
    expect(await stage.order(his)).to.include({ subtotalCents: 12_00, totalCents: 6_00 });
    expect(await lastText(ISMAIL)).to.include('instead of our flash sale Flash Friday');
    await send(ASHA, pickup(hers));
    await send(ISMAIL, pickup(his));
    const requested = await stage.order(his);
    expect(requested)
      .to.include({ subtotalCents: 9_00, discountCents: 0, totalCents: 9_00 })
      .and.not.have.property('checkedOutAt');
    expect(requested?.items[0]).to.include({ unitPriceCents: 9_00 });
    expect(await lastText(ISMAIL)).to.include('new total is $9.00');
    await send(ISMAIL, pickup(his));
    expect(await stage.order(his), 'the form of before, sent again').not.to.have.property('checkedOutAt');
    await send(ISMAIL, pickup(await stage.newestForm(ISMAIL)));
    expect(await stage.order(his))
      .to.include({ totalCents: 9_00, discountReason: 'in the prices: Flash Friday' })
      .and.to.have.property('checkedOutAt');
  });

  it('are described in the customer’s language', async () => {
    await flash();
    await coupon('HALF', { percentOff: 50 });
    for (const [locale, words] of [
      ['so', 'waxay beddelaysaa iibkayaga gaarka ah Flash Friday'],
      ['ar', 'بدلًا من عرضنا \u2068Flash Friday\u2069'],
    ] as const) {
      stage.store.locale = locale;
      const id = await send(ASHA, cart(['SHIRT', 1]));
      await send(ASHA, pickup(id, { coupon: 'HALF' }));
      expect(await lastText(ASHA)).to.include(words);
    }
  });

  it('running every task again changes nothing', async () => {
    await flash();
    await coupon('HALF', { percentOff: 50 });
    const id = await send(ASHA, cart(['SHIRT', 1]));
    await send(ASHA, pickup(id, { coupon: 'HALF' }));
    const [head, before] = [await stage.events.head(), await stage.order(id)];
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await stage.events.head(), 'nothing was appended').to.equal(head);
    expect(await stage.order(id)).to.deep.equal(before);
  });

  describe('with free delivery from $30', () => {
    const home = (orderId: string, fields: Record<string, unknown> = {}) =>
      pickup(orderId, { fulfilment: 'delivery', area: 'Hodan', ...fields });
    const lastForm = async () => {
      const form = (await stage.queued(ASHA)).map(({ content }) => content).findLast(({ type }) => type === 'flow');
      return form?.type === 'flow' ? form.data : expect.fail('no form');
    };

    beforeEach(async () => {
      await stage.addProducts({ LAMP: { name: 'Lamp', priceCents: 31_00 } });
      await stage.saveDelivery({
        deliveryEnabled: true,
        pickupEnabled: true,
        pickupAddress: '',
        requestLocation: false,
        notifyStatuses: [],
        areas: [{ name: 'Hodan', feeCents: 2_50, active: true, newId: AREA }],
        freeDeliveryAboveCents: 30_00,
      });
    });

    it('a discount that would end it is dropped: the customer pays less than announced and is not asked', async () => {
      const list = { name: 'Regulars', kind: 'number_list', amountOffCents: 2_00, maxRedemptions: 5 } as const;
      const regulars = await stage.addPromotion(list, [ASHA]);
      const id = await send(ASHA, cart(['LAMP', 1]));
      expect(await stage.order(id)).to.include({ discountCents: 2_00, totalCents: 29_00 });
      expect((await lastForm()).areas)
        .to.have.nested.property('[0].description')
        .that.includes('Total: $31.50');
      await send(ASHA, home(id));
      const order = await stage.order(id);
      expect(order).to.include({ subtotalCents: 31_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 31_00 });
      expect(order).to.have.property('checkedOutAt');
      expect(order?.discountReason).to.equal('left out for free delivery: Regulars');
      expect(await lastText(ASHA)).to.include('More discount would end the free delivery: you pay less this way.');
      expect(await stage.usesOf(regulars)).to.deep.equal([]);
    });

    it('a coupon that would end it is not used and the customer is informed; with pickup it is used', async () => {
      const save = await coupon('SAVE', { amountOffCents: 2_00 });
      const [first, second] = [await send(ASHA, cart(['LAMP', 1])), await send(ASHA, cart(['LAMP', 1]))];
      await send(ASHA, home(first, { coupon: 'save' }));
      const order = await stage.order(first);
      expect(order).to.include({ discountCents: 0, deliveryFeeCents: 0, totalCents: 31_00 });
      expect(order).to.have.property('checkedOutAt');
      expect(order).to.not.have.property('couponCode');
      expect(await lastText(ASHA)).to.include('Your coupon save was not used: you pay as little or less without it.');
      expect(await stage.usesOf(save)).to.deep.equal([]);
      await send(ASHA, pickup(second, { coupon: 'save' }));
      expect(await stage.order(second)).to.include({ discountCents: 2_00, totalCents: 29_00, couponCode: 'SAVE' });
      expect(await stage.usesOf(save)).to.deep.equal([second]);
    });

    it('a promised discount without redemptions left needs consent only if the total is higher than announced', async () => {
      const list = { kind: 'number_list', maxRedemptions: 1 } as const;
      await stage.addPromotion({ ...list, name: 'Little', amountOffCents: 2_00 }, [ASHA, ISMAIL]);
      const [hers, his] = [await send(ASHA, cart(['LAMP', 1])), await send(ISMAIL, cart(['LAMP', 1]))];
      await send(ASHA, pickup(hers));
      expect(await stage.order(hers)).to.include({ totalCents: 29_00 });
      await send(ISMAIL, home(his));
      expect(await stage.order(his), 'he was told $31.50').to.include({ totalCents: 31_00 });
      expect(await stage.order(his)).to.have.property('checkedOutAt');
      await stage.addPromotion({ ...list, name: 'Much', amountOffCents: 9_00 }, [ASHA, ISMAIL]);
      const [hers2, his2] = [await send(ASHA, cart(['LAMP', 1])), await send(ISMAIL, cart(['LAMP', 1]))];
      await send(ASHA, pickup(hers2));
      await send(ISMAIL, home(his2));
      expect(await lastText(ISMAIL), 'he was told $24.50').to.include('new total is $31.00');
      expect(await stage.order(his2)).to.not.have.property('checkedOutAt');
    });
  });
});
