/**
 * Answers of recent reads, by URL and access. A cached answer, or 304, is sent without a query as long as no projection
 * behind it may show something else. A read that would have to wait for an acknowledged change is not served from here.
 */
import { LRUCache } from 'lru-cache';
import { readScopes } from '../../application/access/changeScopes.js';
import type { Features, MemberAccess } from '../../application/access/principal.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { Moment, ViewChanges } from '../../engine/projections/viewChanges.js';
import type { Access } from './access.js';
import type { AnswerSources } from './answerSources.js';

/** All of them together, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Larger answers have only their ETag cached. */
const LARGEST = 256 * 1024;
/** Approximate size of an entry without its key and its bytes. */
const OVERHEAD = 600;

/** The caller's access, as far as an answer depends on it. */
type CallerAccess = Pick<Access, 'workspace' | 'partner' | 'member'>;

export interface KnownAnswer {
  readonly etag: string;
  /** Present only for answers that were requested before, so that a single request costs no memory. */
  readonly bytes: Buffer | undefined;
  /** Set when the answer was requested and its bytes were missing. */
  isRequested: boolean;
}

interface Entry extends KnownAnswer {
  access: CallerAccess;
  readonly scopes: readonly string[] | undefined;
  readonly projections: readonly string[];
  /** When nothing of it had changed, last. */
  moment: Moment;
}

/** Ids come first and have no spaces, so that no tenant's words make another's key. */
const keyOf = ({ workspace, partner, member }: CallerAccess, url: string): string =>
  `${workspace?.workspaceId ?? ''} ${partner?.partnerId ?? ''} ${member?.memberId ?? ''} ${url}`;

const bytesOf = (content: string | Buffer): Buffer => (typeof content === 'string' ? Buffer.from(content) : content);

export class AnswerCache {
  readonly #changes: ViewChanges;
  readonly #acknowledged: Pick<Acknowledged, 'isBehind'>;
  readonly #entries: LRUCache<string, Entry>;

  constructor(changes: ViewChanges, acknowledged: Pick<Acknowledged, 'isBehind'>, mostBytes = MOST_BYTES) {
    this.#changes = changes;
    this.#acknowledged = acknowledged;
    this.#entries = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: ({ bytes }, key) => OVERHEAD + 2 * key.length + (bytes?.length ?? 0),
    });
  }

  /** To be taken before an answer is made. */
  get moment(): Moment {
    return this.#changes.now;
  }

  /** Returns the current answer, if it is known. */
  find(caller: CallerAccess, url: string): KnownAnswer | undefined {
    const entry = this.#entries.get(keyOf(caller, url));
    if (entry === undefined) return undefined;
    if (this.#isCurrent(entry) && isSameAccess(entry.access, caller)) {
      entry.access = caller;
      return entry;
    }
    entry.isRequested = true;
    return undefined;
  }

  /** Stores an answer. Returns its bytes if those are cached too. */
  store(
    access: CallerAccess,
    url: string,
    { moment, projections }: AnswerSources,
    content: string | Buffer,
    etag: string,
  ): Buffer | undefined {
    const key = keyOf(access, url);
    const isRequested = this.#entries.peek(key)?.isRequested === true;
    const bytes = isRequested && content.length <= LARGEST ? bytesOf(content) : undefined;
    const { workspace, partner } = access;
    const scopes = readScopes(workspace?.workspaceId, workspace?.partnerId ?? partner?.partnerId);
    this.#entries.set(key, { etag, bytes, isRequested, access, scopes, projections, moment });
    return bytes;
  }

  #isCurrent(entry: Entry): boolean {
    const { now } = this.#changes;
    const tenant = entry.access.workspace?.workspaceId;
    for (const projection of entry.projections)
      if (
        this.#changes.since(entry.moment, projection, tenant) ||
        this.#acknowledged.isBehind(projection, entry.scopes)
      )
        return false;
    entry.moment = now;
    return true;
  }
}

/** The directory reloads all of them each second, mostly unchanged. */
const isSameAccess = (a: CallerAccess, b: CallerAccess): boolean =>
  isSameOwner(a.workspace, b.workspace) && isSameOwner(a.partner, b.partner) && isSameMember(a.member, b.member);

function isSameOwner<T extends { readonly features: Features }>(a: T | undefined, b: T | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const { features: before, ...plainBefore } = a;
  const { features, ...plain } = b;
  const isSamePlan = before === features || (features.mark !== undefined && before.mark === features.mark);
  return isSamePlan && isSameValues(plainBefore, plain);
}

const isSameValues = (a: object, b: object): boolean => {
  const values = Object.entries(a);
  return values.length === Object.keys(b).length && values.every(([name, value]) => Reflect.get(b, name) === value);
};

const isSameMember = (a: MemberAccess | undefined, b: MemberAccess | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.memberId === b.memberId &&
    a.role === b.role &&
    a.seesEveryTeam === b.seesEveryTeam &&
    a.teamIds.length === b.teamIds.length &&
    a.teamIds.every((id, i) => id === b.teamIds[i]));
