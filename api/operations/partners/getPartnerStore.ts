import { Json, operation } from '../../contract/operation.js';
import { ExternalRef } from '../../contract/schemas.js';
import { findStore } from './findStore.js';
import { StoreBody } from './schemas.js';

/** Specification 2, 'Partner API'. */
export const getPartnerStore = operation({
  id: 'getPartnerStore',
  route: 'GET {P}/stores/{externalRef}',
  summary: "Reads one of the partner's stores.",
  tag: 'Partner API',
  scope: 'partner.stores:view',
  feature: 'workspace.core',
  params: { externalRef: ExternalRef },
  answers: { 200: StoreBody },
  problems: ['not_found'],
  async handle({ params, partner, read }) {
    const found = await findStore(read, partner, params.externalRef);
    return { status: 200, body: new Json(found.json) };
  },
});
