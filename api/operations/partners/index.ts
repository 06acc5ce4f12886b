import type { Operation } from '../../contract/operation.js';
import { closePartnerStore } from './closePartnerStore.js';
import { createPartnerStore } from './createPartnerStore.js';
import { disablePartnerStoreMember } from './disablePartnerStoreMember.js';
import { getPartnerProfile } from './getPartnerProfile.js';
import { getPartnerStore } from './getPartnerStore.js';
import { listPartnerApiStores } from './listPartnerApiStores.js';
import { updatePartnerStore } from './updatePartnerStore.js';
import { updatePartnerStoreMember } from './updatePartnerStoreMember.js';

/** In the order of the reference. */
export const partnerOperations: readonly Operation[] = [
  getPartnerProfile,
  listPartnerApiStores,
  createPartnerStore,
  getPartnerStore,
  updatePartnerStore,
  closePartnerStore,
  updatePartnerStoreMember,
  disablePartnerStoreMember,
];
