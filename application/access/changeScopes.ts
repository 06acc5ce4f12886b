import type { Reads } from '../../engine/projections/reads.js';

/**
 * Where a change counts for those who read after it: in its store, and in all that its partner sees. What a partner changes
 * without a store, such as its profile, counts in all its stores.
 */
const storeScope = (workspaceId: string): string => `store ${workspaceId}`;
const partnerScope = (partnerId: string): string => `partner ${partnerId}`;
const partnersOwn = (partnerId: string | undefined): string => `partner's own ${partnerId}`;

export function changedScopes(workspaceId: string | undefined, partnerId: string | undefined): readonly string[] {
  const own = workspaceId === undefined ? partnersOwn(partnerId) : storeScope(workspaceId);
  return partnerId === undefined ? [own] : [own, partnerScope(partnerId)];
}

/** What a read waits for, without what other stores change. Undefined: changes anywhere. */
export function readScopes(
  workspaceId: string | undefined,
  partnerId: string | undefined,
): readonly string[] | undefined {
  if (workspaceId !== undefined) return [storeScope(workspaceId), partnersOwn(partnerId)];
  return partnerId === undefined ? undefined : [partnerScope(partnerId)];
}

/** Queries about one store that do not wait for what others change. */
export const readsOfStore = (reads: Reads, workspaceId: string): Reads =>
  reads.within?.({ scopes: [storeScope(workspaceId)] }) ?? reads;
