/** Context for changes of a store's members: seats and user ids. */

import type { Seats } from '../../domain/access/members.js';
import { refuse } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import type { Reads } from '../../engine/projections/reads.js';
import { plans } from '../../projections/plans.js';
import { stores } from '../../projections/stores.js';

/** Limit feature of a plan: maximum members with a seat. No limit if the plan does not contain it. */
const SEATS_FEATURE = 'workspace.seats.max';

/** Returns the seats of the store's plan. It is not cached, since a plan may change. Refuses `not_found`. */
export async function seatsOf(reads: Reads, workspaceId: string): Promise<Seats> {
  const store = await reads.get(stores, workspaceId);
  if (store === undefined) return refuse('not_found', `There is no store ${workspaceId}.`);
  const plan = await reads.get(plans, String(store.keys.planKey));
  return { most: plan?.body.features.find(({ key }) => key === SEATS_FEATURE)?.limit };
}

/** Id of the person with a partner's `sub`, the same in all stores of the partner. */
export const userOfPartner = (partnerId: string, sub: string): string => derivedId('user', partnerId, sub);

/** Id of the person with this email while no token has identified a user, the same in all stores. */
export const userWithEmail = (email: string): string => derivedId('user', email.toLowerCase());
