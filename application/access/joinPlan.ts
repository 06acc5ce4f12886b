/** Turns a verified user token into memberships. A partner's token opens every store that allows it. */
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
  /** Returns the same id for the same name when the request is repeated. */
  newId(name: string): string;
  /** Absent: the caller ensures that a user token opens only one session. */
  readonly token?: TokenUse;
}

export interface Joined {
  readonly userId: string;
  readonly stores: readonly SessionStore[];
  /** Stores of a partner's token that are not opened, in the token's order. */
  readonly leftOut: readonly StoreLeftOut[];
}

/** Creates or updates the memberships of a checked sign-in. Refuses only because of changes since the check. */
export type Joining = () => Promise<Joined>;

const storeClosed = (): never =>
  refuse('store_closed', 'The store is closed, and the user is not an active member of it.');

/** Refuses changes in a closed store. Existing members can sign in to read. */
const changingNothing =
  (decision: ReturnType<typeof linkByEmail>): ReturnType<typeof linkByEmail> =>
  (people) =>
    decision(people).length === 0 ? [] : storeClosed();

/** Plans the sign-in to a workspace: first the token's verified email, later its `sub`, identifies the member. Changes nothing yet. */
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

/** A store of the token, with its location there: `userToken.stores[2]`. */
interface Listed extends StoreClaim {
  readonly at: string;
}

interface Refused {
  readonly store: Listed;
  readonly error: DomainError;
  /** Code for this store in a list, if it differs from the code of a token with only this store. */
  readonly code?: string;
}

interface Joinable {
  readonly store: Listed;
  readonly workspaceId: string;
  readonly decision: ReturnType<typeof joinFromPartner>;
}

/** Returns the result of `run`, or the refusal of this store. */
async function orRefused<R>(store: Listed, run: () => Promise<R>): Promise<R | Refused> {
  try {
    return await run();
  } catch (error) {
    // Other errors do not show whether the store can be opened: the client may repeat the request.
    if (!isRefusal(error)) throw error;
    return { store, error };
  }
}

const isRefused = (one: object): one is Refused => 'error' in one;

const problemsOf = ({ store: { at }, error }: Refused): readonly FieldProblem[] =>
  error.problems.length > 0 ? error.problems : [{ message: error.message, location: at }];

function unknown(store: Listed): Refused {
  const { at, externalRef } = store;
  const problem = { message: 'is not a store of the partner', location: `${at}.externalRef`, value: externalRef };
  const error = new DomainError('validation_failed', 'The partner has no store with this externalRef.', [problem]);
  return { store, error, code: 'not_found' };
}

/** Lists problems in the detail, since they have no location in this response. */
function leftOut({ store: { externalRef }, error, code = error.code }: Refused): StoreLeftOut {
  const problems = code === 'validation_failed' ? error.problems : [];
  const details = problems.map(({ message, location }) => `${location} ${message}.`);
  return { externalRef, code, detail: [error.message, ...details].join(' ') };
}

/** Refuses a token that opens no store, with the code of its first store and the problems of all. */
function refuseAll(refused: readonly Refused[]): never {
  const [{ store, error }] = refused as [Refused];
  const none = refused.length === 1 ? '' : 'None of the user token’s stores can be opened. ';
  return refuse(error.code, `${none}In the store ${store.externalRef}: ${error.message}`, refused.flatMap(problemsOf));
}

/** Checks whether the user can join the store. Refuses as joining would. Changes nothing. */
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
 * Checks every store of the token and changes nothing. If none can be opened, refuses as the first one: `validation_failed` if it does not
 * exist, `store_closed`, and as `joinFromPartner`.
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

/** Plans the sign-in of the token. Refuses as the sign-in would. Changes nothing. */
export const planJoining = (work: SignInWork, { workspaceId, partnerId, claims }: VerifiedUser): Promise<Joining> =>
  partnerId === undefined ? planWorkspace(work, workspaceId!, claims) : planStores(work, partnerId, claims);
