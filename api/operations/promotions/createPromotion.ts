import { createPromotion as create } from '../../../application/promotions/promotions.js';
import { fieldRules } from '../../../domain/promotions/promotionDefinition.js';
import { operation } from '../../contract/operation.js';
import { namesContext } from '../namesContext.js';
import { promotionOf } from './promotionJson.js';
import { PromotionBody, PromotionFields } from './schemas.js';

export const createPromotion = operation({
  id: 'createPromotion',
  route: 'POST {C}/promotions',
  summary: 'Creates a flash sale, a discount for the numbers of a list, or a coupon.',
  tag: 'Promotions',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  body: PromotionFields,
  rules: fieldRules,
  answers: { 201: PromotionBody },
  problems: ['coupon_code_taken', 'promotion_limit_reached'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId, now } = request;
    const { workspaceId } = workspace;
    const promotionId = newId('promotion');
    await create(namesContext(request), promotionId, body);
    return { status: 201, body: await promotionOf(read, workspaceId, promotionId, now) };
  },
});
