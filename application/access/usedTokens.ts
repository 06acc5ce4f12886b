/** Which user tokens have opened a session already: each opens one, whichever instance it comes to. */
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

/** Kept for so long beyond the last moment in which the token would be accepted: clocks of instances differ. In ms. */
const MARGIN = 60_000;

/** The request that has the token, and the session that it opens; nobody's after a sign-in that was refused after all. */
interface Use {
  readonly by: string | null;
  /** Absent in uses that an earlier release stored. */
  readonly sessionId?: string;
}

/** One user token, for one request and its repetitions with its Idempotency-Key. */
export interface TokenUse {
  /** Refuses `user_token_replayed` when another request has opened a session with the token. Takes nothing. */
  check(): Promise<void>;
  /** Returns the id of the one session that the token may open. Refuses `user_token_replayed`. */
  take(): Promise<string>;
  /** After a refusal: the session that the token has opened is over, and the token may be tried again. */
  giveBack(): Promise<void>;
}

const idOf = (ownerId: string, jti: string): string =>
  createHash('sha256').update(`${ownerId}\0${jti}`).digest('base64url');

export const replayed = (): never =>
  refuse('user_token_replayed', 'A user token with this jti has opened a session already: sign a new one.');

/**
 * A token belongs to the request that has opened a session with it. One that was taken and has opened none, such as after a store's
 * error, goes to the next request with the same session's id: where both open it after all, the log takes one.
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

  /** True if the session of this use was opened at any time. */
  async #hasOpened({ by, sessionId }: Use): Promise<boolean> {
    if (by === null) return false;
    if (sessionId === undefined) return true;
    return this.#commands.query(session, sessionId, ({ status }) => status !== 'absent');
  }

  /** Refuses `user_token_replayed` when another request than `by` has opened a session with the token. */
  async check(ownerId: string, jti: string, by: string): Promise<void> {
    const found = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (found !== undefined && found.body.by !== by && (await this.#hasOpened(found.body))) replayed();
  }

  /**
   * Takes the token, and returns the id of the session that it may open. The same `by` may open another, since a request that is
   * repeated with its Idempotency-Key after a failure has lost the first one's token. `exp`: seconds since 1970. Refuses
   * `user_token_replayed`.
   */
  async take(ownerId: string, jti: string, exp: number, by: string): Promise<string> {
    const id = idOf(ownerId, jti);
    const expiresAt = (exp + SKEW_SECONDS) * 1000 + MARGIN;
    const fresh: Use = { by, sessionId: randomUUID() };
    if (await this.#work.insert(usedTokens.name, { id, revision: 1, keys: { expiresAt }, body: fresh }))
      return fresh.sessionId!;
    const before = await this.#work.get<Use>(usedTokens.name, id);
    if (before === undefined) return replayed();
    const hasOpened = await this.#hasOpened(before.body);
    if (hasOpened && before.body.by !== by) return replayed();
    const isUnused = !hasOpened && before.body.by !== null;
    const use: Use = isUnused ? { ...before.body, by } : fresh;
    // Another token with this jti may be good for longer than the one that was given back.
    const until = Math.max(expiresAt, Number(before.keys.expiresAt));
    return (await this.#hand(before, until, use)) ? use.sessionId! : replayed();
  }

  /** Leaves the token to whoever comes next, if `by` has it. */
  async giveBack(ownerId: string, jti: string, by: string): Promise<void> {
    const before = await this.#work.get<Use>(usedTokens.name, idOf(ownerId, jti));
    if (before?.body.by === by) await this.#hand(before, Number(before.keys.expiresAt), { by: null });
  }

  /** False when another was faster. */
  #hand({ id, revision }: StoredDocument<Use>, expiresAt: number, body: Use): Promise<boolean> {
    const document = { id, revision: revision + 1, keys: { expiresAt }, body };
    return this.#work.replace(usedTokens.name, revision, document);
  }
}
