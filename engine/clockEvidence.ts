/**
 * Guards irreversible actions (forgetting, deleting, cancelling) against a wrong clock. The clock is confirmed if it is
 * close to the newest times known at the start. Otherwise it is confirmed after an hour in which nobody set it.
 */

import { pause } from './backOff.js';
import type { Clock, ClockEvidence as Evidence } from './ports/clock.js';

const MINUTE_MS = 60_000;
/**
 * Maximum distance of a trusted clock from the log, in ms. A clock further away is reported, and needs a second check.
 */
export const APART_MS = 24 * 60 * MINUTE_MS;
/** Time from the first check to the second, in ms. The process runs meanwhile. */
const SECOND_LOOK_MS = 60 * MINUTE_MS;
/** Smallest jump of the clock, in ms, that means it was set or the machine was suspended. */
const STEP_MS = 5 * MINUTE_MS;

export class ClockEvidence implements Evidence {
  readonly #clock: Pick<Clock, 'now' | 'steady'>;
  readonly #newest: number | undefined;
  /** Lead of the wall clock over the steady clock, in ms. */
  #ahead: number;
  /** Time of the last clock change, by the steady clock. */
  #since: number;
  #isConfirmed: boolean;

  /** `known`: times of earlier writes in ms since 1970, such as the newest event's and the newest signed head's. */
  constructor(clock: Pick<Clock, 'now' | 'steady'>, known: readonly number[]) {
    this.#clock = clock;
    const times = known.filter((time) => Number.isFinite(time));
    this.#newest = times.length === 0 ? undefined : Math.max(...times);
    this.#ahead = this.#aheadNow();
    this.#since = clock.steady.now();
    this.#isConfirmed = this.#apartMs() <= APART_MS;
  }

  /** Returns the ms until the clock may be confirmed; 0 if it is confirmed. */
  waitMs(): number {
    const ahead = this.#aheadNow();
    const now = this.#clock.steady.now();
    if (Math.abs(ahead - this.#ahead) > STEP_MS) {
      this.#since = now;
      this.#isConfirmed = false;
    }
    this.#ahead = ahead;
    if (this.#isConfirmed) return 0;
    const left = this.#since + SECOND_LOOK_MS - now;
    this.#isConfirmed = left <= 0;
    return Math.max(0, left);
  }

  /** Returns a sentence for the operator while the clock is unconfirmed. */
  report(): string | undefined {
    const wait = this.waitMs();
    if (wait === 0) return undefined;
    const apart = this.#apartMs();
    const minutes = Math.ceil(wait / MINUTE_MS);
    const since =
      apart > APART_MS
        ? `this machine's clock is ${distance(this.#clock.now(), this.#newest!)} the newest event`
        : "this machine's clock was set";
    return `${since}: erasures, deletions and cancellations are paused for ${minutes} min, until the clock is confirmed`;
  }

  #aheadNow(): number {
    return this.#clock.now() - this.#clock.steady.now();
  }

  #apartMs(): number {
    return this.#newest === undefined ? 0 : Math.abs(this.#clock.now() - this.#newest);
  }
}

/** `3 days ahead of`, `2 days behind`. */
export function distance(now: number, newest: number): string {
  const days = Math.round(Math.abs(now - newest) / APART_MS);
  return `${days} ${days === 1 ? 'day' : 'days'} ${now > newest ? 'ahead of' : 'behind'}`;
}

/** Returns the ms until the clock may be relied on for irreversible actions; 0 if it may be now. */
export const unconfirmedMs = ({ evidence }: Pick<Clock, 'evidence'>): number => evidence?.waitMs() ?? 0;

/**
 * Waits until the clock may be relied on for irreversible actions. Read the time only afterwards, since the clock may
 * have been corrected meanwhile. Rejects with the signal's reason.
 */
export async function clockConfirmed(clock: Pick<Clock, 'evidence' | 'steady'>, signal: AbortSignal): Promise<void> {
  for (let wait = unconfirmedMs(clock); wait > 0; wait = unconfirmedMs(clock)) {
    await pause(clock.steady, Math.min(wait, MINUTE_MS), signal);
    signal.throwIfAborted();
  }
}
