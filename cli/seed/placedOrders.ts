/** Moves one order from the cart to its final state. A second run continues where the first one ended. */
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { Answer } from '../../client/src/client.js';
import { SuuqProblem } from '../../client/src/problems.js';
import type { Goal, SeedCustomer, SeedOrder } from './orders.js';
import type { SeedStage } from './seedStage.js';
import type { Terms } from './shop.js';

type Order = Answer<'getOrder'>;
type Customer = Pick<SeedCustomer, 'phone' | 'name'>;

/** The store, and what its customers may choose. */
export interface Shop {
  readonly stage: SeedStage;
  readonly terms: Terms;
}

const STATUSES = ['preparing', 'out_for_delivery', 'delivered'] as const;
const REASONS: Readonly<Partial<Record<Goal, string>>> = {
  cancelled: 'The customer changed their mind',
  refunded: 'Sold in the shop before it was packed',
};

const cartId = (stage: SeedStage, key: string): string => stage.messageId('cart', key);

/** Returns the id of the order of a cart, or undefined if the order is not readable yet. */
export async function orderIdFor(stage: SeedStage, phone: string, key: string): Promise<string | undefined> {
  const { client, workspaceId } = stage;
  const { orders } = await client.listOrders({ workspaceId, phone: `+${phone}` });
  const wamid = cartId(stage, key);
  return orders.find(({ id, conversationId = '' }) => orderIdOf(conversationId, wamid) === id)?.id;
}

/** Answers to the checkout form, as far as the store offers the choice. */
function answersOf({ phone, name }: Customer, { area, cash, coupon }: SeedOrder, terms: Terms): object {
  const { areas, pickup, wallet } = terms;
  const to = area !== undefined && areas.includes(area) ? area : areas[0];
  const handover =
    to === undefined || (area === undefined && pickup)
      ? { fulfilment: 'pickup' }
      : { fulfilment: 'delivery', area: to, address: `${to}, next to the market` };
  const paying = cash && terms.cash ? { wallet: 'cash' } : { wallet, wallet_phone: phone };
  return { name, ...handover, ...(coupon && { coupon }), ...paying };
}

/** Checks the order out. Returns the order. */
async function checkOut({ stage, terms }: Shop, customer: Customer, seed: SeedOrder, id: string): Promise<Order> {
  const { client, workspaceId } = stage;
  const { phone } = customer;
  const read = (): Promise<Order> => client.getOrder({ workspaceId, orderId: id });
  const before = await read();
  if (before.checkedOutAt !== undefined) return before;
  await stage.formFor(phone, id);
  const wamid = stage.messageId('checkout', seed.key);
  await stage.write(customer, { wamid, checkout: { flowToken: id, ...answersOf(customer, seed, terms) } });
  return stage.until(`the checkout of order ${before.number}`, async () => {
    const order = await read();
    return order.status === 'new' && order.checkedOutAt === undefined ? undefined : order;
  });
}

const isSettled = ({ status, events = [] }: Order): boolean =>
  status !== 'awaiting_payment' || events.some(({ kind }) => kind === 'payment_failed');

/** Does nothing if a user of the demo has moved the order in the meantime. */
async function tolerantly(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof SuuqProblem) || error.code !== 'order_status_not_allowed') throw error;
  }
}

/** Sets the intermediate statuses, then the requested one. */
async function moveTo(stage: SeedStage, orderId: string, goal: (typeof STATUSES)[number]): Promise<void> {
  const { client, workspaceId } = stage;
  for (const status of STATUSES.slice(0, STATUSES.indexOf(goal) + 1)) {
    const { nextStatuses } = await client.getOrder({ workspaceId, orderId });
    // An order that is picked up is never out for delivery.
    if (nextStatuses.includes(status))
      await tolerantly(client.setOrderStatus({ workspaceId, orderId, body: { status } }));
  }
}

async function cancel(stage: SeedStage, order: Order, goal: Goal): Promise<void> {
  const { client, workspaceId } = stage;
  const reason = REASONS[goal] ?? '';
  const orderId = order.id;
  if (order.nextStatuses.includes('cancelled'))
    await tolerantly(client.cancelOrder({ workspaceId, orderId, body: { reason } }));
  if (goal === 'refunded')
    await stage.until(`the refund of order ${order.number}`, async () => {
      const { status } = await client.getOrder({ workspaceId, orderId });
      return status === 'cancelled' ? undefined : status;
    });
}

/** Places the order and moves it to its final state. */
export async function makeOrder(shop: Shop, customer: Customer, seed: SeedOrder): Promise<void> {
  const { stage } = shop;
  const { client, workspaceId } = stage;
  const { key, goal, items, text } = seed;
  const find = () => orderIdFor(stage, customer.phone, key);
  if ((await find()) === undefined)
    await stage.write(customer, { wamid: cartId(stage, key), cart: { items, ...(text && { text }) } });
  const id = await stage.until('the order of a cart', find);
  if (goal === 'new') return;
  if (goal === 'cancelled') return cancel(stage, await client.getOrder({ workspaceId, orderId: id }), goal);
  await checkOut(shop, customer, seed, id);
  if (goal === 'checked_out') return;
  const order = await stage.until('the payment of an order', async () => {
    const now = await client.getOrder({ workspaceId, orderId: id });
    return isSettled(now) ? now : undefined;
  });
  if (goal === 'refunded') return cancel(stage, order, goal);
  if (goal === 'preparing' || goal === 'out_for_delivery' || goal === 'delivered') await moveTo(stage, id, goal);
}
