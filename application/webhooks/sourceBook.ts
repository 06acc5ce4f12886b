import { LateCache } from '../../engine/lateCache.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import type { ProcessorContext } from '../../engine/processors/processor.js';
import { SOURCE_NOTED_MS, type Source, sourceDocument } from './deliveryLog.js';

/** Events of which it is remembered that their source was noted: those told last. */
const MOST = 10_000;

export interface SourceBook {
  /** What is to be written with an attempt, if anything. */
  note(eventId: string, source: Source, now: number): readonly NewDocument[];
}

/**
 * An event is told to many endpoints, and where it came from is the same each time: it is written with the first attempt, and again
 * where that is a while ago. Outcomes are written in their order, so the first one's stands where a later one's does.
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

/** One of each run of the processor, or of one of its shards: what another run gave up is noted again. */
export function sourceBooks(): (context: ProcessorContext) => SourceBook {
  const books = new WeakMap<ProcessorContext, SourceBook>();
  return (context) => {
    const book = books.get(context) ?? createSourceBook();
    books.set(context, book);
    return book;
  };
}
