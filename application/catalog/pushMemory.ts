import type { SteadyClock } from '../../engine/ports/clock.js';

/** Stores remembered at once; beyond, those with nothing under way are forgotten. */
const MOST_STORES = 10_000;

interface Timer {
  readonly taskId: string;
  /** When it is due, by the steady clock: a task that is late since the clock was set back is not waited for. */
  readonly at: number;
}

/**
 * What the push remembers of a store between tasks, to do things once that would be harmless twice. Nothing is lost
 * with it: every timer is a durable task. All times are of the steady clock.
 */
export interface StoreMemory {
  /** The push that changes up to now lead to; `taskId` is named after the event that armed it. */
  armed?: Timer | undefined;
  /** A push that failed and is to be tried again. */
  retry?: Timer | undefined;
  /** Whether items may stand that failed with their whole call; undefined: not looked at since the start. */
  refused?: boolean | undefined;
  /** Before that, in ms, they are not sent again because another call was taken. */
  refusedUntil?: number | undefined;
  /** The task that tries such items every hour. */
  hourly?: Timer | undefined;
  /** The task that goes round the items in review; `more`: further ones have come since its round began. */
  review?: (Timer & { more: boolean }) | undefined;
  /** The task that reads the verdicts again every day. */
  recheck?: Timer | undefined;
  /** Numbers that were connected since this is remembered. */
  connected: number;
  /** There is no number: changes wait in the view for one, whose task pushes them all. */
  numberless: boolean;
  /** Changes since the last round began, and when the newest came, in ms. */
  changes: number;
  changedAt: number;
  /** Until when a round waits for the end of a large upload at most, in ms; undefined: none waits. */
  uploadUntil?: number | undefined;
  /** No round of pushes begins before, in ms: what changes meanwhile shares the next one. */
  restUntil: number;
  /** Handles of batches whose check is a task already. */
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
