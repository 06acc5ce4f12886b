/** Bounded cache of opened keys of persons. It is invalidated when a person is forgotten. */
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { forgottenPages, type VaultReads } from '../ports/personVault.js';
import { Lately } from './lately.js';
import { KeyUnreadable, VaultIncomplete } from './vaultErrors.js';

/** Seals the keys of persons under a key of the installation. */
export interface KeyBox {
  seal(plain: string, context: string): string;
  /** Throws if it was sealed under another key. */
  open(sealed: string, context: string): string;
}

export type KeyOf = (person: string) => Uint8Array | undefined;

export interface FoundKeys {
  /** Returns undefined for a forgotten or lost person. */
  readonly keyOf: KeyOf;
  /** Persons without a key who were not forgotten. */
  readonly lost: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

export interface KeyRingOptions {
  /**
   * Way to learn of persons forgotten by other instances. 'told': no other instance forgets, and `drop` is called.
   * Number: the vault is queried, at most once in so many ms.
   */
  readonly hears: 'told' | number;
}

/** Maximum number of cached keys, 32 bytes each. */
const MOST_KEYS = 50_000;

const contextOf = (person: string): string => `person:${person}`;
export const sealedKey = (box: KeyBox, person: string, key: Uint8Array): string =>
  box.seal(Buffer.from(key).toString('base64'), contextOf(person));
export const openedKey = (box: KeyBox, person: string, sealed: string): Uint8Array =>
  Buffer.from(box.open(sealed, contextOf(person)), 'base64');

export class KeyRing {
  readonly lately = new Lately();
  readonly #vault: VaultReads;
  readonly #box: KeyBox;
  readonly #options: KeyRingOptions;
  readonly #keys = new LateCache<Uint8Array>({ max: MOST_KEYS, ttl: IDLE_MS, idle: true });
  #heard = 0;
  /** Number of removals. The result of a vault query that began before the last removal is not cached. */
  #removals = 0;
  #anyForgotten: boolean | undefined;
  readonly #listeners: ((through?: number) => void)[] = [];
  #requestedAt = Number.NEGATIVE_INFINITY;

  constructor(vault: VaultReads, box: KeyBox, options: KeyRingOptions) {
    this.#vault = vault;
    this.#box = box;
    this.#options = options;
  }

  /** Returns the keys of all persons if they are cached and no vault query is due; otherwise undefined. */
  known(persons: ReadonlySet<string>): KeyOf | undefined {
    if (this.#mustQuery()) return undefined;
    // All at once: an entry that expired between two looks would count as a forgotten person.
    const found = new Map<string, Uint8Array>();
    for (const person of persons) {
      const key = this.#keys.get(person);
      if (key === undefined) return undefined;
      found.set(person, key);
    }
    return (person) => found.get(person);
  }

  /** Returns the key of one person under the same conditions. */
  knownKey(person: string): Uint8Array | undefined {
    return this.#mustQuery() ? undefined : this.#keys.get(person);
  }

  /**
   * Returns the keys; undefined for a forgotten person. Rejects with VaultIncomplete, KeyUnreadable, StoreUnavailable.
   */
  async of(persons: ReadonlySet<string>): Promise<KeyOf> {
    const { keyOf, lost } = await this.find(persons);
    for (const person of lost) throw new VaultIncomplete(person);
    return keyOf;
  }

  /** Returns the keys of persons who have one. Rejects with KeyUnreadable, StoreUnavailable. */
  async find(persons: ReadonlySet<string>): Promise<FoundKeys> {
    await this.hear();
    const found = new Map<string, Uint8Array>();
    const missing: string[] = [];
    for (const person of persons) {
      const key = this.#keys.get(person);
      if (key === undefined) missing.push(person);
      else found.set(person, key);
    }
    const lost = missing.length === 0 ? NOBODY : await this.#load(missing, found);
    return { keyOf: (person) => found.get(person), lost };
  }

  /** Returns the persons without a key who were not forgotten. Opens no key. Rejects with StoreUnavailable. */
  async lost(persons: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const unknown = [...persons].filter((person) => !this.#keys.has(person));
    const sealed = await this.#vault.keys(unknown);
    return this.#lostOf(unknown.filter((person) => !sealed.has(person)));
  }

  /** Caches a key. Call it only after the vault has stored the key. */
  put(person: string, key: Uint8Array): void {
    this.#keys.set(person, key);
  }

  /**
   * Returns true if any person was ever forgotten. If none was, no search for forgotten persons is needed. Rejects with
   * StoreUnavailable.
   */
  async anyForgotten(): Promise<boolean> {
    await this.hear();
    if (this.#anyForgotten !== undefined) return this.#anyForgotten;
    const [removals, { persons }] = [this.#removals, await this.#vault.forgottenAfter(0)];
    // A result from before a removal is outdated. `#remove` has set the flag already.
    if (removals === this.#removals) this.#anyForgotten = persons.length > 0;
    return this.#anyForgotten ?? persons.length > 0;
  }

  /** Removes the keys of forgotten persons. */
  drop(persons: readonly string[]): void {
    this.#remove(persons);
    if (persons.length > 0) this.#notify();
  }

  /**
   * Calls the listener after persons were forgotten. `through`: count of the vault, if the vault was queried. It may
   * cover persons who were forgotten long ago.
   */
  onForgotten(listener: (through?: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Queries the vault for persons forgotten by other instances, if that is due. Rejects with StoreUnavailable. */
  async hear(): Promise<void> {
    if (this.#mustQuery()) await this.#query();
  }

  #remove(persons: readonly string[]): void {
    this.#removals += 1;
    for (const person of persons) this.#keys.delete(person);
    if (persons.length > 0) this.#anyForgotten = true;
    this.lately.clear();
  }

  #notify(through?: number): void {
    for (const listener of this.#listeners) listener(through);
  }

  #mustQuery(): boolean {
    const { hears } = this.#options;
    return hears !== 'told' && performance.now() - this.#requestedAt >= hears;
  }

  /** Runs before the vault read that needs it, so that a key forgotten during the read is not cached. */
  async #query(): Promise<void> {
    const at = performance.now();
    const before = this.#heard;
    for await (const { persons, through } of forgottenPages(this.#vault, before)) {
      this.#remove(persons);
      this.#heard = through;
    }
    this.#requestedAt = at;
    if (this.#heard !== before) this.#notify(this.#heard);
  }

  #opened(person: string, sealed: string): Uint8Array {
    try {
      return openedKey(this.#box, person, sealed);
    } catch (error) {
      throw new KeyUnreadable(error);
    }
  }

  /** Adds the existing keys to `found`. Returns the persons without a key who were not forgotten. */
  async #load(missing: readonly string[], found: Map<string, Uint8Array>): Promise<ReadonlySet<string>> {
    const removals = this.#removals;
    const sealed = await this.#vault.keys(missing);
    // A person was forgotten during the query, perhaps one of these: query the vault again.
    if (removals !== this.#removals) return this.#load(missing, found);
    for (const [person, text] of sealed) {
      const key = this.#opened(person, text);
      found.set(person, key);
      this.#keys.set(person, key);
    }
    return this.#lostOf(missing.filter((person) => !sealed.has(person)));
  }

  /** Returns the persons who were not forgotten, of those without a key. */
  async #lostOf(gone: readonly string[]): Promise<ReadonlySet<string>> {
    if (gone.length === 0) return NOBODY;
    const forgotten = await this.#vault.forgotten(gone);
    return new Set(gone.filter((person) => !forgotten.has(person)));
  }
}
