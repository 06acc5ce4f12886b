/** What every change of a store's members needs to know beside the members themselves. */

import type { Seats } from '../../domain/access/members.js';
import { refuse } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import type { Reads } from '../../engine/projections/reads.js';
import { plans } from '../../projections/plans.js';
import { stores } from '../../projections/stores.js';

/** Limit feature of a plan: members with a seat that a store may have; no limit when the plan does not name it. */
const SEATS_FEATURE = 'workspace.seats.max';

/** What the store's plan allows now; read anew each time, since a plan may change. Refuses `not_found`. */
export async function seatsOf(reads: Reads, workspaceId: string): Promise<Seats> {
  const store = await reads.get(stores, workspaceId);
  if (store === undefined) return refuse('not_found', `There is no store ${workspaceId}.`);
  const plan = await reads.get(plans, String(store.keys.planKey));
  return { most: plan?.body.features.find(({ key }) => key === SEATS_FEATURE)?.limit };
}

/** The person that a partner's `sub` means: the same in all stores of the partner. */
export const userOfPartner = (partnerId: string, sub: string): string => derivedId('user', partnerId, sub);

/** The person with this email, as long as no token has named a user: the same in all stores. */
export const userWithEmail = (email: string): string => derivedId('user', email.toLowerCase());
