import { closeStore } from '../../../domain/stores/store.js';
import { operation } from '../../contract/operation.js';
import { ExternalRef } from '../../contract/schemas.js';
import { changePartnerStore } from './changeStore.js';
import { StoreBody } from './schemas.js';

/** Closes a store: suspended, read-only, data retained. (Specification 2, 'States and transitions'.) */
export const closePartnerStore = operation({
  id: 'closePartnerStore',
  route: 'POST {P}/stores/{externalRef}/close',
  summary:
    "Closes one of the partner's stores: it becomes read-only and keeps its data. A repeated request changes nothing.",
  tag: 'Partner API',
  scope: 'partner.stores:manage',
  feature: 'workspace.core',
  params: { externalRef: ExternalRef },
  answers: { 200: StoreBody },
  problems: ['not_found', 'store_not_closable'],
  handle: (request) => changePartnerStore(request, request.params.externalRef, closeStore()),
});
