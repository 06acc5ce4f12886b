import { expect } from 'chai';
import { expireOrder, firstExpiry, pricesHoldUntil, reprice } from '../../domain/orders/cartExpiry.js';
import { checkOutOrder } from '../../domain/orders/checkout.js';
import { order, type PlacedOrder } from '../../domain/orders/order.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { cancelEmptied } from '../../domain/orders/unavailableItems.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const DAY = 86_400_000;
const PLACED = Date.parse(specMeta.at);
const line = { productExternalId: 'SHIRT', retailerId: 'SHIRT', name: 'Shirt', quantity: 1, unitPriceCents: 12_00 };
const totals = (cents: number) => ({
  ...{ subtotalCents: cents, discountCents: 0, deliveryFeeCents: 0, totalCents: cents },
});
const placed: OrderEvent = {
  type: 'OrderPlaced',
  data: { number: 1, lines: [line], totals: totals(12_00), currency: 'USD', customerPhone: '+252615550101' },
};
const checkedOut: OrderEvent = {
  type: 'OrderCheckedOut',
  data: { fulfilment: 'pickup', totals: totals(12_00), requestLocation: false },
};
const cancelled = (data: object): OrderEvent => ({
  type: 'OrderStatusChanged',
  data: { from: 'new', to: 'cancelled', ...data },
});
const abandoned = (days: number) =>
  cancelled({ note: `Nobody checked it out within ${days} days.`, cause: 'abandoned' });
const at = (days: number): number => PLACED + days * DAY;

describe('an abandoned order', () => {
  it('is cancelled once, after 30 days or when its prices expire, and never if prices never expire', () => {
    expect(firstExpiry(PLACED)).to.equal(at(30));
    given(order, placed)
      .when(expireOrder(at(30) - 1, 7))
      .then([]);
    given(order, placed)
      .when(expireOrder(at(30), 7))
      .then([abandoned(30)]);
    given(order, placed)
      .when(expireOrder(at(30), 60))
      .then([]);
    given(order, placed)
      .when(expireOrder(at(60), 60))
      .then([abandoned(60)]);
    given(order, placed)
      .when(expireOrder(at(9_999), 0))
      .then([]);
    given(order, placed, abandoned(30))
      .when(expireOrder(at(31), 7))
      .then([]);
    given(order)
      .when(expireOrder(at(31), 7))
      .then([]);
  });

  it('is not cancelled after checkout, and cannot be checked out after cancellation', () => {
    given(order, placed, checkedOut)
      .when(expireOrder(at(31), 7))
      .then([]);
    given(order, placed, abandoned(30)).when(checkOutOrder(checkedOut.data)).thenRefused('order_status_not_allowed');
  });

  it('is cancelled when no item is left, only before checkout', () => {
    const emptied = cancelled({ note: 'Nothing in it could be ordered any more.', cause: 'nothing_left' });
    given(order, placed).when(cancelEmptied).then([emptied]);
    given(order, placed, checkedOut).when(cancelEmptied).then([]);
    given(order, placed, emptied).when(cancelEmptied).then([]);
  });

  it('is late when its prices have expired, counted from the newest prices', () => {
    const priced = { totals: totals(15_00), lines: [{ ...line, unitPriceCents: 15_00 }] };
    const repriced: OrderEvent = { type: 'OrderRepriced', data: { ...priced, fromCatalog: true } };
    given(order, placed).when(reprice(priced)).then([repriced]);
    given(order, placed, checkedOut).when(reprice(priced)).then([]);
    given(order, placed, abandoned(30)).when(reprice(priced)).then([]);
    const before = stateAfter(order, [placed]) as PlacedOrder;
    expect([pricesHoldUntil(before, 7), pricesHoldUntil(before), pricesHoldUntil(before, 0)]).to.deep.equal([
      at(7),
      at(7),
      undefined,
    ]);
    const later = { ...specMeta, at: new Date(at(8)).toISOString() };
    const after = order.evolve(before, { ...repriced, meta: later }) as PlacedOrder;
    expect(after).to.deep.include({ lines: priced.lines, totals: priced.totals });
    expect(pricesHoldUntil(after, 7)).to.equal(at(15));
  });
});
