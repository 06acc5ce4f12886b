/** The leaves of a large embedded log, read and hashed by two threads while this one compares. */
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import { inRangeThreads } from '../logRanges/rangeThreads.js';
import type { LeafPage } from './leaves.js';

/** In their order. Rejects with LogDamaged. */
export const threadedLeaves = (folder: string, head: Position): AsyncGenerator<LeafPage, undefined> =>
  inRangeThreads<LeafPage>(
    new URL('./leafThread.js', import.meta.url),
    { folder },
    { after: BEFORE_ALL, through: head },
  );
