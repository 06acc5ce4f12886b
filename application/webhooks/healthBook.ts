import { LRUCache } from 'lru-cache';
import type { Documents } from '../../engine/ports/documents.js';
import type { ProcessorContext } from '../../engine/processors/processor.js';
import { type Health, storedHealth, UNKNOWN_HEALTH } from './deliveryLog.js';

/** Endpoints whose health is in memory: those used last. */
const MOST = 10_000;

export interface HealthBook {
  /** Reads it if it is not known yet. */
  know(endpointId: string): Promise<Health>;
  /** `change` is given the newest health, also while its writing is under way; answers what it makes of it. */
  change(endpointId: string, change: (health: Health) => Health): Health;
  forget(endpointId: string): void;
}

/**
 * Outcomes are written in batches, a moment after they are decided. So that several attempts of one endpoint add up, the
 * newest health is kept in memory; the documents' revisions keep older ones from overwriting it.
 */
function createHealthBook(work: Documents): HealthBook {
  const known = new LRUCache<string, Health>({ max: MOST });
  const keep = (id: string, health: Health): Health => {
    known.set(id, health);
    return health;
  };
  return {
    async know(id) {
      const own = known.get(id);
      if (own !== undefined) return own;
      const stored = (await storedHealth(work, [id])).get(id) ?? UNKNOWN_HEALTH;
      return keep(id, known.get(id) ?? stored);
    },
    change: (id, change) => keep(id, change(known.get(id) ?? UNKNOWN_HEALTH)),
    forget: (id) => void known.delete(id),
  };
}

/** One of each run of the processor, or of one of its shards: between two runs others may have written. */
export function healthBooks(work: Documents): (context: ProcessorContext) => HealthBook {
  const books = new WeakMap<ProcessorContext, HealthBook>();
  return (context) => {
    const book = books.get(context) ?? createHealthBook(work);
    books.set(context, book);
    return book;
  };
}
