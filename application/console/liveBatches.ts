/** What comes as it comes, in batches: those who ask the same are told the same ones, and above a rate a sample. */
import { bufferTime, filter, finalize, map, type Observable, scan, share } from 'rxjs';

/** Batches are this far apart, in ms. */
export const LIVE_EVERY_MS = 250;
/** Of one batch at most. */
export const MOST_LIVE = 50;
/** Of each batch while more than these come all the time: 60 in a second are more than anybody reads. */
const LASTING_LIVE = 15;

/** The newest of what came at once, in order. */
export interface Sample<T> {
  readonly kept: readonly T[];
  /** How many are left out, because there were too many at once. */
  readonly left: number;
}

export function sampled<T>(all: readonly T[], most = MOST_LIVE): Sample<T> {
  const kept = all.slice(-most);
  return { kept, left: all.length - kept.length };
}

interface Allowance<T> {
  /** Of the next batch at most. */
  readonly most: number;
  readonly sample?: Sample<T>;
}

/** A burst is told whole; what goes on and on is not. An empty batch spares as much as any. */
const allowed = <T>({ most }: Allowance<T>, batch: readonly T[]): Allowance<T> => {
  const sample = sampled(batch, most);
  return { most: Math.min(MOST_LIVE, most - sample.kept.length + LASTING_LIVE), sample };
};

export interface Batched<Q, T, B> {
  answers(question: Q, one: T): boolean;
  /** What is told of a sample, which holds something. Made once for all who asked. */
  batchOf(sample: Sample<T>): B;
  /** Between batches. */
  readonly everyMs: number;
}

/** Batches of what answers a question; `all` is subscribed to while somebody watches. */
export function batchesOf<Q, T, B>(
  all: Observable<T>,
  { answers, batchOf, everyMs }: Batched<Q, T, B>,
): (question: Q) => Observable<B> {
  const asked = new Map<string, Observable<B>>();
  return (question) => {
    const key = JSON.stringify(question);
    const known = asked.get(key);
    if (known !== undefined) return known;
    const batches = all.pipe(
      filter((one) => answers(question, one)),
      bufferTime(everyMs),
      scan(allowed<T>, { most: MOST_LIVE }),
      map(({ sample }) => sample!),
      filter(({ kept }) => kept.length > 0),
      map(batchOf),
      finalize(() => asked.delete(key)),
      share(),
    );
    asked.set(key, batches);
    return batches;
  };
}
