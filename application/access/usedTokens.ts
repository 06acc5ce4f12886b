/** Which user tokens have opened a session already: each opens one, whichever instance it comes to. */
import { createHash } from 'node:crypto';
import { refuse } from '../../domain/decider.js';
import { expiringCollection } from '../../engine/collections.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { sweepExpired } from '../../engine/sweepExpired.js';
import { SKEW_SECONDS } from './userTokenClaims.js';

export const usedTokens = expiringCollection('usedTokens');

/** Kept for so long beyond the last moment in which the token would be accepted: clocks of instances differ. In ms. */
const MARGIN = 60_000;

/** Who has the token; nobody's when a sign-in that took it was refused after all. */
interface Use {
  readonly by: string | null;
}

/** One user token, for one request and its repetitions with its Idempotency-Key. */
export interface TokenUse {
  /** Refuses `user_token_replayed` when another request has the token. Takes nothing. */
  check(): Promise<void>;
  /** Takes the token: durable when it resolves. Refuses `user_token_replayed`. */
  take(): Promise<void>;
  /** After a refusal: the token has opened no session and may be tried again. */
  giveBack(): Promise<void>;
}

const idOf = (ownerId: string, jti: string): string =>
  createHash('sha256').update(`${ownerId}\0${jti}`).digest('base64url');

const isFree = (use: Use, by: string): boolean => use.by === null || use.by === by;

const replayed = (): never =>
  refuse('user_token_replayed', 'A user token with this jti has opened a session already: sign a new one.');

export class UsedTokens {
  readonly #work: DocumentStore;
  readonly #clock: Clock;
  #stopSweeps: (() => void) | undefined;

  constructor(work: DocumentStore, clock: Clock) {
    this.#work = work;
    this.#clock = clock;
  }

  /** Opens the collection and starts the removal of what has expired. Before the first request; again where it has failed. */
  async start(): Promise<void> {
    await this.#work.open(usedTokens);
    this.#stopSweeps ??= sweepExpired(this.#work, this.#clock, usedTokens.name);
  }

  stop(): void {
    this.#stopSweeps?.();
  }

  /** `exp`: seconds since 1970. `by` answers the same for a request and its repetitions. */
  use(ownerId: string, { jti, exp }: { readonly jti: string; readonly exp: number }, by: () => string): TokenUse {
    return {
      check: () => this.check(ownerId, jti, by()),
      take: () => this.take(ownerId, jti, exp, by()),
      giveBack: () => this.giveBack(ownerId, jti, by()),
    };
  }

  /** Refuses `user_token_replayed` when somebody else than `by` has the token. */
  async check(ownerId: string, jti: string, by: string): Promise<void> {
    const found = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (found !== undefined && !isFree(found.body, by)) replayed();
  }

  /**
   * Takes the token: durable when it resolves. The same `by` may take it again, since a request that is repeated with its
   * Idempotency-Key after a failure is still the same one. `exp`: seconds since 1970. Refuses `user_token_replayed`.
   */
  async take(ownerId: string, jti: string, exp: number, by: string): Promise<void> {
    const id = idOf(ownerId, jti);
    const expiresAt = (exp + SKEW_SECONDS) * 1000 + MARGIN;
    const taken = await this.#work.insert(usedTokens.name, { id, revision: 1, keys: { expiresAt }, body: { by } });
    if (taken) return;
    const before = await this.#work.get<Use>(usedTokens.name, id);
    if (before?.body.by === by) return;
    if (before?.body.by !== null) return replayed();
    // Another token with this jti may be good for longer than the one that was given back.
    const until = Math.max(expiresAt, Number(before.keys.expiresAt));
    if (!(await this.#hand(before, until, by))) replayed();
  }

  /** Leaves the token to whoever comes next, if `by` has it. */
  async giveBack(ownerId: string, jti: string, by: string): Promise<void> {
    const before = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (before?.body.by === by) await this.#hand(before, Number(before.keys.expiresAt), null);
  }

  /** False when another was faster. */
  #hand({ id, revision }: StoredDocument<Use>, expiresAt: number, by: string | null): Promise<boolean> {
    const document = { id, revision: revision + 1, keys: { expiresAt }, body: { by } };
    return this.#work.replace(usedTokens.name, revision, document);
  }
}
