import type { NamesContext } from '../../application/nameHolders.js';
import type { Request, RequestReads } from '../contract/operation.js';

type OperationRequest = Pick<Request<Record<never, never>>, 'commands' | 'read' | 'workspace' | 'now' | 'newId'>;

/** Returns the context of a change of promotions, number lists or templates, whose names are unique in their store. */
export const namesContext = ({
  commands,
  read,
  workspace,
  now,
  newId,
}: OperationRequest): NamesContext & { readonly read: RequestReads; newId(name: string): string } => ({
  commands,
  read,
  workspaceId: workspace.workspaceId,
  now,
  newId,
});
