import type { SessionDocument } from './leaseDocuments.js';

/** A session that no document stands for: removed, or inserted while the query that missed it ran. */
const MISSING = -1;

/**
 * Since when this instance has seen each session's heartbeat unchanged, by its own clock. So no two clocks are ever compared: the
 * beat that was seen began before it was seen, and its owner counts from there.
 */
export class Heartbeats {
  readonly #ttlMs: number;
  readonly #mostMs: number;
  #takenAt: number | undefined;
  #seen = new Map<string, { revision: number; since: number }>();

  /**
   * `mostMs`: between two answers of the store only so much counts as silence. While it does not answer, as during an
   * election, nobody can beat; whoever then looks first must not hold the others for dead.
   */
  constructor(ttlMs: number, mostMs: number) {
    this.#ttlMs = ttlMs;
    this.#mostMs = mostMs;
  }

  /** What one query showed; `owners` are the sessions that leases point to. `now`: when its answer was there. */
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

  /** Whether it has been unchanged, and the store at hand, for a whole `ttlMs` before the query that showed it, which was asked at `asked`. */
  isSilent(id: string, asked: number): boolean {
    const seen = this.#seen.get(id);
    return seen !== undefined && asked - seen.since >= this.#ttlMs;
  }

  /** The earliest time at which one of them, the one given left out, could be found silent. */
  nextSilent(except: string | undefined): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { since }] of this.#seen) if (id !== except) next = Math.min(next, since + this.#ttlMs);
    return next;
  }
}
