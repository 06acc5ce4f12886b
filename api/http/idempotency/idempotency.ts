/**
 * Idempotency-Key: the first answer is stored for 24 hours and replayed. (Specification 1, 'Limits'.) Every entry has a
 * seed from which the request's ids derive, so that a retry after a crash or a 5xx answer makes the same events.
 */
import { createHash, randomUUID } from 'node:crypto';
import { pagesOf } from '../../../engine/collections.js';
import type { Clock } from '../../../engine/ports/clock.js';
import type {
  CollectionDefinition,
  DocumentStore,
  NewDocument,
  StoredDocument,
} from '../../../engine/ports/documents.js';
import { sweepExpired } from '../../../engine/sweepExpired.js';
import { Refusal } from '../../contract/problems.js';
import { type IdempotencyLimits, IdempotencyUse } from './idempotencyUse.js';

/**
 * In flight: running under a lease. Released: ended in a 5xx or a crash, and may run again. Done: the answer is final.
 */
type State = 'in_flight' | 'released' | 'done';

/** The stored answer; `body` is JSON text. */
export interface StoredAnswer {
  readonly status: number;
  readonly body?: string;
}

interface Entry {
  readonly fingerprint: string;
  readonly seed: string;
  /** Drawn for each run of the request. */
  readonly run: string;
  readonly leaseUntil: number;
  readonly answer?: StoredAnswer;
  /** A customer was erased while the request was running: only the status of its answer is stored. */
  readonly statusOnly?: true;
}

/** The request has the key: run it, then keep its answer or release the key. */
export interface Run {
  readonly seed: string;
  store(answer: StoredAnswer): Promise<void>;
  release(): Promise<void>;
}

export type StartedRequest = { readonly run: Run } | { readonly replay: StoredAnswer };

const DAY = 24 * 3600_000;
const LEASE = 60_000;
const RENEW = 20_000;
const PORTION = 500;
/** Others may take or remove the entry between two looks; after so many turns the key counts as busy. */
const TURNS = 4;

export const idempotencyKeys: CollectionDefinition = {
  name: 'idempotencyKeys',
  keys: { state: 'text', expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }, { keys: ['state'] }],
  expiresAt: 'expiresAt',
};

const MOST_LEVELS = 64;

/** JSON with sorted members, so that a body written in another order is the same body. */
function canonical(value: unknown, level = 0): string {
  if (level > MOST_LEVELS) throw new Refusal('malformed_body', `The body is more than ${MOST_LEVELS} levels deep.`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, level + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, level + 1)}`).join(',')}}`;
}

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\u0000')).digest('base64url');

/** Identifies a request by method, path with query, and body. */
export const fingerprintOf = (method: string, url: string, body: unknown): string => hash(method, url, canonical(body));

/** The entry's id: keys of different callers and operations never meet. */
export const entryId = (keyId: string, operation: string, key: string): string => hash(keyId, operation, key);

/** The header field's value, or undefined when it is absent. Refuses what is not 1–255 visible ASCII characters. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new Refusal('validation_failed', 'Idempotency-Key is not valid.', {
    problems: [{ message: 'must be 1 to 255 visible ASCII characters', location: 'header.Idempotency-Key' }],
  });
}

export class Idempotency {
  readonly #work: DocumentStore;
  readonly #clock: Clock;
  readonly #use: IdempotencyUse;
  readonly #mayShowErased: () => Promise<boolean>;
  #stopSweeps: (() => void) | undefined;
  #stopped = false;

  /** `mayShowErased`: whether read models may show customers who were erased; never when absent. */
  constructor(
    work: DocumentStore,
    clock: Clock,
    limits?: IdempotencyLimits,
    mayShowErased: () => Promise<boolean> = async () => false,
  ) {
    this.#mayShowErased = mayShowErased;
    this.#use = new IdempotencyUse(work, clock, limits);
    this.#work = work;
    this.#clock = clock;
  }

  /** Opens the collection and starts the removal of old entries. Before the first request; again where it has failed. */
  async start(): Promise<void> {
    await this.#work.open(idempotencyKeys);
    await this.#use.start();
    if (!this.#stopped) this.#stopSweeps ??= sweepExpired(this.#work, this.#clock, idempotencyKeys.name);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopSweeps?.();
    await this.#use.stop();
  }

  /** For engines that only one process uses: whatever was in flight when the last one ended may run again. */
  async releaseAll(): Promise<void> {
    for (;;) {
      const found = await this.#work.find<Entry>(idempotencyKeys.name, {
        where: { state: 'in_flight' },
        limit: PORTION,
      });
      for (const { id, revision, body, keys } of found)
        await this.#write(id, revision, 'released', body, keys.expiresAt as number);
      if (found.length < PORTION) return;
    }
  }

  /**
   * Takes the key, or answers what it was answered before. Refuses `idempotency_key_reused` for another request and
   * `idempotency_in_flight` while the first one runs. A caller who has used as many keys as one may is refused
   * `rate_limited` for a new one, and still answered what the others were.
   */
  async begin(id: string, fingerprint: string, caller: string): Promise<StartedRequest> {
    const full = await this.#use.refusal(caller);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const first = full === undefined ? await this.#first(id, fingerprint, caller) : undefined;
      const started = first ?? (await this.#again(id, fingerprint, caller));
      if (started === undefined && full !== undefined) throw full;
      if (started !== undefined) return started;
    }
    throw inFlight(1);
  }

  async #first(id: string, fingerprint: string, caller: string): Promise<StartedRequest | undefined> {
    const entry = this.#entry(fingerprint, randomUUID());
    const taken = await this.#work.insert(idempotencyKeys.name, document(id, 1, 'in_flight', entry, this.#expiry()));
    if (taken) this.#use.started(caller);
    return taken ? { run: await this.#run(id, 1, entry, caller) } : undefined;
  }

  /** Undefined: the entry changed meanwhile; look again. */
  async #again(id: string, fingerprint: string, caller: string): Promise<StartedRequest | undefined> {
    const found = await this.#work.get<Entry>(idempotencyKeys.name, id);
    if (found === undefined) return undefined;
    const { keys, body: before, revision } = found;
    const now = this.#clock.now();
    const expired = Number(keys.expiresAt) <= now;
    const same = before.fingerprint === fingerprint;
    const isTaken = keys.state === 'done' || (keys.state === 'in_flight' && before.leaseUntil > now);
    if (!expired && isTaken) {
      if (!same)
        throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was already used for a different request.');
      if (before.answer !== undefined) return { replay: before.answer };
      throw inFlight(1);
    }
    const entry = this.#entry(fingerprint, same && !expired ? before.seed : randomUUID());
    const taken = await this.#write(id, revision, 'in_flight', entry, this.#expiry());
    return taken ? { run: await this.#run(id, revision + 1, entry, caller) } : undefined;
  }

  /**
   * Holds the lease while the request runs. An entry that another run has taken over is left alone; a write of this one that seemed to
   * fail, and is stored, is not taken for another's.
   */
  async #run(id: string, taken: number, entry: Entry, caller: string): Promise<Run> {
    let revision = taken;
    // Checked once the entry is stored: an erasure marks all entries that exist then.
    let statusOnly = await this.#mayShowErased().catch(() => true);
    let renewing: Promise<void> = Promise.resolve();
    const expiresAt = this.#expiry();
    const write = async (state: State, next: Entry): Promise<void> => {
      for (let turn = 0; turn < TURNS; turn += 1) {
        if (await this.#write(id, revision, state, statusOnly ? withoutBody(next) : next, expiresAt)) {
          revision += 1;
          return;
        }
        const found = await this.#work.get<Entry>(idempotencyKeys.name, id);
        if (found?.body.run !== entry.run || found.keys.state !== 'in_flight') return;
        revision = found.revision;
        statusOnly ||= found.body.statusOnly === true;
      }
    };
    const renew = (): void => {
      renewing = write('in_flight', { ...entry, leaseUntil: this.#clock.now() + LEASE }).catch(() => undefined);
      cancel = this.#clock.steady.at(this.#clock.steady.now() + RENEW, renew);
    };
    let cancel = this.#clock.steady.at(this.#clock.steady.now() + RENEW, renew);
    const end = async (state: State, next: Entry): Promise<void> => {
      cancel();
      await renewing;
      await write(state, next);
    };
    return {
      seed: entry.seed,
      store: (answer) => {
        this.#use.stored(caller, Buffer.byteLength(answer.body ?? ''));
        return end('done', { ...entry, answer });
      },
      release: () => end('released', entry),
    };
  }

  #entry(fingerprint: string, seed: string): Entry {
    return { fingerprint, seed, run: randomUUID(), leaseUntil: this.#clock.now() + LEASE };
  }

  #expiry(): number {
    return this.#clock.now() + DAY;
  }

  #write(id: string, revision: number, state: State, entry: Entry, expiresAt: number): Promise<boolean> {
    return this.#work.replace(idempotencyKeys.name, revision, document(id, revision + 1, state, entry, expiresAt));
  }
}

const withoutBody = ({ answer, ...entry }: Entry): Entry => ({
  ...entry,
  statusOnly: true,
  ...(answer && { answer: { status: answer.status } }),
});

/**
 * Erases stored answers that contain data of a customer: a repeated request gets the status only. Requests that are still running may
 * have read the data, so the status is all that they store.
 */
export async function eraseAnswers(work: DocumentStore, speaksOfThem: (json: string) => boolean): Promise<void> {
  for await (const page of pagesOf(work, idempotencyKeys.name))
    for (const { id } of page.filter((one) => isToErase(one as StoredDocument<Entry>, speaksOfThem)))
      while (!(await isErased(work, id, speaksOfThem)));
}

function isToErase({ json, body, keys }: StoredDocument<Entry>, speaksOfThem: (json: string) => boolean): boolean {
  if (keys.state === 'in_flight') return body.statusOnly !== true;
  return speaksOfThem(json) && body.answer?.body !== undefined;
}

/** False: the entry has changed meanwhile. */
async function isErased(work: DocumentStore, id: string, speaksOfThem: (json: string) => boolean): Promise<boolean> {
  const found = await work.get<Entry>(idempotencyKeys.name, id);
  if (found === undefined || !isToErase(found, speaksOfThem)) return true;
  const { keys, revision, body } = found;
  return work.replace(idempotencyKeys.name, revision, { id, keys, revision: revision + 1, body: withoutBody(body) });
}

const document = (id: string, revision: number, state: State, entry: Entry, expiresAt: number): NewDocument => ({
  id,
  revision,
  keys: { state, expiresAt },
  body: entry,
});

const inFlight = (seconds: number): Refusal =>
  new Refusal('idempotency_in_flight', 'The first request with this Idempotency-Key is still running.', {
    headers: { 'retry-after': String(seconds) },
  });
