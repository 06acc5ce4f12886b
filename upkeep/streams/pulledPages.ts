/** A stream that is read as fast as it is taken: an Observable of rxjs, and an async iterable. */
import { Observable, type Subscriber } from 'rxjs';

/** Makes the pages of one subscription, from their beginning; it ends with the signal. */
export type Pages<T> = (signal: AbortSignal) => AsyncIterable<readonly T[]>;

/**
 * Each subscription reads for itself, a page at a time: the next page is read when the subscriber has returned from the last value of
 * the one before. What a subscriber does at once (`filter`, `scan`, `bufferTime`) therefore holds the reading up by itself; what it awaits does in
 * `for await` and in `concurrently`, while operators such as `mergeMap` would gather without a bound what they have not come to.
 */
export class Pulled<T> extends Observable<T> implements AsyncIterable<T> {
  readonly #pages: Pages<T>;

  constructor(pages: Pages<T>) {
    super((subscriber) => {
      const ended = new AbortController();
      void deliver(pages(ended.signal), subscriber);
      return () => ended.abort();
    });
    this.#pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const ended = new AbortController();
    try {
      for await (const page of this.#pages(ended.signal)) yield* page;
    } finally {
      ended.abort();
    }
  }

  /** Does awaited work for each value, at most so many at a time; the next value is taken when one of them is done. */
  concurrently<R>(work: (value: T) => Promise<R>, most = 1): Observable<R> {
    return new Observable<R>((subscriber) => {
      const values = this[Symbol.asyncIterator]();
      const worker = async (): Promise<void> => {
        while (!subscriber.closed) {
          const next = await values.next();
          if (next.done) return;
          subscriber.next(await work(next.value));
        }
      };
      Promise.all(Array.from({ length: most }, worker)).then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      );
      return () => void values.return();
    });
  }
}

async function deliver<T>(pages: AsyncIterable<readonly T[]>, subscriber: Subscriber<T>): Promise<void> {
  try {
    for await (const page of pages)
      for (const value of page) {
        if (subscriber.closed) return;
        subscriber.next(value);
      }
    subscriber.complete();
  } catch (error) {
    subscriber.error(error);
  }
}
