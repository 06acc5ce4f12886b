/** People's keys, opened and kept in bounds, until it is known that somebody was forgotten. */
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { forgottenPages, type VaultReads } from '../ports/personVault.js';
import { Lately } from './lately.js';
import { KeyUnreadable, VaultIncomplete } from './vaultErrors.js';

/** Seals people's keys under a key of the installation. */
export interface KeyBox {
  seal(plain: string, context: string): string;
  /** Throws when it was sealed under another key. */
  open(sealed: string, context: string): string;
}

export type KeyOf = (person: string) => Uint8Array | undefined;

export interface FoundKeys {
  /** Undefined for who was forgotten, and for who is lost. */
  readonly keyOf: KeyOf;
  /** Those without a key who were not forgotten. */
  readonly lost: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

export interface KeyRingOptions {
  /**
   * How others' forgetting is heard of. 'told': nobody else forgets, and `drop` is called. A number: the vault is asked, and so many ms
   * later at the earliest again.
   */
  readonly hears: 'told' | number;
}

/** 32 bytes each. */
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
  /** Counts removals: what the vault answered to a question of before the last one is not cached. */
  #removals = 0;
  #anyForgotten: boolean | undefined;
  readonly #listeners: ((through?: number) => void)[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(vault: VaultReads, box: KeyBox, options: KeyRingOptions) {
    this.#vault = vault;
    this.#box = box;
    this.#options = options;
  }

  /** The keys of all of them, where they are known here and nobody need be asked whether they still count. */
  known(persons: ReadonlySet<string>): KeyOf | undefined {
    if (this.#mustAsk()) return undefined;
    for (const person of persons) if (!this.#keys.has(person)) return undefined;
    return (person) => this.#keys.get(person);
  }

  /** The key of one person, likewise. */
  knownKey(person: string): Uint8Array | undefined {
    return this.#mustAsk() ? undefined : this.#keys.get(person);
  }

  /** Undefined for who was forgotten. Rejects with VaultIncomplete, KeyUnreadable, StoreUnavailable. */
  async of(persons: ReadonlySet<string>): Promise<KeyOf> {
    const { keyOf, lost } = await this.find(persons);
    for (const person of lost) throw new VaultIncomplete(person);
    return keyOf;
  }

  /** Keys of those who have one. Rejects with KeyUnreadable, StoreUnavailable. */
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

  /** Of them, those without a key who were not forgotten; no key is opened for it. Rejects with StoreUnavailable. */
  async lost(persons: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const unknown = [...persons].filter((person) => !this.#keys.has(person));
    const sealed = await this.#vault.keys(unknown);
    return this.#lostOf(unknown.filter((person) => !sealed.has(person)));
  }

  /** Only once the vault has stored the key. */
  put(person: string, key: Uint8Array): void {
    this.#keys.set(person, key);
  }

  /** Whether anybody ever was: as long as nobody is, nobody need be looked for. Rejects with StoreUnavailable. */
  async anyForgotten(): Promise<boolean> {
    await this.hear();
    if (this.#anyForgotten !== undefined) return this.#anyForgotten;
    const [removals, { persons }] = [this.#removals, await this.#vault.forgottenAfter(0)];
    // An answer from before somebody was forgotten says nothing of now; `#remove` has noted that somebody was.
    if (removals === this.#removals) this.#anyForgotten = persons.length > 0;
    return this.#anyForgotten ?? persons.length > 0;
  }

  /** They were forgotten. */
  drop(persons: readonly string[]): void {
    this.#remove(persons);
    if (persons.length > 0) this.#tell();
  }

  /** Called when people were forgotten; `through`: as the vault counts, where that is how it was heard of, also of what was forgotten long ago. */
  onForgotten(listener: (through?: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Learns whom others have forgotten, where others can. Rejects with StoreUnavailable. */
  async hear(): Promise<void> {
    if (this.#mustAsk()) await this.#ask();
  }

  #remove(persons: readonly string[]): void {
    this.#removals += 1;
    for (const person of persons) this.#keys.delete(person);
    if (persons.length > 0) this.#anyForgotten = true;
    this.lately.clear();
  }

  #tell(through?: number): void {
    for (const listener of this.#listeners) listener(through);
  }

  #mustAsk(): boolean {
    const { hears } = this.#options;
    return hears !== 'told' && performance.now() - this.#askedAt >= hears;
  }

  /** Asked before what it is for is read from the vault, so that what was forgotten meanwhile is not kept. */
  async #ask(): Promise<void> {
    const at = performance.now();
    const before = this.#heard;
    for await (const { persons, through } of forgottenPages(this.#vault, before)) {
      this.#remove(persons);
      this.#heard = through;
    }
    this.#askedAt = at;
    if (this.#heard !== before) this.#tell(this.#heard);
  }

  #opened(person: string, sealed: string): Uint8Array {
    try {
      return openedKey(this.#box, person, sealed);
    } catch (error) {
      throw new KeyUnreadable(error);
    }
  }

  /** Adds the keys that there are; answers who has none and was not forgotten. */
  async #load(missing: readonly string[], found: Map<string, Uint8Array>): Promise<ReadonlySet<string>> {
    const removals = this.#removals;
    const sealed = await this.#vault.keys(missing);
    // Somebody was forgotten meanwhile, perhaps one of these: the vault is asked once more.
    if (removals !== this.#removals) return this.#load(missing, found);
    for (const [person, text] of sealed) {
      const key = this.#opened(person, text);
      found.set(person, key);
      this.#keys.set(person, key);
    }
    return this.#lostOf(missing.filter((person) => !sealed.has(person)));
  }

  /** Of those without a key, who was not forgotten. */
  async #lostOf(gone: readonly string[]): Promise<ReadonlySet<string>> {
    if (gone.length === 0) return NOBODY;
    const forgotten = await this.#vault.forgotten(gone);
    return new Set(gone.filter((person) => !forgotten.has(person)));
  }
}
