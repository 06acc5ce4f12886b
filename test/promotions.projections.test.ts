import { expect } from 'chai';
import type { DomainEvent } from '../domain/decider.js';
import { derivedId } from '../domain/ids.js';
import { definitionOf, type PromotionFields } from '../domain/promotions/definition.js';
import type { DefinitionBefore } from '../domain/promotions/promotionEvents.js';
import type { RecordedEvent } from '../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../engine/projections/projection.js';
import { automaticPromotions } from '../projections/automaticPromotions.js';
import { numberListPhones, numberLists } from '../projections/numberLists.js';
import { paidOrders } from '../projections/paidOrders.js';
import { FOREVER, promotions } from '../projections/promotions.js';
import { promotionUses } from '../projections/promotionUses.js';
import { specMeta } from './support/given.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const at = (minute: number): string => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`;

type Told = readonly [stream: string, type: string, data: object];

/** A history, one event a minute; each stream counts its own revisions. */
function history(...told: Told[]): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return told.map(([stream, type, data], position): RecordedEvent => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const meta = { ...specMeta, at: at(position), workspaceId: SHOP };
    return { id: derivedId('event', position), stream, type, data, meta, revision, position };
  });
}

function views(projection: AnyProjection, events: readonly RecordedEvent[]): Map<string, View<unknown>> {
  const all = new Map<string, View<unknown> | undefined>();
  for (const event of events) foldEvent(projection, all, event);
  return new Map([...all].filter((entry): entry is [string, View<unknown>] => entry[1] !== undefined));
}
const bodies = (projection: AnyProjection, ...told: Told[]) =>
  Object.fromEntries([...views(projection, history(...told))].map(([id, { body }]) => [id, body]));

const fields: PromotionFields = { name: 'Eid', kind: 'coupon', code: 'Eid10', percentOff: 10 };
const created = (id: string, more: Partial<PromotionFields> = {}): Told => [
  `promotion-${id}`,
  'PromotionCreated',
  { definition: definitionOf({ ...fields, ...more }) },
];
const revised = (id: string, more: Partial<PromotionFields>, before: DefinitionBefore): Told => [
  `promotion-${id}`,
  'PromotionRevised',
  { definition: definitionOf({ ...fields, ...more }), before },
];
const deleted = (id: string, more: Partial<PromotionFields> = {}): Told => [
  `promotion-${id}`,
  'PromotionDeleted',
  { definition: definitionOf({ ...fields, ...more }) },
];
const used = (id: string, orderId: string, type = 'PromotionRedeemed'): Told => [
  `promotion-${id}`,
  type,
  { orderId, customer: '+252611000001' },
];
const listed = (id: string, name: string, ...phones: string[]): Told => [
  `numberList-${id}`,
  'NumberListCreated',
  { name, kind: 'uploaded', phones },
];

describe('promotions view', () => {
  it('counts uses, and keeps what pricing looks for among its keys', () => {
    const told = [created('p1', { endsAt: '2026-04-01T00:00:00Z' }), used('p1', 'o1'), used('p1', 'o2')];
    const { keys, body } = views(promotions, history(...told, used('p1', 'o1', 'RedemptionGivenBack'))).get('p1')!;
    expect(keys).to.deep.include({ workspaceId: SHOP, code: 'EID10', active: 1, definitionRevision: 0 });
    expect(keys.endsAt).to.equal(Date.parse('2026-04-01T00:00:00Z'));
    expect(body).to.deep.include({ id: 'p1', code: 'Eid10', redemptions: 1, createdAt: at(0), updatedAt: at(0) });
  });

  it('follows a change, with its uses', () => {
    const change = revised('p1', { kind: 'flash_sale', code: '' }, { kind: 'coupon', code: 'Eid10' });
    const { keys, body } = views(promotions, history(created('p1'), used('p1', 'o1'), change)).get('p1')!;
    expect(keys).to.deep.include({ code: null, endsAt: FOREVER, definitionRevision: 2 });
    expect(keys.createdAt).to.equal(Date.parse(at(0)));
    expect(body).to.deep.include({ kind: 'flash_sale', redemptions: 1, createdAt: at(0), updatedAt: at(2) });
    expect(body).to.not.have.property('code');
  });

  it('has none that is deleted', () => {
    expect(Object.keys(bodies(promotions, created('p1'), created('p2'), deleted('p1')))).to.deep.equal(['p2']);
  });
});

describe('automatic promotions view', () => {
  it('names those of a store that apply by themselves, with the revisions of their definitions', () => {
    const sale = { kind: 'flash_sale', code: '' } as const;
    const told = [created('p1', sale), created('p2', { ...sale, active: false }), created('p3', sale), created('p4')];
    expect(bodies(automaticPromotions, ...told)).to.deep.equal({ [SHOP]: { p1: 0, p3: 0 } });
    const changes = [used('p1', 'o1'), revised('p1', { ...sale, name: 'x' }, { name: 'Eid' }), deleted('p3', sale)];
    expect(bodies(automaticPromotions, ...told, ...changes)).to.deep.equal({ [SHOP]: { p1: 2 } });
    const more = [revised('p1', { ...sale, active: false }, { active: true }), revised('p2', sale, { active: false })];
    expect(bodies(automaticPromotions, ...told, ...changes, ...more)).to.deep.equal({ [SHOP]: { p2: 1 } });
  });
});

describe('number lists view', () => {
  const use = (id: string, numberListId: string) => created(id, { numberListId });

  it('counts the promotions that use a list, through their changes', () => {
    const told = [listed('l1', 'VIP', '+252611000001'), listed('l2', 'Other'), use('p1', 'l1'), use('p2', 'l1')];
    const usedBy = (...more: Told[]) =>
      Object.fromEntries(
        Object.entries(bodies(numberLists, ...told, ...more)).map(([id, body]) => [
          id,
          (body as { usedBy: number }).usedBy,
        ]),
      );
    expect(usedBy()).to.deep.equal({ l1: 2, l2: 0 });
    const move = revised('p1', { numberListId: 'l2' }, { numberListId: 'l1' });
    expect(usedBy(move)).to.deep.equal({ l1: 1, l2: 1 });
    expect(usedBy(move, revised('p1', { name: 'x', numberListId: 'l2' }, { name: 'Eid' }))).to.deep.equal({
      l1: 1,
      l2: 1,
    });
    expect(
      usedBy(move, revised('p1', {}, { numberListId: 'l2' }), deleted('p2', { numberListId: 'l1' })),
    ).to.deep.equal({
      l1: 0,
      l2: 0,
    });
  });

  it('shows a list as it is after its changes', () => {
    const change: Told = [
      'numberList-l1',
      'NumberListRevised',
      {
        changes: { name: 'Best', kind: 'past_orders', minOrders: 3 },
        before: { name: 'VIP', kind: 'uploaded', minOrders: null },
        added: [],
        removed: ['+252611000001'],
      },
    ];
    expect(bodies(numberLists, listed('l1', 'VIP', '+252611000001'), change)).to.deep.equal({
      l1: {
        ...{ id: 'l1', name: 'Best', kind: 'past_orders', minOrders: 3, size: 0, usedBy: 0 },
        ...{ createdAt: at(0), updatedAt: at(1) },
      },
    });
    const gone: Told = ['numberList-l1', 'NumberListDeleted', { name: 'Best' }];
    expect(bodies(numberLists, listed('l1', 'VIP'), change, gone)).to.deep.equal({});
  });

  it('keeps the numbers apart, in the order in which they came', () => {
    const change: Told = [
      'numberList-l1',
      'NumberListRevised',
      { changes: {}, before: {}, added: ['+3'], removed: ['+1'] },
    ];
    expect(bodies(numberListPhones, listed('l1', 'VIP', '+1', '+2'), change)).to.deep.equal({ l1: ['+2', '+3'] });
  });
});

describe('paid orders view', () => {
  const placed = (id: string, customerPhone: string): Told => [`order-${id}`, 'OrderPlaced', { customerPhone }];
  const moved = (id: string, from: string, to: string): Told => [`order-${id}`, 'OrderStatusChanged', { from, to }];
  const paid = (...told: Told[]) =>
    Object.fromEntries([...views(paidOrders, history(...told))].map(([id, { keys }]) => [id, keys.paid]));

  it('says which orders are paid now, of customers with a number', () => {
    const begun = [placed('o1', '+252611000001'), placed('o2', '+252611000001'), placed('o3', '')];
    expect(paid(...begun, moved('o1', 'awaiting_payment', 'paid'))).to.deep.equal({ o1: 1, o2: 0 });
    expect(paid(...begun, ['order-o1', 'OrderPaid', {}])).to.deep.equal({ o1: 1, o2: 0 });
    const on = [moved('o1', 'awaiting_payment', 'paid'), moved('o1', 'paid', 'preparing')];
    expect(paid(...begun, ...on)).to.deep.equal({ o1: 1, o2: 0 });
    const inCash = [moved('o1', 'new', 'preparing'), moved('o1', 'preparing', 'out_for_delivery')];
    expect(paid(...begun, ...inCash), 'cash is paid when the goods are handed over').to.deep.equal({ o1: 0, o2: 0 });
    expect(paid(...begun, ...inCash, moved('o1', 'out_for_delivery', 'delivered'))).to.deep.equal({ o1: 1, o2: 0 });
    for (const end of ['cancelled', 'refunded']) expect(paid(...begun, ...on, moved('o1', '', end)).o1).to.equal(0);
  });
});

describe('the views of promotions', () => {
  it('give the same documents when everything is folded twice', () => {
    const events = history(
      listed('l1', 'VIP', '+252611000001'),
      created('p1', { numberListId: 'l1' }),
      used('p1', 'o1'),
      used('p1', 'o2'),
      used('p1', 'o1', 'RedemptionGivenBack'),
      revised('p1', {}, { numberListId: 'l1' }),
      ['order-o1', 'OrderPlaced', { customerPhone: '+252611000001' }],
      ['order-o1', 'OrderStatusChanged', { from: 'awaiting_payment', to: 'paid' } satisfies DomainEvent['data']],
    );
    for (const projection of [
      automaticPromotions,
      promotions,
      promotionUses,
      numberLists,
      numberListPhones,
      paidOrders,
    ])
      expect(views(projection, [...events, ...events]), projection.name).to.deep.equal(views(projection, events));
  });
});
