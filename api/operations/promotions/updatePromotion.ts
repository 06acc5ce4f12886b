import { updatePromotion as update } from '../../../application/promotions/promotions.js';
import { fieldRules } from '../../../domain/promotions/promotionDefinition.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';
import { promotionOf } from './promotionJson.js';
import { PromotionBody, PromotionFields } from './schemas.js';

export const updatePromotion = operation({
  id: 'updatePromotion',
  route: 'PUT {C}/promotions/{promotionId}',
  summary: 'Replaces the whole promotion. Orders that are checked out keep their discount.',
  tag: 'Promotions',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { promotionId: Uuid },
  body: PromotionFields,
  rules: fieldRules,
  answers: { 200: PromotionBody },
  problems: ['not_found', 'coupon_code_taken'],
  async handle(request) {
    const { params, body, workspace, read, now } = request;
    const promotionId = params.promotionId.toLowerCase();
    await update(namesContext(request), promotionId, body);
    return { status: 200, body: await promotionOf(read, workspace.workspaceId, promotionId, now) };
  },
});
