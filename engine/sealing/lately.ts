/** Cache of the values of recently sealed events. */
import { LRUCache } from 'lru-cache';
import type { Box } from './sealedData.js';

/** Values of a box. JSON if they include an object, so that each reader gets a copy. */
type Values = readonly unknown[] | string;

/** Maximum size of boxes, values and overhead, in bytes. Fits about 13,000 boxes, a few seconds of full load. */
const MOST_LATELY = 16 * 1024 * 1024;
/** Overhead per entry, in bytes. */
const AROUND_ONE = 1_000;

/**
 * Recently sealed values by the text of their box. Processors read an event from the log right after it is written, and
 * the cache spares opening its boxes. Bounded.
 */
export class Lately {
  readonly #sealed = new LRUCache<string, { readonly id: string; readonly box: Box; readonly values: Values }>({
    maxSize: MOST_LATELY,
    sizeCalculation: ({ values }, text) => AROUND_ONE + text.length + (typeof values === 'string' ? values.length : 0),
  });

  put(id: string, box: Box, values: Values): void {
    this.#sealed.set(box[3], { id, box, values });
  }

  /** Returns the values if the box is the one that was sealed for this event. */
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
