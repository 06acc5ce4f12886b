import {
  createPromotion as create,
  type PromotionContext,
  deletePromotion as remove,
  updatePromotion as update,
} from '../../application/promotions/promotions.js';
import { refuse } from '../../domain/decider.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import { allRows } from '../../engine/projections/allRows.js';
import { type PromotionBody as Body, promotions } from '../../projections/promotions.js';
import { Json, listJson, type Operation, operation, type Request, type RequestReads } from '../operation.js';
import { Uuid } from '../schemas.js';
import { PromotionBody, PromotionFields, PromotionsBody } from './schemas.js';

const declared = { tag: 'Promotions', scope: 'commerce:manage', feature: 'commerce.orders' } as const;

/** Promotions of one store, past ones too; a further one is refused. */
const MOST_PROMOTIONS = 1_000;

type Asked = Pick<Request<Record<never, never>>, 'commands' | 'workspace' | 'now' | 'newId'>;
const contextOf = ({ commands, workspace, now, newId }: Asked): PromotionContext => ({
  commands,
  workspaceId: workspace.workspaceId,
  now,
  newId,
});

/** As it is answered at `now` (ms): `open` depends on the time. (Specification 1, 'States', Promotion.) */
function shown({ keys, json }: StoredDocument, now: number): string {
  const open = keys.active === 1 && now >= Number(keys.startsAt) && now < Number(keys.endsAt);
  return `{"open":${open},${json.slice(1)}`;
}

/** The promotion as the store sees it, or the end of the request: `not_found`, also for another store's. */
async function promotionOf(read: RequestReads, workspaceId: string, id: string, now: number): Promise<Json> {
  const row = await read.get<Body>(promotions, id);
  if (row?.keys.workspaceId !== workspaceId) return refuse('not_found', 'The store has no such promotion.');
  return new Json(shown(row, now));
}

/** (Specification 1, 'Promotions'.) */
export const listPromotions = operation({
  ...declared,
  id: 'listPromotions',
  route: 'GET {C}/promotions',
  summary: "All of the store's promotions, newest first.",
  answers: { 200: PromotionsBody },
  async handle({ workspace: { workspaceId }, read, now }) {
    const query = { where: { workspaceId }, sort: ['-createdAt'] };
    const rows = await allRows(read, promotions, query, 2 * MOST_PROMOTIONS);
    return { status: 200, body: listJson('promotions', { rows }, { row: (row) => shown(row, now) }) };
  },
});

export const createPromotion = operation({
  ...declared,
  id: 'createPromotion',
  route: 'POST {C}/promotions',
  summary: 'Creates a flash sale, a discount for the numbers of a list, or a coupon.',
  body: PromotionFields,
  answers: { 201: PromotionBody },
  problems: ['coupon_code_taken', 'promotion_limit_reached'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId, now } = request;
    const { workspaceId } = workspace;
    if ((await read.count(promotions, { workspaceId }, MOST_PROMOTIONS)) >= MOST_PROMOTIONS)
      refuse('promotion_limit_reached', `The store has ${MOST_PROMOTIONS} promotions; delete those that are over.`);
    const promotionId = newId('promotion');
    await create(contextOf(request), promotionId, body);
    return { status: 201, body: await promotionOf(read, workspaceId, promotionId, now) };
  },
});

export const getPromotion = operation({
  ...declared,
  id: 'getPromotion',
  route: 'GET {C}/promotions/{promotionId}',
  summary: 'One promotion.',
  params: { promotionId: Uuid },
  answers: { 200: PromotionBody },
  problems: ['not_found'],
  handle: async ({ params, workspace, read, now }) => ({
    status: 200,
    body: await promotionOf(read, workspace.workspaceId, params.promotionId.toLowerCase(), now),
  }),
});

export const updatePromotion = operation({
  ...declared,
  id: 'updatePromotion',
  route: 'PUT {C}/promotions/{promotionId}',
  summary: 'Replaces the whole promotion. Orders that are checked out keep their discount.',
  params: { promotionId: Uuid },
  body: PromotionFields,
  answers: { 200: PromotionBody },
  problems: ['not_found', 'coupon_code_taken'],
  async handle(request) {
    const { params, body, workspace, read, now } = request;
    const promotionId = params.promotionId.toLowerCase();
    await update(contextOf(request), promotionId, body);
    return { status: 200, body: await promotionOf(read, workspace.workspaceId, promotionId, now) };
  },
});

export const deletePromotion = operation({
  ...declared,
  id: 'deletePromotion',
  route: 'DELETE {C}/promotions/{promotionId}',
  summary: 'Deletes a promotion. Orders that used it keep their discount.',
  params: { promotionId: Uuid },
  answers: { 204: null },
  problems: ['not_found'],
  async handle(request) {
    await remove(contextOf(request), request.params.promotionId.toLowerCase());
    return { status: 204 };
  },
});

export const promotionOperations: readonly Operation[] = [
  listPromotions,
  createPromotion,
  getPromotion,
  updatePromotion,
  deletePromotion,
];
