import { expect } from 'chai';
import type { DomainEvent } from '../../domain/decider.js';
import { definitionOf, type PromotionFields } from '../../domain/promotions/promotionDefinition.js';
import type { DefinitionBefore } from '../../domain/promotions/promotionEvents.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { automaticPromotions } from '../../projections/automaticPromotions.js';
import { numberListPhones, numberLists } from '../../projections/numberLists.js';
import { paidOrders } from '../../projections/paidOrders.js';
import { FOREVER, promotions } from '../../projections/promotions.js';
import { promotionUses } from '../../projections/promotionUses.js';
import { type Given, minute } from '../support/spec/givenEvents.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';

type Notice = Given;
const notify = (stream: string, type: string, data: object): Notice => ({ stream, type, data });
const given = (projection: AnyProjection, ...events: Notice[]) =>
  projectionSpec<object, DomainEvent>(projection, { meta: { workspaceId: SHOP } }).given(...events);

const fields: PromotionFields = { name: 'Eid', kind: 'coupon', code: 'Eid10', percentOff: 10 };
const created = (id: string, more: Partial<PromotionFields> = {}): Notice =>
  notify(`promotion-${id}`, 'PromotionCreated', { definition: definitionOf({ ...fields, ...more }) });
const revised = (id: string, more: Partial<PromotionFields>, before: DefinitionBefore): Notice =>
  notify(`promotion-${id}`, 'PromotionRevised', { definition: definitionOf({ ...fields, ...more }), before });
const deleted = (id: string, more: Partial<PromotionFields> = {}): Notice =>
  notify(`promotion-${id}`, 'PromotionDeleted', { definition: definitionOf({ ...fields, ...more }) });
const used = (id: string, orderId: string, type = 'PromotionRedeemed'): Notice =>
  notify(`promotion-${id}`, type, { orderId, customer: '+252611000001' });
const listed = (id: string, name: string, ...phones: string[]): Notice =>
  notify(`numberList-${id}`, 'NumberListCreated', { name, kind: 'uploaded', phones });

describe('promotions view', () => {
  it('counts redemptions, and has the keys that pricing searches', async () => {
    const used2 = [created('p1', { endsAt: '2026-04-01T00:00:00Z' }), used('p1', 'o1'), used('p1', 'o2')];
    const counted = given(promotions, ...used2, used('p1', 'o1', 'RedemptionGivenBack'));
    const { keys } = (await counted.documents()).p1!;
    expect(keys).to.deep.include({ workspaceId: SHOP, code: 'EID10', active: 1, definitionRevision: 0 });
    expect(keys.endsAt).to.equal(Date.parse('2026-04-01T00:00:00Z'));
    const times = { createdAt: minute(0), updatedAt: minute(0) };
    await counted.thenIncludes({ p1: { id: 'p1', code: 'Eid10', redemptions: 1, ...times } });
  });

  it('applies changes, and keeps its redemptions', async () => {
    const change = revised('p1', { kind: 'flash_sale', code: '' }, { kind: 'coupon', code: 'Eid10' });
    const { keys, body } = (await given(promotions, created('p1'), used('p1', 'o1'), change).documents()).p1!;
    expect(keys).to.deep.include({ code: null, endsAt: FOREVER, definitionRevision: 2 });
    expect(keys.createdAt).to.equal(Date.parse(minute(0)));
    expect(body).to.deep.include({
      ...{ kind: 'flash_sale', redemptions: 1 },
      ...{ createdAt: minute(0), updatedAt: minute(2) },
    });
    expect(body).to.not.have.property('code');
  });

  it('has no deleted ones', async () => {
    const left = await given(promotions, created('p1'), created('p2'), deleted('p1')).documents();
    expect(Object.keys(left)).to.deep.equal(['p2']);
  });
});

describe('automatic promotions view', () => {
  it("lists a store's promotions that apply automatically, with the revisions of their definitions", async () => {
    const sale = { kind: 'flash_sale', code: '' } as const;
    const names = (expected: object, ...more: Notice[]) => {
      const started = [
        created('p1', sale),
        created('p2', { ...sale, active: false }),
        created('p3', sale),
        created('p4'),
      ];
      return given(automaticPromotions, ...started, ...more).then({ [SHOP]: expected });
    };
    await names({ p1: 0, p3: 0 });
    const changes = [used('p1', 'o1'), revised('p1', { ...sale, name: 'x' }, { name: 'Eid' }), deleted('p3', sale)];
    await names({ p1: 2 }, ...changes);
    const more = [revised('p1', { ...sale, active: false }, { active: true }), revised('p2', sale, { active: false })];
    await names({ p2: 1 }, ...changes, ...more);
  });
});

describe('redemptions view', () => {
  it('has one per order, until it is released', async () => {
    const started = [created('p1'), used('p1', 'o1'), used('p1', 'o2')];
    const orders = async (...more: Notice[]) =>
      Object.values(await given(promotionUses, ...started, ...more).documents()).map(({ keys }) => keys.orderId);
    expect(await orders()).to.deep.equal(['o1', 'o2']);
    expect(await orders(used('p1', 'o1', 'RedemptionGivenBack'))).to.deep.equal(['o2']);
  });
});

describe('number lists view', () => {
  const use = (id: string, numberListId: string) => created(id, { numberListId });

  it('counts the promotions that use a list, through their changes', async () => {
    const usedBy = (l1: number, l2: number, ...more: Notice[]) => {
      const started = [listed('l1', 'VIP', '+252611000001'), listed('l2', 'Other'), use('p1', 'l1'), use('p2', 'l1')];
      return given(numberLists, ...started, ...more).thenIncludes({ l1: { usedBy: l1 }, l2: { usedBy: l2 } });
    };
    await usedBy(2, 0);
    const move = revised('p1', { numberListId: 'l2' }, { numberListId: 'l1' });
    await usedBy(1, 1, move);
    await usedBy(1, 1, move, revised('p1', { name: 'x', numberListId: 'l2' }, { name: 'Eid' }));
    await usedBy(0, 0, move, revised('p1', {}, { numberListId: 'l2' }), deleted('p2', { numberListId: 'l1' }));
  });

  it('shows a list after its changes', async () => {
    const change = notify('numberList-l1', 'NumberListRevised', {
      changes: { name: 'Best', kind: 'past_orders', minOrders: 3 },
      before: { name: 'VIP', kind: 'uploaded', minOrders: null },
      added: [],
      removed: ['+252611000001'],
    });
    await given(numberLists, listed('l1', 'VIP', '+252611000001'), change).then({
      l1: {
        ...{ id: 'l1', name: 'Best', kind: 'past_orders', minOrders: 3, size: 0, usedBy: 0 },
        ...{ createdAt: minute(0), updatedAt: minute(1) },
      },
    });
    const gone = notify('numberList-l1', 'NumberListDeleted', { name: 'Best' });
    await given(numberLists, listed('l1', 'VIP'), change, gone).then({});
  });

  it('stores the numbers separately, in their original order', () => {
    const change = notify('numberList-l1', 'NumberListRevised', {
      ...{ changes: {}, before: {}, added: ['+3'], removed: ['+1'] },
    });
    return given(numberListPhones, listed('l1', 'VIP', '+1', '+2'), change).then({ l1: ['+2', '+3'] });
  });
});

describe('paid orders view', () => {
  const placed = (id: string, customerPhone: string) => notify(`order-${id}`, 'OrderPlaced', { customerPhone });
  const moved = (id: string, from: string, to: string) => notify(`order-${id}`, 'OrderStatusChanged', { from, to });
  const paid = async (...events: Notice[]) => {
    const started = [placed('o1', '+252611000001'), placed('o2', '+252611000001'), placed('o3', '')];
    const found = Object.entries(await given(paidOrders, ...started, ...events).documents());
    return Object.fromEntries(found.map(([id, { keys }]) => [id, keys.paid]));
  };

  it('lists currently paid orders of customers with a number', async () => {
    expect(await paid(moved('o1', 'awaiting_payment', 'paid'))).to.deep.equal({ o1: 1, o2: 0 });
    expect(await paid(notify('order-o1', 'OrderPaid', {}))).to.deep.equal({ o1: 1, o2: 0 });
    const on = [moved('o1', 'awaiting_payment', 'paid'), moved('o1', 'paid', 'preparing')];
    expect(await paid(...on)).to.deep.equal({ o1: 1, o2: 0 });
    const inCash = [moved('o1', 'new', 'preparing'), moved('o1', 'preparing', 'out_for_delivery')];
    expect(await paid(...inCash), 'cash is paid when the goods are handed over').to.deep.equal({ o1: 0, o2: 0 });
    expect(await paid(...inCash, moved('o1', 'out_for_delivery', 'delivered'))).to.deep.equal({ o1: 1, o2: 0 });
    for (const end of ['cancelled', 'refunded']) expect((await paid(...on, moved('o1', '', end))).o1).to.equal(0);
  });
});
