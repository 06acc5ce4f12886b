import { derivedId } from '../../domain/ids.js';
import type { Fulfilment, OrderStatus } from '../../domain/orders/orderEvents.js';
import { nextStatuses, ORDER_STATUSES } from '../../domain/orders/orderStatus.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import { type OrderRowBody, orderRows } from '../../projections/orders.js';
import { loadBare, loadOurs } from '../support/bareLoads.js';
import { fillView } from '../support/fillView.js';
import { duringChanges } from '../support/otherStores.js';
import { deepQuery, readAgain } from '../support/pageReads.js';
import { comparedWithBare, type Figure } from '../support/report.js';
import { mustBe, onStage, type Stage, teach } from '../support/stage.js';

const ORDERS = 1_000_000;
const CUSTOMERS = 20_000;
/** Pages of 200 before a deep one: the list goes on from an order in its middle. */
const DEEP = 40;
const CHANGES_ELSEWHERE = 200;
const START = Date.parse('2025-01-01T00:00:00Z');
const APART_MS = 30_000;

const phoneOf = (n: number): string => `+25261${1_000_000 + ((n * 37) % CUSTOMERS)}`;
const timeOf = (n: number): string => new Date(START + n * APART_MS).toISOString();

/** Most orders are delivered; the others are in progress. */
function statusOf(n: number): OrderStatus {
  return n % 5 === 0 ? ORDER_STATUSES[(n / 5) % ORDER_STATUSES.length]! : 'delivered';
}

function rowOf(workspaceId: string, n: number): NewDocument {
  const status = statusOf(n);
  const fulfilment: Fulfilment | undefined = status === 'new' ? undefined : n % 4 === 0 ? 'pickup' : 'delivery';
  const body: OrderRowBody = {
    id: derivedId('bench order', n),
    number: n,
    status,
    nextStatuses: nextStatuses(status, { checkedOut: fulfilment !== undefined, fulfilment }),
    ...(fulfilment === undefined ? {} : { fulfilment, checkedOutAt: timeOf(n) }),
    currency: 'USD',
    subtotalCents: 24_00,
    discountCents: 2_40,
    deliveryFeeCents: 2_50,
    totalCents: 24_10,
    itemCount: 2,
    customerPhone: phoneOf(n),
    customerName: 'Asha Warsame',
    ...(fulfilment === 'delivery' ? { deliveryArea: 'Wadajir', address: 'The blue gate behind the market' } : {}),
    discountReason: 'Regulars',
    conversationId: derivedId('bench conversation', n % CUSTOMERS),
    createdAt: timeOf(n),
    updatedAt: timeOf(n),
  };
  const keys = {
    workspaceId,
    teamId: null,
    createdAt: START + n * APART_MS,
    status,
    fulfilment: fulfilment ?? null,
    phone: body.customerPhone,
    number: n,
  };
  return { id: body.id, keys, body, revision: n };
}

const page = async (stage: Stage, query: string): Promise<{ orders: unknown[]; next?: string; text: string }> => {
  const answer = await stage.call('GET', `${stage.commerce}/orders?limit=50${query}`);
  mustBe('listOrders', answer.status === 200, answer.text.slice(0, 500));
  return { ...(JSON.parse(answer.text) as { orders: unknown[]; next?: string }), text: answer.text };
};

const phone = encodeURIComponent(phoneOf(1));
const range = `&from=${timeOf(ORDERS * 0.3)}&to=${timeOf(ORDERS * 0.4)}`;

const QUERIES: readonly [name: string, query: string, deep?: 'deep'][] = [
  ['first page', ''],
  ['deep page', '', 'deep'],
  ['by status', '&status=paid'],
  ['by five statuses, deep page', '&status=new,paid,preparing,out_for_delivery,cancelled', 'deep'],
  ['by fulfilment, deep page', '&fulfilment=pickup', 'deep'],
  ['by customer', `&phone=${phone}`],
  ['by customer, status and fulfilment', `&phone=${phone}&status=delivered&fulfilment=delivery`],
  ['by time', range],
  ['by time, status and fulfilment, deep page', `${range}&status=delivered,paid&fulfilment=delivery`, 'deep'],
  ['by number', `&number=${ORDERS / 2}`],
];

/** Pages of 50 of a store with 1,000,000 orders, compared with a bare answer of the same bytes, while another store changes. */
export async function listOrders(): Promise<Figure[]> {
  return onStage(
    async (stage) => {
      const figures: Figure[] = [];
      const duringWrites = await duringChanges(stage, CHANGES_ELSEWHERE);
      for (const [name, requested, where] of QUERIES) {
        const query =
          where === undefined ? requested : await deepQuery(stage, `${stage.commerce}/orders`, requested, DEEP);
        const sample = await page(stage, query);
        mustBe(`listOrders ${name}`, sample.orders.length > 0, sample.text.slice(0, 300));
        await teach(stage, sample.text);
        const request = `${stage.commerce}/orders?limit=50${query}`;
        const ours = await duringWrites(() => loadOurs(stage, request, { seconds: 4 }));
        const bare = await loadBare(stage, { seconds: 4 });
        figures.push(comparedWithBare(`listOrders, 50 of 1,000,000, ${name}`, ours, bare, 0.9));
        if (requested !== '' || where !== undefined) continue;
        const path = `${stage.commerce}/orders?limit=50`;
        figures.push(...(await readAgain(stage, { name: `listOrders, ${name}`, path, bare, beside: duringWrites })));
      }
      return figures;
    },
    { prepare: (folder) => fillView(folder, orderRows, ORDERS, rowOf) },
  );
}
