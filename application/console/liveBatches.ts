/** Live items in batches. Equal queries share the same batches, and high rates are sampled. */
import { bufferTime, filter, finalize, map, type Observable, scan, share } from 'rxjs';

/** Interval between batches, in ms. */
export const LIVE_EVERY_MS = 250;
/** Maximum items per batch. */
export const MOST_LIVE = 50;
/** Items per batch under a lasting load: 60 per second are more than anybody reads. */
const LASTING_LIVE = 15;

/** The newest of the items, in order. */
export interface Sample<T> {
  readonly retained: readonly T[];
  /** Number of items that were left out. */
  readonly left: number;
}

export function sampled<T>(all: readonly T[], most = MOST_LIVE): Sample<T> {
  const retained = all.slice(-most);
  return { retained, left: all.length - retained.length };
}

interface Allowance<T> {
  /** Maximum items of the next batch. */
  readonly most: number;
  readonly sample?: Sample<T>;
}

/** Returns the allowance after a batch. A burst is delivered whole, a lasting load is not. An empty batch restores as much as any other. */
const allowed = <T>({ most }: Allowance<T>, batch: readonly T[]): Allowance<T> => {
  const sample = sampled(batch, most);
  return { most: Math.min(MOST_LIVE, most - sample.retained.length + LASTING_LIVE), sample };
};

export interface Batched<Q, T, B> {
  answers(question: Q, one: T): boolean;
  /** Converts a non-empty sample. Called once for all subscribers. */
  batchOf(sample: Sample<T>): B;
  /** Interval between batches, in ms. */
  readonly everyMs: number;
}

/** Returns batches of the items that match a query. Subscribes to `all` while somebody watches. */
export function batchesOf<Q, T, B>(
  all: Observable<T>,
  { answers, batchOf, everyMs }: Batched<Q, T, B>,
): (question: Q) => Observable<B> {
  const requested = new Map<string, Observable<B>>();
  return (question) => {
    const key = JSON.stringify(question);
    const known = requested.get(key);
    if (known !== undefined) return known;
    const batches = all.pipe(
      filter((one) => answers(question, one)),
      bufferTime(everyMs),
      scan(allowed<T>, { most: MOST_LIVE }),
      map(({ sample }) => sample!),
      filter(({ retained }) => retained.length > 0),
      map(batchOf),
      finalize(() => requested.delete(key)),
      share(),
    );
    requested.set(key, batches);
    return batches;
  };
}
