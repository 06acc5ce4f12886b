import { LateCache } from '../../engine/lateCache.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import type { ProcessorContext } from '../../engine/processors/processor.js';
import { SOURCE_NOTED_MS, type Source, sourceDocument } from './deliveryLog.js';

/** Maximum events whose recorded source is cached. */
const MOST = 10_000;

export interface SourceBook {
  /** Returns documents to write with an attempt, if any. */
  note(eventId: string, source: Source, now: number): readonly NewDocument[];
}

/**
 * Records the source of an event with its first attempt, and again after a while, since an event may have many deliveries with the same
 * source. Outcomes are written in order, so the first one is stored if a later one is.
 */
function createSourceBook(): SourceBook {
  const noted = new LateCache<{ readonly at: number }>({ max: MOST });
  return {
    note(eventId, source, now) {
      const before = noted.get(eventId);
      if (before !== undefined && now - before.at < SOURCE_NOTED_MS && now >= before.at) return [];
      noted.set(eventId, { at: now });
      return [sourceDocument(eventId, source, now)];
    },
  };
}

/** Creates one book per run of the processor or of one of its shards, since the writes of an earlier run may be lost. */
export function sourceBooks(): (context: ProcessorContext) => SourceBook {
  const books = new WeakMap<ProcessorContext, SourceBook>();
  return (context) => {
    const book = books.get(context) ?? createSourceBook();
    books.set(context, book);
    return book;
  };
}
