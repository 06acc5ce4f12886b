/** From a verified user token to memberships and a session. */

import { randomUUID } from 'node:crypto';
import { seeMember } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import { openSession, session } from '../../domain/access/session.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { DomainError } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { leaveEnded } from './endedWhileSigningIn.js';
import { type Joined, type Joining, planJoining, type SignInWork } from './joining.js';
import { hashOf, makeSessionToken } from './keys.js';
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

async function open(work: SignInWork, user: VerifiedUser, joined: Joined): Promise<SignedIn> {
  const { mode, workspaceId, partnerId, publishableKey, signingKey, claims, embedOrigin } = user;
  const { userId, stores: opened, leftOut } = joined;
  // Not derived from the request: when that is repeated after a crash, the token of the first session is lost.
  const sessionId = randomUUID();
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
  await work.commands.decide(session, sessionId, openSession(terms));
  const left = await leaveEnded(work.commands, sessionId, partnerId, opened);
  const places = claims.stores.map(({ externalRef }) => externalRef);
  const missing = [...leftOut, ...left.leftOut].sort(
    (one, other) => places.indexOf(one.externalRef) - places.indexOf(other.externalRef),
  );
  return { sessionId, token, userId, expiresAt, refreshUntil, stores: left.stores, leftOut: missing };
}

/**
 * Makes or updates the memberships and opens a session; of a partner's token in every store that can be opened. The token is
 * taken when nothing speaks against the sign-in any more: one that is refused may be tried again, and one that is used changes
 * nothing. Refuses `user_token_replayed`, and as `planJoining` and `leaveEnded`.
 */
export async function signIn(work: SignInWork, user: VerifiedUser): Promise<SignedIn> {
  await work.token?.check();
  const join = await planJoining(work, user);
  await work.token?.take();
  let joined: Joined | undefined;
  try {
    joined = await joinAndSee(work, join);
    return await open(work, user, joined);
  } catch (error) {
    // When storing the session fails nobody knows whether it is there: then the token is used.
    if (joined === undefined || error instanceof DomainError) await work.token?.giveBack();
    throw error;
  }
}
