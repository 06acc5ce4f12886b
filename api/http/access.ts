/** Authentication and authorization: the steps between the credential and the body. */
import { isSessionToken } from '../../application/access/keys.js';
import type {
  AccessDirectory,
  CurrentMember,
  Features,
  MemberAccess,
  PartnerAccess,
  Principal,
  WorkspaceAccess,
} from '../../application/access/principal.js';
import { isClosedStore } from '../../domain/stores/store.js';
import type { Operation } from '../contract/operation.js';
import { Refusal } from '../contract/problems.js';
import type { Route } from '../contract/routes.js';
import type { Exchange } from './exchange.js';
import type { RateLimiter } from './rates/rateLimit.js';
import {
  type AsUser,
  challenge,
  checkSession,
  principalOfUser,
  reachAsMember,
  type SessionInput,
  type SignIns,
  sessionEnded,
  verifyUser,
} from './sessionAccess.js';
import { costOf, takeToken } from './takeToken.js';

export interface Access {
  readonly principal: Principal;
  readonly member?: MemberAccess;
  /** Present where a user token is the credential. */
  readonly asUser?: AsUser;
  /** Whose Idempotency-Keys it uses. */
  readonly caller: string;
  readonly workspace?: WorkspaceAccess;
  readonly partner?: PartnerAccess;
}

/** Finds the principal by other means than the Authorization header. */
export type Known = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<Principal>;

export interface Guard {
  readonly directory: AccessDirectory;
  readonly keyLimiter: RateLimiter | undefined;
  readonly userLimiter: RateLimiter | undefined;
  readonly signIns: SignIns;
  /** Finds the principal where it is not a bearer credential. Refuses. */
  readonly known?: Known | undefined;
  /** ms since 1970. */
  now(): number;
  /** For rates. */
  steadyNow(): number;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;
const SECRET_KEY = /^p?sk_(?:live|test)_/;
const PUBLISHABLE_KEY = /^p?pk_(?:live|test)_/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const unauthenticated = (detail: string, error?: string): Refusal =>
  new Refusal('unauthenticated', detail, challenge(error));

function credentialOf(exchange: Exchange): string {
  const header = exchange.request.headers.authorization;
  if (header === undefined)
    throw unauthenticated('The request has no credential: send Authorization: Bearer with a key or a session token.');
  const credential = BEARER.exec(header)?.[1];
  if (credential === undefined)
    throw unauthenticated('The Authorization header is not of the form Bearer <credential>.', 'invalid_request');
  if (PUBLISHABLE_KEY.test(credential))
    throw unauthenticated('A publishable key is not accepted as a credential. Send a secret key.', 'invalid_token');
  return credential;
}

async function authenticate(exchange: Exchange, { directory, now }: Guard, alsoExpired: boolean): Promise<Principal> {
  const credential = credentialOf(exchange);
  const isSession = isSessionToken(credential);
  const principal = isSession || SECRET_KEY.test(credential) ? await directory.principal(credential) : undefined;
  if (principal === undefined) {
    if (isSession) throw sessionEnded();
    throw unauthenticated('The credential is unknown or revoked.', 'invalid_token');
  }
  exchange.principal = principal;
  checkSession(principal, now(), alsoExpired);
  return principal;
}

/** A key by its id; a user apart in each store or partner, since that is who vouches for them. */
function countPrincipal(exchange: Exchange, principal: Principal, guard: Guard, cost = 1): Promise<void> | undefined {
  const { keyId, session, workspaceId, partnerId } = principal;
  if (session === undefined) return takeToken(exchange, guard.keyLimiter, keyId, guard.steadyNow(), cost);
  return takeToken(
    exchange,
    guard.userLimiter,
    `${workspaceId ?? partnerId}/${session.userId}`,
    guard.steadyNow(),
    cost,
  );
}

/** Counts a large body as so many requests more. Refuses `rate_limited`. */
export async function countBytes(exchange: Exchange, principal: Principal, guard: Guard, bytes: number): Promise<void> {
  const cost = costOf(bytes);
  if (cost > 0) await countPrincipal(exchange, principal, guard, cost);
}

const unreachable = (): Refusal =>
  new Refusal('not_found', 'The workspace does not exist, or this credential has no access to it.');

/** Another's workspace and one that does not exist are answered alike. (Specification 1, 'Authentication', rule 1.) */
async function reachWorkspace(
  id: string,
  principal: Principal,
  directory: AccessDirectory,
): Promise<{ workspace: WorkspaceAccess; member?: CurrentMember }> {
  const workspaceId = id.toLowerCase();
  if (!UUID.test(workspaceId)) throw unreachable();
  if (principal.session !== undefined) {
    const reached = await reachAsMember(workspaceId, principal, directory);
    if (reached === undefined) throw unreachable();
    return reached;
  }
  if (principal.kind === 'secret_key' && principal.workspaceId !== workspaceId) throw unreachable();
  const workspace = await directory.workspace(workspaceId);
  if (workspace === undefined) throw unreachable();
  if (principal.kind === 'partner_key' && (!workspace.partnerId || workspace.partnerId !== principal.partnerId))
    throw unreachable();
  return { workspace };
}

async function reachPartner(principal: Principal, directory: AccessDirectory): Promise<PartnerAccess> {
  const partner = principal.partnerId === undefined ? undefined : await directory.partner(principal.partnerId);
  if (principal.kind !== 'partner_key' || partner === undefined)
    throw new Refusal('permission_denied', 'This operation needs a partner secret key (psk_…).');
  return partner;
}

function checkPlan(operation: Operation, features: Features): void {
  if (operation.feature !== null && !features.has(operation.feature))
    throw new Refusal('feature_not_available', `The plan does not include the feature ${operation.feature}.`);
}

/**
 * Refuses test mode where the store does not accept it: its keys, its partner's keys, and sessions opened with them.
 */
function checkMode({ mode }: Pick<Principal, 'mode'>, workspace: WorkspaceAccess | undefined): void {
  if (mode === 'test' && workspace?.refusesTestKeys)
    throw new Refusal('test_key_refused', 'The store does not accept test mode keys or sessions.');
}

const closed = ({ status }: WorkspaceAccess, but = ''): Refusal =>
  new Refusal('store_closed', `The store is ${status}, so it is read-only.${but}`);

function checkWritable({ workspace, partner }: Pick<Access, 'workspace' | 'partner'>, { whenClosed }: Operation): void {
  if (workspace !== undefined && whenClosed === undefined && isClosedStore(workspace)) throw closed(workspace);
  if (partner !== undefined && partner.status === 'suspended')
    throw new Refusal('permission_denied', 'The partner account is suspended, so it is read-only.');
}

const isExactly = (body: unknown, requested: Readonly<Record<string, string>>): boolean => {
  const given = Object.entries(body as object);
  return given.length === Object.keys(requested).length && given.every(([name, value]) => requested[name] === value);
};

/** Checks the body in a closed store that accepts exactly one body. */
export function checkBodyWhenClosed({ whenClosed }: Operation, { workspace }: Access, body: unknown): void {
  if (whenClosed === undefined || whenClosed === true || workspace === undefined || !isClosedStore(workspace)) return;
  if (!isExactly(body, whenClosed.body))
    throw closed(workspace, ` Only ${JSON.stringify(whenClosed.body)} is possible.`);
}

/** A session does what both its member's role and the key that signed its user token allow. */
function checkScope({ scope }: Operation, { scopes }: Principal, member: CurrentMember | undefined): void {
  if (scope === null) return;
  if (!scopes.has(scope)) throw new Refusal('permission_denied', `The key does not have the scope ${scope}.`);
  if (member !== undefined && !member.scopes.has(scope))
    throw new Refusal('permission_denied', `The role ${member.role} does not have the scope ${scope}.`);
}

/** The order is that of the reference: credential, key's or user's limit, reach, mode, scope, feature, closed store. */
export async function authorise(
  operation: Operation,
  route: Route,
  params: Readonly<Record<string, string>>,
  exchange: Exchange,
  guard: Guard,
): Promise<Access> {
  const { directory } = guard;
  const principal =
    guard.known === undefined
      ? await authenticate(exchange, guard, operation.credential === 'session')
      : await guard.known(exchange, params);
  const counting = countPrincipal(exchange, principal, guard);
  if (counting !== undefined) await counting;
  if (route.about === 'session') {
    if (principal.session === undefined)
      throw new Refusal('permission_denied', 'This operation needs a session token (sdk_…).');
    return { principal, caller: principal.session.sessionId };
  }
  if (route.about === 'partner') {
    const partner = await reachPartner(principal, directory);
    checkScope(operation, principal, undefined);
    checkPlan(operation, partner.features);
    const access = { principal, partner, caller: principal.keyId };
    if (route.method !== 'GET') checkWritable(access, operation);
    return access;
  }
  const { workspace, member } = await reachWorkspace(params.workspaceId ?? '', principal, directory);
  exchange.workspaceId = workspace.workspaceId;
  exchange.memberId = member?.memberId;
  checkMode(principal, workspace);
  checkScope(operation, principal, member);
  checkPlan(operation, workspace.features);
  const who = member === undefined ? { caller: principal.keyId } : { caller: `member ${member.memberId}`, member };
  const access = { principal, workspace, ...who };
  if (route.method !== 'GET') checkWritable(access, operation);
  return access;
}

/**
 * The access of a request whose credential is a user token in its body: publishable key, token, the key's limit, feature. The
 * limit counts good tokens only: everybody has the publishable key, and must not be able to use it up for all users.
 */
export async function admitUser(
  operation: Operation,
  input: SessionInput,
  exchange: Exchange,
  guard: Guard,
): Promise<Access> {
  const { user, asUser } = await verifyUser(input, guard.signIns);
  const counting = takeToken(exchange, guard.keyLimiter, user.publishableKey.keyId, guard.steadyNow());
  if (counting !== undefined) await counting;
  const { workspaceId, partnerId, claims } = user;
  const principal = principalOfUser(user);
  exchange.principal = principal;
  const { directory } = guard;
  const workspace = partnerId === undefined ? await directory.workspace(workspaceId!) : undefined;
  checkMode(user, workspace);
  const owner = partnerId === undefined ? workspace : await directory.partner(partnerId);
  if (owner !== undefined) checkPlan(operation, owner.features);
  return { principal, asUser, caller: `user ${workspaceId ?? partnerId} ${claims.sub}` };
}
