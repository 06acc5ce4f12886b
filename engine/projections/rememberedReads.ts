/**
 * Single documents as queries answered them last, until the projections tell that their tenant's may have changed: a store's catalog
 * stands still while its customers' carts are priced from it. A read that would have to wait for what was acknowledged is a
 * query; what nobody was answered for yet is seen when the projections tell of it, a moment after a query would see it.
 */
import { LRUCache } from 'lru-cache';
import type { Query, StoredDocument } from '../ports/documents.js';
import type { Acknowledged } from './acknowledged.js';
import type { Readable, Reads, Within } from './reads.js';
import type { Moment, ViewChanges } from './viewChanges.js';

export interface Remembering {
  readonly changes: Pick<ViewChanges, 'now' | 'since'>;
  readonly acknowledged: Pick<Acknowledged, 'isBehind'>;
  /** By projection: the tenant whose a document is, by its id. Of others nothing is remembered. */
  readonly tenantOf: Readonly<Record<string, (id: string) => string>>;
  /** Of all of them together, about; 16 MiB when absent. */
  readonly mostBytes?: number;
}

interface Remembered {
  /** Undefined: there was none. */
  readonly document: StoredDocument<never> | undefined;
  /** When it had not changed, last. */
  moment: Moment;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** What one takes beside its text, about. */
const OVERHEAD = 400;
/** Who asks for more at once reads through a list, of which nothing is asked for again. */
const MOST_AT_ONCE = 100;

class RememberedReads implements Reads {
  readonly #reads: Reads;
  readonly #remembering: Remembering;
  readonly #documents: LRUCache<string, Remembered>;
  readonly #scopes: readonly string[] | undefined;

  constructor(
    reads: Reads,
    remembering: Remembering,
    documents: LRUCache<string, Remembered>,
    scopes?: Within['scopes'],
  ) {
    this.#reads = reads;
    this.#remembering = remembering;
    this.#documents = documents;
    this.#scopes = scopes;
  }

  async get<B>(projection: Readable<B>, id: string): Promise<StoredDocument<B> | undefined> {
    return (await this.getMany(projection, [id])).get(id);
  }

  getMany<B>(projection: Readable<B>, ids: readonly string[]): Promise<Map<string, StoredDocument<B>>> {
    const { name } = projection;
    const { acknowledged, tenantOf } = this.#remembering;
    const whose = tenantOf[name];
    if (whose === undefined || ids.length > MOST_AT_ONCE || acknowledged.isBehind(name, this.#scopes))
      return this.#reads.getMany(projection, ids);
    const found = new Map<string, StoredDocument<B>>();
    const missing = ids.filter((id) => !this.#find(found, name, id, whose(id)));
    return missing.length === 0 ? Promise.resolve(found) : this.#ask(projection, missing, found);
  }

  find<B>(projection: Readable<B>, query: Query) {
    return this.#reads.find(projection, query);
  }
  count(projection: Readable<unknown>, where: Query['where'], limit: number) {
    return this.#reads.count(projection, where, limit);
  }
  within(wait: Within): Reads {
    const reads = this.#reads.within?.(wait) ?? this.#reads;
    return new RememberedReads(reads, this.#remembering, this.#documents, wait.scopes);
  }

  /** False: it has to be asked for. */
  #find<B>(found: Map<string, StoredDocument<B>>, name: string, id: string, tenant: string): boolean {
    const { changes } = this.#remembering;
    const known = this.#documents.get(`${name} ${id}`);
    if (known === undefined || changes.since(known.moment, name, tenant)) return false;
    known.moment = changes.now;
    if (known.document !== undefined) found.set(id, known.document);
    return true;
  }

  async #ask<B>(projection: Readable<B>, ids: readonly string[], found: Map<string, StoredDocument<B>>) {
    // Before the query: what changes meanwhile counts as later.
    const moment = this.#remembering.changes.now;
    const asked = await this.#reads.getMany(projection, ids);
    for (const id of ids) {
      const document = asked.get(id);
      this.#documents.set(`${projection.name} ${id}`, { document: document as StoredDocument<never>, moment });
      if (document !== undefined) found.set(id, document);
    }
    return found;
  }
}

/** `get` and `getMany` of the projections that `remembering` names; all else is asked as before. */
export function rememberedReads(reads: Reads, remembering: Remembering): Reads {
  const documents = new LRUCache<string, Remembered>({
    maxSize: remembering.mostBytes ?? MOST_BYTES,
    sizeCalculation: ({ document }, key) => OVERHEAD + key.length + 2 * (document?.json.length ?? 0),
  });
  return new RememberedReads(reads, remembering, documents);
}
