import { createNumberList as create, fieldRules } from '../../../application/numberLists/numberLists.js';
import { Json, operation } from '../../contract/operation.js';
import { namesContext } from '../namesContext.js';
import { listOf } from './lists.js';
import { NumberListBody, NumberListFields } from './schemas.js';

export const createNumberList = operation({
  id: 'createNumberList',
  route: 'POST {C}/number-lists',
  summary:
    'Creates a list of customer numbers. Repeated numbers count once; each invalid number is reported with its position.',
  tag: 'Number lists',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  body: NumberListFields,
  rules: fieldRules,
  answers: { 201: NumberListBody },
  problems: ['name_taken', 'number_list_limit_reached'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId } = request;
    const { workspaceId } = workspace;
    const listId = newId('numberList');
    await create(namesContext(request), listId, body);
    return { status: 201, body: new Json((await listOf(read, workspaceId, listId)).json) };
  },
});
