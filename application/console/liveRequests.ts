/** Requests as they are answered, for whoever watches: a sample in batches, and nothing kept for those that are slow. */
import { Observable, share } from 'rxjs';
import { batchesOf, LIVE_EVERY_MS, type Sample, sampled } from './liveBatches.js';
import type { Missed } from './missedEvents.js';
import { isAsked, type LoggedRequest, numberAt, placeOf, type RequestLog, type RequestQuestion } from './requestLog.js';

export interface RequestBatch {
  readonly requests: readonly LoggedRequest[];
  /** Requests that answer the question and are left out, because there were too many at once. */
  readonly left: number;
  /** The place to go on from: of this process, and of no other. */
  readonly through: string;
  /** To who comes again: what passed meanwhile beside these, and is in the record still. */
  readonly missed?: Missed;
}

/** What answers a question from now on; `since` a place, what was missed as well. `everyMs`: between batches. */
export function liveRequests(
  log: RequestLog,
  everyMs = LIVE_EVERY_MS,
): (question: RequestQuestion, since?: string) => Observable<RequestBatch> {
  const all = new Observable<LoggedRequest>((watcher) => log.watch((request) => watcher.next(request))).pipe(share());
  const batchOf = ({ kept, left }: Sample<LoggedRequest>): RequestBatch => ({
    requests: kept,
    left,
    through: placeOf(log, kept.at(-1)!.number),
  });
  const live = batchesOf<RequestQuestion, LoggedRequest, RequestBatch>(all, {
    answers: (question, request) => isAsked(request, question),
    batchOf,
    everyMs,
  });
  const caughtUp = (all: readonly LoggedRequest[]): RequestBatch => {
    const { kept, left } = sampled(all);
    const batch = batchOf({ kept, left: 0 });
    if (left === 0) return batch;
    const [from, to] = [all[0]!.at, all[left - 1]!.at + 1].map((at) => new Date(at).toISOString());
    return { ...batch, missed: { count: left, atLeast: false, from: from!, to: to! } };
  };
  return (question, since) =>
    new Observable<RequestBatch>((watcher) => {
      // Both in one turn, so that nothing falls between the two.
      const after = since === undefined ? 0 : numberAt(log, since);
      const missed = since === undefined ? [] : log.since(question, after);
      // What others wait for already may have been seen here, or be told with what was missed.
      const newest = missed.at(-1)?.number ?? after;
      const following = live(question).subscribe({
        next: (batch) => {
          const fresh = newerThan(newest, batch);
          if (fresh.requests.length > 0) watcher.next(fresh);
        },
        error: (error) => watcher.error(error),
      });
      if (missed.length > 0) watcher.next(caughtUp(missed));
      return following;
    });
}

/** The same batch where all of it is newer. */
const newerThan = (newest: number, batch: RequestBatch): RequestBatch =>
  batch.requests[0]!.number > newest
    ? batch
    : { ...batch, requests: batch.requests.filter(({ number }) => number > newest) };
