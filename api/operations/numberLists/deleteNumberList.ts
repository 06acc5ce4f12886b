import { deleteNumberList as remove } from '../../../application/numberLists/numberLists.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';

export const deleteNumberList = operation({
  id: 'deleteNumberList',
  route: 'DELETE {C}/number-lists/{listId}',
  summary: 'Deletes a list that no promotion uses.',
  tag: 'Number lists',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { listId: Uuid },
  answers: { 204: null },
  problems: ['not_found', 'promotion_in_use'],
  async handle(request) {
    await remove(namesContext(request), request.params.listId.toLowerCase());
    return { status: 204 };
  },
});
