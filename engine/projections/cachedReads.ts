/**
 * Caches single documents until the projections report a change for their tenant. The catalog of a store rarely changes
 * while the carts of its customers are priced from it. A read that would wait for acknowledged changes is always a
 * query. Other changes become visible when the projections report them, a moment later than in a query.
 */
import { LRUCache } from 'lru-cache';
import type { Query, StoredDocument } from '../ports/documents.js';
import type { Acknowledged } from './acknowledged.js';
import type { Readable, Reads, Within } from './reads.js';
import type { Moment, ViewChanges } from './viewChanges.js';

export interface ReadCaching {
  readonly changes: Pick<ViewChanges, 'now' | 'since'>;
  readonly acknowledged: Pick<Acknowledged, 'isBehind'>;
  /** Returns the tenant of a document by its id, for each cached projection. Other projections are not cached. */
  readonly tenantOf: Readonly<Record<string, (id: string) => string>>;
  /** Approximate maximum size of all documents together, in bytes. Default: 16 MiB. */
  readonly mostBytes?: number;
}

interface CachedDocument {
  /** Undefined if the document did not exist. */
  readonly document: StoredDocument<never> | undefined;
  /** Last moment at which the document was known to be unchanged. */
  moment: Moment;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** Approximate overhead per document, in bytes. */
const OVERHEAD = 400;
/** Maximum number of ids of a cached read. Larger reads go through a list, and are not repeated. */
const MOST_AT_ONCE = 100;

class CachedReads implements Reads {
  readonly #reads: Reads;
  readonly #caching: ReadCaching;
  readonly #documents: LRUCache<string, CachedDocument>;
  readonly #scopes: readonly string[] | undefined;

  constructor(
    reads: Reads,
    caching: ReadCaching,
    documents: LRUCache<string, CachedDocument>,
    scopes?: Within['scopes'],
  ) {
    this.#reads = reads;
    this.#caching = caching;
    this.#documents = documents;
    this.#scopes = scopes;
  }

  async get<B>(projection: Readable<B>, id: string): Promise<StoredDocument<B> | undefined> {
    return (await this.getMany(projection, [id])).get(id);
  }

  getMany<B>(projection: Readable<B>, ids: readonly string[]): Promise<Map<string, StoredDocument<B>>> {
    const { name } = projection;
    const { acknowledged, tenantOf } = this.#caching;
    const tenantOfId = tenantOf[name];
    if (tenantOfId === undefined || ids.length > MOST_AT_ONCE || acknowledged.isBehind(name, this.#scopes))
      return this.#reads.getMany(projection, ids);
    const found = new Map<string, StoredDocument<B>>();
    const missing = ids.filter((id) => !this.#find(found, name, id, tenantOfId(id)));
    return missing.length === 0 ? Promise.resolve(found) : this.#query(projection, missing, found);
  }

  find<B>(projection: Readable<B>, query: Query) {
    return this.#reads.find(projection, query);
  }
  count(projection: Readable<unknown>, where: Query['where'], limit: number) {
    return this.#reads.count(projection, where, limit);
  }
  within(wait: Within): Reads {
    const reads = this.#reads.within?.(wait) ?? this.#reads;
    return new CachedReads(reads, this.#caching, this.#documents, wait.scopes);
  }

  /** Returns false if the document must be queried. */
  #find<B>(found: Map<string, StoredDocument<B>>, name: string, id: string, tenant: string): boolean {
    const { changes } = this.#caching;
    const known = this.#documents.get(`${name} ${id}`);
    if (known === undefined || changes.since(known.moment, name, tenant)) return false;
    known.moment = changes.now;
    if (known.document !== undefined) found.set(id, known.document);
    return true;
  }

  async #query<B>(projection: Readable<B>, ids: readonly string[], found: Map<string, StoredDocument<B>>) {
    // Read before the query, so that a concurrent change counts as later.
    const moment = this.#caching.changes.now;
    const documents = await this.#reads.getMany(projection, ids);
    for (const id of ids) {
      const document = documents.get(id);
      this.#documents.set(`${projection.name} ${id}`, { document: document as StoredDocument<never>, moment });
      if (document !== undefined) found.set(id, document);
    }
    return found;
  }
}

/** Caches `get` and `getMany` of the projections in `caching`. Other reads are passed on. */
export function cachedReads(reads: Reads, caching: ReadCaching): Reads {
  const documents = new LRUCache<string, CachedDocument>({
    maxSize: caching.mostBytes ?? MOST_BYTES,
    sizeCalculation: ({ document }, key) => OVERHEAD + key.length + 2 * (document?.json.length ?? 0),
  });
  return new CachedReads(reads, caching, documents);
}
