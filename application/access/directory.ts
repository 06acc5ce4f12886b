import { ROLE_SCOPES, seesEveryTeam } from '../../domain/access/roles.js';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { type ApiKeyBody, apiKeys } from '../../projections/apiKeys.js';
import { type MemberBody, members } from '../../projections/members.js';
import { partners } from '../../projections/partners.js';
import { type PlanBody, plans } from '../../projections/plans.js';
import { type SessionDocument, sessions } from '../../projections/sessions.js';
import { stores } from '../../projections/stores.js';
import type { Clock } from '../ports/clock.js';
import type { Reads } from '../reads.js';
import { BriefCache } from './briefCache.js';
import { hashOf, sessionIdOf } from './keys.js';
import type {
  AccessDirectory,
  Features,
  MemberStanding,
  PartnerAccess,
  Principal,
  SessionAccess,
  WorkspaceAccess,
} from './principal.js';

/** How long an answer may be older than the read models, in ms. */
const FRESH_MS = 1000;
const MAX_ENTRIES = 20_000;

/** A plan that does not exist (any more) has no features. */
function featuresOf(plan: PlanBody | undefined): Features {
  const byKey = new Map(plan?.features.map((feature) => [feature.key, feature]));
  return {
    has: (key) => byKey.get(key)?.enabled === true,
    limit: (key) => byKey.get(key)?.limit,
  };
}

/** A suspended partner's keys still show what is, and change nothing. */
const onlyViewing = (scopes: readonly string[]): readonly string[] => scopes.filter((scope) => scope.endsWith(':view'));

function principalOf(key: ApiKeyBody, scopes: readonly string[]): Principal {
  const { keyId, mode, workspaceId, partnerId } = key;
  const owner = partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId };
  return {
    kind: partnerId === undefined ? 'secret_key' : 'partner_key',
    keyId,
    mode,
    scopes: new Set(scopes),
    ...owner,
  };
}

/** A session that nothing has ended: who it is by each of its tokens, named by their hashes. */
type OpenSession = ReadonlyMap<string, Principal>;

function byToken(sessionId: string, document: SessionDocument, key: Pick<Principal, 'keyId' | 'scopes'>): OpenSession {
  const { userId, name, mode, workspaceId, partnerId, refreshUntil, stores: opened, tokens } = document;
  const owner = partnerId === undefined ? { workspaceId: workspaceId! } : { partnerId };
  const shared = {
    sessionId,
    userId,
    ...(name === undefined ? {} : { name }),
    refreshUntil: Date.parse(refreshUntil),
    stores: opened,
  };
  return new Map(
    tokens.map(({ tokenHash, expiresAt }): [string, Principal] => {
      const session: SessionAccess = { ...shared, tokenHash, expiresAt: Date.parse(expiresAt) };
      return [tokenHash, { kind: 'session', ...key, mode, ...owner, session }];
    }),
  );
}

const roleScopes = new Map(Object.entries(ROLE_SCOPES).map(([role, scopes]) => [role, new Set<string>(scopes)]));
const NOTHING: ReadonlySet<string> = new Set();

function standingOf({ id, role, status, teams, lastActiveAt }: MemberBody): MemberStanding {
  return {
    memberId: id,
    role,
    teamIds: teams.map((team) => team.id),
    seesEveryTeam: seesEveryTeam(role),
    isActive: status === 'active',
    scopes: roleScopes.get(role) ?? NOTHING,
    ...(lastActiveAt === undefined ? {} : { seenOn: lastActiveAt.slice(0, 10) }),
  };
}

const inForce = (key: ApiKeyBody | undefined): key is ApiKeyBody => key !== undefined && key.revokedAt === undefined;
const ofStores: ReadonlySet<string> = new Set(WORKSPACE_SCOPES);

/**
 * Who a credential is, and what workspaces and partners may do: from the read models, remembered for at most a second
 * and in bounded number, also that a key is unknown. `forget()` empties it; what is asked afterwards is read anew, so
 * call it when the read models have passed the change.
 */
export function createAccessDirectory(options: { reads: Reads; clock: Clock; maxEntries?: number }): AccessDirectory {
  const { reads, clock, maxEntries = MAX_ENTRIES } = options;
  const cache = <V>(): BriefCache<V> => new BriefCache<V>(clock, FRESH_MS, maxEntries);
  const principals = cache<Principal>();
  const workspaces = cache<WorkspaceAccess>();
  const partnersById = cache<PartnerAccess>();
  const standings = cache<MemberStanding>();
  const openSessions = cache<OpenSession>();
  const all = [principals, workspaces, partnersById, standings, openSessions];

  // Plans and a key's partner are read each time, not remembered apart: two seconds' memories would add up.
  const features = async (planKey: string): Promise<Features> => featuresOf((await reads.get(plans, planKey))?.body);

  const partner = (partnerId: string): Promise<PartnerAccess | undefined> =>
    partnersById.get(partnerId, async () => {
      const found = (await reads.get(partners, partnerId))?.body;
      if (found === undefined) return undefined;
      const { name, slug, status, planKey } = found;
      return { partnerId, name, slug, status, planKey, features: await features(planKey) };
    });

  const workspace = (workspaceId: string): Promise<WorkspaceAccess | undefined> =>
    workspaces.get(workspaceId, async () => {
      const found = await reads.get(stores, workspaceId);
      if (found === undefined) return undefined;
      const { name, status, country, timezone, locale, externalRef } = found.body;
      const partnerId = found.keys.partnerId;
      return {
        workspaceId,
        name,
        status,
        country,
        timezone,
        locale,
        ...(typeof partnerId === 'string' ? { partnerId } : {}),
        ...(externalRef === undefined ? {} : { externalRef }),
        features: await features(String(found.keys.planKey)),
      };
    });

  async function findPrincipal(hash: string): Promise<Principal | undefined> {
    const key = (await reads.get(apiKeys, hash))?.body;
    if (!inForce(key) || key.kind !== 'secret') return undefined;
    if (key.partnerId === undefined) return principalOf(key, key.scopes);
    const owner = (await reads.get(partners, key.partnerId))?.body;
    if (owner === undefined) return undefined;
    return principalOf(key, owner.status === 'suspended' ? onlyViewing(key.scopes) : key.scopes);
  }

  /** A session rests on both of its keys, and on its partner. */
  async function findSession(sessionId: string): Promise<OpenSession | undefined> {
    const document = (await reads.get(sessions, sessionId))?.body;
    if (document === undefined) return undefined;
    const { publishableKey, signingKey, partnerId } = document;
    const [keys, owner] = await Promise.all([
      reads.getMany(apiKeys, [publishableKey.hash, signingKey.hash]),
      partnerId === undefined ? undefined : reads.get(partners, partnerId),
    ]);
    const signing = keys.get(signingKey.hash)?.body;
    if (!inForce(signing) || !inForce(keys.get(publishableKey.hash)?.body)) return undefined;
    if (partnerId !== undefined && owner?.body.status !== 'active') return undefined;
    const scopes = new Set(signing.scopes.filter((scope) => ofStores.has(scope)));
    return byToken(sessionId, document, { keyId: signingKey.keyId, scopes });
  }

  /** A token that is not among those remembered may have come from another instance just now. */
  async function sessionPrincipal(sessionId: string, credential: string): Promise<Principal | undefined> {
    const hash = hashOf(credential);
    const known = await openSessions.get(sessionId, () => findSession(sessionId));
    const principal = known?.get(hash);
    if (known === undefined || principal !== undefined) return principal;
    openSessions.drop(sessionId);
    return (await openSessions.get(sessionId, () => findSession(sessionId)))?.get(hash);
  }

  return {
    principal(credential) {
      if (credential.startsWith('sdk_')) {
        const sessionId = sessionIdOf(credential);
        return sessionId === undefined ? Promise.resolve(undefined) : sessionPrincipal(sessionId, credential);
      }
      const hash = hashOf(credential);
      return principals.get(hash, () => findPrincipal(hash));
    },
    member(workspaceId, memberId) {
      const id = `${workspaceId}/${memberId}`;
      return standings.get(id, async () => {
        const found = await reads.get(members, id);
        return found && standingOf(found.body);
      });
    },
    workspace,
    partner,
    forget(only) {
      if (only === undefined) for (const each of all) each.clear();
      if (only?.sessionId !== undefined) openSessions.drop(only.sessionId);
      for (const { workspaceId, memberId } of only?.members ?? []) standings.drop(`${workspaceId}/${memberId}`);
    },
  };
}
