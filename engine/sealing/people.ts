/** Finds the person whom an event is about, by its stream or by its phone and user id. A new person gets a key. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { IDLE_MS } from '../idle.js';
import { LateCache } from '../lateCache.js';
import { Loads } from '../loads.js';
import type { NewPerson, PersonLink, PersonVault } from '../ports/personVault.js';
import { type KeyBox, type KeyRing, openedKey, sealedKey } from './keyRing.js';
import type { Leaf } from './leaves.js';
import { randomOf } from './randomPool.js';

/** A person with the key in clear. */
interface Keyed {
  readonly id: string;
  readonly key: Uint8Array;
}

const newPerson = (): Keyed => ({ id: randomUUID(), key: randomOf(KEY_BYTES) });

/** Identifiers of a person. A phone may change hands, so the user id takes precedence. */
export interface KnownBy {
  readonly userId?: string | undefined;
  readonly phone?: string | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/**
 * Id of the secret that lookups are hashed with. The secret is stored with the keys of persons, and sealed like them.
 */
const LOOKUPS = '~lookups';
export const KEY_BYTES = 32;
const MOST_STREAMS = 50_000;
const MOST_NAMES = 50_000;
/** Items of a long list between two turns of the event loop. */
const PORTION = 500;

/** Opens the secret of the lookups; creates it in a new vault. Rejects with StoreUnavailable. */
async function openLookups(vault: PersonVault, box: KeyBox): Promise<Uint8Array> {
  const known = async () => (await vault.keys([LOOKUPS])).get(LOOKUPS);
  let sealed = await known();
  if (sealed === undefined) {
    await vault.add([{ id: LOOKUPS, key: sealedKey(box, LOOKUPS, randomBytes(KEY_BYTES)) }], []);
    sealed = await known();
  }
  return openedKey(box, LOOKUPS, sealed!);
}

/** Finds and creates persons. Their ids are random and carry no information. All caches are bounded. */
export class People {
  readonly #vault: PersonVault;
  readonly #box: KeyBox;
  readonly #ring: KeyRing;
  #lookups: Promise<Uint8Array> | undefined;
  readonly #byStream = new LateCache<string>({ max: MOST_STREAMS, ttl: IDLE_MS, idle: true });
  readonly #byName = new LateCache<string>({ max: MOST_NAMES, ttl: IDLE_MS, idle: true });
  readonly #finding = new Loads<string>();

  constructor(vault: PersonVault, box: KeyBox, ring: KeyRing) {
    this.#vault = vault;
    this.#box = box;
    this.#ring = ring;
  }

  /** Returns the cached person of the stream. */
  ofStream(stream: string): string | undefined {
    return this.#byStream.get(stream);
  }

  noteStream(stream: string, person: string): void {
    this.#byStream.set(stream, person);
  }

  forgetStream(stream: string): void {
    this.#byStream.delete(stream);
  }

  /** Returns the cached person of these identifiers; undefined unless all of them are cached. */
  cached(store: string, { userId, phone }: KnownBy): string | undefined {
    const [byUser, byPhone] = [
      userId && this.#byName.get(nameOf(store, userId)),
      phone && this.#byName.get(nameOf(store, phone)),
    ];
    if (userId === undefined) return byPhone || undefined;
    return byUser && (phone === undefined || byPhone !== undefined) ? byUser : undefined;
  }

  /**
   * Returns the person of the store with these identifiers; creates one if none exists. Rejects with StoreUnavailable.
   */
  async of(store: string, known: KnownBy): Promise<string> {
    const recorded = this.cached(store, known);
    if (recorded !== undefined) return recorded;
    const name = nameOf(store, known.userId ?? known.phone ?? '');
    await this.#finding.join(name, (isCurrent) => this.#find(store, known, isCurrent));
    return this.cached(store, known) ?? this.#find(store, known);
  }

  /** Returns true if the identifiers are cached as those of the person. */
  isLinked(store: string, person: string, { userId, phone }: KnownBy): boolean {
    const isTheirs = (value: string | undefined): boolean =>
      value === undefined || this.#byName.get(nameOf(store, value)) === person;
    return isTheirs(userId) && isTheirs(phone);
  }

  /** Links the identifiers to the person, even if they were linked to another person before. */
  async link(store: string, person: string, { userId, phone }: KnownBy): Promise<void> {
    const values = [userId, phone].filter((value) => value !== undefined);
    const others = values.filter((value) => this.#byName.get(nameOf(store, value)) !== person);
    if (others.length === 0) return;
    const links = await Promise.all(
      others.map(async (value) => ({ lookup: await this.#lookup(store, value), person })),
    );
    const known = await this.#vault.links(links.map(({ lookup }) => lookup));
    const added = links.filter(({ lookup }) => !known.some((one) => one.lookup === lookup && one.person === person));
    await this.#store([], added);
    for (const value of others) this.#byName.set(nameOf(store, value), person);
  }

  /** Returns the person of each value, in batched lookups. Creates missing persons. */
  async ofEach(store: string, values: readonly string[]): Promise<Map<string, string>> {
    const persons = new Map<string, string>();
    const unknown: string[] = [];
    for (const value of new Set(values)) {
      const person = this.#byName.get(nameOf(store, value));
      if (person === undefined) unknown.push(value);
      else persons.set(value, person);
    }
    for (let at = 0; at < unknown.length; at += PORTION)
      await this.#findEach(store, unknown.slice(at, at + PORTION), persons);
    return persons;
  }

  async #findEach(store: string, values: readonly string[], persons: Map<string, string>): Promise<void> {
    const lookups = await Promise.all(values.map((value) => this.#lookup(store, value)));
    const known = new Map((await this.#linksOf(lookups)).map(({ lookup, person }) => [lookup, person]));
    const made: Keyed[] = [];
    const links: PersonLink[] = [];
    const found = new Map<string, string>();
    for (const [at, value] of values.entries()) {
      let person = known.get(lookups[at]!);
      if (person === undefined) {
        const one = newPerson();
        person = one.id;
        made.push(one);
        links.push({ lookup: lookups[at]!, person });
      }
      found.set(value, person);
    }
    await this.#store(made, links);
    for (const [value, person] of found) {
      persons.set(value, person);
      this.#byName.set(nameOf(store, value), person);
    }
    await turn();
  }

  /** Returns every person who was ever known by the value. */
  async everyone(store: string, value: string): Promise<string[]> {
    const links = await this.#vault.links([await this.#lookup(store, value)]);
    return [...new Set(links.map(({ person }) => person))];
  }

  /** Creates a person without identifiers, who cannot be found again. */
  async anonymous(): Promise<string> {
    const made = newPerson();
    await this.#store([made], []);
    return made.id;
  }

  /** Clears the caches after a person was forgotten. */
  forget(): void {
    this.#finding.forget();
    this.#byStream.clear();
    this.#byName.clear();
  }

  async #find(store: string, { userId, phone }: KnownBy, isCurrent: () => boolean = () => true): Promise<string> {
    const values = [userId, phone].filter((value) => value !== undefined);
    const lookups = await Promise.all(values.map((value) => this.#lookup(store, value)));
    const links = await this.#linksOf(lookups);
    const persons: Keyed[] = [];
    let person = this.#choose(lookups, links, userId !== undefined);
    if (person === undefined) {
      const made = newPerson();
      person = made.id;
      persons.push(made);
    }
    const missing = lookups.filter((lookup) => !links.some((one) => one.lookup === lookup && one.person === person));
    const added = missing.map((lookup): PersonLink => ({ lookup, person }));
    await this.#store(persons, added);
    if (!isCurrent()) return person;
    for (const value of values) this.#byName.set(nameOf(store, value), person);
    return person;
  }

  /** Chooses by the user id first, then by the phone. The newest link wins, because a number may have changed hands. */
  #choose(lookups: readonly string[], links: readonly PersonLink[], hasUser: boolean): string | undefined {
    const newest = (lookup: string | undefined) => links.findLast((one) => one.lookup === lookup)?.person;
    return newest(lookups[0]) ?? (hasUser ? newest(lookups[1]) : undefined);
  }

  /**
   * The only place where new keys come into use: after the vault has stored them. A caller may cache a name only after
   * this has resolved, since nobody else can read an event sealed under a key that was never stored.
   */
  async #store(made: readonly Keyed[], links: readonly PersonLink[]): Promise<void> {
    if (made.length + links.length === 0) return;
    const persons = made.map(({ id, key }): NewPerson => ({ id, key: sealedKey(this.#box, id, key) }));
    await this.#vault.add(persons, links);
    for (const { id, key } of made) this.#ring.put(id, key);
  }

  /** Returns a stable hash of a name, which does not reveal the name. Rejects with StoreUnavailable. */
  keyed(name: string): Promise<string> {
    return this.#hashed(`stream\0${name}`);
  }

  /** Returns the links to persons who have a key. A link created while its person was being forgotten may remain. */
  async #linksOf(lookups: readonly string[]): Promise<PersonLink[]> {
    const links = await this.#vault.links(lookups);
    const keyOf = await this.#ring.of(new Set(links.map(({ person }) => person)));
    return links.filter(({ person }) => keyOf(person) !== undefined);
  }

  /** Returns a secret for one use, always the same in this vault. Rejects with StoreUnavailable. */
  secretFor(use: string): Promise<string> {
    return this.#hashed(`secret\0${use}`);
  }

  #lookup(store: string, value: string): Promise<string> {
    return this.#hashed(nameOf(store, value));
  }

  async #hashed(text: string): Promise<string> {
    this.#lookups ??= openLookups(this.#vault, this.#box);
    const secret = await this.#lookups.catch((error: unknown) => {
      this.#lookups = undefined;
      throw error;
    });
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
}

const nameOf = (store: string, value: string): string => `${store}\0${value}`;

/**
 * Returns the identifiers of the person whom an event is about: the first phone and user id in the naming fields. A
 * user id that is a phone counts as a phone.
 */
export function knownBy(leaves: readonly Leaf[], naming: ReadonlySet<string>): KnownBy {
  let [userId, phone]: [string | undefined, string | undefined] = [undefined, undefined];
  for (const { path, kind, value } of leaves) {
    if (kind !== 'phone' && kind !== 'userId') continue;
    const dot = path.indexOf('.');
    if (!naming.has(dot === -1 ? path : path.slice(0, dot)) || isRandom(value)) continue;
    if (kind === 'phone' || isPhone(value)) phone ??= value as string;
    else userId ??= value as string;
  }
  return { userId, phone };
}

/** The service generated the id, so it identifies nobody anywhere else. */
const isRandom = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

export const isPhone = (value: unknown): boolean => typeof value === 'string' && value.startsWith('+');
