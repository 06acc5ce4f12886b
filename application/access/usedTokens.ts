/** User tokens that have opened a session. Each opens only one, on any instance. */
import { createHash, randomUUID } from 'node:crypto';
import { session } from '../../domain/access/session.js';
import { refuse } from '../../domain/decider.js';
import { expiringCollection } from '../../engine/collections.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { sweepExpired } from '../../engine/sweepExpired.js';
import { SKEW_SECONDS } from './userTokenClaims.js';

export const usedTokens = expiringCollection('usedTokens');

/** Retention beyond the last time at which the token would be accepted, since clocks of instances differ. In ms. */
const MARGIN = 60_000;

/** Request that used the token, and the session that it opens. */
interface Taken {
  readonly by: string;
  readonly sessionId: string;
}

/** `by` is null after a sign-in that was finally refused. */
type Use = Taken | { readonly by: null };

/** One user token, for one request and its repetitions with its Idempotency-Key. */
export interface TokenUse {
  /** Refuses `user_token_replayed` if another request has opened a session with the token. Consumes nothing. */
  check(): Promise<void>;
  /** Consumes the token. Returns the id of the one session that it may open. Refuses `user_token_replayed`. */
  take(): Promise<string>;
  /** Releases the token after a refusal: its session has ended, and the token may be used again. */
  release(): Promise<void>;
}

const idOf = (ownerId: string, jti: string): string =>
  createHash('sha256').update(`${ownerId}\0${jti}`).digest('base64url');

export const replayed = (): never =>
  refuse('user_token_replayed', 'A user token with this jti was already used. Sign a new one.');

/**
 * Assigns a token to the request that has opened a session with it. If a request took the token but opened no session, for example after an
 * error of a store, the next request gets the same session id. If both open it, the log accepts only one.
 */
export class UsedTokens {
  readonly #work: DocumentStore;
  readonly #clock: Clock;
  readonly #commands: Pick<CommandHandler, 'query'>;
  #stopSweeps: (() => void) | undefined;

  constructor(work: DocumentStore, clock: Clock, commands: Pick<CommandHandler, 'query'>) {
    this.#work = work;
    this.#clock = clock;
    this.#commands = commands;
  }

  /** Opens the collection and starts the removal of expired documents. Call it before the first request, and again if it fails. */
  async start(): Promise<void> {
    await this.#work.open(usedTokens);
    this.#stopSweeps ??= sweepExpired(this.#work, this.#clock, usedTokens.name);
  }

  stop(): void {
    this.#stopSweeps?.();
  }

  /** `exp`: seconds since 1970. `by` returns the same id for a request and its repetitions. */
  use(ownerId: string, { jti, exp }: { readonly jti: string; readonly exp: number }, by: () => string): TokenUse {
    return {
      check: () => this.check(ownerId, jti, by()),
      take: () => this.take(ownerId, jti, exp, by()),
      release: () => this.release(ownerId, jti, by()),
    };
  }

  /** Returns true if the session of this use was ever opened. */
  async #hasOpened(use: Use): Promise<boolean> {
    if (use.by === null) return false;
    return this.#commands.query(session, use.sessionId, ({ status }) => status !== 'absent');
  }

  /** Refuses `user_token_replayed` if a request other than `by` has opened a session with the token. */
  async check(ownerId: string, jti: string, by: string): Promise<void> {
    const found = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (found !== undefined && found.body.by !== by && (await this.#hasOpened(found.body))) replayed();
  }

  /**
   * Takes the token, and returns the id of the session that it may open. The same `by` may open another session, since a request that is
   * repeated with its Idempotency-Key after a failure has lost the first session's token. `exp`: seconds since 1970. Refuses
   * `user_token_replayed`.
   */
  async take(ownerId: string, jti: string, exp: number, by: string): Promise<string> {
    const id = idOf(ownerId, jti);
    const expiresAt = (exp + SKEW_SECONDS) * 1000 + MARGIN;
    const fresh: Taken = { by, sessionId: randomUUID() };
    if (await this.#work.insert(usedTokens.name, { id, revision: 1, keys: { expiresAt }, body: fresh }))
      return fresh.sessionId;
    const before = await this.#work.get<Use>(usedTokens.name, id);
    if (before === undefined) return replayed();
    const hasOpened = await this.#hasOpened(before.body);
    if (hasOpened && before.body.by !== by) return replayed();
    const use: Taken = !hasOpened && before.body.by !== null ? { ...before.body, by } : fresh;
    // Another token with this jti may expire later than the one that was released.
    const until = Math.max(expiresAt, Number(before.keys.expiresAt));
    return (await this.#hand(before, until, use)) ? use.sessionId : replayed();
  }

  /** Releases the token if `by` has it. */
  async release(ownerId: string, jti: string, by: string): Promise<void> {
    const before = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (before?.body.by === by) await this.#hand(before, Number(before.keys.expiresAt), { by: null });
  }

  /** Returns false if another request was faster. */
  #hand({ id, revision }: StoredDocument<Use>, expiresAt: number, body: Use): Promise<boolean> {
    const document = { id, revision: revision + 1, keys: { expiresAt }, body };
    return this.#work.replace(usedTokens.name, revision, document);
  }
}
