/**
 * Fills a store with goods, offers, customers, orders and chats. Everything goes through the API and, as customers,
 * through the sandbox. Ids are derived from the store and the name of each
 * object, so that a run after a kill creates no duplicates.
 */
import { refuse } from '../../domain/decider.js';
import { CHATS } from './chats.js';
import { holdChat } from './conversations.js';
import { CUSTOMERS, LAST, type SeedCustomer } from './orders.js';
import { makeOrder, orderIdFor, type Shop } from './placedOrders.js';
import { CATEGORIES, PRODUCTS } from './products.js';
import { type SeedPlace, SeedStage } from './seedStage.js';
import { openShop, rejectedItem } from './shop.js';

/** Customers who act at the same time. More would slow down other requests to the service. */
const CONCURRENT = 3;

/** Number of objects of each kind in the store. */
export interface Seeded {
  readonly workspaceId: string;
  readonly products: number;
  readonly categories: number;
  readonly promotions: number;
  readonly orders: number;
  readonly conversations: number;
  readonly rejectedItems: number;
  readonly failingWebhooks: number;
}

/** Processes a list with a few workers. The first failure stops all of them. */
async function eachOf<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...list];
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined && !failed; one = rest.shift()) {
      try {
        await work(one);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

const ordersOf =
  (shop: Shop) =>
  async (customer: SeedCustomer): Promise<void> => {
    for (const order of customer.orders) await makeOrder(shop, customer, order);
  };

/** Fills the store. Refuses with `already_seeded`, `not_in_time` or a code of the API. Rejects with the signal's reason. */
export async function seedStore(place: SeedPlace): Promise<Seeded> {
  const stage = new SeedStage(place);
  const [last] = LAST.orders;
  if ((await orderIdFor(stage, LAST.phone, last!.key)) !== undefined)
    return refuse('already_seeded', `Store ${place.workspaceId} has the demo's goods and orders already.`);
  const now = Date.now();
  const shop = { stage, terms: await openShop(stage, now) };
  await eachOf(CHATS, (chat) => holdChat(stage, chat, now));
  await eachOf(CUSTOMERS, ordersOf(shop));
  await rejectedItem(stage);
  await ordersOf(shop)(LAST);
  const all = [...CUSTOMERS, LAST];
  return {
    workspaceId: place.workspaceId,
    products: PRODUCTS.length,
    categories: CATEGORIES.length,
    promotions: 3,
    orders: all.reduce((sum, { orders }) => sum + orders.length, 0),
    conversations: all.length + CHATS.length,
    rejectedItems: 1,
    failingWebhooks: 1,
  };
}
