/** Decisions of an order about its payments, in any order of events. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/decider.js';
import { checkOutOrder } from '../../domain/orders/checkout.js';
import {
  isPlaced,
  moveOrder,
  type Order,
  type OrderDecision,
  ofStore,
  order,
  type PlacedOrder,
} from '../../domain/orders/order.js';
import type { OrderEvent, OrderStatus } from '../../domain/orders/orderEvents.js';
import { MOVES } from '../../domain/orders/orderStatus.js';
import { cancelUnpaid } from '../../domain/orders/paymentDeadline.js';
import {
  announcePayment,
  beginPayment,
  MOST_ATTEMPTS,
  nextAttempt,
  payAgain,
  recordPaid,
  recordPaymentFailed,
  recordRefunded,
  refundsDue,
} from '../../domain/orders/paymentDecisions.js';
import { foldEvent } from '../../engine/projections/projection.js';
import { orders } from '../../projections/orders.js';
import { given, specMeta } from '../support/spec/given.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const ID = '00000000-0000-4000-8000-0000000000aa';
const meta = { ...specMeta, workspaceId: STORE };
const totals = { subtotalCents: 12_00, discountCents: 0, deliveryFeeCents: 1_50, totalCents: 13_50 };
const placed: OrderEvent = {
  type: 'OrderPlaced',
  data: {
    number: 7,
    lines: [{ productExternalId: 'P', retailerId: 'P', name: 'Dress', quantity: 1, unitPriceCents: 12_00 }],
    totals: { ...totals, deliveryFeeCents: 0, totalCents: 12_00 },
    currency: 'USD',
    customerPhone: '+252615550101',
  },
};
const checkout = { fulfilment: 'delivery' as const, totals, requestLocation: false };
const chosen = (messageId: string) => ({
  orderId: ID,
  wallet: 'zaad' as const,
  payer: '+252615550101',
  merchantId: 'M1',
  messageId,
});
const requested = (attempt: number, messageId: string): OrderEvent => ({
  type: 'OrderPaymentRequested',
  data: {
    attempt,
    reference: `${ID}.${attempt}`,
    wallet: 'zaad',
    payer: '+252615550101',
    amountCents: 13_50,
    merchantId: 'M1',
    messageId,
  },
});
const move = (from: OrderStatus, to: OrderStatus, note?: string): OrderEvent => ({
  type: 'OrderStatusChanged',
  data: { from, to, ...(note === undefined ? {} : { note }) },
});
const cancelled = (from: OrderStatus): OrderEvent => move(from, 'cancelled');
/** Payment requested at checkout. The prompt waits until the customer has received the total. */
const first = (event: OrderEvent): OrderEvent =>
  ({ ...event, data: { ...event.data, awaitsAnnouncement: true } }) as OrderEvent;
const waiting: OrderEvent[] = [
  placed,
  move('new', 'awaiting_payment'),
  { type: 'OrderCheckedOut', data: checkout },
  first(requested(1, 'm1')),
];
const started = (attempt: number): OrderEvent => ({ type: 'OrderPaymentBegun', data: { attempt } });
const failed = (attempt: number, reason: 'cancelled' | 'closed' | 'store_closed' | 'withdrawn'): OrderEvent => ({
  type: 'OrderPaymentFailed',
  data: { attempt, reason },
});
const arrived = (type: 'OrderPaid' | 'OrderPaymentSurplus', attempt: number): OrderEvent => ({
  type: type as 'OrderPaid',
  data: {
    attempt,
    transactionId: `t${attempt}`,
    amountCents: 13_50,
    ...((type === 'OrderPaid' ? { wallet: 'zaad' } : {}) as { wallet: 'zaad' }),
  },
});
const back = (attempt: number): OrderEvent => ({
  type: 'OrderRefunded',
  data: { attempt, refundId: `r${attempt}`, amountCents: 13_50 },
});

describe('payments of an order', () => {
  it('begin at the checkout if the store accepts them, for the price at that time', () => {
    given(order, placed)
      .when(checkOutOrder(checkout, chosen('m1')))
      .then(waiting.slice(1));
    given(order, placed)
      .when(checkOutOrder(checkout))
      .then([{ type: 'OrderCheckedOut', data: checkout }]);
    const free = { ...checkout, totals: { ...totals, discountCents: 13_50, totalCents: 0 } };
    given(order, placed)
      .when(checkOutOrder(free, chosen('m1')))
      .then([{ type: 'OrderCheckedOut', data: free }]);
  });

  it('are sent once, and not for an order that was closed in the meantime', () => {
    given(order, ...waiting)
      .when(beginPayment(1))
      .then([started(1)]);
    given(order, ...waiting, started(1))
      .when(beginPayment(1))
      .then([]);
    given(order, ...waiting)
      .when(beginPayment(2))
      .then([]);
    given(order, ...waiting, cancelled('awaiting_payment'))
      .when(beginPayment(1))
      .then([failed(1, 'closed')]);
  });

  it('may begin after the total was announced to the customer, which happens once', () => {
    const announced: OrderEvent = { type: 'OrderPaymentAnnounced', data: { attempt: 1 } };
    given(order, ...waiting)
      .when(announcePayment(1))
      .then([announced]);
    given(order, ...waiting, announced)
      .when(announcePayment(1))
      .then([]);
    const before = [...waiting.slice(0, 3), requested(1, 'm1')];
    given(order, ...before)
      .when(announcePayment(1))
      .then([]);
    given(order, ...waiting, announced, started(1), failed(1, 'cancelled'))
      .when(payAgain(chosen('m2'), 2))
      .then([requested(2, 'm2')]);
  });

  it('are withdrawn when the store records another payment: a later payment is refunded, and the order continues', () => {
    given(order, ...waiting, move('awaiting_payment', 'preparing'))
      .when(beginPayment(1))
      .then([failed(1, 'withdrawn')]);
    const taken = [...waiting, started(1), move('awaiting_payment', 'preparing')];
    given(order, ...taken)
      .when(recordPaid(1, 't1'))
      .then([arrived('OrderPaymentSurplus', 1)]);
    given(order, ...taken, arrived('OrderPaymentSurplus', 1))
      .when(recordRefunded(1, 'r1'))
      .then([back(1)]);
    given(order, ...taken)
      .when(payAgain(chosen('m2'), 2))
      .thenRefused('payment_not_open');
  });

  it('make the order paid, once', () => {
    const paid = [move('awaiting_payment', 'paid'), arrived('OrderPaid', 1)];
    given(order, ...waiting, started(1))
      .when(recordPaid(1, 't1'))
      .then(paid);
    given(order, ...waiting, started(1), ...paid)
      .when(recordPaid(1, 't1'))
      .then([]);
    given(order, ...waiting, started(1), ...paid)
      .when(recordPaymentFailed(1, 'cancelled'))
      .then([]);
  });

  it('may be retried after a failure, once for each form', () => {
    const after = [...waiting, started(1), failed(1, 'cancelled')];
    given(order, ...waiting)
      .when(payAgain(chosen('m2'), 2))
      .thenRefused('payment_not_open');
    given(order, ...after)
      .when(payAgain(chosen('m2'), 2))
      .then([requested(2, 'm2')]);
    given(order, ...after)
      .when(payAgain(chosen('m2'), 1))
      .thenRefused('payment_not_open');
    given(order, ...after, requested(2, 'm2'))
      .when(payAgain(chosen('m2'), 2))
      .then([]);
    given(order, ...after, requested(2, 'm2'))
      .when(payAgain(chosen('m3'), 2))
      .thenRefused('payment_not_open');
    given(order, ...after, cancelled('awaiting_payment'))
      .when(payAgain(chosen('m2'), 2))
      .thenRefused('payment_not_open');
  });

  it('end after twenty attempts', () => {
    const tries = Array.from({ length: MOST_ATTEMPTS }, (_, i) => [
      requested(i + 1, `m${i}`),
      failed(i + 1, 'cancelled'),
    ]);
    given(order, ...waiting.slice(0, 3), ...tries.flat())
      .when(payAgain(chosen('mx'), MOST_ATTEMPTS + 1))
      .thenRefused('payment_not_open');
  });

  it('delay the cancellation of an unpaid order while a prompt is open', () => {
    const minute = 60_000;
    const sentAt = Date.parse(specMeta.at);
    const cancelAt = (ms: number) => cancelUnpaid(sentAt + ms, sentAt + 5 * minute - 24 * 60 * minute, 24);
    given(order, ...waiting, started(1))
      .when(cancelAt(10 * minute - 1))
      .then([]);
    const events = given(order, ...waiting, started(1))
      .when(cancelAt(10 * minute))
      .events();
    expect(events[0]).to.have.nested.property('data.to', 'cancelled');
    const ended = given(order, ...waiting, started(1), failed(1, 'cancelled'))
      .when(cancelAt(5 * minute))
      .events();
    expect(ended[0]).to.have.nested.property('data.to', 'cancelled');
  });

  it('are refunded when a paid order is cancelled, and so is the order', () => {
    const paid = [...waiting, started(1), move('awaiting_payment', 'paid'), arrived('OrderPaid', 1)];
    given(order, ...paid)
      .when(recordRefunded(1, 'r1'))
      .then([]);
    given(order, ...paid, cancelled('paid'))
      .when(recordRefunded(1, 'r1'))
      .then([move('cancelled', 'refunded'), back(1)]);
    given(order, ...paid, cancelled('paid'), move('cancelled', 'refunded'), back(1))
      .when(recordRefunded(1, 'r1'))
      .then([]);
    given(order, ...paid, move('paid', 'preparing'), cancelled('preparing'))
      .when(recordRefunded(1, 'r1'))
      .then([move('cancelled', 'refunded'), back(1)]);
  });

  it('are refunded if they arrive after the cancellation, or in addition to another payment', () => {
    const late = [...waiting, started(1), cancelled('awaiting_payment')];
    given(order, ...late)
      .when(recordPaid(1, 't1'))
      .then([arrived('OrderPaymentSurplus', 1)]);
    given(order, ...late, arrived('OrderPaymentSurplus', 1))
      .when(recordRefunded(1, 'r1'))
      .then([move('cancelled', 'refunded', 'The payment came after the cancellation.'), back(1)]);
    const twice = [...waiting, started(1), failed(1, 'cancelled'), requested(2, 'm2'), started(2)];
    const second = [...twice, move('awaiting_payment', 'paid'), arrived('OrderPaid', 1)];
    given(order, ...twice)
      .when(recordPaid(1, 't1'))
      .then(second.slice(-2));
    given(order, ...second)
      .when(recordPaid(2, 't2'))
      .then([arrived('OrderPaymentSurplus', 2)]);
    given(order, ...second, arrived('OrderPaymentSurplus', 2))
      .when(recordRefunded(2, 'r2'))
      .then([back(2)]);
  });

  it('are not sent when the store accepts no orders, and can be retried later', () => {
    given(order, ...waiting)
      .when(beginPayment(1, { storeOpen: false }))
      .then([failed(1, 'store_closed')]);
    given(order, ...waiting, started(1))
      .when(beginPayment(1, { storeOpen: false }))
      .then([]);
    given(order, ...waiting, cancelled('awaiting_payment'))
      .when(beginPayment(1, { storeOpen: false }))
      .then([failed(1, 'closed')]);
    given(order, ...waiting, failed(1, 'store_closed'))
      .when(payAgain(chosen('m2'), 2))
      .then([requested(2, 'm2')]);
  });

  it('are refunded if they arrive when the store accepts no orders, and cancel their order', () => {
    const note =
      'The store stopped taking orders while the customer was paying; the payment goes back to the customer.';
    const surplus: OrderEvent = {
      type: 'OrderPaymentSurplus',
      data: { attempt: 1, transactionId: 't1', amountCents: 13_50, why: 'store_closed' },
    };
    const ended = [move('awaiting_payment', 'cancelled', note), surplus];
    given(order, ...waiting, started(1))
      .when(recordPaid(1, 't1', false))
      .then(ended);
    given(order, ...waiting, started(1), ...ended)
      .when(recordPaid(1, 't1', true))
      .then([]);
    given(order, ...waiting, started(1), ...ended)
      .when(recordRefunded(1, 'r1'))
      .then([
        move('cancelled', 'refunded', 'The store had stopped taking orders while the customer was paying.'),
        back(1),
      ]);
    given(order, ...waiting, started(1), cancelled('awaiting_payment'))
      .when(recordPaid(1, 't1', false))
      .then([arrived('OrderPaymentSurplus', 1)]);
  });
});

type Act =
  | 'check out'
  | 'send'
  | 'send and crash before'
  | 'approve'
  | 'decline'
  | 'look'
  | 'repeat'
  | 'pay again'
  | 'answer an old form'
  | 'cancel'
  | 'prepare'
  | 'close the store'
  | 'reopen the store'
  | 'give back'
  | 'give back and crash after';
const ACTS: readonly Act[] = [
  'check out',
  'send',
  'send and crash before',
  'approve',
  'decline',
  'look',
  'repeat',
  'pay again',
  'answer an old form',
  'cancel',
  'prepare',
  'close the store',
  'reopen the store',
  'give back',
  'give back and crash after',
];

/** A shop with one order, and a provider with its own books. */
class Shop {
  readonly events: OrderEvent[] = [placed];
  state: Order = order.evolve(order.initial(), { ...placed, meta });
  readonly books = new Map<string, { state: 'pending' | 'approved' | 'declined'; reversed: boolean; asked: number }>();
  storeOpen = true;
  /** Number of times the store has closed, and that number when each attempt was sent. */
  closings = 0;
  readonly sentAfter = new Map<number, number>();
  #messages = 0;

  get order(): PlacedOrder {
    return this.state as PlacedOrder;
  }

  decide(decision: OrderDecision): readonly OrderEvent[] {
    let events: readonly OrderEvent[];
    try {
      events = decision(this.state);
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
    for (const event of events) {
      this.events.push(event);
      this.state = order.evolve(this.state, { ...event, meta });
    }
    return events;
  }

  send(crash: boolean): void {
    for (const { attempt, reference } of this.order.payments) {
      const events = this.decide(beginPayment(attempt, { storeOpen: this.storeOpen }));
      const begins = events.some(({ type }) => type === 'OrderPaymentBegun');
      expect(begins && !this.storeOpen, 'a closed store asks nobody for money').to.equal(false);
      if (begins) this.sentAfter.set(attempt, this.closings);
      if (crash || !begins) continue;
      const known = this.books.get(reference);
      if (known === undefined) this.books.set(reference, { state: 'pending', reversed: false, asked: 1 });
      else known.asked += 1;
    }
  }

  customer(state: 'approved' | 'declined'): void {
    const pending = [...this.books.values()].find((one) => one.state === 'pending');
    if (pending !== undefined) pending.state = state;
  }

  /** Reads the provider's answers. `all` repeats answers that were already recorded. */
  poll(all: boolean): void {
    for (const { attempt, reference, standing, begunAt } of this.order.payments) {
      if (begunAt === undefined || (standing !== 'open' && !all)) continue;
      const found = this.books.get(reference)?.state;
      if (found === 'approved') {
        const openThroughout = this.storeOpen && this.sentAfter.get(attempt) === this.closings;
        const events = this.decide(recordPaid(attempt, `t${attempt}`, openThroughout));
        const paid = events.some(({ type }) => type === 'OrderPaid');
        expect(paid && !openThroughout, 'a store that closed meanwhile takes no money').to.equal(false);
      } else if (found !== 'pending') this.decide(recordPaymentFailed(attempt, found ? 'cancelled' : 'no_answer'));
    }
  }

  giveBack(crash: boolean): void {
    for (const { attempt, reference } of refundsDue(this.order)) {
      this.books.get(reference)!.reversed = true;
      if (!crash) this.decide(recordRefunded(attempt, `r${attempt}`));
    }
  }

  act(act: Act): void {
    const store = (to: OrderStatus) => ofStore(STORE, moveOrder('store', to));
    const message = `m${++this.#messages}`;
    const acts: Record<Act, () => void> = {
      'check out': () => this.decide(checkOutOrder(checkout, chosen(message))),
      send: () => this.send(false),
      'send and crash before': () => this.send(true),
      approve: () => this.customer('approved'),
      decline: () => this.customer('declined'),
      look: () => this.poll(false),
      repeat: () => this.poll(true),
      'pay again': () => this.decide(payAgain(chosen(message), nextAttempt(this.order) ?? 1)),
      'answer an old form': () => this.decide(payAgain(chosen(message), Math.max(1, this.order.payments.length - 1))),
      cancel: () => this.decide(store('cancelled')),
      prepare: () => this.decide(store('preparing')),
      'close the store': () => {
        if (this.storeOpen) this.closings += 1;
        this.storeOpen = false;
      },
      'reopen the store': () => {
        this.storeOpen = true;
      },
      'give back': () => this.giveBack(false),
      'give back and crash after': () => this.giveBack(true),
    };
    acts[act]();
  }

  /** Runs the processors until nothing is pending. */
  settle(approve: boolean): void {
    for (let round = 0; round < 3; round += 1) {
      this.send(false);
      for (const one of this.books.values()) if (one.state === 'pending') one.state = approve ? 'approved' : 'declined';
      this.poll(false);
      this.giveBack(false);
    }
  }
}

/** Expects the provider's charges to match the order's status. */
function inOrder(shop: Shop): void {
  const { status } = shop.order;
  const books = [...shop.books.values()];
  const current = books.filter(({ state, reversed }) => state === 'approved' && !reversed).length;
  expect(
    books.every(({ asked }) => asked === 1),
    'nobody is asked twice for one try',
  ).to.equal(true);
  const paid = shop.events.filter(({ type }) => type === 'OrderPaid').length;
  expect(paid).to.be.at.most(1);
  const retained = ['paid', 'preparing', 'out_for_delivery', 'delivered'].includes(status);
  // An order that the store was paid for in another way holds no charge either.
  expect(current, `charges held while ${status}`).to.equal(retained ? paid : 0);
  const returned = books.some(({ reversed }) => reversed);
  if (status === 'refunded') expect(returned, 'refunded means that money went back').to.equal(true);
  const inCash = shop.events.some(
    ({ type, data }) =>
      type === 'OrderStatusChanged' && 'from' in data && data.from === 'awaiting_payment' && data.to === 'preparing',
  );
  if (status === 'cancelled' && !inCash) expect(returned, 'a cancelled order owes nothing').to.equal(false);
  let at: OrderStatus = 'new';
  for (const event of shop.events) {
    if (event.type !== 'OrderStatusChanged') continue;
    expect(event.data.from, 'moves follow each other').to.equal(at);
    expect(
      MOVES.some(({ from, to }) => to === event.data.to && from.includes(at)),
      `${at} → ${event.data.to}`,
    ).to.equal(true);
    at = event.data.to;
  }
  expect(at).to.equal(status);
  const views = new Map();
  shop.events.forEach((event, revision) => {
    const more = { id: `e${revision}`, stream: `order-${ID}`, revision, position: revision, meta };
    foldEvent(orders, views, { ...event, ...more });
  });
  const { body } = views.get(ID)!;
  expect(body.status).to.equal(status);
  const failures = shop.events.filter(({ type }) => type === 'OrderPaymentFailed').length;
  expect(body.events.filter(({ kind }: { kind: string }) => kind === 'payment_failed')).to.have.length(failures);
}

describe('payments in any order of events', () => {
  it('never charge twice, never keep a surplus, and leave a consistent history', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTS), { maxLength: 40 }), fc.boolean(), (acts, approve) => {
        const shop = new Shop();
        for (const act of acts) shop.act(act);
        shop.settle(approve);
        expect(isPlaced(shop.state)).to.equal(true);
        inOrder(shop);
      }),
      { numRuns: 3_000 },
    );
  });

  it('reach each final state of the table', () => {
    const ends: [string, Act[]][] = [
      ['awaiting_payment', ['check out', 'send', 'decline', 'look']],
      ['paid', ['check out', 'send', 'decline', 'look', 'pay again', 'send', 'approve', 'look', 'repeat']],
      ['cancelled', ['check out', 'cancel', 'send']],
      ['refunded', ['check out', 'send', 'cancel', 'approve', 'look', 'give back and crash after', 'give back']],
      ['preparing', ['check out', 'send', 'approve', 'look', 'prepare', 'look']],
      ['preparing', ['check out', 'send', 'prepare', 'approve', 'look', 'give back', 'look']],
      ['refunded', ['check out', 'send', 'close the store', 'approve', 'look', 'reopen the store', 'give back']],
    ];
    for (const [status, acts] of ends) {
      const shop = new Shop();
      for (const act of acts) shop.act(act);
      expect(shop.order.status, acts.join(', ')).to.equal(status);
      inOrder(shop);
    }
  });
});
