/** From a verified user token to memberships and a session. */

import { randomUUID } from 'node:crypto';
import { seeMember } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import { openSession, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { defined } from '../../domain/defined.js';
import { isRefusal } from '../../domain/refusals.js';
import { leaveEnded } from './endedWhileSigningIn.js';
import { type Joined, type Joining, planJoining, type SignInWork } from './joining.js';
import { hashOf, makeSessionToken } from './keys.js';
import { replayed } from './usedTokens.js';
import type { VerifiedUser } from './userTokens.js';

export interface SignedIn {
  readonly sessionId: string;
  /** The whole token: shown once, kept by its hash. */
  readonly token: string;
  readonly userId: string;
  readonly expiresAt: string;
  readonly refreshUntil: string;
  readonly stores: readonly SessionStore[];
  /** Of a partner's token: what it lists beside these, and why it is not opened. */
  readonly leftOut: readonly StoreLeftOut[];
}

/** How long a token opens something, and a session can be refreshed, in ms. */
const TOKEN_MS = 15 * 60_000;
export const SESSION_MS = 30 * 24 * 3600_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A new token, and until when it opens something. */
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
  // The first request with this user token, which seemed to have failed, has opened it after all.
  if (events.length === 0) return replayed();
  const left = await leaveEnded(work.commands, sessionId, partnerId, opened).catch(async (error: unknown) => {
    if (isRefusal(error)) await work.token?.giveBack();
    throw error;
  });
  const places = claims.stores.map(({ externalRef }) => externalRef);
  const missing = [...leftOut, ...left.leftOut].sort(
    (one, other) => places.indexOf(one.externalRef) - places.indexOf(other.externalRef),
  );
  return { sessionId, token, userId, expiresAt, refreshUntil, stores: left.stores, leftOut: missing };
}

/**
 * Makes or updates the memberships and opens a session; of a partner's token in every store that can be opened. The token is
 * taken when nothing speaks against the sign-in any more: one that has opened no session may be tried again, and one that is used
 * changes nothing. Refuses `user_token_replayed`, and as `planJoining` and `leaveEnded`.
 */
export async function signIn(work: SignInWork, user: VerifiedUser): Promise<SignedIn> {
  await work.token?.check();
  const join = await planJoining(work, user);
  const sessionId = (await work.token?.take()) ?? randomUUID();
  return open(work, sessionId, user, await joinAndSee(work, join));
}
