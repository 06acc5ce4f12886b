/** Requests as they are answered, for whoever watches: a sample in batches, and nothing kept for those that are slow. */
import { bufferTime, filter, map, Observable, share } from 'rxjs';
import { LIVE_EVERY_MS, MOST_LIVE } from './liveEvents.js';
import { isAsked, type LoggedRequest, numberAt, placeOf, type RequestLog, type RequestQuestion } from './requestLog.js';

/** How far back somebody who comes again is taken. */
const MOST_MISSED = 500;

export interface RequestBatch {
  readonly requests: readonly LoggedRequest[];
  /** Requests that answer the question and are left out, because there were too many at once. */
  readonly left: number;
  /** The place to go on from: of this process, and of no other. */
  readonly through: string;
}

/** What answers a question from now on; `since` a place, what was missed as well. `everyMs`: between batches. */
export function liveRequests(
  log: RequestLog,
  everyMs = LIVE_EVERY_MS,
): (question: RequestQuestion, since?: string) => Observable<RequestBatch> {
  const all = new Observable<LoggedRequest>((watcher) => log.watch((request) => watcher.next(request))).pipe(share());
  const batchOf = (requests: readonly LoggedRequest[]): RequestBatch => ({
    requests: requests.slice(-MOST_LIVE),
    left: Math.max(0, requests.length - MOST_LIVE),
    through: placeOf(log, requests.at(-1)!.number),
  });
  return (question, since) =>
    new Observable<RequestBatch>((watcher) => {
      // Both in one turn, so that nothing falls between the two.
      const missed = since === undefined ? [] : log.since(question, numberAt(log, since), MOST_MISSED);
      const following = all
        .pipe(
          filter((request) => isAsked(request, question)),
          bufferTime(everyMs),
          filter((requests) => requests.length > 0),
          map(batchOf),
        )
        .subscribe(watcher);
      if (missed.length > 0) watcher.next(batchOf(missed));
      return following;
    });
}
