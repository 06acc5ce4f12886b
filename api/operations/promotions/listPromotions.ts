import { promotionNames } from '../../../domain/promotions/promotionNames.js';
import { allRows } from '../../../engine/projections/allRows.js';
import { promotions } from '../../../projections/promotions.js';
import { listJson, operation } from '../../contract/operation.js';
import { shown } from './promotionJson.js';
import { PromotionsBody } from './schemas.js';

/** (Specification 1, 'Promotions'.) */
export const listPromotions = operation({
  id: 'listPromotions',
  route: 'GET {C}/promotions',
  summary: "All of the store's promotions, newest first.",
  tag: 'Promotions',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  answers: { 200: PromotionsBody },
  async handle({ workspace: { workspaceId }, read, now }) {
    const query = { where: { workspaceId }, sort: ['-createdAt'] };
    const rows = await allRows(read, promotions, query, 2 * promotionNames.most);
    return { status: 200, body: listJson('promotions', { rows }, { row: (row) => shown(row, now) }) };
  },
});
