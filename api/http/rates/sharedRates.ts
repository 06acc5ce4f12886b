/**
 * Rate limits over all instances. A caller's bucket is a document of the work collections. An instance takes a portion
 * out of it by compare and set (5 % of a minute's requests, less when the bucket runs low) and answers from the
 * portion. Tokens taken count as used, so the instances together never allow more than one bucket would. A portion
 * lasts at most 10 s, so in any minute the excess is at most one portion per instance. While the store is down, each
 * instance counts alone: availability comes before exactness.
 */

import { compareAndSet, expiringCollection } from '../../../engine/collections.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { Log } from '../../../engine/ports/log.js';
import { sweepExpired } from '../../../engine/sweepExpired.js';
import { MINUTE, type RateLimiter, rateLimiter } from './rateLimit.js';
import { type Buckets, SharedLimiter } from './sharedLimiter.js';

/** A bucket as it is stored: `tokens` at the time `at`, in ms since 1970. */
interface Stored {
  readonly tokens: number;
  readonly at: number;
}

const PORTION = 0.05;
const AWAY_MS = 1000;
/** Others may change the bucket between two looks. */
const TURNS = 8;
const FORGET_MS = 2 * MINUTE;
/** Clocks of several instances differ by less; a bucket from further ahead is of a clock that was set back since. */
const CLOCK_SKEW_MS = MINUTE;

export const rateLimits = expiringCollection('rateLimits');

/** How much of `tokens` an instance takes for those who wait and those who come next. */
function portionOf(tokens: number, perMinute: number, waiting: number): number {
  const whole = Math.floor(tokens);
  const ahead = Math.min(Math.ceil(perMinute * PORTION), Math.floor(whole / 4));
  return Math.min(whole, Math.max(waiting, ahead));
}

/** When a bucket was filled last, by the clock as it is now. */
const filledAt = (at: number, now: number): number => (at > now + CLOCK_SKEW_MS ? now : at);

/** The store of all buckets, and whether it answers. */
export class SharedRates implements Buckets {
  readonly #work: DocumentStore;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  #awayUntil = 0;
  #stopSweeps: (() => void) | undefined;

  constructor(work: DocumentStore, clock: Clock, log: Pick<Log, 'warn' | 'info'>) {
    this.#work = work;
    this.#clock = clock;
    this.#log = log;
  }

  /** Opens the collection and starts the removal of buckets that are full again. Before the first request; again where it has failed. */
  async start(): Promise<void> {
    await this.#work.open(rateLimits);
    this.#stopSweeps ??= sweepExpired(this.#work, this.#clock, rateLimits.name);
  }

  stop(): void {
    this.#stopSweeps?.();
  }

  /** `perMinute` 0: no limiter. */
  limiter(name: string, perMinute: number): RateLimiter | undefined {
    const alone = rateLimiter(name, perMinute);
    return alone === undefined ? undefined : new SharedLimiter(this, alone, perMinute);
  }

  away(now: number): boolean {
    return now < this.#awayUntil;
  }

  answered(): void {
    if (this.#awayUntil === 0) return;
    this.#awayUntil = 0;
    this.#log.info({}, 'shared rate limits available again');
  }

  failed(error: unknown, now: number): void {
    if (this.#awayUntil === 0) this.#log.warn({ err: error }, 'shared rate limits unavailable, counting per instance');
    this.#awayUntil = now + AWAY_MS;
  }

  /**
   * Puts `unused` back into the bucket and takes a portion for `waiting` requests and those to come. Rejects when the
   * store does not answer.
   */
  async take(
    id: string,
    perMinute: number,
    unused: number,
    waiting: () => number,
  ): Promise<{ granted: number; left: number }> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const now = this.#clock.now();
      const found = await this.#work.get<Stored>(rateLimits.name, id);
      const tokens = found === undefined ? perMinute : this.#filled(found.body, perMinute, unused, now);
      const granted = portionOf(tokens, perMinute, waiting());
      const left = tokens - granted;
      if (granted === 0) return { granted, left };
      // A clock that is behind another instance's must not fill the bucket twice.
      const body: Stored = { tokens: left, at: Math.max(now, filledAt(found?.body.at ?? now, now)) };
      const next = { id, keys: { expiresAt: body.at + FORGET_MS }, body };
      if (await compareAndSet(this.#work, rateLimits.name, found, next)) return { granted, left };
    }
    throw new Error(`the bucket was changed by others ${TURNS} times in a row`);
  }

  #filled({ tokens, at }: Stored, perMinute: number, unused: number, now: number): number {
    return Math.min(perMinute, tokens + unused + Math.max(0, now - filledAt(at, now)) * (perMinute / MINUTE));
  }
}
