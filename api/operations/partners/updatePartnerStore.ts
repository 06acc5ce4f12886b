import { changeStore } from '../../../domain/stores/store.js';
import { operation } from '../../contract/operation.js';
import { ExternalRef } from '../../contract/schemas.js';
import { changePartnerStore } from './changeStore.js';
import { StoreBody, StoreChangeBody } from './schemas.js';

/** Specification 2, 'Partner API' and 'States and transitions'. Works in a closed store: it is how one is reopened. */
export const updatePartnerStore = operation({
  id: 'updatePartnerStore',
  route: 'PATCH {P}/stores/{externalRef}',
  summary:
    "Renames one of the partner's stores, closes it (suspended) or reopens one that the partner closed (active).",
  tag: 'Partner API',
  scope: 'partner.stores:manage',
  feature: 'workspace.core',
  params: { externalRef: ExternalRef },
  body: StoreChangeBody,
  answers: { 200: StoreBody },
  problems: ['not_found', 'store_not_closable', 'store_not_reopenable'],
  handle: (request) => changePartnerStore(request, request.params.externalRef, changeStore(request.body)),
});
