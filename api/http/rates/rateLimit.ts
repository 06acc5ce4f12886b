/** Requests a minute, by a token bucket: a full minute's requests may come at once, then they refill evenly. */

/** Requests a minute; 0: no limit. */
export interface RateSettings {
  readonly ip: number;
  readonly user: number;
  readonly key: number;
}

/** The state of a limit after one request. */
export interface Taken {
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until the whole quota is there again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when it is now. */
  readonly retrySeconds: number;
}

/** Limits of one kind (IP addresses, keys, users). */
export interface RateLimiter {
  /** As in the header field: `"ip";q=6000;w=60`. */
  readonly policy: string;
  readonly name: string;
  /**
   * Counts as `cost` requests (default 1), at most one minute's. Returns a promise only if other instances have to be
   * consulted. `now` is a time of the steady clock.
   */
  take(who: string, now: number, cost?: number): Taken | Promise<Taken>;
  /** Returns tokens of a request that should not count. */
  refund(who: string, cost: number): void;
}

/** One that knows of this instance alone, and answers at once. */
export interface LocalRateLimiter extends RateLimiter {
  take(who: string, now: number, cost?: number): Taken;
}

interface Bucket {
  tokens: number;
  at: number;
}

export const MINUTE = 60_000;
/** Most callers in memory. */
export const MOST_CALLERS = 100_000;

export const policyOf = (name: string, perMinute: number): string => `"${name}";q=${perMinute};w=60`;

/**
 * The most recent callers, at most `most`: two generations, so that the older half is dropped at once and a lookup
 * always costs the same. A dropped caller starts with a full bucket.
 */
export class Recent<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2));
  }
  get(who: string): V | undefined {
    const value = this.#young.get(who);
    if (value !== undefined) return value;
    const old = this.#old.get(who);
    if (old !== undefined) this.set(who, old);
    return old;
  }
  set(who: string, value: V): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(who, value);
  }
}

/** Returns the state of a bucket of `tokens` after a request was allowed or refused. */
export function takenOf(allowed: boolean, tokens: number, perMinute: number, cost = 1): Taken {
  const perMs = perMinute / MINUTE;
  return {
    allowed,
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil((perMinute - tokens) / perMs / 1000),
    retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((cost - tokens) / perMs / 1000)),
  };
}

/**
 * Limits requests in memory, for this instance. Returns undefined if `perMinute` is 0. At most `most` callers are in
 * memory.
 */
export function rateLimiter(name: string, perMinute: number, most = MOST_CALLERS): LocalRateLimiter | undefined {
  if (perMinute === 0) return undefined;
  const recent = new Recent<Bucket>(most);
  const perMs = perMinute / MINUTE;
  const fill = (who: string, now: number): Bucket => {
    const bucket = recent.get(who);
    if (bucket === undefined) {
      const full = { tokens: perMinute, at: now };
      recent.set(who, full);
      return full;
    }
    bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.at) * perMs);
    bucket.at = now;
    return bucket;
  };
  return {
    name,
    policy: policyOf(name, perMinute),
    take(who, now, cost = 1) {
      const bucket = fill(who, now);
      const requested = Math.min(cost, perMinute);
      const allowed = bucket.tokens >= requested;
      if (allowed) bucket.tokens -= requested;
      return takenOf(allowed, bucket.tokens, perMinute, requested);
    },
    refund(who, cost) {
      const bucket = recent.get(who);
      if (bucket !== undefined) bucket.tokens = Math.min(perMinute, bucket.tokens + cost);
    },
  };
}
