/** From a verified user token to memberships and a session. */
import { joinFromPartner, linkByEmail, seeMember } from '../../domain/access/memberJoining.js';
import { memberOfSubject, members, type People, partnersMember } from '../../domain/access/members.js';
import { openSession, session } from '../../domain/access/session.js';
import type { SessionStore } from '../../domain/access/sessionEvents.js';
import { type Decision, DomainError, refuse } from '../../domain/decider.js';
import { isClosedStore } from '../../domain/stores/store.js';
import { stores } from '../../projections/stores.js';
import { newId } from '../ids.js';
import type { Reads } from '../reads.js';
import type { BoundCommands } from './boundCommands.js';
import { hashOf, makeSessionToken } from './keys.js';
import { leaveEnded } from './leavingEnded.js';
import { seatsOf, userOfPartner, userWithEmail } from './members.js';
import type { StoreClaim, UserClaims } from './userTokenClaims.js';
import type { VerifiedUser } from './userTokens.js';

export interface SignInWork {
  readonly commands: BoundCommands;
  readonly reads: Reads;
  /** ms since 1970. */
  readonly now: number;
  /** The same name gives the same id again when the request is repeated. */
  newId(name: string): string;
}

export interface SignedIn {
  readonly sessionId: string;
  /** The whole token: shown once, kept by its hash. */
  readonly token: string;
  readonly userId: string;
  readonly expiresAt: string;
  readonly refreshUntil: string;
  readonly stores: readonly SessionStore[];
}

/** How long a token opens something, and a session can be refreshed, in ms. */
export const TOKEN_MS = 15 * 60_000;
export const SESSION_MS = 30 * 24 * 3600_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A new token, and until when it opens something. */
export function freshToken(sessionId: string, now: number, refreshUntil: number) {
  const token = makeSessionToken(sessionId);
  const expiresAt = new Date(Math.min(now + TOKEN_MS, refreshUntil)).toISOString();
  return { token, tokenHash: hashOf(token), expiresAt };
}

interface Joined {
  readonly userId: string;
  readonly stores: readonly SessionStore[];
}

const storeClosed = (): never => refuse('store_closed', 'The store is closed, and the user is no member of it yet.');

type Joins = Joining['decision'];

/** In a closed store nobody joins and nothing is changed: who is a member already comes in to read. */
const changingNothing =
  (decision: Joins): Joins =>
  (people) =>
    decision(people).length === 0 ? [] : storeClosed();

/** The first time, the token's verified email finds the member or makes one; then its `sub` does. */
async function joinWorkspace(work: SignInWork, workspaceId: string, claims: UserClaims): Promise<Joined> {
  const { sub, name, email, emailVerified, role } = claims;
  const store = (await work.reads.get(stores, workspaceId))?.body;
  if (store === undefined) return storeClosed();
  const seats = await seatsOf(work.reads, workspaceId);
  const userId = userWithEmail(email ?? '');
  const command = { memberId: work.newId('member'), userId, sub, name, email, emailVerified, role };
  const link = linkByEmail(command, seats);
  await work.commands.decide(members, workspaceId, isClosedStore(store) ? changingNothing(link) : link);
  const member = await work.commands.query(members, workspaceId, (people) => memberOfSubject(people, sub)!);
  return { userId: member.userId, stores: [{ workspaceId, memberId: member.id }] };
}

interface Joining {
  readonly workspaceId: string;
  readonly externalRef: string;
  readonly decision: Decision<
    Parameters<ReturnType<typeof joinFromPartner>>[0],
    ReturnType<ReturnType<typeof joinFromPartner>>[number]
  >;
  readonly at: string;
}

/** The partner's stores that the token lists, without closed ones that the user may not read, each with what joining it means. */
async function joinings(work: SignInWork, partnerId: string, claims: UserClaims): Promise<Joining[]> {
  const { sub, name, email } = claims;
  const externalRefs = claims.stores.map((one) => one.externalRef);
  const where = { partnerId, externalRef: { in: externalRefs } };
  const found = await work.reads.find(stores, { where, limit: externalRefs.length });
  const byReference = new Map(found.map((store) => [store.body.externalRef, store]));
  const problems = claims.stores.flatMap(({ externalRef }, index) =>
    byReference.has(externalRef)
      ? []
      : [
          {
            message: 'is no store of the partner',
            location: `userToken.stores[${index}].externalRef`,
            value: externalRef,
          },
        ],
  );
  if (problems.length > 0) refuse('validation_failed', 'The partner does not have all stores of the token.', problems);
  const userId = userOfPartner(partnerId, sub);
  const join = async ({ externalRef, role, teams }: StoreClaim, index: number): Promise<Joining[]> => {
    const store = byReference.get(externalRef)!;
    const at = `userToken.stores[${index}]`;
    if (isClosedStore(store.body)) {
      const reads = (people: People): boolean => partnersMember(people, sub)?.status === 'active';
      if (!(await work.commands.query(members, store.id, reads))) return [];
      return [{ workspaceId: store.id, externalRef, decision: () => [], at }];
    }
    const memberId = work.newId(`member ${externalRef}`);
    const command = { memberId, userId, sub, name, email, role, teams, teamsAt: `${at}.teams` };
    const decision = joinFromPartner(command, await seatsOf(work.reads, store.id));
    return [{ workspaceId: store.id, externalRef, decision, at }];
  };
  return (await Promise.all(claims.stores.map(join))).flat();
}

/** Says in which store of the token something was refused. */
async function inStore<R>({ externalRef, at }: Joining, run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problems = error.problems.length > 0 ? error.problems : [{ message: error.message, location: at }];
    return refuse(error.code, `In the store ${externalRef}: ${error.message}`, problems);
  }
}

/**
 * Every store is tried on the state of now before any is joined, so that a token is taken as a whole but for changes in that
 * very moment; what a crash left undone the next token does.
 */
async function joinStores(work: SignInWork, partnerId: string, claims: UserClaims): Promise<Joined> {
  const wanted = await joinings(work, partnerId, claims);
  if (wanted.length === 0)
    refuse('store_closed', 'Every store of the token is closed, and the user is an active member of none.');
  for (const one of wanted)
    await inStore(one, () => work.commands.query(members, one.workspaceId, (people) => one.decision(people).length));
  const joined: SessionStore[] = [];
  for (const one of wanted) {
    const { workspaceId, externalRef, decision } = one;
    await inStore(one, () => work.commands.decide(members, workspaceId, decision));
    const memberId = await work.commands.query(
      members,
      workspaceId,
      (people) => partnersMember(people, claims.sub)!.id,
    );
    joined.push({ workspaceId, memberId, externalRef });
  }
  return { userId: userOfPartner(partnerId, claims.sub), stores: joined };
}

/**
 * Makes or updates the memberships and opens a session. Refuses `store_closed`, `validation_failed` for stores and teams that
 * are not there, and as `linkByEmail`, `joinFromPartner` and `leaveEnded`.
 */
export async function signIn(work: SignInWork, user: VerifiedUser): Promise<SignedIn> {
  const { mode, workspaceId, partnerId, publishableKey, signingKey, claims, embedOrigin } = user;
  const { userId, stores: opened } =
    partnerId === undefined
      ? await joinWorkspace(work, workspaceId!, claims)
      : await joinStores(work, partnerId, claims);
  for (const { workspaceId: at, memberId } of opened)
    await work.commands.decide(members, at, seeMember(memberId, dayOf(work.now)));
  // Not derived from the request: when that is repeated after a crash, the token of the first session is lost.
  const sessionId = newId();
  const until = work.now + SESSION_MS;
  const { token, tokenHash, expiresAt } = freshToken(sessionId, work.now, until);
  const refreshUntil = new Date(until).toISOString();
  const terms = {
    mode,
    userId,
    ...(partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId }),
    publishableKey,
    signingKey,
    ...(claims.name === undefined ? {} : { name: claims.name }),
    stores: opened,
    ...(embedOrigin === undefined ? {} : { embedOrigin }),
    refreshUntil,
    tokenHash,
    expiresAt,
  };
  await work.commands.decide(session, sessionId, openSession(terms));
  const left = await leaveEnded(work.commands, sessionId, partnerId, opened);
  return { sessionId, token, userId, expiresAt, refreshUntil, stores: left };
}
