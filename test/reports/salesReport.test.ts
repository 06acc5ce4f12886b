import { expect } from 'chai';
import { salesReport } from '../../application/reports/salesReport.js';
import type { OrderEvent, OrderLine } from '../../domain/orders/orderEvents.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { type SalesSlot, salesSlots } from '../../projections/salesSlots.js';
import { recorded, SPEC_STORE } from '../support/spec/documentsAfter.js';

const line = (product: string, quantity: number, unitPriceCents = 10_00): OrderLine => ({
  ...{ productExternalId: product, retailerId: product, name: `The ${product}` },
  ...{ quantity, unitPriceCents },
});
const totalsOf = (lines: readonly OrderLine[], deliveryFeeCents = 0, discountCents = 0) => {
  const subtotalCents = lines.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0);
  return {
    subtotalCents,
    discountCents,
    deliveryFeeCents,
    totalCents: subtotalCents - discountCents + deliveryFeeCents,
  };
};
const placed = (...lines: OrderLine[]): OrderEvent => ({
  type: 'OrderPlaced',
  data: { number: 1, lines, totals: totalsOf(lines), currency: 'USD', customerPhone: '+252615550101' },
});
const checkedOut = (lines: readonly OrderLine[], feeCents: number, coupon = 0): OrderEvent => ({
  type: 'OrderCheckedOut',
  data: {
    ...{ fulfilment: 'delivery', requestLocation: false, totals: totalsOf(lines, feeCents, coupon) },
    ...(coupon > 0 && {
      lineDiscounts: [coupon],
      promotions: [{ ...{ promotionId: 'p1', kind: 'coupon', name: 'Eid' }, discountCents: coupon, combinable: false }],
    }),
  },
});
const moved = (from: OrderStatus, to: OrderStatus): OrderEvent => ({ type: 'OrderStatusChanged', data: { from, to } });
type OrderStatus = Extract<OrderEvent, { type: 'OrderStatusChanged' }>['data']['to'];

/** The report of a history whose events have times, in UTC. */
function reportOf(history: readonly (readonly [at: string, stream: string, event: OrderEvent])[], timeZone = 'UTC') {
  const views = new Map<string, View<SalesSlot> | undefined>();
  const events = recorded(history.map(([, stream, event]) => [stream, event]));
  for (const [n, event] of events.entries())
    foldEvent(salesSlots, views, { ...event, meta: { ...event.meta, at: `2026-${history[n]![0]}:00.000Z` } });
  const slots = [...views.values()]
    .filter((view) => view?.keys.workspaceId === SPEC_STORE)
    .map((view) => ({ start: Number(view!.keys.slot), sales: view!.body }))
    .sort((a, b) => a.start - b.start);
  return salesReport(slots, { timeZone, first: '2026-03-01', last: '2026-03-02' });
}

const shirts = [line('shirt', 2)];
const none = {
  ...{ placed: 0, checkedOut: 0, sold: 0, revenueCents: 0, deliveryFeeCents: 0, discountCents: 0 },
  ...{ returned: 0, returnedCents: 0, paymentFailures: 0 },
};

describe('a report of sales', () => {
  it('counts an order when it is placed, checked out and paid', () => {
    const { days, topProducts, promotions } = reportOf([
      ['03-01T10:00', 'order-1', placed(...shirts)],
      ['03-01T10:05', 'order-1', checkedOut(shirts, 1_00, 5_00)],
      ['03-01T10:05', 'order-1', moved('new', 'awaiting_payment')],
      ['03-02T00:10', 'order-1', moved('awaiting_payment', 'paid')],
      ['03-02T09:00', 'order-1', moved('paid', 'preparing')],
      ['03-02T10:00', 'order-1', moved('preparing', 'delivered')],
    ]);
    const sums = { sold: 1, revenueCents: 16_00, deliveryFeeCents: 1_00, discountCents: 5_00 };
    expect(days).to.deep.equal([
      { date: '2026-03-01', ...none, placed: 1, checkedOut: 1 },
      { date: '2026-03-02', ...none, ...sums },
    ]);
    expect(topProducts).to.deep.equal([
      { productExternalId: 'shirt', name: 'The shirt', quantity: 2, revenueCents: 15_00 },
    ]);
    expect(promotions).to.deep.equal([{ promotionId: 'p1', name: 'Eid', uses: 1, discountCents: 5_00 }]);
  });

  it('counts an order for cash when it is handed over', () => {
    const { days } = reportOf([
      ['03-01T10:00', 'order-1', placed(...shirts)],
      ['03-01T10:05', 'order-1', checkedOut(shirts, 0)],
      ['03-01T11:00', 'order-1', moved('new', 'preparing')],
      ['03-02T10:00', 'order-1', moved('preparing', 'delivered')],
    ]);
    expect(days.map(({ revenueCents }) => revenueCents)).to.deep.equal([0, 20_00]);
  });

  it('subtracts a sold order on the day of its cancellation, once', () => {
    const { days, topProducts, promotions } = reportOf([
      ['03-01T10:00', 'order-1', placed(...shirts)],
      ['03-01T10:00', 'order-2', placed(line('shirt', 1), line('cap', 1, 3_00))],
      ['03-01T10:05', 'order-1', checkedOut(shirts, 0, 5_00)],
      ['03-01T10:30', 'order-1', moved('awaiting_payment', 'paid')],
      ['03-01T10:31', 'order-2', moved('awaiting_payment', 'paid')],
      ['03-02T10:00', 'order-1', moved('paid', 'cancelled')],
      ['03-02T11:00', 'order-1', moved('cancelled', 'refunded')],
    ]);
    expect(
      days.map(({ revenueCents, returned, returnedCents }) => [revenueCents, returned, returnedCents]),
    ).to.deep.equal([
      [28_00, 0, 0],
      [0, 1, 15_00],
    ]);
    expect(topProducts.map(({ name, quantity, revenueCents }) => [name, quantity, revenueCents])).to.deep.equal([
      ['The shirt', 1, 10_00],
      ['The cap', 1, 3_00],
    ]);
    expect(promotions).to.deep.equal([]);
  });

  it('leaves out an order that was cancelled before it was paid', () => {
    const { days, topProducts } = reportOf([
      ['03-01T10:00', 'order-1', placed(...shirts)],
      ['03-01T11:00', 'order-1', moved('new', 'cancelled')],
    ]);
    expect(days[0]).to.deep.equal({ date: '2026-03-01', ...none, placed: 1 });
    expect(topProducts).to.deep.equal([]);
  });

  it('counts the remaining items of a repriced order', () => {
    const left = [line('shirt', 1)];
    const { days, topProducts } = reportOf([
      ['03-01T10:00', 'order-1', placed(line('shirt', 1), line('cap', 1))],
      ['03-01T10:05', 'order-1', { type: 'OrderRepriced', data: { lines: left, totals: totalsOf(left) } }],
      ['03-01T10:30', 'order-1', moved('awaiting_payment', 'paid')],
    ]);
    expect(days[0]!.revenueCents).to.equal(10_00);
    expect(topProducts.map(({ name }) => name)).to.deep.equal(['The shirt']);
  });

  it('counts products whose ids are names of Object members', () => {
    const { topProducts } = reportOf([
      ['03-01T10:00', 'order-1', placed(line('constructor', 1), line('__proto__', 2), line('constructor', 1))],
      ['03-01T10:30', 'order-1', moved('awaiting_payment', 'paid')],
    ]);
    expect(topProducts.map((product) => [product.productExternalId, product.quantity])).to.deep.equal([
      ['constructor', 2],
      ['__proto__', 2],
    ]);
  });

  it('counts by the days of the time zone', () => {
    const history = [
      ['02-28T20:59', 'order-1', placed(...shirts)],
      ['02-28T21:00', 'order-2', placed(...shirts)],
      ['03-01T20:59', 'order-3', placed(...shirts)],
      ['03-01T21:00', 'order-4', placed(...shirts)],
    ] as const;
    const { days } = reportOf(history.slice(1), 'Africa/Mogadishu');
    expect(days.map((day) => day.placed)).to.deep.equal([2, 1]);
  });
});
