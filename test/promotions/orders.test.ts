import { expect } from 'chai';
import { customerStreamId } from '../../application/channel/customerIdentity.js';
import { claimPhone, customerKey, nameCustomer } from '../../domain/channel/customerKey.js';
import { derivedId } from '../../domain/ids.js';
import { claimPromotions } from '../../domain/orders/checkout.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import type { Eligibility } from '../../domain/pricing/promotions.js';
import type { PromotionFields } from '../../domain/promotions/promotionDefinition.js';
import { type PromotionStage, promotionStage, SHOP } from '../support/stages/promotionStage.js';

const ASHA = '+252611000001';
const HODAN = '+252611000002';
const HOUR = 3_600_000;
const hours = (count: number): string => new Date(Date.now() + count * HOUR).toISOString();
const coupon: PromotionFields = { name: 'Eid', kind: 'coupon', code: 'EID10', percentOff: 10 };

describe('promotions and orders', () => {
  let stage: PromotionStage;
  beforeEach(async () => {
    stage = await promotionStage();
  });
  afterEach(() => stage.close());

  const offered = (phone: string, couponCode?: string, orderId = derivedId('order', 'asked')) =>
    stage.promotionsFor({
      workspaceId: SHOP,
      customerPhone: phone,
      orderId,
      now: Date.now(),
      ...(couponCode === undefined ? {} : { couponCode }),
    });
  const names = async (phone: string, couponCode?: string): Promise<string[]> =>
    (await offered(phone, couponCode)).map(({ name }) => name).sort();
  const existing = async (phone: string, orderId?: string): Promise<Eligibility | undefined> =>
    (await offered(phone, 'EID10', orderId)).find(({ kind }) => kind === 'coupon')?.eligibility;
  const reserve = (promotionId: string, orderId: string, customerPhone: string) =>
    stage.reserve(stage.by(), promotionId, { orderId, customerPhone });

  describe('applicable promotions', () => {
    it('include open ones, and the coupon of the entered code', async () => {
      const sale: PromotionFields = { name: 'sale', kind: 'flash_sale', percentOff: 20 };
      await stage.create(sale);
      await stage.create({ ...sale, name: 'later', startsAt: hours(1) });
      await stage.create({ ...sale, name: 'over', endsAt: hours(-1) });
      await stage.create({ ...sale, name: 'off', active: false });
      await stage.create({ ...sale, name: 'now', startsAt: hours(-1), endsAt: hours(1) });
      await stage.create(coupon);
      expect(await names(ASHA)).to.deep.equal(['now', 'sale']);
      expect(await names(ASHA, ' eid10 ')).to.deep.equal(['Eid', 'now', 'sale']);
      expect(await names(ASHA, 'OTHER')).to.deep.equal(['now', 'sale']);
    });

    it('include the terms that pricing needs', async () => {
      const id = await stage.create({
        ...{ ...coupon, scope: 'products', productExternalIds: ['shirt'], minSubtotalCents: 20_00 },
        ...{ combinable: true, startsAt: '2026-01-01T00:00:00Z', endsAt: '2099-01-01T00:00:00Z' },
      });
      expect(await offered(ASHA, 'eid10')).to.deep.equal([
        {
          promotionId: id,
          kind: 'coupon',
          name: 'Eid',
          code: 'EID10',
          terms: { percentOff: 10 },
          scope: { of: 'products', productExternalIds: new Set(['shirt']) },
          active: true,
          startsAt: Date.parse('2026-01-01T00:00:00Z'),
          endsAt: Date.parse('2099-01-01T00:00:00Z'),
          minSubtotalCents: 20_00,
          combinable: true,
          eligibility: 'may',
        },
      ]);
    });

    it('follow a change at once', async () => {
      const id = await stage.create({ name: 'sale', kind: 'flash_sale', percentOff: 20 });
      expect((await offered(ASHA))[0]!.terms).to.deep.equal({ percentOff: 20 });
      await stage.update(id, { name: 'sale', kind: 'flash_sale', amountOffCents: 1_00 });
      expect((await offered(ASHA))[0]!.terms).to.deep.equal({ amountOffCents: 1_00 });
      await stage.remove(id);
      expect(await offered(ASHA)).to.deep.equal([]);
    });

    it('include an ended coupon, so that the customer can be informed; the active one first', async () => {
      await stage.create({ ...coupon, name: 'old', endsAt: hours(-2) });
      expect(await names(ASHA, 'EID10')).to.deep.equal(['old']);
      await stage.create({ ...coupon, name: 'live' });
      expect(await names(ASHA, 'EID10')).to.deep.equal(['live']);
    });

    it('are the same for each spelling of a number, on a list and in the redemptions of a coupon', async () => {
      const [current, own] = ['+525512345678', '+5215512345678'];
      const numberListId = await stage.list({ name: 'VIP', kind: 'uploaded', phones: [current] });
      await stage.create({ name: 'vip', kind: 'number_list', percentOff: 5, numberListId });
      expect(await names(own)).to.deep.equal(['vip']);
      const id = await stage.create({ ...coupon, maxPerCustomer: 1 });
      expect(await reserve(id, derivedId('order', 'mexico 1'), own)).to.equal('reserved');
      expect(await reserve(id, derivedId('order', 'mexico 2'), current)).to.equal('customer_limit');
      expect(await existing(current, derivedId('order', 'mexico 2'))).to.equal('customer_limit');
    });

    it('stay with a customer whose number changed, on a list and in the redemptions of a coupon', async () => {
      const [before, now] = ['+252611000011', '+252611000012'];
      const know = (kind: 'phone' | 'key', name: string, decision: object) =>
        stage.commands.decide(stage.by(), customerKey, customerStreamId(SHOP, kind, name), decision as never);
      for (const phone of [before, now]) await know('phone', phone, claimPhone({ key: before }));
      await know('key', before, nameCustomer([{ phone: before }, { phone: now }]));
      const numberListId = await stage.list({ name: 'VIP', kind: 'uploaded', phones: [before] });
      await stage.create({ name: 'vip', kind: 'number_list', percentOff: 5, numberListId });
      expect(await names(now)).to.deep.equal(['vip']);
      const id = await stage.create({ ...coupon, maxPerCustomer: 1 });
      expect(await reserve(id, derivedId('order', 'moved 1'), before)).to.equal('reserved');
      expect(await reserve(id, derivedId('order', 'moved 2'), now)).to.equal('customer_limit');
    });

    it('apply only to the numbers of an uploaded list', async () => {
      const numberListId = await stage.list({ name: 'VIP', kind: 'uploaded', phones: [ASHA] });
      await stage.create({ name: 'vip', kind: 'number_list', percentOff: 5, numberListId });
      await stage.create({ ...coupon, numberListId });
      expect(await names(ASHA)).to.deep.equal(['vip']);
      expect(await names(HODAN)).to.deep.equal([]);
      expect(await names(''), 'a number that the channel does not tell').to.deep.equal([]);
      expect([await existing(ASHA), await existing(HODAN)]).to.deep.equal(['may', 'not_listed']);
    });

    it('apply to customers with enough paid orders at that moment', async () => {
      const numberListId = await stage.list({ name: 'Loyal', kind: 'past_orders', minOrders: 2 });
      await stage.create({ name: 'loyal', kind: 'number_list', percentOff: 5, numberListId });
      await stage.order('asha1', ASHA, 'awaiting_payment', 'paid', 'preparing', 'delivered');
      await stage.order('asha2', ASHA, 'awaiting_payment');
      await stage.order('hodan1', HODAN, 'preparing', 'delivered');
      expect(await names(ASHA), 'one is paid').to.deep.equal([]);
      const third = await stage.order('asha3', ASHA, 'awaiting_payment', 'paid');
      expect([await names(ASHA), await names(HODAN)]).to.deep.equal([['loyal'], []]);
      await stage.move(third, 'paid', 'cancelled');
      await stage.shown();
      expect(await names(ASHA), 'one of two was cancelled').to.deep.equal([]);
    });
  });

  describe('redemptions', () => {
    it('are counted for the promotion, once per order', async () => {
      const id = await stage.create({ ...coupon, maxRedemptions: 2 });
      for (const order of ['o1', 'o1', 'o2']) expect(await reserve(id, order, ASHA)).to.equal('reserved');
      expect(await reserve(id, 'o3', HODAN)).to.equal('limit');
      expect([await existing(HODAN), await existing(HODAN, 'o2')]).to.deep.equal(['limit', 'may']);
      expect(await stage.uses(id)).to.deep.equal(['o1', 'o2']);
      await stage.release(stage.by(), id, 'o1');
      await stage.release(stage.by(), id, 'o1');
      expect(await reserve(id, 'o3', HODAN)).to.equal('reserved');
    });

    it('are counted per customer', async () => {
      const id = await stage.create({ ...coupon, maxPerCustomer: 1 });
      expect(await reserve(id, 'o1', ASHA)).to.equal('reserved');
      expect([await reserve(id, 'o2', ASHA), await reserve(id, 'o2', HODAN)]).to.deep.equal([
        'customer_limit',
        'reserved',
      ]);
      expect(await existing(ASHA)).to.equal('customer_limit');
    });

    it('are counted per conversation if the channel does not send the number', async () => {
      const id = await stage.create({ ...coupon, maxPerCustomer: 1 });
      const [first, second] = [await stage.order('hidden1', ''), await stage.order('hidden2', '')];
      const other = await stage.order('stranger1', '');
      expect(await reserve(id, first, '')).to.equal('reserved');
      expect([await reserve(id, second, ''), await reserve(id, other, '')]).to.deep.equal([
        'customer_limit',
        'reserved',
      ]);
    });

    it('of a deleted promotion need no place', async () => {
      const id = await stage.create({ ...coupon, maxRedemptions: 1 });
      await reserve(id, 'o1', ASHA);
      await stage.remove(id);
      expect(await reserve(id, 'o2', ASHA)).to.equal('reserved');
    });

    it('never exceed the limits for 200 concurrent orders, some of them repeated', async () => {
      const id = await stage.create({ ...coupon, maxRedemptions: 50, maxPerCustomer: 2 });
      const orders = Array.from({ length: 200 }, (_, i) => ({ order: `o${i}`, phone: `+2526110000${i % 40}` }));
      const requested = [...orders, ...orders.slice(0, 20)];
      const answers = await Promise.all(requested.map(({ order, phone }) => reserve(id, order, phone)));
      const uses = await stage.uses(id);
      expect(uses).to.have.lengthOf(50);
      const won = new Set(requested.filter((_, i) => answers[i] === 'reserved').map(({ order }) => order));
      expect([...won].sort(), 'who was told so has the use').to.deep.equal([...uses].sort());
      const ofEach = uses.map((order) => orders.find((one) => one.order === order)!.phone);
      for (const phone of ofEach) expect(ofEach.filter((one) => one === phone).length, phone).to.be.at.most(2);
      await stage.shown();
      expect(await existing(HODAN)).to.equal('limit');
    });
  });

  describe('are released', () => {
    const used = async (code: string) => {
      const id = await stage.create({ ...coupon, code, maxRedemptions: 1 });
      return {
        id,
        async take(orderId: string) {
          if (await stage.commands.query(order, orderId, isPlaced))
            await stage.commands.decide(stage.by(), order, orderId, claimPromotions([id]));
          return reserve(id, orderId, ASHA);
        },
      };
    };

    it('when the order is cancelled before payment, all that it has', async () => {
      await stage.startProcessor();
      const orderId = await stage.order('asha1', ASHA);
      const [one, two] = [await used('ONE'), await used('TWO')];
      await one.take(orderId);
      await two.take(orderId);
      await stage.move(orderId, 'new', 'cancelled');
      await stage.quiet();
      expect([await stage.uses(one.id), await stage.uses(two.id)]).to.deep.equal([[], []]);
      expect(await one.take('another')).to.equal('reserved');
    });

    it('also if the service missed the cancellation', async () => {
      const orderId = await stage.order('asha1', ASHA);
      const { id, take } = await used('DOWN');
      await take(orderId);
      await stage.move(orderId, 'new', 'cancelled');
      await stage.startProcessor();
      await stage.quiet();
      expect(await stage.uses(id)).to.deep.equal([]);
    });
  });
});
