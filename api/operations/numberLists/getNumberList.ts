import { numberListPhones } from '../../../projections/numberLists.js';
import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { listOf } from './lists.js';
import { NumberListBody } from './schemas.js';

export const getNumberList = operation({
  id: 'getNumberList',
  route: 'GET {C}/number-lists/{listId}',
  summary: 'One number list, with its numbers when they were uploaded.',
  tag: 'Number lists',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  params: { listId: Uuid },
  answers: { 200: NumberListBody },
  problems: ['not_found'],
  async handle({ params, workspace: { workspaceId }, read }) {
    const listId = params.listId.toLowerCase();
    const row = await listOf(read, workspaceId, listId);
    if (row.body.kind !== 'uploaded') return { status: 200, body: new Json(row.json) };
    const phones = (await read.get(numberListPhones, listId))?.json ?? '[]';
    return { status: 200, body: new Json(`${row.json.slice(0, -1)},"phones":${phones}}`) };
  },
});
