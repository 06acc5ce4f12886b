import { listNames } from '../../../domain/numberLists/listNames.js';
import { allRows } from '../../../engine/projections/allRows.js';
import { numberLists } from '../../../projections/numberLists.js';
import { listJson, operation } from '../../contract/operation.js';
import { NumberListsBody } from './schemas.js';

/** (Specification 1, 'Number lists'.) */
export const listNumberLists = operation({
  id: 'listNumberLists',
  route: 'GET {C}/number-lists',
  summary: "All of the store's number lists by name, without their numbers.",
  tag: 'Number lists',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  answers: { 200: NumberListsBody },
  async handle({ workspace: { workspaceId }, read }) {
    const rows = await allRows(read, numberLists, { where: { workspaceId }, sort: ['nameKey'] }, 2 * listNames.most);
    return { status: 200, body: listJson('lists', { rows }) };
  },
});
