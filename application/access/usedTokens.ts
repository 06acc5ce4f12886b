/** Which user tokens have opened a session already: each opens one, whichever instance it comes to. */
import { createHash } from 'node:crypto';
import { refuse } from '../../domain/decider.js';
import type { Clock } from '../ports/clock.js';
import type { CollectionDefinition, ReadModels } from '../ports/readModels.js';
import { sweepExpired } from '../sweeping.js';
import { SKEW_SECONDS } from './userTokenClaims.js';

export const usedTokens: CollectionDefinition = {
  name: 'usedTokens',
  keys: { expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
};

/** Kept for so long beyond the last moment in which the token would be accepted: clocks of instances differ. In ms. */
const MARGIN = 60_000;

export class UsedTokens {
  readonly #work: ReadModels;
  readonly #clock: Clock;
  #stopSweeps: (() => void) | undefined;

  constructor(work: ReadModels, clock: Clock) {
    this.#work = work;
    this.#clock = clock;
  }

  /** Opens the collection and starts the removal of what has expired. Once, before the first request. */
  async start(): Promise<void> {
    await this.#work.open(usedTokens);
    this.#stopSweeps = sweepExpired(this.#work, this.#clock, usedTokens.name);
  }

  stop(): void {
    this.#stopSweeps?.();
  }

  /**
   * Takes the token for good: durable when it resolves. The same `by` may take it again, since a request that is repeated
   * with its Idempotency-Key after a failure is still the same one. `exp`: seconds since 1970. Refuses
   * `user_token_replayed`.
   */
  async take(ownerId: string, jti: string, exp: number, by: string): Promise<void> {
    const id = createHash('sha256').update(`${ownerId}\0${jti}`).digest('base64url');
    const expiresAt = (exp + SKEW_SECONDS) * 1000 + MARGIN;
    const taken = await this.#work.insert(usedTokens.name, { id, revision: 1, keys: { expiresAt }, body: { by } });
    if (taken) return;
    const before = await this.#work.get<{ by: string }>(usedTokens.name, id);
    if (before?.body.by === by) return;
    refuse('user_token_replayed', 'A user token with this jti has opened a session already: sign a new one.');
  }
}
