/** A cart and what becomes of it: left lying, cancelled, paid, tried again, given back, brought to the door. */
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { expireOrder } from '../../domain/orders/cartExpiry.js';
import { checkOutOrder } from '../../domain/orders/checkout.js';
import {
  isPlaced,
  moveOrder,
  type OrderDecision,
  ofStore,
  order,
  type PlacedOrder,
  placeOrder,
  recordNotified,
  recordNotNotified,
  recordSummarySent,
} from '../../domain/orders/order.js';
import { assignNumber, numberOf, orderNumbers } from '../../domain/orders/orderNumbers.js';
import type { StoreStatus } from '../../domain/orders/orderStatus.js';
import {
  announcePayment,
  beginPayment,
  type ChosenWallet,
  nextAttempt,
  payAgain,
  recordPaid,
  recordPaymentFailed,
  recordRefunded,
  refundsDue,
} from '../../domain/orders/paymentDecisions.js';
import { type Handover, priceCart, priceOrder } from '../../domain/pricing/pricing.js';
import type { Story } from './agenda.js';
import { type Chat, DAY, MINUTE, SECOND } from './chat.js';
import { FREE_ABOVE_CENTS } from './shop.js';
import { SOLD_OUT } from './wares.js';

/** How long the shops let the prices of a cart hold. */
const VALID_DAYS = 7;
const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

class Buying {
  readonly #chat: Chat;
  readonly #id: string;

  constructor(chat: Chat, id: string) {
    this.#chat = chat;
    this.#id = id;
  }

  get #state(): PlacedOrder {
    return this.#chat.ledger.query(order, this.#id, (state) => {
      if (isPlaced(state)) return state;
      throw new Error(`order ${this.#id} is not placed`);
    });
  }

  *summary(): Story {
    const { number, lines, totals } = this.#state;
    const list = lines.map((line) => `${line.quantity} × ${line.name}`).join('\n');
    const text = `Order ${number}\n${list}\nTotal ${money(totals.totalCents)}`;
    const { shop, ledger } = this.#chat;
    const form = { flowName: 'checkout', cta: 'Check out', token: this.#id, screen: 'CHECKOUT', data: {} };
    yield* this.#chat.send(
      {
        by: shop.by(),
        content: { type: 'flow', text, ...form },
        purpose: { kind: 'order_summary', orderId: this.#id },
      },
      (messageId, sent) => {
        if (sent) ledger.decide(shop.by(), order, this.#id, recordSummarySent(messageId));
      },
    );
  }

  /** Nobody answers: the service cancels it when its time is over. */
  *abandon(): Story {
    yield 30 * DAY + MINUTE;
    const { ledger, shop } = this.#chat;
    ledger.decide(shop.by(), order, this.#id, expireOrder(ledger.now, VALID_DAYS));
    ledger.forget(order, this.#id);
  }

  /** The form comes back. Answers how it is to be paid; undefined: in cash. */
  checkOut(): ChosenWallet | undefined {
    const { random, shop, customer, ledger } = this.#chat;
    const delivered = random.chance(0.75);
    const area = random.pick(shop.areas);
    const fields = { fulfilment: delivered ? 'delivery' : 'pickup', ...(delivered && { area: area.id }) };
    const messageId = this.#chat.receive({
      type: 'flow_reply',
      name: 'flow',
      fields: { ...fields, flow_token: this.#id },
    });
    const handover: Handover = delivered
      ? { fulfilment: 'delivery', areaFeeCents: area.feeCents, freeDeliveryAboveCents: FREE_ABOVE_CENTS }
      : { fulfilment: 'pickup' };
    const priced = priceOrder(this.#state.lines, handover, { promotions: [], now: ledger.now });
    const cash = !shop.takesWallets || random.chance(0.25);
    const wallet: ChosenWallet = {
      orderId: this.#id,
      wallet: random.pick(['evc_plus', 'zaad', 'sahal'] as const),
      payer: customer.phone,
      merchantId: shop.merchantId,
      messageId,
    };
    ledger.decide(
      this.#chat.byCustomer(),
      order,
      this.#id,
      checkOutOrder(
        {
          ...priced,
          ...(delivered
            ? {
                fulfilment: 'delivery',
                deliveryArea: area.name,
                deliveryAreaId: area.id,
                address: 'Behind the blue gate',
              }
            : { fulfilment: 'pickup' }),
          customerName: customer.name,
          requestLocation: false,
          messageId,
          ...defined({ payment: cash && shop.takesWallets ? ('cash' as const) : undefined }),
        },
        cash ? undefined : wallet,
      ),
    );
    shop.moved(this.#state.lines);
    return cash ? undefined : wallet;
  }

  /** Tries until one succeeds or the customer has enough. Answers whether the order is paid. */
  *pay(wallet: ChosenWallet): Generator<number, boolean, void> {
    const { random, shop, ledger } = this.#chat;
    const decide = (decision: OrderDecision): void => void ledger.decide(shop.by(), order, this.#id, decision);
    decide(announcePayment(1));
    for (let attempt = 1; ; attempt += 1) {
      yield random.between(1, 5) * SECOND;
      decide(beginPayment(attempt));
      yield random.between(5, 80) * SECOND;
      if (random.chance(0.85)) {
        decide(recordPaid(attempt, derivedId(this.#id, 'transaction', attempt)));
        return true;
      }
      decide(recordPaymentFailed(attempt, random.pick(['no_answer', 'insufficient_funds', 'wrong_pin'] as const)));
      const messageId = this.#chat.receive({ type: 'text', text: 'I shall try again' });
      if (random.chance(0.3) || nextAttempt(this.#state) === undefined) return false;
      yield random.between(1, 20) * MINUTE;
      ledger.decide(this.#chat.byCustomer(), order, this.#id, payAgain({ ...wallet, messageId }, attempt + 1));
    }
  }

  *move(to: StoreStatus, note?: string): Story {
    const { shop, ledger } = this.#chat;
    const by = shop.byMember();
    ledger.decide(by, order, this.#id, ofStore(shop.workspaceId, moveOrder('store', to, note)));
    const purpose = { kind: 'order_status', orderId: this.#id, status: to } as const;
    const text = `Your order ${this.#state.number} is ${to.replaceAll('_', ' ')}.`;
    yield* this.#chat.send({ by: shop.by(), content: { type: 'text', text }, purpose }, (messageId, sent) => {
      const reason = 'The channel could not deliver the message.';
      const reported = sent ? recordNotified(to, messageId) : recordNotNotified(to, messageId, reason);
      ledger.decide(shop.by(), order, this.#id, reported);
    });
  }

  /** The goods stay in the shop, and what was paid goes back. */
  *cancel(note: string): Story {
    const { shop, ledger, random } = this.#chat;
    yield* this.move('cancelled', note);
    shop.moved(this.#state.lines.map(({ retailerId, quantity }) => ({ retailerId, quantity: -quantity })));
    yield random.between(1, 30) * MINUTE;
    for (const { attempt } of refundsDue(this.#state))
      ledger.decide(shop.by(), order, this.#id, recordRefunded(attempt, derivedId(this.#id, 'refund', attempt)));
  }

  *deliver(): Story {
    const { random } = this.#chat;
    const isBrought = this.#state.fulfilment === 'delivery';
    yield random.between(2, 180) * MINUTE;
    yield* this.move('preparing');
    if (random.chance(0.02)) return yield* this.cancel('It was damaged in the store room');
    yield random.between(10, 240) * MINUTE;
    if (isBrought && random.chance(0.9)) {
      yield* this.move('out_for_delivery');
      yield random.between(15, 300) * MINUTE;
    }
    yield* this.move('delivered');
  }
}

/**
 * Sends a cart; if nothing in it is available, the customer sends a request. Returns the story that follows after the customer has left.
 */
export function* buy(chat: Chat): Generator<number, Story | undefined, void> {
  const { shop, customer, ledger, random } = chat;
  const cart = shop.cart(random);
  const { leftOut, ...priced } = priceCart(cart, shop.items, ledger.now, []);
  if (priced.lines.length === 0 || leftOut.length > 0) {
    chat.receive({ type: 'text', text: SOLD_OUT });
    return undefined;
  }
  const items = cart.map(({ retailerId, quantity }) => ({ productRetailerId: retailerId, quantity }));
  const { conversationId } = customer;
  const orderId = derivedId('order', chat.receive({ type: 'order', items }), conversationId);
  yield random.between(200, 900);
  const by = chat.byCustomer();
  ledger.decide(by, orderNumbers, shop.workspaceId, assignNumber(orderId));
  const number = ledger.query(orderNumbers, shop.workspaceId, numberOf(orderId))!;
  const who = { customerPhone: customer.phone, customerName: customer.name, conversationId };
  ledger.decide(by, order, orderId, placeOrder({ number, ...priced, currency: 'USD', ...who }));
  const buying = new Buying(chat, orderId);
  yield* buying.summary();
  if (random.chance(0.18)) return buying.abandon();
  yield random.between(1, 90) * MINUTE;
  const wallet = buying.checkOut();
  const isPaid = wallet === undefined || (yield* buying.pay(wallet));
  yield random.between(1, 10) * MINUTE;
  if (!isPaid) yield* buying.cancel('It was not paid');
  else if (random.chance(0.06)) yield* buying.cancel('Sold out; sorry');
  else yield* buying.deliver();
  ledger.forget(order, orderId);
  return undefined;
}
