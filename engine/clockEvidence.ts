/**
 * What keeps one look at a wrong clock from doing what cannot be undone (forgetting, deleting, cancelling): the newest times that are
 * known when the process begins, and otherwise a second look after an hour in which nobody set the clock.
 */
import type { Clock, ClockEvidence as Evidence } from './ports/clock.js';
import { pause } from './processors/backOff.js';

const MINUTE_MS = 60_000;
/** A clock this far from the log is reported, and confirmed by a second look. */
export const APART_MS = 24 * 60 * MINUTE_MS;
/** From the first look to the second, in which the process runs. */
const SECOND_LOOK_MS = 60 * MINUTE_MS;
/** A clock that changes by more was set, or the machine was suspended. */
const STEP_MS = 5 * MINUTE_MS;

export class ClockEvidence implements Evidence {
  readonly #clock: Pick<Clock, 'now' | 'steady'>;
  readonly #newest: number | undefined;
  /** By which the wall clock is ahead of the steady one. */
  #ahead: number;
  /** Since when nobody set it, by the steady clock. */
  #since: number;
  #isConfirmed: boolean;

  /** `known`: times of what was written before, ms since 1970, such as those of the newest event and the newest signed head. */
  constructor(clock: Pick<Clock, 'now' | 'steady'>, known: readonly number[]) {
    this.#clock = clock;
    const times = known.filter((time) => Number.isFinite(time));
    this.#newest = times.length === 0 ? undefined : Math.max(...times);
    this.#ahead = this.#aheadNow();
    this.#since = clock.steady.now();
    this.#isConfirmed = this.#apartMs() <= APART_MS;
  }

  /** ms until the clock may be confirmed; 0: it is. */
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

  /** A sentence for the operator, while the clock is far from what was written last. */
  report(): string | undefined {
    const wait = this.waitMs();
    if (wait === 0) return undefined;
    const apart = this.#apartMs();
    const minutes = Math.ceil(wait / MINUTE_MS);
    const since =
      apart > APART_MS
        ? `this machine's clock is ${distance(this.#clock.now(), this.#newest!)} the newest event`
        : "this machine's clock was set";
    return `${since}: nothing is forgotten, deleted or cancelled for ${minutes} min, until it is confirmed`;
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

/** ms until the clock may be relied on for what cannot be undone; 0: now. */
export const unconfirmedMs = ({ evidence }: Pick<Clock, 'evidence'>): number => evidence?.waitMs() ?? 0;

/**
 * Waits until the clock may be relied on for what cannot be undone. The time of afterwards counts: the clock may have been set right.
 * Rejects with the signal's reason.
 */
export async function clockConfirmed(clock: Pick<Clock, 'evidence' | 'steady'>, signal: AbortSignal): Promise<void> {
  for (let wait = unconfirmedMs(clock); wait > 0; wait = unconfirmedMs(clock)) {
    await pause(clock.steady, Math.min(wait, MINUTE_MS), signal);
    signal.throwIfAborted();
  }
}
