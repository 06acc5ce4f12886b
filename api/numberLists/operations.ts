import {
  createNumberList as create,
  type ListContext,
  deleteNumberList as remove,
  updateNumberList as update,
} from '../../application/numberLists/numberLists.js';
import { refuse } from '../../domain/decider.js';
import { allRows } from '../../engine/projections/allRows.js';
import { numberListPhones, numberLists } from '../../projections/numberLists.js';
import { Json, listJson, type Operation, operation, type Request, type RequestReads } from '../operation.js';
import { Uuid } from '../schemas.js';
import { NumberListBody, NumberListFields, NumberListsBody } from './schemas.js';

const declared = { tag: 'Number lists', scope: 'commerce:manage', feature: 'commerce.orders' } as const;

/** Lists of one store; a further one is refused. */
const MOST_LISTS = 500;

/** What changes of lists work with, of any of these requests. */
type Asked = Pick<Request<Record<never, never>>, 'commands' | 'workspace' | 'now' | 'newId'>;
const contextOf = ({ commands, workspace, now, newId }: Asked): ListContext => ({
  commands,
  workspaceId: workspace.workspaceId,
  now,
  newId,
});

/** The list as the store sees it, or the end of the request: `not_found`, also for another store's. */
async function listOf(read: RequestReads, workspaceId: string, listId: string) {
  const row = await read.get(numberLists, listId);
  if (row?.keys.workspaceId !== workspaceId) return refuse('not_found', 'The store has no such number list.');
  return row;
}

/** (Specification 1, 'Number lists'.) */
export const listNumberLists = operation({
  ...declared,
  id: 'listNumberLists',
  route: 'GET {C}/number-lists',
  summary: "All of the store's number lists by name, without their numbers.",
  answers: { 200: NumberListsBody },
  async handle({ workspace: { workspaceId }, read }) {
    const rows = await allRows(read, numberLists, { where: { workspaceId }, sort: ['nameKey'] }, 2 * MOST_LISTS);
    return { status: 200, body: listJson('lists', { rows }) };
  },
});

export const createNumberList = operation({
  ...declared,
  id: 'createNumberList',
  route: 'POST {C}/number-lists',
  summary: 'Creates a list of customer numbers. Repeated numbers count once; each bad number is told by its position.',
  body: NumberListFields,
  answers: { 201: NumberListBody },
  problems: ['name_taken', 'number_list_limit_reached'],
  idempotent: true,
  async handle(request) {
    const { body, workspace, read, newId } = request;
    const { workspaceId } = workspace;
    if ((await read.count(numberLists, { workspaceId }, MOST_LISTS)) >= MOST_LISTS)
      refuse('number_list_limit_reached', `The store has ${MOST_LISTS} number lists; delete one that is not needed.`);
    const listId = newId('numberList');
    await create(contextOf(request), listId, body);
    return { status: 201, body: new Json((await listOf(read, workspaceId, listId)).json) };
  },
});

export const getNumberList = operation({
  ...declared,
  id: 'getNumberList',
  route: 'GET {C}/number-lists/{listId}',
  summary: 'One number list, with its numbers when they were uploaded.',
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

export const updateNumberList = operation({
  ...declared,
  id: 'updateNumberList',
  route: 'PUT {C}/number-lists/{listId}',
  summary: 'Replaces the whole list, its numbers too.',
  params: { listId: Uuid },
  body: NumberListFields,
  answers: { 200: NumberListBody },
  problems: ['not_found', 'name_taken'],
  async handle(request) {
    const { params, body, workspace, read } = request;
    const listId = params.listId.toLowerCase();
    await update(contextOf(request), listId, body);
    return { status: 200, body: new Json((await listOf(read, workspace.workspaceId, listId)).json) };
  },
});

export const deleteNumberList = operation({
  ...declared,
  id: 'deleteNumberList',
  route: 'DELETE {C}/number-lists/{listId}',
  summary: 'Deletes a list that no promotion uses.',
  params: { listId: Uuid },
  answers: { 204: null },
  problems: ['not_found', 'promotion_in_use'],
  async handle(request) {
    await remove(contextOf(request), request.params.listId.toLowerCase());
    return { status: 204 };
  },
});

export const numberListOperations: readonly Operation[] = [
  listNumberLists,
  createNumberList,
  getNumberList,
  updateNumberList,
  deleteNumberList,
];
