/** Seals events: takes personal values out, finds the persons they belong to, and adds a box for each person. */
import { setImmediate as turn } from 'node:timers/promises';
import type { EventMeta } from '../../domain/decider.js';
import { LateCache } from '../lateCache.js';
import type { EventData, EventStore } from '../ports/eventStore.js';
import type { KeyOf, KeyRing } from './keyRing.js';
import { type ByField, type Leaf, type Named, type PersonalEvents, type ValueOwner, withoutMarked } from './leaves.js';
import { isPhone, KEY_BYTES, type KnownBy, knownBy, type People } from './people.js';
import { randomOf } from './randomPool.js';
import { type Box, boxesIn, IN_META, MOVED, SEALED, sealedBox } from './sealedData.js';
import { firstPerson, lastPerson } from './streamPeople.js';

/** Boxes made between two turns of the event loop. */
const PORTION = 500;
const MOST_DOUBTED = 10_000;

export interface Sealing {
  readonly ring: KeyRing;
  readonly people: People;
  /** Values to seal, by event type. */
  readonly events: PersonalEvents;
  /**
   * Fields whose phone and user id identify the person whom the event is about. Other fields may name other persons.
   */
  readonly naming: ReadonlySet<string>;
  /** Fields that name another stream of the same person, with its category. */
  readonly streamsNamedBy?: Readonly<Record<string, string>>;
  /** Categories of streams that are named after a phone or user id. Default: none. */
  readonly keyedCategories?: ReadonlySet<string>;
}

/** Values of one event to seal, by person. */
type Shares = ReadonlyMap<string, readonly Leaf[]>;

/** An event with its marked values taken out. */
interface Emptied {
  readonly event: EventData;
  readonly stream: string;
  readonly isNew: boolean;
  readonly store: string;
  readonly owner: Exclude<ValueOwner, (...of: never) => unknown> | Named;
  readonly leaves: readonly Leaf[];
  /** Identifiers of the person whom the event is about. */
  readonly known: KnownBy;
}

/** Current owner of a stream. */
interface Owner {
  readonly person?: string | undefined;
  /** The person of its first event, who was forgotten. */
  readonly forgotten?: string;
}

/** Path of the acting customer in the metadata, a phone or a user id. */
const ACTOR = `${IN_META}actor.id`;

/** True for an id in clear. A sealed id is null. */
const actsAsCustomer = ({ meta: { actor } }: EventData): boolean =>
  actor?.type === 'customer' && typeof actor.id === 'string';

export class Sealer {
  readonly #store: Pick<EventStore, 'readStream'>;
  readonly #sealing: Sealing;
  readonly #doubted = new LateCache<true>({ max: MOST_DOUBTED });
  /** Metadata that were emptied last, with the result. Events of one command share their metadata before and after. */
  #meta: { readonly before: EventMeta; readonly after: EventMeta } | undefined;

  /** `store`: log that the events are appended to. */
  constructor(store: Pick<EventStore, 'readStream'>, sealing: Sealing) {
    this.#store = store;
    this.#sealing = sealing;
  }

  #isPersonal(event: EventData): boolean {
    return actsAsCustomer(event) || this.#sealing.events.has(event.type);
  }

  /** Returns true if the event has a value in clear that must be sealed. */
  isClear(stream: string, event: EventData): boolean {
    return this.#isPersonal(event) && this.#emptied(stream, event, false).leaves.length > 0;
  }

  /**
   * Seals the values in clear of an event that moves to another log, and marks the boxes. Existing boxes stay
   * unchanged.
   */
  async sealMoved<Event extends EventData>(stream: string, event: Event): Promise<Event> {
    const sealed = await this.seal(stream, event, false);
    if (sealed === event) return event;
    const before = boxesIn(event.data) ?? [];
    const made = boxesIn(sealed.data)!.map(
      ([version, person, places, box]): Box => [version, person, places, box, MOVED],
    );
    return { ...event, ...sealed, data: { ...sealed.data, [SEALED]: [...before, ...made] } };
  }

  /**
   * Returns synchronously if everything needed is cached, as for all but the first few events of a person. `isNew`: the
   * stream is expected to be empty, so its owner is not looked up. If the append then fails, `doubt` must be called.
   */
  seal(stream: string, event: EventData, isNew: boolean): EventData | Promise<EventData> {
    if (!this.#isPersonal(event)) return event;
    const emptied = this.#emptied(stream, event, isNew && !this.#doubted.has(stream));
    if (emptied.leaves.length === 0) return event;
    const { people, ring } = this.#sealing;
    const person = emptied.owner === 'stream' ? people.ofStream(stream) : undefined;
    if (person === undefined || !people.isLinked(emptied.store, person, emptied.known)) return this.#sealed(emptied);
    const key = ring.knownKey(person);
    if (key === undefined) return this.#sealed(emptied);
    return withBoxes(emptied, [this.#boxOf(event.id, person, key, emptied.leaves)]);
  }

  #boxOf(id: string, person: string, key: Uint8Array, leaves: readonly Leaf[]): Box {
    const values = leaves.map(({ value }) => value);
    const text = JSON.stringify(values);
    const made = sealedBox(id, person, key, leaves, text);
    this.#sealing.ring.lately.put(id, made, values.some((value) => typeof value === 'object') ? text : values);
    return made;
  }

  /**
   * Looks up the owner of the stream from now on. Another writer, or an append with an unknown result, may have set the
   * owner.
   */
  doubt(stream: string): void {
    this.#doubted.set(stream, true);
    this.#sealing.people.forgetStream(stream);
  }

  #emptied(stream: string, event: EventData, isNew: boolean): Emptied {
    const { events, naming } = this.#sealing;
    const personal = events.get(event.type);
    const leaves: Leaf[] = [];
    const store = event.meta.workspaceId ?? '';
    const declared = personal?.owner ?? 'stream';
    const owner = typeof declared === 'function' ? declared(stream, event) : declared;
    let emptied = event;
    // An event that names no person, such as a file of the store itself, is not sealed.
    if (personal !== undefined && owner !== undefined && (!isByField(owner) || owner.field in event.data)) {
      const data = withoutMarked(event.data, personal.marked, '', leaves) as object;
      if (data !== event.data) emptied = { ...event, data };
    }
    const known = knownBy(leaves, naming);
    if (actsAsCustomer(event)) {
      leaves.push({ path: ACTOR, kind: 'userId', value: event.meta.actor.id });
      emptied = { ...emptied, meta: this.#emptiedMeta(event.meta) };
    }
    return { event: emptied, stream, isNew, store, owner: owner ?? 'stream', leaves, known };
  }

  #emptiedMeta(before: EventMeta): EventMeta {
    if (this.#meta?.before !== before)
      this.#meta = { before, after: { ...before, actor: { type: 'customer', id: null as never } } };
    return this.#meta.after;
  }

  async #sealed(emptied: Emptied): Promise<EventData> {
    const { people, ring } = this.#sealing;
    const { event, store, owner, leaves } = emptied;
    const forgotten = await this.#forgottenOwner(emptied);
    // The key is discarded. Values of an erased person are unreadable, even if they arrive after the erasure.
    if (forgotten !== undefined)
      return withBoxes(emptied, [sealedBox(event.id, forgotten, randomOf(KEY_BYTES), leaves)]);
    const shares =
      owner === 'each' ? await this.#sharesOfEach(store, leaves) : new Map([[await this.#personOf(emptied), leaves]]);
    const persons = new Set(shares.keys());
    const keyOf = ring.known(persons) ?? (await ring.of(persons));
    if ([...persons].every((person) => keyOf(person) !== undefined))
      return withBoxes(emptied, await this.#boxes(event.id, shares, keyOf));
    // A person was forgotten after being cached: look the persons up again.
    people.forget();
    return this.#sealed(emptied);
  }

  async #boxes(id: string, shares: Shares, keyOf: KeyOf): Promise<Box[]> {
    const boxes: Box[] = [];
    for (const [person, leaves] of shares) {
      boxes.push(this.#boxOf(id, person, keyOf(person)!, leaves));
      if (boxes.length % PORTION === PORTION - 1) await turn();
    }
    return boxes;
  }

  /** Returns the erased person if the event names their stream and its values must not be readable. */
  async #forgottenOwner({ owner, leaves }: Emptied): Promise<string | undefined> {
    if (!isByField(owner) || owner.erased !== true) return undefined;
    for (const stream of this.#namedStreams(leaves)) {
      if (this.#sealing.people.ofStream(stream) !== undefined) return undefined;
      const { person, forgotten } = await this.#ownerOf(stream);
      if (person !== undefined || forgotten !== undefined) return person === undefined ? forgotten : undefined;
    }
    return undefined;
  }

  *#namedStreams(leaves: readonly Leaf[]): Generator<string> {
    const { streamsNamedBy = {} } = this.#sealing;
    for (const { path, value } of leaves)
      if (streamsNamedBy[path] !== undefined) yield `${streamsNamedBy[path]}-${value}`;
  }

  async #personOf({ owner, stream, isNew, store, leaves, known }: Emptied): Promise<string> {
    const { people } = this.#sealing;
    if (isByField(owner)) return (await this.#ofNamedStream(leaves)) ?? people.anonymous();
    if (typeof owner === 'object') return people.of(owner.space, { userId: owner.name });
    const cached = people.ofStream(stream);
    const found: Owner = isNew || cached !== undefined ? { person: cached } : await this.#ownerOf(stream);
    const person = found.person ?? (await this.#newOf(store, leaves, known));
    if (found.forgotten === undefined) people.noteStream(stream, person);
    await people.link(store, person, known);
    return person;
  }

  /** Returns the person of a stream that has no known owner yet. */
  async #newOf(store: string, leaves: readonly Leaf[], known: KnownBy): Promise<string> {
    return (
      (await this.#byNames(store, known)) ??
      (await this.#ofNamedStream(leaves)) ??
      (await this.#byNames(store, actorOf(leaves))) ??
      (await this.#sealing.people.anonymous())
    );
  }

  #byNames(store: string, known: KnownBy): Promise<string> | undefined {
    const { userId, phone } = known;
    return userId === undefined && phone === undefined ? undefined : this.#sealing.people.of(store, known);
  }

  async #ofNamedStream(leaves: readonly Leaf[]): Promise<string | undefined> {
    for (const stream of this.#namedStreams(leaves)) {
      const person = this.#sealing.people.ofStream(stream) ?? (await this.#ownerOf(stream)).person;
      if (person !== undefined) return person;
    }
    return undefined;
  }

  /** Returns the person of the first event if they have a key, otherwise the person of the newest event. */
  async #ownerOf(stream: string): Promise<Owner> {
    const first = await firstPerson(this.#store, stream);
    if (first === undefined || first === null) return {};
    if (await this.#hasKey(first)) return { person: first };
    const last = await lastPerson(this.#store, stream);
    return { forgotten: first, ...(last !== undefined && (await this.#hasKey(last)) && { person: last }) };
  }

  async #hasKey(person: string): Promise<boolean> {
    return (await this.#sealing.ring.of(new Set([person])))(person) !== undefined;
  }

  /** Each number and user id belongs to its own person. The other values belong to the first of these persons. */
  async #sharesOfEach(store: string, leaves: readonly Leaf[]): Promise<Shares> {
    const { people } = this.#sealing;
    const isOwn = ({ kind }: Leaf): boolean => kind === 'phone' || kind === 'userId';
    const own = leaves.filter(isOwn);
    const persons = await people.ofEach(
      store,
      own.map(({ value }) => value as string),
    );
    const shares = new Map<string, Leaf[]>();
    const give = (person: string, leaf: Leaf): unknown => shares.get(person)?.push(leaf) ?? shares.set(person, [leaf]);
    for (const leaf of own) give(persons.get(leaf.value as string)!, leaf);
    const first = [...shares.keys()][0] ?? (await people.anonymous());
    for (const leaf of leaves) if (!isOwn(leaf)) give(first, leaf);
    return shares;
  }
}

const isByField = (owner: object | string): owner is ByField => typeof owner === 'object' && 'field' in owner;

function actorOf(leaves: readonly Leaf[]): KnownBy {
  const id = leaves.find(({ path }) => path === ACTOR)?.value as string | undefined;
  return isPhone(id) ? { phone: id } : { userId: id };
}

/** Copies in a loop: adding a member after a spread takes as long as five copies. */
function withBoxes({ event: { id, type, data, meta } }: Emptied, boxes: readonly Box[]): EventData {
  const sealed: Record<string, unknown> = {};
  for (const name in data) sealed[name] = data[name as keyof typeof data];
  sealed[SEALED] = boxes;
  return { id, type, data: sealed, meta };
}
