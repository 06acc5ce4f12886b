import { refuse } from '../../../domain/decider.js';
import { numberLists } from '../../../projections/numberLists.js';
import type { RequestReads } from '../../contract/operation.js';

/** The list as the store sees it, or the end of the request: `not_found`, also for another store's. */
export async function listOf(read: RequestReads, workspaceId: string, listId: string) {
  const row = await read.get(numberLists, listId);
  if (row?.keys.workspaceId !== workspaceId) return refuse('not_found', 'The store has no such number list.');
  return row;
}
