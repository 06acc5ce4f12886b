import { refuse } from '../../../domain/decider.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import { type PromotionBody as Body, promotions } from '../../../projections/promotions.js';
import { Json, type RequestReads } from '../../contract/operation.js';

/** As it is answered at `now` (ms): `open` depends on the time. (Specification 1, 'States', Promotion.) */
export function shown({ keys, json }: StoredDocument, now: number): string {
  const open = keys.active === 1 && now >= Number(keys.startsAt) && now < Number(keys.endsAt);
  return `{"open":${open},${json.slice(1)}`;
}

/** The promotion as the store sees it, or the end of the request: `not_found`, also for another store's. */
export async function promotionOf(read: RequestReads, workspaceId: string, id: string, now: number): Promise<Json> {
  const row = await read.get<Body>(promotions, id);
  if (row?.keys.workspaceId !== workspaceId) return refuse('not_found', 'The store has no such promotion.');
  return new Json(shown(row, now));
}
