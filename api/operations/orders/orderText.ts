import type { WorkspaceAccess } from '../../../application/access/principal.js';
import { isClosedStore } from '../../../domain/stores/store.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import type { OrderRowBody } from '../../../projections/orders.js';

/**
 * An order's JSON as its store reads it: the stored text, passed on as it is. In a closed store `nextStatuses` names what
 * works there, which is `cancelOrder` alone; only then the text is parsed.
 */
export function orderText({ json }: Pick<StoredDocument, 'json'>, workspace: Pick<WorkspaceAccess, 'status'>): string {
  if (!isClosedStore(workspace)) return json;
  const body = JSON.parse(json) as OrderRowBody;
  return JSON.stringify({ ...body, nextStatuses: body.nextStatuses.filter((status) => status === 'cancelled') });
}
