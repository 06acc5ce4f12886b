/**
 * Flash sales in the channel catalog: at each start and end, and when an open sale is changed or deleted, its items get a pending push. The
 * push itself evaluates which sales are open (itemPrices.ts), so these tasks only schedule it. A superfluous task costs one push and
 * changes nothing.
 */

import { itemsRepriced } from '../../domain/catalog/catalogSync.js';
import type { EventMeta } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { exists, promotion } from '../../domain/promotions/promotion.js';
import { isOpen } from '../../domain/promotions/promotionDefinition.js';
import type { PromotionDefinition, PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';
import { catalogItems, itemId } from '../../projections/catalogItems.js';
import { productId, products } from '../../projections/products.js';
import { type ItemRow, isRemoval, syncedItem } from './itemRequests.js';
import { PUSH_VIEWS, type Push } from './pushContext.js';
import { duePush } from './pushTasks.js';

/** Scope of a sale. Empty: all items of the store. */
export interface SaleScope {
  readonly productExternalIds?: readonly string[];
  readonly categoryExternalIds?: readonly string[];
}

/** Items to price again: those in one of the scopes, or those with these ids. */
export interface RepricePayload {
  readonly workspaceId: string;
  readonly scopes?: readonly SaleScope[];
  readonly retailerIds?: readonly string[];
  /** Last item of the previous part. */
  readonly after?: string;
}

/** Start or end of a promotion. Its scope is read when the task is performed. */
export interface EdgePayload {
  readonly workspaceId: string;
  readonly promotionId: string;
  /** ms since 1970. */
  readonly at: number;
}

const scopeOf = ({ scope, productExternalIds, categoryExternalIds }: PromotionDefinition): SaleScope => {
  if (scope === 'products') return { productExternalIds };
  return scope === 'categories' ? { categoryExternalIds } : {};
};

const edgesOf = ({ startsAt, endsAt }: PromotionDefinition): number[] =>
  [startsAt, endsAt].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));

interface Happened {
  readonly id: string;
  readonly streamId: string;
  readonly meta: EventMeta;
}

/** Returns the timers of a sale and, if it is or was open at that time, a task for its items. */
function tasksOf(event: Happened, before: PromotionDefinition | undefined, after: PromotionDefinition | undefined) {
  const { id, streamId: promotionId, meta } = event;
  const { workspaceId } = meta;
  if (workspaceId === undefined) return [];
  const now = Date.parse(meta.at);
  const isSale = (one: PromotionDefinition | undefined) => one?.kind === 'flash_sale';
  const shown = [before, after].filter((one) => one !== undefined && isSale(one) && isOpen(one, now));
  const tasks: NewTask[] = [];
  if (shown.length > 0) {
    const payload: RepricePayload = { workspaceId, scopes: shown.map((one) => scopeOf(one!)) };
    tasks.push({ id: `sale/${id}`, kind: 'reprice', lane: workspaceId, payload });
  }
  if (after !== undefined && isSale(after) && after.active)
    for (const at of edgesOf(after).filter((edge) => edge > now)) {
      const payload: EdgePayload = { workspaceId, promotionId, at };
      tasks.push({ id: `edge/${promotionId}/${at}`, kind: 'edge', lane: workspaceId, dueAt: at, payload });
    }
  return tasks;
}

type Of<T extends PromotionEvent['type']> = Happened & Extract<PromotionEvent, { type: T }>;

/** Handlers of the catalog push for promotion events. */
export const onPromotions = {
  PromotionCreated: (event: Of<'PromotionCreated'>) => tasksOf(event, undefined, event.data.definition),
  PromotionRevised(event: Of<'PromotionRevised'>) {
    const { definition, before } = event.data;
    const known = Object.entries({ ...definition, ...before }).filter(([, value]) => value !== null);
    return tasksOf(event, Object.fromEntries(known) as unknown as PromotionDefinition, definition);
  },
  PromotionDeleted: (event: Of<'PromotionDeleted'>) => tasksOf(event, event.data.definition, undefined),
};

/** Handles the start or end of a sale, unless it was changed or deleted since: then its new times have timers of their own. */
export async function saleEdge(push: Push, { workspaceId, promotionId, at }: EdgePayload): Promise<Outcome> {
  const sale = await push.commands.query(promotion, promotionId, (state) =>
    exists(state) ? state.definition : undefined,
  );
  if (sale?.kind !== 'flash_sale' || !sale.active || !edgesOf(sale).includes(at)) return { done: true };
  const payload: RepricePayload = { workspaceId, scopes: [scopeOf(sale)] };
  return { done: true, next: [{ id: `${push.task.id}/items`, kind: 'reprice', lane: workspaceId, payload }] };
}

const PAGE = 500;
/** Maximum items per performance. */
const MOST_SEEN = 5_000;

/** Records that items have a pending push, a part at a time, then schedules the push. */
export async function reprice(push: Push, payload: RepricePayload): Promise<Outcome> {
  const { workspaceId, task, clock } = push;
  await push.caughtUp(PUSH_VIEWS);
  const { rows, after } = await partOf(push, payload);
  const pending = rows.filter((row) => row.body.active && !isRemoval(row) && row.keys.pending !== 'update');
  if (pending.length > 0)
    await push.record(itemsRepriced(pending.map(syncedItem)), 'repriced', task.id, payload.after ?? '');
  if (after !== undefined) return { again: { at: clock.now(), payload: { ...payload, after } } };
  return { done: true, next: [duePush(`${task.id}/owed`, workspaceId)] };
}

interface Part {
  readonly rows: readonly ItemRow[];
  /** Id to continue after. Undefined: this was the last part. */
  readonly after?: string;
}

/** Returns items in scope. Items of given products are looked up, items of a category are found by scanning all items of the store. */
async function partOf(push: Push, payload: RepricePayload): Promise<Part> {
  const { workspaceId, read } = push;
  const { scopes = [], retailerIds } = payload;
  if (retailerIds !== undefined) return { rows: await itemsNamed(push, retailerIds) };
  if (scopes.every((scope) => scope.productExternalIds !== undefined)) return productsPart(push, payload);
  const rows: ItemRow[] = [];
  let { after } = payload;
  for (let seen = 0; seen < MOST_SEEN; ) {
    const where = { where: { workspaceId }, ...(after !== undefined && { after: [after] }), limit: PAGE };
    const page: ItemRow[] = await read.find(catalogItems, where);
    rows.push(...page.filter(({ body }) => scopes.some((scope) => isAbout(scope, body))));
    seen += page.length;
    after = page.at(-1)?.id;
    if (page.length < PAGE || after === undefined) return { rows };
  }
  return { rows, ...defined({ after }) };
}

const isAbout = (
  { productExternalIds, categoryExternalIds }: SaleScope,
  { productExternalId, categoryExternalId }: ItemRow['body'],
): boolean => {
  if (productExternalIds !== undefined) return productExternalIds.includes(productExternalId);
  if (categoryExternalIds === undefined) return true;
  return categoryExternalId !== undefined && categoryExternalIds.includes(categoryExternalId);
};

/** Maximum products per performance. Each has at most 50 variants. */
const PRODUCTS = 50;

async function productsPart(push: Push, { scopes = [], after }: RepricePayload): Promise<Part> {
  const ids = [...new Set(scopes.flatMap(({ productExternalIds = [] }) => productExternalIds))].sort();
  const left = ids.filter((id) => after === undefined || id > after);
  const part = left.slice(0, PRODUCTS);
  const found = await push.read.getMany(
    products,
    part.map((id) => productId(push.workspaceId, id)),
  );
  const retailerIds = [...found.values()].flatMap(({ body }) =>
    body.variants.length === 0 ? [body.externalId] : body.variants.map(({ externalId }) => externalId),
  );
  const rows = await itemsNamed(push, retailerIds);
  return { rows, ...(left.length > part.length && { after: part.at(-1)! }) };
}

async function itemsNamed({ read, workspaceId }: Push, retailerIds: readonly string[]): Promise<readonly ItemRow[]> {
  const found = await read.getMany(
    catalogItems,
    retailerIds.map((id) => itemId(workspaceId, id)),
  );
  return [...found.values()];
}
