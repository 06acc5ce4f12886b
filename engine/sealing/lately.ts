/** Values of events that were sealed a moment ago. */
import { LRUCache } from 'lru-cache';
import type { Box } from './sealedData.js';

/** Of a box; as JSON where there is an object among them, so that each reader has his own. */
type Values = readonly unknown[] | string;

/** Of boxes, their values, and what holds them, in bytes, about: some 13,000, a few seconds of a full load. */
const MOST_LATELY = 16 * 1024 * 1024;
/** What one takes beside its texts. */
const AROUND_ONE = 1_000;

/**
 * What was sealed a moment ago, by the text of its box: whoever wrote an event reads it from the log right after, for its processors.
 * Kept in bounds.
 */
export class Lately {
  readonly #sealed = new LRUCache<string, { readonly id: string; readonly box: Box; readonly values: Values }>({
    maxSize: MOST_LATELY,
    sizeCalculation: ({ values }, text) => AROUND_ONE + text.length + (typeof values === 'string' ? values.length : 0),
  });

  put(id: string, box: Box, values: Values): void {
    this.#sealed.set(box[3], { id, box, values });
  }

  /** The values in the box of that event, if it is the very one that was sealed. */
  of(id: string, box: Box): readonly unknown[] | undefined {
    const found = this.#sealed.get(box[3]);
    const isTheVery = found?.id === id && box.every((part, at) => part === found.box[at]);
    if (!isTheVery) return undefined;
    return typeof found.values === 'string' ? (JSON.parse(found.values) as readonly unknown[]) : found.values;
  }

  clear(): void {
    this.#sealed.clear();
  }
}
