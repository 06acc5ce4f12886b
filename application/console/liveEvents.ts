/** The log as it grows, for whoever watches: one subscription for all, and nothing kept for those that are slow. */
import { Observable, share } from 'rxjs';
import { defined } from '../../domain/defined.js';
import type { EventStore, Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion, type Log } from './eventFilter.js';
import { batchesOf, LIVE_EVERY_MS } from './liveBatches.js';
import { catchingUp, type Missed } from './missedEvents.js';

/** What a watcher is told at once: some of the events, and how many more there were. */
export interface LiveBatch {
  readonly events: readonly RecordedEvent[];
  /** Events that answer the question and are left out, because there were too many at once. */
  readonly left: number;
  /** Everything up to here has been seen. */
  readonly through: Position;
  /** To who comes again: what passed meanwhile beside these. */
  readonly missed?: Missed;
}

export interface LiveEvents {
  /** Everything that is appended from the subscription on. */
  readonly all: Observable<RecordedEvent>;
  /** What answers the question, after `since` where it is given, in batches. */
  watch(question: EventQuestion, since?: Position): Observable<LiveBatch>;
}

/** `everyMs`: between batches. The log is subscribed to while somebody watches. */
export function liveEvents(log: Log & Pick<EventStore, 'subscribe'>, everyMs = LIVE_EVERY_MS): LiveEvents {
  const all = new Observable<RecordedEvent>((watcher) => {
    let ended = false;
    let stop: (() => Promise<void>) | undefined;
    void log
      .head()
      .then((head) => {
        if (ended) return;
        const batch = (events: readonly RecordedEvent[]): void => {
          for (const event of events) watcher.next(event);
        };
        const subscription = log.subscribe(head, {}, { batch });
        stop = () => subscription.stop();
        subscription.ended.catch((error: unknown) => watcher.error(error));
      })
      .catch((error: unknown) => watcher.error(error));
    return () => {
      ended = true;
      void stop?.();
    };
  }).pipe(share());

  const live = batchesOf<EventQuestion, RecordedEvent, LiveBatch>(all, {
    answers,
    batchOf: ({ kept, left }) => ({ events: kept, left, through: kept.at(-1)!.position }),
    everyMs,
  });

  const caughtUp = catchingUp(log);
  return {
    all,
    watch(question, since) {
      if (since === undefined) return live(question);
      return new Observable<LiveBatch>((watcher) => {
        const waiting: LiveBatch[] = [];
        let from: Position | undefined;
        // Beside the catching up, so that nothing falls between the two; what stands in both is left out here.
        const following = live(question).subscribe({
          next: (batch) => {
            if (from === undefined) waiting.push(batch);
            else if (batch.through > from) watcher.next(after(batch, from));
          },
          error: (error) => watcher.error(error),
        });
        caughtUp(question, since)
          .then(({ until, events, missed }) => {
            from = until;
            if (events.length > 0 || missed !== undefined)
              watcher.next({ events, left: 0, through: until, ...defined({ missed }) });
            for (const batch of waiting.splice(0)) if (batch.through > from) watcher.next(after(batch, from));
          })
          .catch((error: unknown) => watcher.error(error));
        return following;
      });
    },
  };
}

/** The same batch where all of it stands behind. */
const after = (batch: LiveBatch, from: Position): LiveBatch =>
  (batch.events[0]?.position ?? from) > from
    ? batch
    : { ...batch, events: batch.events.filter(({ position }) => position > from) };
