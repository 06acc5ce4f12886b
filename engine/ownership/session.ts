import { randomUUID } from 'node:crypto';
import type { SteadyClock } from '../ports/clock.js';
import type { Documents } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { leasesDefinition, type SessionBody, type SessionDocument, sessionDocument } from './leaseDocuments.js';

export interface SessionOptions {
  readonly work: Documents;
  /** Steady: see steadyClock. */
  readonly clock: SteadyClock;
  readonly instance: string;
  readonly ttlMs: number;
  readonly renewMs: number;
  readonly log: Log;
  /** Returns the leases that this instance would take now, with its rank for each. */
  wants(): Readonly<Record<string, number>>;
  /** Called when the session is over. Stop acting on all leases that it owned. */
  ended(): void;
}

/** Share of the TTL by which an owner stops before others begin, since clocks may run at different speeds. */
const MARGIN = 0.2;
/** Time for which an expired session may still be renewed, in TTLs. Longer than an election takes. */
const KEPT_TTLS = 6;
const { name: collection } = leasesDefinition;

/**
 * Heartbeat of this instance. It is valid until a TTL (less the margin) after its last successful beat *began*. Others
 * may end it a TTL after they *saw* that beat, which is later. So two sessions never both believe that they own a
 * lease, as long as clocks run at a similar speed. If a clock stops (a machine frozen and woken), fences protect the
 * stored data.
 *
 * If the store accepts no beat in time, as during an election, the session is invalid but not ended, and its leases are
 * not acted on. A later beat makes it valid again. Both a beat and an end by another instance are a compare and set, so
 * a successful beat proves that nobody has ended the session. After some TTLs it is over for ever, and a new one
 * begins.
 */
export class Session {
  readonly #options: SessionOptions;
  #id: string | undefined;
  #revision = 0;
  #validUntil = Number.NEGATIVE_INFINITY;
  /** Start of the first beat without an answer. That beat may have been written. */
  #unanswered: number | undefined;
  /** Id of a session that this instance gave up, and that may not be ended in the store yet. */
  #former: string | undefined;
  #stopped = false;
  #beating: Promise<void> = Promise.resolve();
  #cancelBeat: () => void = () => undefined;
  #cancelExpiry: () => void = () => undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Id of the session while it is valid. */
  get id(): string | undefined {
    return this.#options.clock.now() < this.#validUntil ? this.#id : undefined;
  }

  /** Id of the session, including while it is expired but may be renewed. */
  get own(): string | undefined {
    return this.#id;
  }

  /** Begins a session if the store answers. Beats continue either way. */
  async start(): Promise<void> {
    this.#beating = this.#beatAndGoOn();
    await this.#beating;
  }

  /** Ends the session in the store, so that others need not wait for silence. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelBeat();
    await this.#beating;
    const id = this.#id ?? this.#former;
    this.#forget();
    if (id === undefined) return;
    try {
      await this.#bury(id);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'lease release failed, leases expire instead');
    }
  }

  async #beatAndGoOn(): Promise<void> {
    const { clock, renewMs, log } = this.#options;
    const startedAt = clock.now();
    let wait = renewMs;
    try {
      await this.#beat(startedAt);
    } catch (error) {
      wait = renewMs / 3;
      log.warn({ err: error }, 'instance heartbeat failed, retrying');
    }
    if (this.#stopped) return;
    this.#cancelBeat = clock.at(Math.max(clock.now(), startedAt + wait), () => {
      this.#beating = this.#beatAndGoOn();
    });
  }

  async #beat(startedAt: number): Promise<void> {
    if (this.#id !== undefined && startedAt >= this.#retainedUntil) this.#end();
    if (this.#id === undefined) return this.#begin(startedAt);
    const id = this.#id;
    const document = sessionDocument(id, this.#revision + 1, this.#body(false));
    this.#unanswered ??= startedAt;
    const written = await this.#options.work.replace(collection, this.#revision, document);
    if (this.#id !== id) return;
    if (written) {
      this.#revision = document.revision;
      this.#extend(startedAt);
    } else await this.#examine(id);
  }

  async #begin(startedAt: number): Promise<void> {
    if (this.#former !== undefined) await this.#bury(this.#former);
    this.#former = undefined;
    const id = `session/${this.#options.instance}/${randomUUID()}`;
    await this.#options.work.insert(collection, sessionDocument(id, 1, this.#body(false)));
    this.#id = id;
    this.#revision = 1;
    this.#extend(startedAt);
  }

  /**
   * Examines a refused beat: a previous beat was written although it seemed to fail, or another instance ended the
   * session.
   */
  async #examine(id: string): Promise<void> {
    const found = await this.#options.work.get<SessionBody>(collection, id);
    if (this.#id !== id) return;
    // A member of the store that lags behind, such as a former primary, proves nothing.
    if (found !== undefined && !found.body.ended && found.revision <= this.#revision)
      throw new StoreUnavailable('the store refused a heartbeat, and its current state could not be read');
    if (found === undefined || found.body.ended) {
      this.#options.log.warn({}, 'session ended by another instance, all leases lost');
      this.#end();
    } else {
      this.#revision = found.revision;
      this.#extend(this.#unanswered!);
    }
    await this.#beat(this.#options.clock.now());
  }

  #extend(startedAt: number): void {
    const { clock, ttlMs, log } = this.#options;
    this.#validUntil = startedAt + ttlMs * (1 - MARGIN);
    this.#unanswered = undefined;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.at(this.#validUntil, () => {
      if (this.#id === undefined || this.id !== undefined) return;
      log.warn({}, 'instance heartbeat is late, owned work is paused');
      this.#cancelExpiry = clock.at(this.#retainedUntil, () => {
        if (this.#id === undefined || clock.now() < this.#retainedUntil) return;
        log.warn({}, 'instance heartbeat timed out, all leases given up');
        this.#end();
      });
    });
  }

  get #retainedUntil(): number {
    return this.#validUntil + KEPT_TTLS * this.#options.ttlMs;
  }

  #end(): void {
    this.#former = this.#id;
    this.#forget();
    this.#options.ended();
  }

  #forget(): void {
    this.#id = undefined;
    this.#validUntil = Number.NEGATIVE_INFINITY;
    this.#unanswered = undefined;
    this.#cancelExpiry();
  }

  async #bury(id: string): Promise<void> {
    const found = await this.#options.work.get<SessionBody>(collection, id);
    if (found !== undefined) await endSession(this.#options.work, found);
  }

  #body(ended: boolean): SessionBody {
    return { instance: this.#options.instance, wants: this.#options.wants(), ended };
  }
}

/** Ends a session for ever, unless it has beaten since it was read. Returns whether it is ended. */
export async function endSession(work: Documents, { id, revision, body }: SessionDocument): Promise<boolean> {
  if (body.ended) return true;
  return work.replace(collection, revision, sessionDocument(id, revision + 1, { ...body, wants: {}, ended: true }));
}
