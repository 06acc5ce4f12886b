/**
 * Limits the number of Idempotency-Keys and the bytes of stored answers of each caller within 24 hours. Use is counted
 * by the hour in this process, written every few seconds and read every minute. A crash loses seconds of it, and
 * several instances together may exceed a limit by the use of one minute.
 */
import { createHash } from 'node:crypto';
import { compareAndSet, expiringCollection } from '../../../engine/collections.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import { sweepExpired } from '../../../engine/sweepExpired.js';
import { Refusal } from '../../contract/problems.js';

/** Limits of one caller, within 24 hours. */
export interface IdempotencyLimits {
  readonly keys: number;
  /** Size of the stored answers in bytes, including overhead. */
  readonly bytes: number;
}

/** Three keys a second, all day long. */
const IDEMPOTENCY_LIMITS: IdempotencyLimits = { keys: 250_000, bytes: 256 * 1024 * 1024 };

interface Used {
  readonly keys: number;
  readonly bytes: number;
}

const HOUR = 3600_000;
/** The hour that has begun, and the 24 before it. */
const HOURS = 25;
const SAVE_MS = 5000;
const READ_MS = 60_000;
const TURNS = 4;
/** Most callers in memory. Above it, callers without unsaved use are evicted and read again when they return. */
const MOST_CALLERS = 10_000;
/** Overhead of a stored answer, in bytes. */
const AROUND = 400;

export const idempotencyUse = expiringCollection('idempotencyUse');

const NONE: Used = { keys: 0, bytes: 0 };
const sum = (a: Used, b: Used): Used => ({ keys: a.keys + b.keys, bytes: a.bytes + b.bytes });

/** Use of one caller, by the hour since 1970. */
interface Caller {
  readonly id: string;
  stored: ReadonlyMap<number, Used>;
  readonly unsaved: Map<number, Used>;
  /** Time of the steady clock. */
  readAt: number;
  reading: Promise<void> | undefined;
}

export class IdempotencyUse {
  readonly #work: DocumentStore;
  readonly #clock: Clock;
  readonly #limits: IdempotencyLimits;
  readonly #callers = new Map<string, Caller>();
  #stopSweeps: (() => void) | undefined;
  #cancelSave: (() => void) | undefined;
  /** One round at a time: two that overlap would count what both find unsaved. */
  #saving: Promise<void> = Promise.resolve();

  constructor(work: DocumentStore, clock: Clock, limits: IdempotencyLimits = IDEMPOTENCY_LIMITS) {
    this.#work = work;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Before the first request; again where it has failed. */
  async start(): Promise<void> {
    await this.#work.open(idempotencyUse);
    this.#stopSweeps ??= sweepExpired(this.#work, this.#clock, idempotencyUse.name);
  }

  /** Writes what is not yet written. */
  async stop(): Promise<void> {
    this.#stopSweeps?.();
    this.#cancelSave?.();
    await this.#saveNow();
  }

  /** Returns undefined if the caller may use another key, otherwise the refusal with the time to retry. */
  async refusal(caller: string): Promise<Refusal | undefined> {
    const known = this.#known(caller);
    const now = this.#clock.now();
    if (this.#clock.steady.now() - known.readAt >= READ_MS) {
      known.reading ??= this.#read(known, now);
      await known.reading;
    }
    const used = this.#used(known, now);
    if (used.keys < this.#limits.keys && used.bytes < this.#limits.bytes) return undefined;
    const seconds = Math.ceil((HOUR - (now % HOUR)) / 1000);
    const { keys, bytes } = this.#limits;
    return new Refusal(
      'rate_limited',
      `The limit of Idempotency-Keys is reached: ${keys} keys, or ${bytes} bytes of stored responses, in 24 hours. Repeated requests and requests without a key are still accepted.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  /** A new key is used. */
  started(caller: string): void {
    this.#add(caller, { keys: 1, bytes: AROUND });
  }

  /** Counts the bytes of a stored answer. */
  stored(caller: string, bytes: number): void {
    this.#add(caller, { keys: 0, bytes });
  }

  #known(caller: string): Caller {
    let known = this.#callers.get(caller);
    if (known === undefined) {
      if (this.#callers.size >= MOST_CALLERS) this.#forget();
      const id = createHash('sha256').update(caller).digest('base64url');
      known = { id, stored: new Map(), unsaved: new Map(), readAt: Number.NEGATIVE_INFINITY, reading: undefined };
      this.#callers.set(caller, known);
    }
    return known;
  }

  #forget(): void {
    for (const [caller, { unsaved }] of this.#callers) if (unsaved.size === 0) this.#callers.delete(caller);
  }

  #used({ stored, unsaved }: Caller, now: number): Used {
    const from = Math.floor(now / HOUR) - HOURS;
    const counted = [...stored, ...unsaved].filter(([hour]) => hour > from);
    return counted.reduce((all, [, used]) => sum(all, used), NONE);
  }

  #add(caller: string, used: Used): void {
    const { unsaved } = this.#known(caller);
    const hour = Math.floor(this.#clock.now() / HOUR);
    unsaved.set(hour, sum(unsaved.get(hour) ?? NONE, used));
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#cancelSave ??= this.#clock.steady.at(this.#clock.steady.now() + SAVE_MS, () => {
      void this.#saveNow().then(() => {
        this.#cancelSave = undefined;
        if ([...this.#callers.values()].some(({ unsaved }) => unsaved.size > 0)) this.#saveSoon();
      });
    });
  }

  #saveNow(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async #read(known: Caller, now: number): Promise<void> {
    const hour = Math.floor(now / HOUR);
    const ids = Array.from({ length: HOURS }, (_, back) => idOf(known.id, hour - back));
    try {
      const found = await this.#work.getMany<Used>(idempotencyUse.name, ids);
      known.stored = new Map([...found.values()].map(({ id, body }) => [Number(id.split('.')[1]), body]));
      known.readAt = this.#clock.steady.now();
    } catch {
      // A store that does not answer refuses the key itself.
    } finally {
      known.reading = undefined;
    }
  }

  /**
   * Writes the unsaved use. Failed writes are retried in the next round. Callers without new use are evicted after a
   * while.
   */
  async #save(): Promise<void> {
    const now = this.#clock.steady.now();
    for (const [caller, known] of this.#callers) {
      try {
        for (const [hour, used] of [...known.unsaved]) await this.#write(known, hour, used);
      } catch {
        return;
      }
      if (known.unsaved.size === 0 && now - known.readAt >= READ_MS) this.#callers.delete(caller);
    }
  }

  async #write(known: Caller, hour: number, used: Used): Promise<void> {
    const id = idOf(known.id, hour);
    const keys = { expiresAt: (hour + HOURS) * HOUR };
    for (let turn = 0; turn < TURNS; turn += 1) {
      const found = await this.#work.get<Used>(idempotencyUse.name, id);
      const body = sum(found?.body ?? NONE, used);
      if (!(await compareAndSet(this.#work, idempotencyUse.name, found, { id, keys, body }))) continue;
      known.stored = new Map([...known.stored, [hour, body]]);
      const since = known.unsaved.get(hour)!;
      const left = { keys: since.keys - used.keys, bytes: since.bytes - used.bytes };
      if (left.keys > 0 || left.bytes > 0) known.unsaved.set(hour, left);
      else known.unsaved.delete(hour);
      return;
    }
  }
}

const idOf = (caller: string, hour: number): string => `${caller}.${hour}`;
