import type { SessionDocument } from './leaseDocuments.js';

/** Revision of a session without a document: it was removed, or inserted while the query that missed it ran. */
const MISSING = -1;

/**
 * Records since when each session's heartbeat has been unchanged, by this instance's clock. So no two clocks are
 * compared. A beat begins before it is seen here, and its owner counts from its beginning.
 */
export class Heartbeats {
  readonly #ttlMs: number;
  readonly #mostMs: number;
  #takenAt: number | undefined;
  #seen = new Map<string, { revision: number; since: number }>();

  /**
   * `mostMs`: maximum silence counted between two answers of the store. While the store is unavailable, as during an
   * election, no session can beat. The first instance to read afterwards must not consider the others dead.
   */
  constructor(ttlMs: number, mostMs: number) {
    this.#ttlMs = ttlMs;
    this.#mostMs = mostMs;
  }

  /**
   * Consumes the result of one query. `owners`: sessions that leases point to. `now`: time at which the result arrived.
   */
  take(sessions: readonly SessionDocument[], owners: Iterable<string>, now: number): void {
    const revisions = new Map([...owners].map((id) => [id, MISSING]));
    for (const { id, revision, body } of sessions) if (!body.ended) revisions.set(id, revision);
    for (const { id, body } of sessions) if (body.ended) revisions.delete(id);
    const seen = new Map<string, { revision: number; since: number }>();
    const unanswered = Math.max(0, now - (this.#takenAt ?? now) - this.#mostMs);
    this.#takenAt = now;
    for (const [id, revision] of revisions) {
      const before = this.#seen.get(id);
      const since = before?.revision === revision ? before.since + unanswered : now;
      seen.set(id, { revision, since });
    }
    this.#seen = seen;
  }

  /**
   * True if the heartbeat was unchanged, with the store available, for a whole `ttlMs` before the query sent at
   * `requestedAt`.
   */
  isSilent(id: string, requestedAt: number): boolean {
    const seen = this.#seen.get(id);
    return seen !== undefined && requestedAt - seen.since >= this.#ttlMs;
  }

  /** Returns the earliest time at which a session other than `except` could be found silent. */
  nextSilent(except: string | undefined): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { since }] of this.#seen) if (id !== except) next = Math.min(next, since + this.#ttlMs);
    return next;
  }
}
