/** Pages that may frame the console for a partner's users. */
import { hashOf } from '../../application/access/keys.js';
import type { Reads } from '../../engine/projections/reads.js';
import { apiKeys } from '../../projections/apiKeys.js';

/** Returns the origins of a publishable key; undefined: it is unknown or revoked. */
export async function originsOf(
  reads: Pick<Reads, 'get'>,
  publishableKey: string,
): Promise<readonly string[] | undefined> {
  const key = (await reads.get(apiKeys, hashOf(publishableKey)))?.body;
  if (key === undefined || key.kind !== 'publishable' || key.revokedAt !== undefined) return undefined;
  return key.origins ?? [];
}
