import { LRUCache } from 'lru-cache';
import type { Documents } from '../../engine/ports/documents.js';
import type { ProcessorContext } from '../../engine/processors/processor.js';
import { type Health, storedHealth, UNKNOWN_HEALTH } from './deliveryLog.js';

/** Maximum endpoints whose health is cached. */
const MOST = 10_000;

export interface HealthBook {
  /** Reads it if it is not cached. */
  know(endpointId: string): Promise<Health>;
  /** `change` gets the newest health, even if its write is in progress. Returns the changed health. */
  change(endpointId: string, change: (health: Health) => Health): Health;
  forget(endpointId: string): void;
}

/**
 * Caches the newest health, since outcomes are written in batches after they are decided, and several attempts of one endpoint must add up.
 * Document revisions prevent older values from overwriting newer ones.
 */
function createHealthBook(work: Documents): HealthBook {
  const known = new LRUCache<string, Health>({ max: MOST });
  const store = (id: string, health: Health): Health => {
    known.set(id, health);
    return health;
  };
  return {
    async know(id) {
      const own = known.get(id);
      if (own !== undefined) return own;
      const stored = (await storedHealth(work, [id])).get(id) ?? UNKNOWN_HEALTH;
      return store(id, known.get(id) ?? stored);
    },
    change: (id, change) => store(id, change(known.get(id) ?? UNKNOWN_HEALTH)),
    forget: (id) => void known.delete(id),
  };
}

/** Creates one book per run of the processor or of one of its shards, since others may have written between two runs. */
export function healthBooks(work: Documents): (context: ProcessorContext) => HealthBook {
  const books = new WeakMap<ProcessorContext, HealthBook>();
  return (context) => {
    const book = books.get(context) ?? createHealthBook(work);
    books.set(context, book);
    return book;
  };
}
