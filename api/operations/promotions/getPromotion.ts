import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { promotionOf } from './promotionJson.js';
import { PromotionBody } from './schemas.js';

export const getPromotion = operation({
  id: 'getPromotion',
  route: 'GET {C}/promotions/{promotionId}',
  summary: 'One promotion.',
  tag: 'Promotions',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { promotionId: Uuid },
  answers: { 200: PromotionBody },
  problems: ['not_found'],
  handle: async ({ params, workspace, read, now }) => ({
    status: 200,
    body: await promotionOf(read, workspace.workspaceId, params.promotionId.toLowerCase(), now),
  }),
});
