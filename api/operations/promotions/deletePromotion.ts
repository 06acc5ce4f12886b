import { deletePromotion as remove } from '../../../application/promotions/promotions.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';

export const deletePromotion = operation({
  id: 'deletePromotion',
  route: 'DELETE {C}/promotions/{promotionId}',
  summary: 'Deletes a promotion. Orders that used it keep their discount.',
  tag: 'Promotions',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { promotionId: Uuid },
  answers: { 204: null },
  problems: ['not_found'],
  async handle(request) {
    await remove(namesContext(request), request.params.promotionId.toLowerCase());
    return { status: 204 };
  },
});
