/** One of a partner's own references to its stores: makes it unique. Stream `partnerStore-{partnerId}.{hash of externalRef}`. */
import type { Aggregate, Decision } from '../decider.js';
import type { PartnerStoreEvent } from './partnerEvents.js';

// State ------------------------------------------------------------------------------------------------------------
/** The workspace the reference stands for; null: the reference is free. */
export type PartnerStore = { readonly workspaceId: string } | null;

export const partnerStore: Aggregate<PartnerStore, PartnerStoreEvent> = {
  name: 'partnerStore',
  initial: () => null,
  evolve: (_, { data }) => ({ workspaceId: data.workspaceId }),
};

// Decisions --------------------------------------------------------------------------------------------------------
/** The first workspace keeps the reference for ever. (Specification 2, 'Partner API', rule 1.) */
export const takeReference =
  (command: {
    partnerId: string;
    externalRef: string;
    workspaceId: string;
  }): Decision<PartnerStore, PartnerStoreEvent> =>
  (before) =>
    before === null ? [{ type: 'StoreReferenceTaken', data: command }] : [];
