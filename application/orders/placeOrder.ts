/** Turns a customer's cart into an order. */

import { conversation } from '../../domain/channel/conversation.js';
import type { CartItem } from '../../domain/channel/conversationEvents.js';
import { teamOf } from '../../domain/channel/conversationRouting.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { isPlaced, order, placeEmptyOrder, placeOrder } from '../../domain/orders/order.js';
import { assignNumber, numberOf, orderNumbers } from '../../domain/orders/orderNumbers.js';
import { leftOutItems, noteOf } from '../../domain/pricing/leftOutItems.js';
import type { PricedCart } from '../../domain/pricing/pricing.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { hasAnswered, send } from '../channel/customerMessages.js';
import { text } from '../texts/texts.js';
import { nothingLeft } from './customerTexts.js';
import type { OrderDependencies } from './orderDependencies.js';
import { pricedNow } from './priceCart.js';

export interface Cart extends Cause {
  readonly conversationId: string;
  readonly channelMessageId: string;
  readonly items: readonly CartItem[];
  /** Parts of the cart that did not arrive, in words for the store. */
  readonly remark?: string;
  /** The customer's text with the cart. */
  readonly customerNote?: string;
  readonly phone?: string;
  readonly name?: string;
}

/** A cart's only id is the channel's message id, so that each delivery of it leads to the same order. */
export const orderIdOf = (conversationId: string, channelMessageId: string): string =>
  derivedId('order', channelMessageId, conversationId);

const DONE: Outcome = { done: true };

/** Returns the text key that refuses the cart regardless of its price. Undefined: none. */
function refusalOf({ items }: Cart, takesOrders: boolean) {
  if (!takesOrders) return 'orders.closed';
  return items.length === 0 ? 'orders.cartUnreadable' : undefined;
}

/**
 * Prices the cart from the store's catalog, assigns the store's next number and places the order. After a crash, each step finds the result
 * of the first performance: the same order id, its number, the order itself.
 */
export const placeCart =
  (dependencies: OrderDependencies) =>
  async (task: Task<Cart>, context: ProcessorContext): Promise<Outcome> => {
    const cart = task.payload;
    const { commands, clock } = context;
    const orderId = orderIdOf(cart.conversationId, cart.channelMessageId);
    if (await commands.query(order, orderId, isPlaced)) return DONE;
    // A customer who has read that there is no order gets none. If it has its number already, it is placed without items.
    const isRefused = await hasAnswered(context, task);
    if (isRefused && (await commands.query(orderNumbers, cart.workspaceId, numberOf(orderId))) === undefined)
      return DONE;
    const help = { kind: 'order_help' } as const;
    const locale = (await dependencies.storeOf(cart.workspaceId))?.locale ?? 'en';
    const refusal = refusalOf(cart, await dependencies.takesOrders(cart.workspaceId));
    if (refusal !== undefined) {
      await send({ dependencies, context, task }, cart, { type: 'text', text: text(locale, refusal) }, help);
      return DONE;
    }
    const items = isRefused ? [] : cart.items;
    const lines = items.map(({ productRetailerId, quantity }) => ({ retailerId: productRetailerId, quantity }));
    const { workspaceId } = cart;
    const customerPhone = cart.phone ?? '';
    const priced = await pricedNow(dependencies, { workspaceId, orderId, customerPhone, lines, now: clock.now() });
    const by: CommandContext = { ...context.contextFor(task, cart), actor: { type: 'customer' } };
    const empty = priced.lines.length === 0;
    if (empty) {
      await send({ dependencies, context, task }, cart, nothingLeft(locale, leftOutItems(priced.leftOut)), help);
      const numbered = await commands.query(orderNumbers, cart.workspaceId, numberOf(orderId));
      if (numbered === undefined) return DONE;
    }
    const number = await numberFor(orderId, cart.workspaceId, by, context);
    const place = empty ? placeEmptyOrder : placeOrder;
    const teamId = await commands.query(conversation, cart.conversationId, teamOf);
    await commands.decide(by, order, orderId, place(placement(cart, priced, number, teamId)));
    return DONE;
  };

async function numberFor(
  orderId: string,
  workspaceId: string,
  by: CommandContext,
  { commands }: ProcessorContext,
): Promise<number> {
  const { events } = await commands.decide(by, orderNumbers, workspaceId, assignNumber(orderId));
  const given = events[0]?.data.number ?? (await commands.query(orderNumbers, workspaceId, numberOf(orderId)));
  if (given === undefined) throw new Error(`order ${orderId} has no number`);
  return given;
}

function placement(cart: Cart, { leftOut, ...priced }: PricedCart, number: number, teamId: string | undefined) {
  const note = [noteOf(leftOut), cart.remark].filter((part) => part !== undefined).join(' ');
  return {
    number,
    ...priced,
    currency: 'USD' as const,
    customerPhone: cart.phone ?? '',
    ...defined({ customerName: cart.name }),
    conversationId: cart.conversationId,
    ...defined({ teamId, customerNote: cart.customerNote }),
    ...(note === '' ? {} : { note }),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOutItems(leftOut) }),
  };
}
