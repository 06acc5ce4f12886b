import type { PartnerAccess } from '../../application/access/principal.js';
import { refuse } from '../../domain/decider.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { type StoreBody, stores } from '../../projections/stores.js';

/** The partner's store with this reference; `not_found` for a reference that only other partners have. */
export async function findStore(
  read: Reads,
  partner: PartnerAccess,
  externalRef: string,
): Promise<StoredDocument<StoreBody>> {
  const [found] = await read.find(stores, { where: { partnerId: partner.partnerId, externalRef }, limit: 1 });
  return found ?? refuse('not_found', `There is no store with the externalRef ${externalRef}.`);
}
