import type { SteadyClock } from '../../engine/ports/clock.js';

/** Maximum stores in memory. Above it, idle stores are evicted. */
const MOST_STORES = 10_000;

interface Timer {
  readonly taskId: string;
  /** Due time by the steady clock, so that a task that is late because the clock was set back is not awaited. */
  readonly at: number;
}

/**
 * In-memory state of a store between tasks, which avoids repeating harmless work. Losing it loses nothing: every timer is a durable task.
 * All times are of the steady clock.
 */
export interface StoreMemory {
  /** The push for all changes up to now. `taskId` is named after the event that scheduled it. */
  armed?: Timer | undefined;
  /** A failed push that will be retried. */
  retry?: Timer | undefined;
  /** True if items may exist that failed with their whole call. Undefined: not checked since the start. */
  refused?: boolean | undefined;
  /** Time in ms before which they are not sent again because another call was accepted. */
  refusedUntil?: number | undefined;
  /** The task that retries such items every hour. */
  hourly?: Timer | undefined;
  /** The task that goes round the items in review. `more`: further items have come since its round began. */
  review?: (Timer & { more: boolean }) | undefined;
  /** The task that checks the verdicts every day. */
  recheck?: Timer | undefined;
  /** Numbers that were connected since this entry was created. */
  connected: number;
  /** True: there is no number. Changes wait in the view, and the task of a new number pushes them all. */
  numberless: boolean;
  /** Changes since the last round began. `changedAt`: time of the newest, in ms. */
  changes: number;
  changedAt: number;
  /** Latest time to which a round waits for the end of a large upload, in ms. Undefined: none waits. */
  uploadUntil?: number | undefined;
  /** Time in ms before which no round of pushes starts. Changes until then share the next round. */
  restUntil: number;
  /** Handles of batches that have a check task. */
  readonly checked: Set<string>;
}

export interface PushMemory {
  of(workspaceId: string): StoreMemory;
}

export function createPushMemory(clock: Pick<SteadyClock, 'now' | 'isSteady'>): PushMemory {
  const stores = new Map<string, StoreMemory>();
  const isIdle = ({ armed, retry, review, hourly, recheck, refusedUntil, restUntil }: StoreMemory): boolean =>
    [armed?.at, retry?.at, review?.at, hourly?.at, recheck?.at, refusedUntil, restUntil].every(
      (at) => at === undefined || at < clock.now(),
    );
  return {
    of(workspaceId) {
      let store = stores.get(workspaceId);
      if (store !== undefined) return store;
      if (stores.size >= MOST_STORES) for (const [id, other] of stores) if (isIdle(other)) stores.delete(id);
      store = {
        connected: 0,
        numberless: false,
        changes: 0,
        changedAt: Number.NEGATIVE_INFINITY,
        restUntil: Number.NEGATIVE_INFINITY,
        checked: new Set(),
      };
      stores.set(workspaceId, store);
      return store;
    },
  };
}
