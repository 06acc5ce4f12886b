/** People's keys, opened and kept in bounds, until it is known that somebody was forgotten. */
import { LRUCache } from 'lru-cache';
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { forgottenPages, type VaultReads } from '../ports/personVault.js';
import type { Box } from './sealedData.js';
import { KeyUnreadable, VaultIncomplete } from './vaultErrors.js';

/** Seals people's keys under a key of the installation. */
export interface KeyBox {
  seal(plain: string, context: string): string;
  /** Throws when it was sealed under another key. */
  open(sealed: string, context: string): string;
}

export type KeyOf = (person: string) => Uint8Array | undefined;

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

/** Of a box; as JSON where there is an object among them, so that each reader has his own. */
type Values = readonly unknown[] | string;

/** Of boxes, their values, and what holds them, in bytes, about: some 13,000, a few seconds of a full load. */
const MOST_LATELY = 16 * 1024 * 1024;
/** What one takes beside its texts. */
const AROUND_ONE = 1_000;

/**
 * What was sealed a moment ago, by the text of its box: whoever wrote an event reads it from the log right after, for its processors.
 * Kept in bounds.
 */
class Lately {
  readonly #sealed = new LRUCache<string, { readonly id: string; readonly box: Box; readonly values: Values }>({
    maxSize: MOST_LATELY,
    sizeCalculation: ({ values }, text) => AROUND_ONE + text.length + (typeof values === 'string' ? values.length : 0),
  });

  put(id: string, box: Box, values: Values): void {
    this.#sealed.set(box[3], { id, box, values });
  }

  /** The values in the box of that event, if it is the very one that was sealed. */
  of(id: string, box: Box): readonly unknown[] | undefined {
    const found = this.#sealed.get(box[3]);
    const isTheVery = found?.id === id && box.every((part, at) => part === found.box[at]);
    if (!isTheVery) return undefined;
    return typeof found.values === 'string' ? (JSON.parse(found.values) as readonly unknown[]) : found.values;
  }

  clear(): void {
    this.#sealed.clear();
  }
}

export class KeyRing {
  readonly lately = new Lately();
  readonly #vault: VaultReads;
  readonly #box: KeyBox;
  readonly #options: KeyRingOptions;
  readonly #keys = new LateCache<Uint8Array>({ max: MOST_KEYS, ttl: IDLE_MS, idle: true });
  #heard = 0;
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
    await this.hear();
    const found = new Map<string, Uint8Array>();
    const missing: string[] = [];
    for (const person of persons) {
      const key = this.#keys.get(person);
      if (key === undefined) missing.push(person);
      else found.set(person, key);
    }
    if (missing.length > 0) await this.#load(missing, found);
    return (person) => found.get(person);
  }

  put(person: string, key: Uint8Array): void {
    this.#keys.set(person, key);
  }

  /** Whether anybody ever was: as long as nobody is, nobody need be looked for. Rejects with StoreUnavailable. */
  async anyForgotten(): Promise<boolean> {
    await this.hear();
    this.#anyForgotten ??= (await this.#vault.forgottenAfter(0)).persons.length > 0;
    return this.#anyForgotten;
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

  async #load(missing: readonly string[], found: Map<string, Uint8Array>): Promise<void> {
    const sealed = await this.#vault.keys(missing);
    for (const [person, text] of sealed) {
      const key = this.#opened(person, text);
      found.set(person, key);
      this.#keys.set(person, key);
    }
    if (sealed.size === missing.length) return;
    const gone = missing.filter((person) => !sealed.has(person));
    const forgotten = await this.#vault.forgotten(gone);
    for (const person of gone) if (!forgotten.has(person)) throw new VaultIncomplete(person);
  }
}
