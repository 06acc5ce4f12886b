import { ROLE_SCOPES, seesEveryTeam } from '../../domain/access/roles.js';
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Readable, Reads } from '../../engine/projections/reads.js';
import type { ViewWatch } from '../../engine/projections/viewWatch.js';
import { type ApiKeyBody, apiKeys } from '../../projections/apiKeys.js';
import { type MemberBody, members } from '../../projections/members.js';
import { partners } from '../../projections/partners.js';
import { type PlanBody, plans } from '../../projections/plans.js';
import { REFUSED, stores } from '../../projections/stores.js';
import { BriefCache, type Watched } from './briefCache.js';
import { hashOf } from './keys.js';
import type {
  AccessDirectory,
  CurrentMember,
  Features,
  PartnerAccess,
  Principal,
  WorkspaceAccess,
} from './principal.js';
import { createSessionDirectory } from './sessionDirectory.js';

/** Maximum age of a cached answer relative to the read models, in ms. */
const FRESH_MS = 1000;
const MAX_ENTRIES = 20_000;

/** Returns the features of a plan. A plan that does not exist (any more) has none. */
export function featuresOf(plan: PlanBody | undefined): Features {
  const byKey = new Map(plan?.features.map((feature) => [feature.key, feature]));
  return {
    has: (key) => byKey.get(key)?.enabled === true,
    limit: (key) => byKey.get(key)?.limit,
    mark: JSON.stringify(plan?.features ?? []),
  };
}

/** Limits a suspended partner's keys to reading. */
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

const roleScopes = new Map(Object.entries(ROLE_SCOPES).map(([role, scopes]) => [role, new Set<string>(scopes)]));
const NOTHING: ReadonlySet<string> = new Set();

function statusOf({ id, role, status, teams, lastActiveAt }: MemberBody): CurrentMember {
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

export interface DirectoryOptions {
  readonly reads: Reads;
  readonly clock: Clock;
  readonly maxEntries?: number;
  /** If given, keys, workspaces and partners are read again only after these read models have changed. */
  readonly watch?: ViewWatch | undefined;
}

/**
 * Resolves credentials, workspaces and partners from the read models. Answers, including unknown keys, are cached for at most a second, in
 * bounded number, or longer if `watch` reports no change. `forget()` clears the cache. Call it after the read models have processed a
 * change.
 */
export function createAccessDirectory({
  reads,
  clock,
  maxEntries = MAX_ENTRIES,
  watch,
}: DirectoryOptions): AccessDirectory {
  const cache = <V>(watched?: Watched): BriefCache<V> => new BriefCache<V>(clock.steady, FRESH_MS, maxEntries, watched);
  /** Cache of values from these projections, whatever tenant their events have. Stores and keys rarely change. */
  const watchedCache = <V>(...projections: readonly Readable<unknown>[]): BriefCache<V> =>
    cache(watch && { now: watch.now, changedSince: (moment) => watch.changedSince(moment, projections) });
  const principals = watchedCache<Principal>(apiKeys, partners);
  const workspaces = watchedCache<WorkspaceAccess>(stores, plans);
  const partnersById = watchedCache<PartnerAccess>(partners, plans);
  const standings = cache<CurrentMember>();

  // Plans and a key's partner are not cached separately: two caches of a second each would add up to two seconds.
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
        ...defined({ externalRef }),
        ...(found.keys.testKeys === REFUSED ? { refusesTestKeys: true } : {}),
        features: await features(String(found.keys.planKey)),
      };
    });

  async function findPrincipal(hash: string): Promise<Principal | undefined> {
    const key = (await reads.get(apiKeys, hash))?.body;
    if (key === undefined || key.revokedAt !== undefined || key.kind !== 'secret') return undefined;
    if (key.partnerId === undefined) return principalOf(key, key.scopes);
    const owner = (await reads.get(partners, key.partnerId))?.body;
    if (owner === undefined) return undefined;
    return principalOf(key, owner.status === 'suspended' ? onlyViewing(key.scopes) : key.scopes);
  }

  const sessions = createSessionDirectory({ reads, cache, partner });

  return {
    principal(credential) {
      if (credential.startsWith('sdk_')) return sessions.principal(credential);
      const hash = hashOf(credential);
      return principals.get(hash, () => findPrincipal(hash));
    },
    member(workspaceId, memberId) {
      const id = `${workspaceId}/${memberId}`;
      return standings.get(id, async () => {
        const found = await reads.get(members, id);
        return found && statusOf(found.body);
      });
    },
    workspace,
    partner,
    forget(only) {
      if (only === undefined) for (const each of [principals, workspaces, partnersById, standings]) each.clear();
      if (only === undefined || only.sessionId !== undefined) sessions.forget(only?.sessionId);
      for (const { workspaceId, memberId } of only?.members ?? []) standings.drop(`${workspaceId}/${memberId}`);
    },
  };
}
