/** New events of the log for live views: one subscription for all, and nothing is buffered for slow readers. */
import { Observable, share } from 'rxjs';
import { defined } from '../../domain/defined.js';
import type { EventStore, Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion, type Log } from './eventFilter.js';
import { batchesOf, LIVE_EVERY_MS } from './liveBatches.js';
import { catchingUp, type Missed } from './missedEvents.js';

/** A batch: some of the events, and the number of the others. */
export interface LiveBatch {
  readonly events: readonly RecordedEvent[];
  /** Number of matching events that were left out. */
  readonly left: number;
  /** Position up to which everything was processed. */
  readonly through: Position;
  /** Events that were missed before a reconnection, other than these. */
  readonly missed?: Missed;
}

export interface LiveEvents {
  /** All events that are appended after the subscription. */
  readonly all: Observable<RecordedEvent>;
  /** Returns events that match the query in batches, after `since` if given. */
  watch(question: EventQuestion, since?: Position): Observable<LiveBatch>;
}

/** `everyMs`: interval between batches. Subscribes to the log while somebody watches. */
export function liveEvents(log: Log & Pick<EventStore, 'subscribe'>, everyMs = LIVE_EVERY_MS): LiveEvents {
  /** Resolves when the current subscription has its place in the log. */
  let started: Promise<void> = Promise.resolve();
  const all = new Observable<RecordedEvent>((watcher) => {
    let ended = false;
    let stop: (() => Promise<void>) | undefined;
    started = log.head().then((head) => {
      if (ended) return;
      const batch = (events: readonly RecordedEvent[]): void => {
        for (const event of events) watcher.next(event);
      };
      const subscription = log.subscribe(head, {}, { batch });
      stop = () => subscription.stop();
      subscription.ended.catch((error: unknown) => watcher.error(error));
    });
    started.catch((error: unknown) => watcher.error(error));
    return () => {
      ended = true;
      void stop?.();
    };
  }).pipe(share());

  const live = batchesOf<EventQuestion, RecordedEvent, LiveBatch>(all, {
    answers,
    batchOf: ({ retained, left }) => ({ events: retained, left, through: retained.at(-1)!.position }),
    everyMs,
  });

  const loaded = catchingUp(log);
  /**
   * Catches up to where the live batches of a new watcher begin, or further. A load that another watcher has begun may end before that.
   * Events in between were in batches that the new watcher did not receive.
   */
  async function caughtUp(question: EventQuestion, since: Position) {
    await started;
    const least = await log.head();
    const found = await loaded(question, since);
    return found.until >= least ? found : loaded(question, since);
  }
  return {
    all,
    watch(question, since) {
      if (since === undefined) return live(question);
      return new Observable<LiveBatch>((watcher) => {
        const waiting: LiveBatch[] = [];
        let from: Position | undefined;
        // Subscribes before catching up, so that no event is missed in between. Duplicates are removed here.
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

/** Returns the batch without events up to `from`. */
const after = (batch: LiveBatch, from: Position): LiveBatch =>
  (batch.events[0]?.position ?? from) > from
    ? batch
    : { ...batch, events: batch.events.filter(({ position }) => position > from) };
