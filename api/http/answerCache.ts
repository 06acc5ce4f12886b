/**
 * Answers of reads as they were made lately, for the same words of who sees the same: given again, or 304, without a query,
 * as long as no projection that they were made of may show anything else. Nothing is answered here that a query would not
 * answer: a read that would have to wait for what was acknowledged is made anew.
 */
import { LRUCache } from 'lru-cache';
import { readScopes } from '../../application/access/changeScopes.js';
import type { Features, MemberAccess } from '../../application/access/principal.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { Moment, ViewChanges } from '../../engine/projections/viewChanges.js';
import type { Access } from './access.js';
import type { MadeOf } from './madeOf.js';

/** All of them together, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of larger ones only the ETag is kept. */
const LARGEST = 256 * 1024;
/** What one takes beside its words and its bytes, about. */
const OVERHEAD = 600;

/** Who asks, as far as an answer may depend on it. */
type Asking = Pick<Access, 'workspace' | 'partner' | 'member'>;

export interface KnownAnswer {
  readonly etag: string;
  /** Kept only of what was wanted before, so that what is asked for once costs no memory. */
  readonly bytes: Buffer | undefined;
  /** It was asked for, and could not be answered from here. */
  isWanted: boolean;
}

interface Entry extends KnownAnswer {
  asking: Asking;
  readonly scopes: readonly string[] | undefined;
  readonly projections: readonly string[];
  /** When nothing of it had changed, last. */
  moment: Moment;
}

/** Ids come first and have no spaces, so that no tenant's words make another's key. */
const keyOf = ({ workspace, partner, member }: Asking, url: string): string =>
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

  /** What a query would answer now, where that is known. */
  find(asking: Asking, url: string): KnownAnswer | undefined {
    const entry = this.#entries.get(keyOf(asking, url));
    if (entry === undefined) return undefined;
    if (this.#isCurrent(entry) && isSameAsking(entry.asking, asking)) {
      entry.asking = asking;
      return entry;
    }
    entry.isWanted = true;
    return undefined;
  }

  /** Keeps what was made; answers its bytes where those are kept too. */
  keep(
    asking: Asking,
    url: string,
    { moment, projections }: MadeOf,
    content: string | Buffer,
    etag: string,
  ): Buffer | undefined {
    const key = keyOf(asking, url);
    const isWanted = this.#entries.peek(key)?.isWanted === true;
    const bytes = isWanted && content.length <= LARGEST ? bytesOf(content) : undefined;
    const { workspace, partner } = asking;
    const scopes = readScopes(workspace?.workspaceId, workspace?.partnerId ?? partner?.partnerId);
    this.#entries.set(key, { etag, bytes, isWanted, asking, scopes, projections, moment });
    return bytes;
  }

  #isCurrent(entry: Entry): boolean {
    const { now } = this.#changes;
    const tenant = entry.asking.workspace?.workspaceId;
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

/** The directory reads all of them anew each second; they are rarely others then. */
const isSameAsking = (a: Asking, b: Asking): boolean =>
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
