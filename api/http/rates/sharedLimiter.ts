/** One kind of limit, answered from portions of buckets that all instances share: see sharedRates.ts. */
import { createHash } from 'node:crypto';
import {
  type LocalRateLimiter,
  MINUTE,
  MOST_CALLERS,
  policyOf,
  type RateLimiter,
  Recent,
  type Taken,
  takenOf,
} from './rateLimit.js';

/** The buckets of all callers, and whether they can be reached. Times in ms since 1970. */
export interface Buckets {
  away(now: number): boolean;
  answered(): void;
  failed(error: unknown, now: number): void;
  /**
   * Puts `unused` back into the bucket and takes a portion for `waiting` requests and those to come. Rejects when the
   * store does not answer.
   */
  take(
    id: string,
    perMinute: number,
    unused: number,
    waiting: () => number,
  ): Promise<{ granted: number; left: number }>;
}

/** This instance's portion of a caller's bucket. */
interface Portion {
  tokens: number;
  /** The tokens are good until then. */
  until: number;
  /** Tokens in the bucket when it was last read. */
  left: number;
  leftAt: number;
  refusedUntil: number;
  waiting: number;
  request: Promise<void> | undefined;
}

const HOLD_MS = 10_000;
/** After a refusal the bucket is not looked at again for so long, so that a flood costs the store little. */
const REFUSED_MS = 250;
const ANSWER_MS = 500;
/** Others may be faster, time and again. */
const TURNS = 8;

/** Callers are addresses and key ids: what is stored names none of them. */
const idOf = (name: string, who: string): string =>
  createHash('sha256').update(`${name}\u0000${who}`).digest('base64url');

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class SharedLimiter implements RateLimiter {
  readonly name: string;
  readonly policy: string;
  readonly #rates: Buckets;
  readonly #alone: LocalRateLimiter;
  readonly #perMinute: number;
  readonly #portions = new Recent<Portion>(MOST_CALLERS);

  constructor(rates: Buckets, alone: LocalRateLimiter, perMinute: number) {
    this.name = alone.name;
    this.policy = policyOf(alone.name, perMinute);
    this.#rates = rates;
    this.#alone = alone;
    this.#perMinute = perMinute;
  }

  take(who: string, now: number, requested = 1): Taken | Promise<Taken> {
    const portion = this.#portionOf(who);
    const cost = Math.min(requested, this.#perMinute);
    if (portion.tokens >= cost && now < portion.until) return this.#used(portion, now, cost);
    if (now < portion.refusedUntil) return this.#refused(portion, now, cost);
    return this.#rates.away(now) ? this.#alone.take(who, now, cost) : this.#requested(who, portion, now, cost);
  }

  /** Unused tokens return to the common bucket with the rest of the portion. */
  refund(who: string, cost: number): void {
    const portion = this.#portions.get(who);
    if (portion !== undefined) portion.tokens += cost;
  }

  #portionOf(who: string): Portion {
    const known = this.#portions.get(who);
    if (known !== undefined) return known;
    const portion = { tokens: 0, until: 0, left: 0, leftAt: 0, refusedUntil: 0, waiting: 0, request: undefined };
    this.#portions.set(who, portion);
    return portion;
  }

  /** Concurrent requests of a caller share one read of the bucket; those that arrive during it share the next one. */
  async #requested(who: string, portion: Portion, now: number, cost: number): Promise<Taken> {
    portion.waiting += cost;
    try {
      for (let turn = 0; turn < TURNS; turn += 1) {
        portion.request ??= this.#request(idOf(this.name, who), portion, now).finally(() => {
          portion.request = undefined;
        });
        await inTime(portion.request);
        if (portion.tokens >= cost) return this.#used(portion, now, cost);
        if (now < portion.refusedUntil || (cost > 1 && turn > 0)) return this.#refused(portion, now, cost);
      }
      return this.#refused(portion, now, cost);
    } catch (error) {
      this.#rates.failed(error, now);
      return this.#alone.take(who, now, cost);
    } finally {
      portion.waiting -= cost;
    }
  }

  async #request(id: string, portion: Portion, now: number): Promise<void> {
    const unused = portion.tokens;
    portion.tokens = 0;
    const { granted, left } = await this.#rates.take(id, this.#perMinute, unused, () => portion.waiting);
    portion.tokens = granted;
    portion.until = now + HOLD_MS;
    portion.left = left;
    portion.leftAt = now;
    if (granted === 0)
      portion.refusedUntil = now + Math.max(1, Math.min(REFUSED_MS, ((1 - left) * MINUTE) / this.#perMinute));
    this.#rates.answered();
  }

  #used(portion: Portion, now: number, cost: number): Taken {
    portion.tokens -= cost;
    return takenOf(true, this.#known(portion, now), this.#perMinute);
  }

  #refused(portion: Portion, now: number, cost: number): Taken {
    return takenOf(false, Math.min(portion.left, this.#known(portion, now), cost - 0.5), this.#perMinute, cost);
  }

  /** Returns the caller's tokens as far as this instance knows. */
  #known({ tokens, left, leftAt }: Portion, now: number): number {
    return Math.min(this.#perMinute, tokens + left + Math.max(0, now - leftAt) * (this.#perMinute / MINUTE));
  }
}
