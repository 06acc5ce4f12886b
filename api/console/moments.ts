/** A store at different times: compared versions, a product step by step, and the price of a cart. */
import type { Viewer } from '../../application/console/access.js';
import { actorNames } from '../../application/console/actorNames.js';
import { documentSteps, streamsOf } from '../../application/console/documentSteps.js';
import { isOfStore, MOMENT_KINDS, type MomentKind, momentOf } from '../../application/console/moments.js';
import { quoteOf } from '../../application/console/quote.js';
import { shownValue } from '../../application/history/historyEntries.js';
import { defined } from '../../domain/defined.js';
import { MAX_LINES, MAX_QUANTITY } from '../../domain/pricing/pricing.js';
import { productId, products } from '../../projections/products.js';
import type { Services } from '../contract/services.js';
import { stepsBody } from './documents.js';
import { type ConsoleOperation, consoleRead, notFound, seesStore, textOf, timeOf, wholeOf, wrong } from './request.js';

const PAGE = 100;

/** Returns the store of the query. Members of a store may only query their own. */
async function storeOf({ directory }: Services, query: URLSearchParams, viewer: Viewer): Promise<string> {
  const requested = textOf(query, 'workspace')?.toLowerCase() ?? viewer.workspaceId ?? '';
  if (!seesStore(viewer, requested)) return notFound('store');
  return (await directory.workspace(requested)) === undefined ? notFound('store') : requested;
}

const kindOf = (query: URLSearchParams): MomentKind =>
  MOMENT_KINDS.find((one) => one === query.get('kind')) ?? wrong('kind', `must be one of ${MOMENT_KINDS.join(', ')}`);

/** `sku:2,other:1`. A product's id may hold a colon, its quantity not. */
function linesOf(query: URLSearchParams) {
  const lines = (query.get('lines') ?? '').split(',').filter((one) => one !== '');
  if (lines.length === 0 || lines.length > MAX_LINES) return wrong('lines', `must be 1 to ${MAX_LINES} lines`);
  return lines.map((line) => {
    const [, retailerId = '', digits] = /^(.+):(\d{1,2})$/.exec(line) ?? [];
    const quantity = Number(digits);
    if (retailerId === '' || !(quantity >= 1 && quantity <= MAX_QUANTITY))
      return wrong('lines', `must be ids with quantities of 1 to ${MAX_QUANTITY}, such as SKU-1:2`);
    return { retailerId, quantity };
  });
}

export const momentOperations = (services: Services): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getMoments',
    path: '/moments',
    async answer({ query, viewer }) {
      const workspaceId = await storeOf(services, query, viewer);
      const kind = kindOf(query);
      const id = textOf(query, 'id') ?? (kind === 'store' ? workspaceId : wrong('id', 'is needed'));
      const what = { kind, workspaceId, id };
      const from = timeOf(query, 'from') ?? wrong('from', 'is needed');
      const to = timeOf(query, 'to') ?? wrong('to', 'is needed');
      if (to < from) return wrong('to', 'must not be before from');
      const { eventStore } = services;
      if (!(await isOfStore(eventStore, what))) return notFound(kind);
      const moments = [];
      for (const at of [from, to]) {
        const { documents, bounded } = await momentOf(eventStore, what, at);
        const shown = shownValue(documents) as Readonly<Record<string, unknown>>;
        moments.push({ at: new Date(at).toISOString(), documents: shown, ...(bounded && { bounded: true as const }) });
      }
      return { kind, workspaceId, id, moments };
    },
  }),
  consoleRead({
    id: 'console.getProductSteps',
    path: '/product-steps',
    members: 'commerce:manage',
    async answer({ query, viewer }) {
      const workspaceId = await storeOf(services, query, viewer);
      const id = productId(workspaceId, textOf(query, 'product') ?? notFound('product'));
      const from = wholeOf(query, 'from') ?? 0;
      const streams = streamsOf(products, workspaceId);
      const found = await documentSteps(services.eventStore, { projection: products, id, streams, from, limit: PAGE });
      if (found.steps.length === 0 && found.before === undefined && !found.bounded) return notFound('product');
      const nameOf = await actorNames(
        services.reads,
        found.steps.map(({ event }) => event),
      );
      return stepsBody(products, { id, from, streams }, found, nameOf);
    },
  }),
  consoleRead({
    id: 'console.getQuote',
    path: '/quote',
    members: 'commerce:manage',
    async answer({ query, viewer, now }) {
      const workspaceId = await storeOf(services, query, viewer);
      const priced = await quoteOf(
        { commands: services.commandHandler, reads: services.reads },
        {
          ...{ workspaceId, lines: linesOf(query), customerPhone: textOf(query, 'phone') ?? '' },
          ...{ couponCode: textOf(query, 'coupon'), handover: textOf(query, 'area') },
          now: timeOf(query, 'at') ?? now,
        },
      );
      const { lines, leftOut, totals, discountReason, promotions, flashSales, passedOver, deliveryArea } = priced;
      return {
        ...{ lines, totals, leftOut: leftOut.map(({ retailerId, reason }) => ({ retailerId, reason })) },
        ...defined({ discountReason, promotions, flashSales, passedOver, deliveryArea }),
      };
    },
  }),
];
