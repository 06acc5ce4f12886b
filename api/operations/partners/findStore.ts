import { caughtUpStores } from '../../../application/access/caughtUpStores.js';
import type { PartnerAccess } from '../../../application/access/principal.js';
import { refuse } from '../../../domain/decider.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import { type StoreBody, stores } from '../../../projections/stores.js';
import type { RequestReads } from '../../contract/operation.js';

/**
 * Returns the partner's store with this reference. Refuses `not_found` for a reference that only other partners have, and
 * `unavailable` where the view is too late to know: another instance may just have made the store.
 */
export async function findStore(
  read: RequestReads,
  partner: PartnerAccess,
  externalRef: string,
): Promise<StoredDocument<StoreBody>> {
  const where = { partnerId: partner.partnerId, externalRef };
  const [found] = await caughtUpStores(read, 1, () => read.find(stores, { where, limit: 1 }));
  return found ?? refuse('not_found', `There is no store with the externalRef ${externalRef}.`);
}
