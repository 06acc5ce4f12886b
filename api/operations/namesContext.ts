import type { NamesContext } from '../../application/nameHolders.js';
import type { Request, RequestReads } from '../contract/operation.js';

type OperationRequest = Pick<Request<Record<never, never>>, 'commands' | 'read' | 'workspace' | 'now' | 'newId'>;

/** What a change works with of promotions, number lists or templates, which have names in their store. */
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
