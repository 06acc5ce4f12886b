import type { ListContext } from '../../application/numberLists/numberLists.js';
import { refuse } from '../../domain/decider.js';
import { numberLists } from '../../projections/numberLists.js';
import type { Request, RequestReads } from '../operation.js';

type OperationRequest = Pick<Request<Record<never, never>>, 'commands' | 'read' | 'workspace' | 'now' | 'newId'>;

/** What a change of lists works with. */
export const contextOf = ({ commands, read, workspace, now, newId }: OperationRequest): ListContext => ({
  commands,
  read,
  caughtUp: (categories) => read.caughtUp(categories),
  workspaceId: workspace.workspaceId,
  now,
  newId,
});

/** The list as the store sees it, or the end of the request: `not_found`, also for another store's. */
export async function listOf(read: RequestReads, workspaceId: string, listId: string) {
  const row = await read.get(numberLists, listId);
  if (row?.keys.workspaceId !== workspaceId) return refuse('not_found', 'The store has no such number list.');
  return row;
}
