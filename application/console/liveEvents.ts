/** The log as it grows, for whoever watches: one subscription for all, and nothing kept for those that are slow. */
import { bufferTime, filter, finalize, map, Observable, share } from 'rxjs';
import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { answers, type EventQuestion, engineFilter, type Log } from './eventFilter.js';

/** What a watcher is told at once: some of the events, and how many more there were. */
export interface LiveBatch {
  readonly events: readonly RecordedEvent[];
  /** Events that answer the question and are left out, because there were too many at once. */
  readonly left: number;
  /** Everything up to here has been seen. */
  readonly through: Position;
}

/** Batches are this far apart, in ms. */
export const LIVE_EVERY_MS = 250;
/** Events of one batch at most: 200 in a second are more than anybody reads. */
export const MOST_LIVE = 50;
/** How far back somebody who comes again is taken: beyond it, what was missed is counted alone. */
const MOST_MISSED = 500;

export interface LiveEvents {
  /** Everything that is appended from the subscription on. */
  readonly all: Observable<RecordedEvent>;
  /** What answers the question, after `since` where it is given, in batches. */
  watch(question: EventQuestion, since?: Position): Observable<LiveBatch>;
}

/** A sample of what came at once: the newest, in order. */
export function sampled(events: readonly RecordedEvent[]): LiveBatch {
  const kept = events.slice(-MOST_LIVE);
  return { events: kept, left: events.length - kept.length, through: events.at(-1)?.position ?? BEFORE_ALL };
}

/** What was missed since a place, up to another; `left` counts what the request does not go through any more. */
async function missedSince(log: Log, question: EventQuestion, since: Position, until: Position): Promise<LiveBatch> {
  const found: RecordedEvent[] = [];
  for (let after = since; after < until && found.length < MOST_MISSED; ) {
    const page = await log.readAll(after, { filter: engineFilter(question), limit: MOST_MISSED });
    found.push(...page.events.filter((event) => event.position <= until && answers(question, event)));
    after = page.through;
    if (page.end) break;
  }
  return { ...sampled(found), through: until };
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

  /** Those who ask the same are told the same batches: what is made of one is made once. */
  const asked = new Map<string, Observable<LiveBatch>>();
  const live = (question: EventQuestion): Observable<LiveBatch> => {
    const key = JSON.stringify(question);
    const known = asked.get(key);
    if (known !== undefined) return known;
    const batches = all.pipe(
      filter((event) => answers(question, event)),
      bufferTime(everyMs),
      filter((events) => events.length > 0),
      map(sampled),
      finalize(() => asked.delete(key)),
      share(),
    );
    asked.set(key, batches);
    return batches;
  };

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
        log
          .head()
          .then((head) => missedSince(log, question, since, head))
          .then((missed) => {
            from = missed.through;
            if (missed.events.length > 0) watcher.next(missed);
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
