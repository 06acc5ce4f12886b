/** Access by session tokens, and the exchange of user tokens for sessions. */
import type { AccessDirectory, CurrentMember, Principal, WorkspaceAccess } from '../../application/access/principal.js';
import type { UsedTokens } from '../../application/access/usedTokens.js';
import type { UserTokens, VerifiedUser } from '../../application/access/userTokens.js';
import type { SigningUser } from '../contract/operation.js';
import { Refusal } from '../contract/problems.js';

/** Returns the challenge: the required credential, and the fault of the one sent. (RFC 6750, 3.) */
export const challenge = (error?: string) => ({
  headers: {
    'WWW-Authenticate': error === undefined ? 'Bearer realm="suuq"' : `Bearer realm="suuq", error="${error}"`,
  },
});

export const sessionEnded = (): Refusal =>
  new Refusal('session_ended', 'The session has ended. Exchange a new user token.', challenge('invalid_token'));

/** Refuses `session_ended` and, unless `alsoExpired`, `session_expired`. `now`: ms since 1970. */
export function checkSession(principal: Principal, now: number, alsoExpired: boolean): void {
  const { session } = principal;
  if (session === undefined) return;
  if (session.refreshUntil <= now) throw sessionEnded();
  if (!alsoExpired && session.expiresAt <= now)
    throw new Refusal('session_expired', 'The session token has expired. Refresh it.', challenge('invalid_token'));
}

interface Reached {
  readonly workspace: WorkspaceAccess;
  readonly member: CurrentMember;
}

/** Undefined: the member is not active. A closed store is reached for reading, as with a key. */
async function reach(directory: AccessDirectory, workspaceId: string, memberId: string): Promise<Reached | undefined> {
  // One after the other: both are nearly always in memory, where waiting for both at once is the dearer way.
  const workspace = await directory.workspace(workspaceId);
  if (workspace === undefined) return undefined;
  const member = await directory.member(workspaceId, memberId);
  return member?.isActive ? { workspace, member } : undefined;
}

/** The stores that a session opens now, in its user token's order. */
export async function reachedStores(principal: Principal, directory: AccessDirectory): Promise<Reached[]> {
  const stores = principal.session?.stores ?? [];
  const found = await Promise.all(stores.map((store) => reach(directory, store.workspaceId, store.memberId)));
  return found.filter((one) => one !== undefined);
}

/**
 * As which member the session acts in the workspace; undefined: it does not reach it. Refuses `session_ended` when there is no
 * store left that it reaches. (Specification 2, 'Partner API', rule 3.)
 */
export async function reachAsMember(
  workspaceId: string,
  principal: Principal,
  directory: AccessDirectory,
): Promise<Reached | undefined> {
  const store = principal.session?.stores.find((one) => one.workspaceId === workspaceId);
  const reached = store && (await reach(directory, workspaceId, store.memberId));
  if (reached === undefined && (await reachedStores(principal, directory)).length === 0) throw sessionEnded();
  return reached;
}

/** Exchanges a user token; the dependencies that this needs. */
export interface SignIns {
  readonly tokens: UserTokens;
  readonly used: UsedTokens;
}

/** The key that signed acts, until the session is there. */
export function principalOfUser(user: VerifiedUser): Principal {
  const { mode, workspaceId, partnerId, signingKey, scopes } = user;
  const owner = partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId };
  const kind = partnerId === undefined ? 'secret_key' : 'partner_key';
  return { kind, keyId: signingKey.keyId, mode, scopes: new Set(scopes), ...owner };
}

/** `by` answers the same for a request and its repetitions with its Idempotency-Key. */
export type AsUser = (by: () => string) => SigningUser;

const asUser =
  (user: VerifiedUser, used: UsedTokens): AsUser =>
  (by) => {
    const { workspaceId, partnerId, claims } = user;
    return { ...user, token: used.use(workspaceId ?? partnerId!, claims, by) };
  };

export interface SessionInput {
  readonly publishableKey: string;
  readonly userToken: string;
  readonly embedOrigin?: string;
}

export async function verifyUser(
  { publishableKey, userToken, embedOrigin }: SessionInput,
  { tokens, used }: SignIns,
): Promise<{ readonly user: VerifiedUser; readonly asUser: AsUser }> {
  const user = await tokens.verify(await tokens.open(publishableKey), userToken, embedOrigin);
  return { user, asUser: asUser(user, used) };
}
