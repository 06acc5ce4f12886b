/**
 * Fair distribution of leases: pure functions. Each instance decides for itself from the state that all of them see.
 */
import { hashOf } from '../hash.js';

export interface Contender {
  readonly session: string;
  /**
   * Leases that the session would own, each with its rank. Only the sessions with the highest rank are entitled to a
   * lease.
   */
  readonly wants: Readonly<Record<string, number>>;
}

export interface Situation {
  readonly me: string;
  /** All live sessions, including this one. */
  readonly contenders: readonly Contender[];
  /** Live owner by name. A name without an entry is free. */
  readonly owners: ReadonlyMap<string, string>;
  /** Names that have been free for long, since the entitled instance does not take them. */
  readonly left: ReadonlySet<string>;
}

export interface Plan {
  readonly take: readonly string[];
  readonly release: readonly string[];
}

/** Returns the kind of a name. Each kind is shared separately, such as `projection:orders` with other projections. */
const kindOf = (name: string): string => name.slice(0, name.indexOf(':') + 1);

interface Load {
  readonly session: string;
  /** Fair share: the number of the kind it would own if they were divided evenly among those who want them. */
  readonly share: number;
  readonly owned: number;
}

interface Entitled {
  readonly session: string;
  readonly names: readonly string[];
}

/** Returns the names that each session is entitled to. */
function entitled(contenders: readonly Contender[]): Entitled[] {
  const highest = new Map<string, number>();
  for (const { wants } of contenders)
    for (const [name, rank] of Object.entries(wants)) highest.set(name, Math.max(rank, highest.get(name) ?? rank));
  return contenders.map(({ session, wants }) => ({
    session,
    names: Object.keys(wants).filter((name) => wants[name] === highest.get(name)),
  }));
}

function standings(all: readonly Entitled[], owners: Situation['owners'], kind: string): Load[] {
  const requested = new Map<string, number>();
  const ofKind = all.map(({ session, names }) => ({ session, names: names.filter((n) => kindOf(n) === kind) }));
  for (const { names } of ofKind) for (const name of names) requested.set(name, (requested.get(name) ?? 0) + 1);
  return ofKind
    .filter(({ names }) => names.length > 0)
    .map(({ session, names }) => ({
      session,
      // Rounded, since thirds do not add up to one.
      share: Math.round(1e6 * names.reduce((sum, name) => sum + 1 / requested.get(name)!, 0)) / 1e6,
      owned: [...owners].filter(([name, owner]) => owner === session && kindOf(name) === kind).length,
    }));
}

/** True if this session owns the most. Ties are resolved by id, so that only one session gives. */
const isFullest = (mine: Load, all: readonly Load[]): boolean =>
  all.every((other) => other.owned < mine.owned || (other.owned === mine.owned && other.session >= mine.session));

const isLacking = (all: readonly Load[], except: string): boolean =>
  all.some(({ session, owned, share }) => session !== except && owned < Math.floor(share));

function countToRelease(mine: Load, all: readonly Load[], anyFree: boolean): number {
  const surplus = mine.owned - Math.ceil(mine.share);
  if (surplus > 0) return surplus;
  // With 2, 2 and 0 of four, all are within their rounded-up shares, but one has nothing to do.
  return !anyFree && isLacking(all, mine.session) && mine.owned > Math.floor(mine.share) && isFullest(mine, all)
    ? 1
    : 0;
}

/** Sort key of a name: instances prefer different names, so that they seldom contend for the same one. */
const preference = (me: string, name: string): number => hashOf(`${me} ${name}`);

/**
 * Returns the leases to take and to hand over now. Takes free names up to the fair share, rounded up, and more only if
 * they have long been free. Gives the surplus, and one more if another session has too few.
 */
export function plan(situation: Situation): Plan {
  const { me, contenders, owners, left } = situation;
  const claims = entitled(contenders);
  const names = claims.find(({ session }) => session === me)?.names ?? [];
  const take: string[] = [];
  const mine = Object.keys(contenders.find(({ session }) => session === me)?.wants ?? {});
  const release = mine.filter((name) => owners.get(name) === me && !names.includes(name));
  for (const kind of new Set(names.map(kindOf))) {
    const all = standings(claims, owners, kind);
    const own = all.find(({ session }) => session === me)!;
    const requested = names.filter((name) => kindOf(name) === kind);
    const free = requested.filter((name) => !owners.has(name));
    free.sort((a, b) => preference(me, a) - preference(me, b));
    // Leaves names that were just handed over to the session that has too few.
    const share = isLacking(all, me) ? Math.floor(own.share) : Math.ceil(own.share);
    const due = Math.max(0, share - own.owned);
    take.push(...free.slice(0, due), ...free.slice(due).filter((name) => left.has(name)));
    const owned = requested.filter((name) => owners.get(name) === me);
    release.push(...owned.slice(0, countToRelease(own, all, free.length > 0)));
  }
  return { take, release };
}
