import { salesReport } from '../../../application/reports/salesReport.js';
import { addDays, dateIn, startOf } from '../../../application/reports/storeDays.js';
import { defined } from '../../../domain/defined.js';
import { ORDER_STATUSES } from '../../../domain/orders/orderStatus.js';
import { conversations } from '../../../projections/conversations.js';
import { orderRows } from '../../../projections/orders.js';
import { products } from '../../../projections/products.js';
import { SLOT_MS, salesSlots } from '../../../projections/salesSlots.js';
import { operation, type Request, type RequestReads, type Shape } from '../../contract/operation.js';
import { allBodies } from '../webhooks/endpointBodies.js';
import { StoreReportBody, StoreReportQuery } from './schemas.js';

const DEFAULT_DAYS = 28;
const MOST_DAYS = 92;
const MOST_ORDERS = 10_000;
const MOST_COUNTED = 1_000;
const DAY_MS = 86_400_000;

/** Counts orders that were placed in a range of time, in ms since 1970, by their present status. */
function countByStatus(read: RequestReads, workspaceId: string, { gte, lt }: { gte: number; lt: number }) {
  const fulfilment = { in: [null, 'delivery', 'pickup'] };
  return Promise.all(
    ORDER_STATUSES.map(async (status) => ({
      status,
      orders: await read.count(orderRows, { workspaceId, status, fulfilment, createdAt: { gte, lt } }, MOST_ORDERS),
    })),
  );
}

async function attentionOf(request: Pick<Request<Shape>, 'read' | 'services' | 'now' | 'workspace'>) {
  const { read, workspace } = request;
  const { workspaceId } = workspace;
  const waiting = { workspaceId, waitingSince: { gte: 1 } };
  const [waitingChats, [longest], rejectedItems, endpoints] = await Promise.all([
    read.count(conversations, waiting, MOST_COUNTED),
    read.find(conversations, { where: waiting, sort: ['waitingSince'], limit: 1 }),
    read.count(products, { workspaceId, syncStatus: 'rejected' }, MOST_COUNTED),
    allBodies(request, { workspaceId }),
  ]);
  return {
    waitingChats,
    ...defined({ waitingSince: longest && new Date(Number(longest.keys.waitingSince)).toISOString() }),
    rejectedItems,
    failingEndpoints: endpoints.filter((body) => 'failingSince' in body || body.disabledReason !== undefined).length,
  };
}

/** (An addition: what the people of a store see first.) */
export const getStoreReport = operation({
  id: 'getStoreReport',
  route: 'GET {C}/report',
  summary: 'Reads the sales of the last days and what needs attention.',
  tag: 'Orders',
  // Roles that see some teams only do not have it: the sums include orders of every team.
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  addition: 'An addition to the specification: figures that a store would otherwise add up from lists.',
  query: StoreReportQuery,
  answers: { 200: StoreReportBody },
  async handle(request) {
    const { query, read, now } = request;
    const { workspaceId, timezone } = request.workspace;
    const to = query.to ?? dateIn(timezone, now);
    const from = addDays(to, 1 - (query.days ?? DEFAULT_DAYS));
    const range = { gte: startOf(timezone, from), lt: startOf(timezone, addDays(to, 1)) };
    const rows = await read.find(salesSlots, {
      where: { workspaceId, slot: range },
      sort: ['slot'],
      // A day has 25 hours when clocks are set back.
      limit: ((MOST_DAYS + 1) * DAY_MS) / SLOT_MS,
    });
    const slots = rows.map(({ keys, body }) => ({ start: Number(keys.slot), sales: body }));
    const [ordersByStatus, attention] = await Promise.all([
      countByStatus(read, workspaceId, range),
      attentionOf(request),
    ]);
    const sales = salesReport(slots, { timeZone: timezone, first: from, last: to });
    return { status: 200, body: { from, to, timezone, currency: 'USD', ...sales, ordersByStatus, attention } };
  },
});
