/** Answered requests for live views: a sample in batches, and nothing is buffered for slow readers. */
import { Observable, share } from 'rxjs';
import { batchesOf, LIVE_EVERY_MS, type Sample, sampled } from './liveBatches.js';
import type { Missed } from './missedEvents.js';
import {
  type LoggedRequest,
  matchesQuery,
  numberAt,
  placeOf,
  type RequestLog,
  type RequestQuestion,
} from './requestLog.js';

export interface RequestBatch {
  readonly requests: readonly LoggedRequest[];
  /** Number of matching requests that were left out. */
  readonly left: number;
  /** Place to continue from. Valid only for this process. */
  readonly through: string;
  /** Requests that were missed before a reconnection, other than these, and are still retained. */
  readonly missed?: Missed;
}

/**
 * Returns new requests that match a query. `since`: place after which missed requests are included. `everyMs`: interval between batches.
 */
export function liveRequests(
  log: RequestLog,
  everyMs = LIVE_EVERY_MS,
): (question: RequestQuestion, since?: string) => Observable<RequestBatch> {
  const all = new Observable<LoggedRequest>((watcher) => log.watch((request) => watcher.next(request))).pipe(share());
  const batchOf = ({ retained, left }: Sample<LoggedRequest>): RequestBatch => ({
    requests: retained,
    left,
    through: placeOf(log, retained.at(-1)!.number),
  });
  const live = batchesOf<RequestQuestion, LoggedRequest, RequestBatch>(all, {
    answers: (question, request) => matchesQuery(request, question),
    batchOf,
    everyMs,
  });
  const caughtUp = (all: readonly LoggedRequest[]): RequestBatch => {
    const { retained, left } = sampled(all);
    const batch = batchOf({ retained, left: 0 });
    if (left === 0) return batch;
    const [from, to] = [all[0]!.at, all[left - 1]!.at + 1].map((at) => new Date(at).toISOString());
    return { ...batch, missed: { count: left, atLeast: false, from: from!, to: to! } };
  };
  return (question, since) =>
    new Observable<RequestBatch>((watcher) => {
      // Both in one turn of the event loop, so that no request is missed in between.
      const after = since === undefined ? 0 : numberAt(log, since);
      const missed = since === undefined ? [] : log.since(question, after);
      // A batch in progress may include requests that were already delivered here.
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

/** Returns the batch without requests up to `newest`. */
const newerThan = (newest: number, batch: RequestBatch): RequestBatch =>
  batch.requests[0]!.number > newest
    ? batch
    : { ...batch, requests: batch.requests.filter(({ number }) => number > newest) };
