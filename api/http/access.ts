/** Who asks, what they reach, and whether they may: the steps between the credential and the body. */
import type {
  AccessDirectory,
  Features,
  MemberAccess,
  PartnerAccess,
  Principal,
  WorkspaceAccess,
} from '../../application/access/principal.js';
import type { Operation } from '../operation.js';
import { Refusal } from '../problems.js';
import type { RateLimiter, Taken } from '../rateLimit.js';
import type { Exchange } from './exchange.js';
import type { Route } from './routes.js';

export interface Access {
  readonly principal: Principal;
  readonly member?: MemberAccess;
  readonly workspace?: WorkspaceAccess;
  readonly partner?: PartnerAccess;
}

export interface Guard {
  readonly directory: AccessDirectory;
  readonly keyLimiter: RateLimiter | undefined;
  /** ms since 1970. */
  now(): number;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;
const SECRET_KEY = /^p?sk_(?:live|test)_/;
const PUBLISHABLE_KEY = /^p?pk_(?:live|test)_/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const unauthenticated = (detail: string, error?: string): Refusal =>
  new Refusal('unauthenticated', detail, {
    headers: {
      'WWW-Authenticate': error === undefined ? 'Bearer realm="suuq"' : `Bearer realm="suuq", error="${error}"`,
    },
  });

async function authenticate(exchange: Exchange, directory: AccessDirectory): Promise<Principal> {
  const header = exchange.request.headers.authorization;
  if (header === undefined)
    throw unauthenticated('The request has no credential: send Authorization: Bearer with a secret key.');
  const credential = BEARER.exec(header)?.[1];
  if (credential === undefined)
    throw unauthenticated('The Authorization header is not of the form Bearer <credential>.', 'invalid_request');
  if (PUBLISHABLE_KEY.test(credential))
    throw unauthenticated('A publishable key is no credential: send a secret key.', 'invalid_token');
  const principal = SECRET_KEY.test(credential) ? await directory.principal(credential) : undefined;
  if (principal === undefined) throw unauthenticated('The credential is unknown or revoked.', 'invalid_token');
  return principal;
}

function told(exchange: Exchange, limiter: RateLimiter, taken: Taken): void {
  exchange.limited(limiter.name, limiter.policy, taken);
  if (!taken.allowed)
    throw new Refusal('rate_limited', `Too many requests; the next is allowed in ${taken.retrySeconds} s.`, {
      headers: { 'Retry-After': String(taken.retrySeconds) },
    });
}

/** Counts the request for `who`; refuses `rate_limited`. A promise only where other instances have to be asked. */
export function takeToken(
  exchange: Exchange,
  limiter: RateLimiter | undefined,
  who: string,
  now: number,
): Promise<void> | undefined {
  if (limiter === undefined) return undefined;
  const taken = limiter.take(who, now);
  if (taken instanceof Promise) return taken.then((found) => told(exchange, limiter, found));
  told(exchange, limiter, taken);
  return undefined;
}

const unreachable = (): Refusal =>
  new Refusal('not_found', 'There is no such workspace, or this key does not reach it.');

/** Another's workspace and one that does not exist are answered alike. (Specification 1, 'Authentication', rule 1.) */
async function reachWorkspace(id: string, principal: Principal, directory: AccessDirectory): Promise<WorkspaceAccess> {
  const workspaceId = id.toLowerCase();
  if (!UUID.test(workspaceId)) throw unreachable();
  if (principal.kind === 'secret_key' && principal.workspaceId !== workspaceId) throw unreachable();
  const workspace = await directory.workspace(workspaceId);
  if (workspace === undefined) throw unreachable();
  if (principal.kind === 'partner_key' && (!workspace.partnerId || workspace.partnerId !== principal.partnerId))
    throw unreachable();
  return workspace;
}

async function reachPartner(principal: Principal, directory: AccessDirectory): Promise<PartnerAccess> {
  const partner = principal.partnerId === undefined ? undefined : await directory.partner(principal.partnerId);
  if (principal.kind !== 'partner_key' || partner === undefined)
    throw new Refusal('permission_denied', 'This operation needs a partner secret key (psk_…).');
  return partner;
}

function checkPlan(operation: Operation, features: Features): void {
  if (!features.has(operation.feature))
    throw new Refusal('feature_not_available', `The plan does not have the feature ${operation.feature}.`);
}

const CLOSED: ReadonlySet<string> = new Set(['suspended', 'cancelled']);

function checkWritable({ workspace, partner }: Access, whenClosed: boolean): void {
  if (workspace !== undefined && !whenClosed && CLOSED.has(workspace.status))
    throw new Refusal('store_closed', `The store is ${workspace.status}: it can only be read.`);
  if (partner !== undefined && partner.status === 'suspended')
    throw new Refusal('permission_denied', 'The partner account is suspended: it can only read.');
}

/** The order is that of the reference: credential, key's limit, reach, scope, feature, closed store. */
export async function authorise(
  operation: Operation,
  route: Route,
  params: Readonly<Record<string, string>>,
  exchange: Exchange,
  guard: Guard,
): Promise<Access> {
  const { directory } = guard;
  const principal = await authenticate(exchange, directory);
  const counting = takeToken(exchange, guard.keyLimiter, principal.keyId, guard.now());
  if (counting !== undefined) await counting;
  const access: Access =
    route.about === 'workspace'
      ? { principal, workspace: await reachWorkspace(params.workspaceId ?? '', principal, directory) }
      : { principal, partner: await reachPartner(principal, directory) };
  if (!principal.scopes.has(operation.scope))
    throw new Refusal('permission_denied', `The key does not have the scope ${operation.scope}.`);
  checkPlan(operation, (access.workspace ?? access.partner)!.features);
  if (route.method !== 'GET') checkWritable(access, operation.whenClosed === true);
  return access;
}
