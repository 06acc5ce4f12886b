/**
 * Rate limits that hold in the sum over all instances. A caller's bucket is a document of the work collections; an
 * instance takes a portion out of it by compare and set (5 % of a minute's requests, less when the bucket runs low) and
 * answers from that without asking anybody. What it has taken counts as used, so the instances together never let more
 * through than one bucket would; portions are held for at most 10 s, so that in any minute it is at most one portion for
 * each instance more. Where the store does not answer, each instance counts alone: being available goes before exactness.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../application/ports/clock.js';
import type { CollectionDefinition, NewDocument, ReadModels } from '../application/ports/readModels.js';
import type { Log } from './log.js';
import {
  type LocalRateLimiter,
  MINUTE,
  MOST_CALLERS,
  policyOf,
  type RateLimiter,
  Recent,
  rateLimiter,
  type Taken,
  takenOf,
} from './rateLimit.js';

/** A bucket as it is stored: `tokens` at the time `at`, in ms since 1970. */
interface Stored {
  readonly tokens: number;
  readonly at: number;
}

/** What this instance holds of a caller's bucket. */
interface Held {
  tokens: number;
  /** The tokens are good until then. */
  until: number;
  /** What was left in the bucket when it was last looked at. */
  left: number;
  leftAt: number;
  refusedUntil: number;
  waiting: number;
  asking: Promise<void> | undefined;
}

const PORTION = 0.05;
const HOLD_MS = 10_000;
/** After a refusal the bucket is not looked at again for so long, so that a flood costs the store little. */
const REFUSED_MS = 250;
const ANSWER_MS = 500;
const AWAY_MS = 1000;
/** Others may change the bucket between two looks. */
const TURNS = 8;
const FORGET_MS = 2 * MINUTE;
const SWEEP_MS = MINUTE;
const SWEPT_AT_ONCE = 500;

export const rateLimits: CollectionDefinition = {
  name: 'rateLimits',
  keys: { expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
};

/** Callers are addresses and key ids: what is stored names none of them. */
const idOf = (name: string, who: string): string =>
  createHash('sha256').update(`${name}\u0000${who}`).digest('base64url');

const document = (id: string, revision: number, body: Stored): NewDocument => ({
  id,
  revision,
  keys: { expiresAt: body.at + FORGET_MS },
  body,
});

/** How much of `tokens` an instance takes for those who wait and those who come next. */
function portionOf(tokens: number, perMinute: number, waiting: number): number {
  const whole = Math.floor(tokens);
  const ahead = Math.min(Math.ceil(perMinute * PORTION), Math.floor(whole / 4));
  return Math.min(whole, Math.max(waiting, ahead));
}

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

/** The store of all buckets, and whether it answers. */
export class SharedRates {
  readonly #work: ReadModels;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  #awayUntil = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(work: ReadModels, clock: Clock, log: Pick<Log, 'warn' | 'info'>) {
    this.#work = work;
    this.#clock = clock;
    this.#log = log;
  }

  /** Opens the collection and starts the removal of buckets that are full again. Once, before the first request. */
  async start(): Promise<void> {
    await this.#work.open(rateLimits);
    this.#sweepAt(this.#clock.now() + SWEEP_MS);
  }

  stop(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
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
    this.#log.info({}, 'rate limits are counted over all instances again');
  }

  failed(error: unknown, now: number): void {
    if (this.#awayUntil === 0)
      this.#log.warn({ err: error }, 'rate limits cannot be counted over all instances; this one counts alone');
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
      const next = { tokens: left, at: Math.max(now, found?.body.at ?? now) };
      const written =
        found === undefined
          ? await this.#work.insert(rateLimits.name, document(id, 1, next))
          : await this.#work.replace(rateLimits.name, found.revision, document(id, found.revision + 1, next));
      if (written) return { granted, left };
    }
    throw new Error(`the bucket was changed by others ${TURNS} times in a row`);
  }

  #filled({ tokens, at }: Stored, perMinute: number, unused: number, now: number): number {
    return Math.min(perMinute, tokens + unused + Math.max(0, now - at) * (perMinute / MINUTE));
  }

  #sweepAt(time: number): void {
    this.#cancelSweep = this.#clock.at(time, () => void this.#sweep());
  }

  async #sweep(): Promise<void> {
    const where = { expiresAt: { lte: this.#clock.now() } };
    const removed = await this.#work.removeWhere(rateLimits.name, where, SWEPT_AT_ONCE).catch(() => 0);
    const stopped = this.#cancelSweep === undefined;
    if (!stopped) this.#sweepAt(this.#clock.now() + (removed === SWEPT_AT_ONCE ? 1000 : SWEEP_MS));
  }
}

class SharedLimiter implements RateLimiter {
  readonly name: string;
  readonly policy: string;
  readonly #rates: SharedRates;
  readonly #alone: LocalRateLimiter;
  readonly #perMinute: number;
  readonly #held = new Recent<Held>(MOST_CALLERS);

  constructor(rates: SharedRates, alone: LocalRateLimiter, perMinute: number) {
    this.name = alone.name;
    this.policy = policyOf(alone.name, perMinute);
    this.#rates = rates;
    this.#alone = alone;
    this.#perMinute = perMinute;
  }

  take(who: string, now: number): Taken | Promise<Taken> {
    const held = this.#heldFor(who);
    if (held.tokens >= 1 && now < held.until) return this.#used(held, now);
    if (now < held.refusedUntil) return this.#refused(held, now);
    return this.#rates.away(now) ? this.#alone.take(who, now) : this.#asked(who, held, now);
  }

  #heldFor(who: string): Held {
    const known = this.#held.get(who);
    if (known !== undefined) return known;
    const held = { tokens: 0, until: 0, left: 0, leftAt: 0, refusedUntil: 0, waiting: 0, asking: undefined };
    this.#held.set(who, held);
    return held;
  }

  /** Those who ask at the same time wait for one look together; a second one is for those who came during the first. */
  async #asked(who: string, held: Held, now: number): Promise<Taken> {
    held.waiting += 1;
    try {
      for (let turn = 0; turn < TURNS; turn += 1) {
        held.asking ??= this.#ask(idOf(this.name, who), held, now).finally(() => {
          held.asking = undefined;
        });
        await inTime(held.asking);
        if (held.tokens >= 1) return this.#used(held, now);
        if (now < held.refusedUntil) return this.#refused(held, now);
      }
      return this.#refused(held, now);
    } catch (error) {
      this.#rates.failed(error, now);
      return this.#alone.take(who, now);
    } finally {
      held.waiting -= 1;
    }
  }

  async #ask(id: string, held: Held, now: number): Promise<void> {
    const unused = held.tokens;
    held.tokens = 0;
    const { granted, left } = await this.#rates.take(id, this.#perMinute, unused, () => held.waiting);
    held.tokens = granted;
    held.until = now + HOLD_MS;
    held.left = left;
    held.leftAt = now;
    if (granted === 0)
      held.refusedUntil = now + Math.max(1, Math.min(REFUSED_MS, ((1 - left) * MINUTE) / this.#perMinute));
    this.#rates.answered();
  }

  #used(held: Held, now: number): Taken {
    held.tokens -= 1;
    return takenOf(true, this.#known(held, now), this.#perMinute);
  }

  #refused(held: Held, now: number): Taken {
    return takenOf(false, Math.min(held.left, this.#known(held, now), 0.5), this.#perMinute);
  }

  /** What is there for this caller as far as is known here. */
  #known({ tokens, left, leftAt }: Held, now: number): number {
    return Math.min(this.#perMinute, tokens + left + Math.max(0, now - leftAt) * (this.#perMinute / MINUTE));
  }
}
