import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/decider.js';
import { checkOutOrder, claimPromotions, repriceOrder } from '../../domain/orders/checkout.js';
import {
  moveOrder,
  type Order,
  ofStore,
  order,
  placeEmptyOrder,
  placeOrder,
  recordNotified,
  recordNotNotified,
  recordSummarySent,
  shareLocation,
} from '../../domain/orders/order.js';
import type { Fulfilment, OrderEvent, OrderStatus } from '../../domain/orders/orderEvents.js';
import { assignNumber, numberOf, orderNumbers, REMEMBERED } from '../../domain/orders/orderNumbers.js';
import {
  FIRST_STATUS,
  MOVES,
  type Mover,
  mayMove,
  nextStatuses,
  ORDER_STATUSES,
} from '../../domain/orders/orderStatus.js';
import { priceOrder } from '../../domain/pricing/pricing.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const line = { productExternalId: 'SHIRT', retailerId: 'SHIRT-M', name: 'Shirt', quantity: 2, unitPriceCents: 12_00 };
const placed: OrderEvent = {
  type: 'OrderPlaced',
  data: {
    number: 7,
    lines: [line],
    totals: { subtotalCents: 24_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 24_00 },
    currency: 'USD',
    customerPhone: '+252615550101',
    conversationId: '00000000-0000-4000-8000-0000000000c1',
  },
};
const checkOut = (fulfilment: Fulfilment = 'delivery', messageId = 'm1') =>
  checkOutOrder({
    fulfilment,
    customerName: 'Asha',
    requestLocation: fulfilment === 'delivery',
    messageId,
    ...priceOrder([line], fulfilment === 'pickup' ? { fulfilment } : { fulfilment, areaFeeCents: 2_50 }),
  });
const checkedOut = (fulfilment: Fulfilment = 'delivery'): OrderEvent => ({
  type: 'OrderCheckedOut',
  data: {
    fulfilment,
    totals: { subtotalCents: 24_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 24_00 },
    requestLocation: true,
    messageId: 'm1',
  },
});
const changed = (from: OrderStatus, to: OrderStatus): OrderEvent => ({
  type: 'OrderStatusChanged',
  data: { from, to },
});
/** Moves an order of this test's store, since `given` sets no workspace. */
const mine = (by: Mover, to: OrderStatus, note?: string) => (state: Order) =>
  state.status === 'absent' ? [] : moveOrder(by, to, note)(state);

describe('the order status table', () => {
  it('reaches every status, and contains no other', () => {
    const reached = new Set<OrderStatus>([FIRST_STATUS]);
    for (let size = 0; size !== reached.size; ) {
      size = reached.size;
      for (const { from, to } of MOVES) if (from.some((status) => reached.has(status))) reached.add(to);
    }
    expect([...reached].sort()).to.deep.equal([...ORDER_STATUSES].sort());
  });

  it('has no cycles: no sequence of changes returns to a status', () => {
    const walk = (status: OrderStatus, path: readonly OrderStatus[]): void => {
      expect(path).not.to.include(status);
      for (const { from, to } of MOVES) if (from.includes(status)) walk(to, [...path, status]);
    };
    walk(FIRST_STATUS, []);
  });

  const offers: [OrderStatus, { checkedOut: boolean; fulfilment?: Fulfilment }, OrderStatus[]][] = [
    ['new', { checkedOut: false }, ['cancelled']],
    ['new', { checkedOut: true, fulfilment: 'pickup' }, ['preparing', 'cancelled']],
    ['awaiting_payment', { checkedOut: true, fulfilment: 'delivery' }, ['preparing', 'cancelled']],
    ['paid', { checkedOut: true, fulfilment: 'delivery' }, ['preparing', 'cancelled']],
    ['preparing', { checkedOut: true, fulfilment: 'delivery' }, ['out_for_delivery', 'delivered', 'cancelled']],
    ['preparing', { checkedOut: true, fulfilment: 'pickup' }, ['delivered', 'cancelled']],
    ['out_for_delivery', { checkedOut: true, fulfilment: 'delivery' }, ['delivered', 'cancelled']],
    ['delivered', { checkedOut: true, fulfilment: 'delivery' }, []],
    ['cancelled', { checkedOut: true, fulfilment: 'delivery' }, []],
    ['refunded', { checkedOut: true, fulfilment: 'delivery' }, []],
  ];
  for (const [status, facts, next] of offers)
    it(`offers ${next.join(', ') || 'nothing'} from ${status} (${facts.fulfilment ?? 'not checked out'})`, () =>
      expect(nextStatuses(status, facts)).to.deep.equal(next));

  it('allows only checkout and payment to set their own statuses', () => {
    const facts = { checkedOut: true, fulfilment: 'delivery', paid: true } as const;
    expect(mayMove('checkout', 'new', 'awaiting_payment', facts)).to.equal(true);
    expect(mayMove('payment', 'awaiting_payment', 'paid', facts)).to.equal(true);
    expect(mayMove('payment', 'cancelled', 'refunded', facts)).to.equal(true);
    expect(mayMove('payment', 'cancelled', 'refunded', { ...facts, paid: false })).to.equal(false);
    for (const to of ['new', 'awaiting_payment', 'paid', 'refunded'] as const)
      for (const from of ORDER_STATUSES) expect(mayMove('store', from, to, facts), `${from} to ${to}`).to.equal(false);
  });
});

describe('an order', () => {
  // #region decision
  it('is placed once', () => {
    given(order).when(placeOrder(placed.data)).then([placed]);
    given(order, placed).when(placeOrder(placed.data)).then([]);
    given(order, placed).when(placeEmptyOrder(placed.data)).then([]);
  });
  // #endregion

  it('keeps its number and is cancelled when it has lost all its items', () => {
    const state = given(order).when(placeEmptyOrder(placed.data)).events();
    expect(stateAfter(order, state)).to.include({ status: 'cancelled', number: 7 });
  });

  it('is checked out once, priced with the fee, and stays new', () => {
    const [event] = given(order, placed).when(checkOut()).events();
    expect(event?.data).to.deep.include({ fulfilment: 'delivery', customerName: 'Asha', messageId: 'm1' });
    expect(event?.data).to.have.nested.property('totals.totalCents', 26_50);
    expect(event?.data).not.to.have.property('price');
    given(order, placed, checkedOut()).when(checkOut('pickup', 'm2')).then([]);
    given(order, placed, changed('new', 'cancelled')).when(checkOut()).thenRefused('order_status_not_allowed');
    given(order).when(checkOut()).thenRefused('not_found');
  });

  it('changes status with a note; the same change twice is rejected', () => {
    given(order, placed, checkedOut())
      .when(mine('store', 'preparing', 'by noon'))
      .then([{ type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing', note: 'by noon' } }]);
    const error = given(order, placed, checkedOut(), changed('new', 'preparing'))
      .when(mine('store', 'preparing'))
      .thenRefused('order_status_not_allowed');
    expect(error.message).to.include('Allowed statuses: out_for_delivery, delivered, cancelled.');
  });

  it('is refunded only if it was paid before it was cancelled', () => {
    const paid = [changed('new', 'awaiting_payment'), changed('awaiting_payment', 'paid')];
    given(order, placed, checkedOut(), ...paid, changed('paid', 'cancelled'))
      .when(mine('payment', 'refunded'))
      .then([changed('cancelled', 'refunded')]);
    given(order, placed, changed('new', 'cancelled'))
      .when(mine('payment', 'refunded'))
      .thenRefused('order_status_not_allowed');
  });

  it('is not found if it belongs to another store or does not exist', () => {
    const state = order.evolve(order.initial(), { ...placed, meta: { ...specMeta, workspaceId: STORE } });
    const cancel = moveOrder('store', 'cancelled');
    expect(ofStore(STORE, cancel)(state)).to.have.lengthOf(1);
    const other = '00000000-0000-4000-8000-000000000002';
    for (const refused of [() => ofStore(other, cancel)(state), () => ofStore(STORE, cancel)(order.initial())])
      expect(refused).to.throw(DomainError).with.property('code', 'not_found');
  });

  it('claims its promotions once, and keeps the terms of its last pricing', () => {
    const claimed: OrderEvent = { type: 'OrderPromotionsClaimed', data: { promotionIds: ['p1'] } };
    given(order, placed)
      .when(claimPromotions(['p1']))
      .then([claimed]);
    given(order, placed, claimed)
      .when(claimPromotions(['p1']))
      .then([]);
    given(order, placed, claimed)
      .when(claimPromotions(['p1', 'p2']))
      .then([{ type: 'OrderPromotionsClaimed', data: { promotionIds: ['p2'] } }]);
    given(order)
      .when(claimPromotions(['p1']))
      .then([]);
    const applied = { promotionId: 'p1', kind: 'number_list', name: 'List', discountCents: 4_00 } as const;
    const less = {
      totals: { subtotalCents: 24_00, discountCents: 4_00, deliveryFeeCents: 0, totalCents: 20_00 },
      promotions: [{ ...applied, amountOffCents: 4_00, combinable: false }],
    };
    const repriced: OrderEvent = { type: 'OrderRepriced', data: less };
    given(order, placed).when(repriceOrder(less)).then([repriced]);
    given(order, placed, repriced).when(repriceOrder(less)).then([]);
    given(order, placed, checkedOut()).when(repriceOrder(less)).then([]);
    expect(stateAfter(order, [placed, repriced])).to.deep.include(less);
    expect(stateAfter(order, [placed]), 'an order from before there were promotions').to.deep.include({
      promotions: [],
      claimed: new Set(),
    });
  });

  it('accepts a location only after a request, and corrections until it is on its way', () => {
    const [NOON, LATER] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:01:00.000Z'];
    const [point, corrected] = [
      { latitude: 2.03, longitude: 45.34 },
      { latitude: 2.04, longitude: 45.34 },
    ];
    const pin = (at: typeof point, receivedAt: string) => shareLocation(at, Date.parse(receivedAt));
    const shared: OrderEvent = { type: 'OrderLocationShared', data: { ...point, receivedAt: NOON } };
    const correction: OrderEvent = { type: 'OrderLocationShared', data: { ...corrected, receivedAt: LATER } };
    const requested = [placed, checkedOut()];
    const preparing = changed('new', 'preparing');
    given(order, placed).when(pin(point, NOON)).then([]);
    given(order, ...requested)
      .when(pin(point, NOON))
      .then([shared]);
    given(order, ...requested)
      .when(pin(point, '2026-03-01T08:00:00.000Z'))
      .then([]);
    given(order, ...requested, shared)
      .when(pin(point, LATER))
      .then([]);
    given(order, ...requested, preparing, shared)
      .when(pin(corrected, LATER))
      .then([correction]);
    given(order, ...requested, shared, correction)
      .when(pin(point, NOON))
      .then([]);
    for (const [from, to] of [
      ['preparing', 'out_for_delivery'],
      ['preparing', 'delivered'],
      ['preparing', 'cancelled'],
      ['cancelled', 'refunded'],
    ] as const)
      given(order, ...requested, preparing, changed(from, to))
        .when(pin(corrected, LATER))
        .then([]);
  });

  it('records the outcome of each message once, and a failure also after a success', () => {
    const sent: OrderEvent = { type: 'OrderSummarySent', data: { messageId: 's1' } };
    given(order, placed).when(recordSummarySent('s1')).then([sent]);
    given(order, placed, sent).when(recordSummarySent('s1')).then([]);
    const reported: OrderEvent = { type: 'CustomerNotified', data: { status: 'preparing', messageId: 'n1' } };
    given(order, placed, reported).when(recordNotified('preparing', 'n1')).then([]);
    const failed: OrderEvent = {
      type: 'CustomerNotNotified',
      data: { status: 'preparing', messageId: 'n1', reason: 'Outside the window.' },
    };
    given(order, placed, reported)
      .when(recordNotNotified('preparing', 'n1', 'Outside the window.'))
      .then([failed]);
    given(order, placed, reported, failed)
      .when(recordNotNotified('preparing', 'n1', 'Again.'))
      .then([]);
  });

  it('never goes back and never leaves its status table, for any sequence of commands', () =>
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        const events: OrderEvent[] = [placed];
        for (const step of steps) events.push(...decided(events, step));
        const moves = events.flatMap((event) => (event.type === 'OrderStatusChanged' ? [event.data.to] : []));
        expect(new Set(['new', ...moves]).size).to.equal(moves.length + 1);
        if (moves.includes('out_for_delivery'))
          expect(stateAfter(order, events)).to.have.property('fulfilment', 'delivery');
      }),
    ));
});

type Step = { by: Mover; to: OrderStatus } | Fulfilment;
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    by: fc.constantFrom<Mover>('store', 'checkout', 'payment', 'service'),
    to: fc.constantFrom(...ORDER_STATUSES),
  }),
  fc.constantFrom<Fulfilment>('delivery', 'pickup'),
);

/** Returns the events of a step, or none if the step is refused. Expects the one valid reason for a refusal. */
function decided(before: readonly OrderEvent[], step: Step): readonly OrderEvent[] {
  const decision = typeof step === 'string' ? checkOut(step) : mine(step.by, step.to);
  try {
    return decision(stateAfter(order, before));
  } catch (error) {
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'order_status_not_allowed');
    return [];
  }
}

describe('order numbers', () => {
  it('start at 1, and an order keeps its number', () => {
    const first = given(orderNumbers).when(assignNumber('a')).events();
    expect(first[0]?.data).to.deep.equal({ orderId: 'a', number: 1 });
    given(orderNumbers, ...first)
      .when(assignNumber('a'))
      .then([]);
    given(orderNumbers, ...first)
      .when(assignNumber('b'))
      .then([{ type: 'OrderNumberAssigned', data: { orderId: 'b', number: 2 } }]);
  });

  it('survive a snapshot of limited size', () => {
    const state = orderNumbers.initial();
    for (let number = 1; number <= REMEMBERED + 5; number++)
      orderNumbers.evolve(state, {
        type: 'OrderNumberAssigned',
        data: { orderId: `o${number}`, number },
        meta: specMeta,
      });
    expect(state.recent.size).to.equal(REMEMBERED);
    const reading = orderNumbers.snapshot!.read();
    for (const chunk of orderNumbers.snapshot!.write(state)) {
      expect(JSON.stringify(chunk).length).to.be.below(1_000_000);
      reading.add(JSON.parse(JSON.stringify(chunk)));
    }
    const restored = reading.done();
    expect(restored.last).to.equal(REMEMBERED + 5);
    expect(numberOf(`o${REMEMBERED}`)(restored)).to.equal(REMEMBERED);
    expect([...restored.recent]).to.deep.equal([...state.recent]);
  });
});
