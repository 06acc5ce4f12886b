/** From a verified user token to memberships: of a partner's token in every store that can be opened. */
import { joinFromPartner, linkByEmail } from '../../domain/access/memberJoining.js';
import { memberOfSubject, members, type People, partnersMember } from '../../domain/access/members.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import { DomainError, type FieldProblem, refuse } from '../../domain/decider.js';
import { isRefusal } from '../../domain/refusals.js';
import { isClosedStore } from '../../domain/stores/store.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { CaughtUp, Reads } from '../../engine/projections/reads.js';
import { stores } from '../../projections/stores.js';
import { caughtUpStores } from './caughtUpStores.js';
import { seatsOf, userOfPartner, userWithEmail } from './members.js';
import type { TokenUse } from './usedTokens.js';
import type { StoreClaim, UserClaims } from './userTokenClaims.js';
import type { VerifiedUser } from './userTokens.js';

export interface SignInWork {
  readonly commands: BoundCommands;
  readonly reads: Reads & CaughtUp;
  /** ms since 1970. */
  readonly now: number;
  /** The same name gives the same id again when the request is repeated. */
  newId(name: string): string;
  /** Absent: the caller sees to it that a user token opens one session. */
  readonly token?: TokenUse;
}

export interface Joined {
  readonly userId: string;
  readonly stores: readonly SessionStore[];
  /** Of a partner's token, in its order. */
  readonly leftOut: readonly StoreLeftOut[];
}

/** What nothing speaks against any more: makes or updates the memberships. Refuses only what has changed meanwhile. */
export type Joining = () => Promise<Joined>;

const storeClosed = (): never => refuse('store_closed', 'The store is closed, and the user is no active member of it.');

/** In a closed store nobody joins and nothing is changed: who is a member already comes in to read. */
const changingNothing =
  (decision: ReturnType<typeof linkByEmail>): ReturnType<typeof linkByEmail> =>
  (people) =>
    decision(people).length === 0 ? [] : storeClosed();

/** The first time, the token's verified email finds the member or makes one; then its `sub` does. Changes nothing yet. */
async function planWorkspace(work: SignInWork, workspaceId: string, claims: UserClaims): Promise<Joining> {
  const { sub, name, email, emailVerified, role } = claims;
  const [found] = await caughtUpStores(work.reads, 1, async () => [
    ...(await work.reads.getMany(stores, [workspaceId])).values(),
  ]);
  if (found === undefined) return storeClosed();
  const seats = await seatsOf(work.reads, workspaceId);
  const userId = userWithEmail(email ?? '');
  const command = { memberId: work.newId('member'), userId, sub, name, email, emailVerified, role };
  const link = linkByEmail(command, seats);
  const decision = isClosedStore(found.body) ? changingNothing(link) : link;
  await work.commands.query(members, workspaceId, (people) => decision(people).length);
  return async () => {
    await work.commands.decide(members, workspaceId, decision);
    const member = await work.commands.query(members, workspaceId, (people) => memberOfSubject(people, sub)!);
    return { userId: member.userId, stores: [{ workspaceId, memberId: member.id }], leftOut: [] };
  };
}

/** Of the token, and where it stands there: `userToken.stores[2]`. */
interface Listed extends StoreClaim {
  readonly at: string;
}

interface Refused {
  readonly store: Listed;
  readonly error: DomainError;
  /** Of this store alone, where that is another than the code of a token in which it is the only one. */
  readonly code?: string;
}

interface Joinable {
  readonly store: Listed;
  readonly workspaceId: string;
  readonly decision: ReturnType<typeof joinFromPartner>;
}

/** What `run` comes to, or why this store is left out. */
async function orRefused<R>(store: Listed, run: () => Promise<R>): Promise<R | Refused> {
  try {
    return await run();
  } catch (error) {
    // Another error does not tell whether the store can be opened: the whole request may be sent again.
    if (!isRefusal(error)) throw error;
    return { store, error };
  }
}

const isRefused = (one: object): one is Refused => 'error' in one;

const problemsOf = ({ store: { at }, error }: Refused): readonly FieldProblem[] =>
  error.problems.length > 0 ? error.problems : [{ message: error.message, location: at }];

function unknown(store: Listed): Refused {
  const { at, externalRef } = store;
  const problem = { message: 'is no store of the partner', location: `${at}.externalRef`, value: externalRef };
  const error = new DomainError('validation_failed', 'The partner has no store with this externalRef.', [problem]);
  return { store, error, code: 'not_found' };
}

/** Problems have no place of their own here: the detail names them. */
function leftOut({ store: { externalRef }, error, code = error.code }: Refused): StoreLeftOut {
  const problems = code === 'validation_failed' ? error.problems : [];
  const details = problems.map(({ message, location }) => `${location} ${message}.`);
  return { externalRef, code, detail: [error.message, ...details].join(' ') };
}

/** The refusal of a token that opens no store: as that of its first one, and with what is wrong in each. */
function refuseAll(refused: readonly Refused[]): never {
  const [{ store, error }] = refused as [Refused];
  const none = refused.length === 1 ? '' : 'None of the user token’s stores can be opened. ';
  return refuse(error.code, `${none}In the store ${store.externalRef}: ${error.message}`, refused.flatMap(problemsOf));
}

/** Refuses what joining the store would be refused with now; changes nothing. */
async function joinable(
  work: SignInWork,
  partnerId: string,
  { sub, name, email }: UserClaims,
  store: Listed,
  found: { readonly id: string; readonly body: Parameters<typeof isClosedStore>[0] },
): Promise<Joinable> {
  const { externalRef, role, teams, at } = store;
  if (isClosedStore(found.body)) {
    const reads = (people: People): boolean => partnersMember(people, sub)?.status === 'active';
    if (!(await work.commands.query(members, found.id, reads))) return storeClosed();
    return { store, workspaceId: found.id, decision: () => [] };
  }
  const memberId = work.newId(`member ${externalRef}`);
  const userId = userOfPartner(partnerId, sub);
  const command = { memberId, userId, sub, name, email, role, teams, teamsAt: `${at}.teams` };
  const decision = joinFromPartner(command, await seatsOf(work.reads, found.id));
  await work.commands.query(members, found.id, (people) => decision(people).length);
  return { store, workspaceId: found.id, decision };
}

async function join(work: SignInWork, sub: string, { store, workspaceId, decision }: Joinable): Promise<SessionStore> {
  await work.commands.decide(members, workspaceId, decision);
  const memberId = await work.commands.query(members, workspaceId, (people) => partnersMember(people, sub)!.id);
  return { workspaceId, memberId, externalRef: store.externalRef };
}

/**
 * Looks at every store of the token on the state of now and changes nothing. Refuses when none of them can be opened, as the
 * first was: `validation_failed` for one that is not there, `store_closed`, and as `joinFromPartner`.
 */
async function planStores(work: SignInWork, partnerId: string, claims: UserClaims): Promise<Joining> {
  const listed = claims.stores.map((one, index): Listed => ({ ...one, at: `userToken.stores[${index}]` }));
  const where = { partnerId, externalRef: { in: listed.map(({ externalRef }) => externalRef) } };
  const found = await caughtUpStores(work.reads, listed.length, () =>
    work.reads.find(stores, { where, limit: listed.length }),
  );
  const byReference = new Map(found.map((store) => [store.body.externalRef, store]));
  const plan = (store: Listed): Joinable | Refused | Promise<Joinable | Refused> => {
    const is = byReference.get(store.externalRef);
    return is === undefined ? unknown(store) : orRefused(store, () => joinable(work, partnerId, claims, store, is));
  };
  const planned = await Promise.all(listed.map(plan));
  if (planned.every(isRefused)) refuseAll(planned);
  return async (): Promise<Joined> => {
    const joined: SessionStore[] = [];
    const refused: Refused[] = [];
    for (const one of planned) {
      const outcome = isRefused(one) ? one : await orRefused(one.store, () => join(work, claims.sub, one));
      if (isRefused(outcome)) refused.push(outcome);
      else joined.push(outcome);
    }
    if (joined.length === 0) refuseAll(refused);
    return { userId: userOfPartner(partnerId, claims.sub), stores: joined, leftOut: refused.map(leftOut) };
  };
}

/** What the token's sign-in comes to. Refuses what it would be refused with, and changes nothing. */
export const planJoining = (work: SignInWork, { workspaceId, partnerId, claims }: VerifiedUser): Promise<Joining> =>
  partnerId === undefined ? planWorkspace(work, workspaceId!, claims) : planStores(work, partnerId, claims);
