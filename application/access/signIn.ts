/** Turns a verified user token into memberships and a session. */

import { randomUUID } from 'node:crypto';
import { seeMember } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import { openSession, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { defined } from '../../domain/defined.js';
import { isRefusal } from '../../domain/refusals.js';
import { type Joined, type Joining, planJoining, type SignInWork } from './joinPlan.js';
import { hashOf, makeSessionToken } from './keys.js';
import { leaveEnded } from './lateSignIns.js';
import { replayed } from './usedTokens.js';
import type { VerifiedUser } from './userTokens.js';

export interface SignedIn {
  readonly sessionId: string;
  /** The whole token. It is shown once, and only its hash is stored. */
  readonly token: string;
  readonly userId: string;
  readonly expiresAt: string;
  readonly refreshUntil: string;
  readonly stores: readonly SessionStore[];
  /** Stores of a partner's token that are not opened, with the reason. */
  readonly leftOut: readonly StoreLeftOut[];
}

/** Lifetime of a token in ms. `SESSION_MS`: time in which a session can be refreshed. */
const TOKEN_MS = 15 * 60_000;
export const SESSION_MS = 30 * 24 * 3600_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Creates a token with its expiry. */
export function freshToken(sessionId: string, now: number, refreshUntil: number) {
  const token = makeSessionToken(sessionId);
  const expiresAt = new Date(Math.min(now + TOKEN_MS, refreshUntil)).toISOString();
  return { token, tokenHash: hashOf(token), expiresAt };
}

async function joinAndSee(work: SignInWork, join: Joining): Promise<Joined> {
  const joined = await join();
  for (const { workspaceId, memberId } of joined.stores)
    await work.commands.decide(members, workspaceId, seeMember(memberId, dayOf(work.now)));
  return joined;
}

async function open(work: SignInWork, sessionId: string, user: VerifiedUser, joined: Joined): Promise<SignedIn> {
  const { mode, workspaceId, partnerId, publishableKey, signingKey, claims, embedOrigin } = user;
  const { userId, stores: opened, leftOut } = joined;
  const until = work.now + SESSION_MS;
  const { token, tokenHash, expiresAt } = freshToken(sessionId, work.now, until);
  const refreshUntil = new Date(until).toISOString();
  const terms = {
    mode,
    userId,
    ...(partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId }),
    publishableKey,
    signingKey,
    ...defined({ name: claims.name }),
    stores: opened,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...defined({ embedOrigin }),
    refreshUntil,
    tokenHash,
    expiresAt,
  };
  const { events } = await work.commands.decide(session, sessionId, openSession(terms));
  // The first request with this user token seemed to have failed, but has opened the session.
  if (events.length === 0) return replayed();
  const left = await leaveEnded(work.commands, sessionId, partnerId, opened).catch(async (error: unknown) => {
    if (isRefusal(error)) await work.token?.release();
    throw error;
  });
  const places = claims.stores.map(({ externalRef }) => externalRef);
  const missing = [...leftOut, ...left.leftOut].sort(
    (one, other) => places.indexOf(one.externalRef) - places.indexOf(other.externalRef),
  );
  return { sessionId, token, userId, expiresAt, refreshUntil, stores: left.stores, leftOut: missing };
}

/**
 * Creates or updates the memberships and opens a session. A partner's token opens every store that allows it. The user token is consumed
 * only after all checks: a token that has opened no session may be used again, and a used token changes nothing. Refuses
 * `user_token_replayed`, and as `planJoining` and `leaveEnded`.
 */
export async function signIn(work: SignInWork, user: VerifiedUser): Promise<SignedIn> {
  await work.token?.check();
  const join = await planJoining(work, user);
  const sessionId = (await work.token?.take()) ?? randomUUID();
  return open(work, sessionId, user, await joinAndSee(work, join));
}
