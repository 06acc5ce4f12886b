import { fieldRules, updateNumberList as update } from '../../../application/numberLists/numberLists.js';
import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { namesContext } from '../namesContext.js';
import { listOf } from './lists.js';
import { NumberListBody, NumberListFields } from './schemas.js';

export const updateNumberList = operation({
  id: 'updateNumberList',
  route: 'PUT {C}/number-lists/{listId}',
  summary: 'Replaces the whole list, its numbers too.',
  tag: 'Number lists',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { listId: Uuid },
  body: NumberListFields,
  rules: fieldRules,
  answers: { 200: NumberListBody },
  problems: ['not_found', 'name_taken'],
  async handle(request) {
    const { params, body, workspace, read } = request;
    const listId = params.listId.toLowerCase();
    await update(namesContext(request), listId, body);
    return { status: 200, body: new Json((await listOf(read, workspace.workspaceId, listId)).json) };
  },
});
