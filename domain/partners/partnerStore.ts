/** A partner's own reference to a store, unique within the partner. Stream `partnerStore-{partnerId}.{hash of externalRef}`. */
import type { Aggregate, Decision } from '../decider.js';
import type { PartnerStoreEvent } from './partnerEvents.js';

// State ------------------------------------------------------------------------------------------------------------
/** Workspace of the reference. null: the reference is free. */
export type PartnerStore = { readonly workspaceId: string } | null;

export const partnerStore: Aggregate<PartnerStore, PartnerStoreEvent> = {
  name: 'partnerStore',
  initial: () => null,
  evolve: (_, { data }) => ({ workspaceId: data.workspaceId }),
};

// Decisions --------------------------------------------------------------------------------------------------------
/** Takes the reference. It belongs to the first workspace for ever. (Specification 2, 'Partner API', rule 1.) */
export const takeReference =
  (command: {
    partnerId: string;
    externalRef: string;
    workspaceId: string;
  }): Decision<PartnerStore, PartnerStoreEvent> =>
  (before) =>
    before === null ? [{ type: 'StoreReferenceTaken', data: command }] : [];
