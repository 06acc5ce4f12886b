import type { Reads } from '../../engine/projections/reads.js';

/**
 * Scopes of a change, for readers that wait for it: its store, and all stores of its partner. A change of the partner itself, such as its
 * profile, affects all its stores.
 */
const storeScope = (workspaceId: string): string => `store ${workspaceId}`;
const partnerScope = (partnerId: string): string => `partner ${partnerId}`;
const partnersOwn = (partnerId: string | undefined): string => `partner's own ${partnerId}`;

export function changedScopes(workspaceId: string | undefined, partnerId: string | undefined): readonly string[] {
  const own = workspaceId === undefined ? partnersOwn(partnerId) : storeScope(workspaceId);
  return partnerId === undefined ? [own] : [own, partnerScope(partnerId)];
}

/** Scopes that a read waits for, without changes of other stores. Undefined: changes anywhere. */
export function readScopes(
  workspaceId: string | undefined,
  partnerId: string | undefined,
): readonly string[] | undefined {
  if (workspaceId !== undefined) return [storeScope(workspaceId), partnersOwn(partnerId)];
  return partnerId === undefined ? undefined : [partnerScope(partnerId)];
}

/** Returns queries about one store that do not wait for changes of others. */
export const readsOfStore = (reads: Reads, workspaceId: string): Reads =>
  reads.within?.({ scopes: [storeScope(workspaceId)] }) ?? reads;
