/** Requests a minute, by a token bucket: a full minute's requests may come at once, then they refill evenly. */

/** What one request found. */
export interface Taken {
  readonly allowed: boolean;
  /** Requests that may follow at once. */
  readonly remaining: number;
  /** Seconds until the whole quota is there again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 when it is now. */
  readonly retrySeconds: number;
}

/** Limits of one kind (IP addresses, keys, users). In memory, for this instance. */
export interface RateLimiter {
  /** As in the header field: `"ip";q=6000;w=60`. */
  readonly policy: string;
  readonly name: string;
  take(who: string, now: number): Taken;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MINUTE = 60_000;

/**
 * The callers of lately, at most `most` of them: two generations, so that the older half is dropped at once and a lookup
 * costs the same however many there are. Whoever is dropped starts with a full bucket again.
 */
class Recent {
  readonly #half: number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2));
  }
  get(who: string): Bucket | undefined {
    const bucket = this.#young.get(who);
    if (bucket !== undefined) return bucket;
    const old = this.#old.get(who);
    if (old !== undefined) this.set(who, old);
    return old;
  }
  set(who: string, bucket: Bucket): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(who, bucket);
  }
}

/** `perMinute` 0: no limiter. `most` callers are remembered, 100,000 when absent. */
export function rateLimiter(name: string, perMinute: number, most = 100_000): RateLimiter | undefined {
  if (perMinute === 0) return undefined;
  const recent = new Recent(most);
  const perMs = perMinute / MINUTE;
  const fill = (who: string, now: number): Bucket => {
    const bucket = recent.get(who);
    if (bucket === undefined) {
      const full = { tokens: perMinute, at: now };
      recent.set(who, full);
      return full;
    }
    // A clock that goes back must not take tokens away.
    bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    return bucket;
  };
  return {
    name,
    policy: `"${name}";q=${perMinute};w=60`,
    take(who, now) {
      const bucket = fill(who, now);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1000),
        retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)),
      };
    },
  };
}
