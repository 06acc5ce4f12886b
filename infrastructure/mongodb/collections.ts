import type { Collection } from 'mongodb';
import type { CollectionDefinition } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import {
  collectionInUse,
  nameInUse,
  ReadModelError,
  sameKeys,
  shapeDiffers,
  unknownCollection,
} from '../readModels/shape.js';
import { byTurn } from './byTurn.js';
import type { MongoConnection } from './connection.js';
import { isDuplicateKey, isMissingCollection, MissingIndex } from './errors.js';
import type { openIndexes } from './indexes.js';
import { type Layout, LIVE, layoutOf, type Stored } from './layout.js';

/** A name is a collection with its definition, or an alias of another: one document each, so it is never both. */
export interface Entry {
  readonly _id: string;
  /** The definition as JSON. */
  readonly definition?: string;
  /** True if the declared indexes exist. */
  readonly built?: boolean;
  /** Target of an alias. */
  readonly collection?: string;
}

/** Facts of this connection about a name. */
export interface Known {
  readonly layout: Layout;
  /** Collection of the current client. */
  readonly documents: Collection<Stored>;
  readonly built: boolean;
  readonly isAlias: boolean;
  /** Text of the definition, to detect a new declaration. */
  readonly text: string;
}

/** A query that took longer may have read a former target of its alias: replaced builds are retained for 5 s. */
const SURE_MS = 1000;
const MOST_TRIES = 5;

type Outcome<T> = { readonly value: T } | { readonly error: unknown };
const settled = <T>(work: Promise<T>): Promise<Outcome<T>> =>
  work.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );

/**
 * The collections of one prefix. Definitions are cached, and read once more when an operation fails on them. An alias is resolved with
 * every query through it, concurrently with the query and once for all queries of one turn of the event loop: a switch applies to every
 * query that begins after it, and costs no second round trip.
 */
export class Collections {
  readonly #connection: MongoConnection;
  readonly #entries: () => Collection<Entry>;
  readonly #documentsOf: (name: string) => Collection<Stored>;
  readonly #indexes: ReturnType<typeof openIndexes>;
  readonly #known = new Map<string, Known>();
  readonly #stored: ReturnType<typeof byTurn<Entry>>;

  constructor(
    connection: MongoConnection,
    entries: () => Collection<Entry>,
    documentsOf: (name: string) => Collection<Stored>,
    indexes: ReturnType<typeof openIndexes>,
  ) {
    this.#connection = connection;
    this.#entries = entries;
    this.#documentsOf = documentsOf;
    this.#indexes = indexes;
    this.#stored = byTurn(connection, entries);
  }

  /** Current target of a name; undefined if there is no such collection. */
  async find(name: string): Promise<Known | undefined> {
    try {
      return await this.#load(await this.resolve(name));
    } catch (error) {
      if (error instanceof ReadModelError && error.code === 'unknown_collection') return undefined;
      throw error;
    }
  }

  /** Runs a change on the current target of a name. */
  async change<T>(name: string, work: (known: Known) => Promise<T>): Promise<T> {
    const now = this.#known.get(name) ?? (await this.#load(name));
    return this.query(now.isAlias ? await this.resolve(name) : name, work);
  }

  /** Keeps the documents when the keys are the same; other keys are taken only while there is none. */
  async open(given: CollectionDefinition, withIndexes: boolean): Promise<void> {
    const layout = layoutOf(given);
    const stored = await this.#entryOf(given.name);
    const before = stored?.definition === undefined ? undefined : (JSON.parse(stored.definition) as typeof given);
    if (before !== undefined && !sameKeys(before, given) && (await this.#holdsDocuments(given.name)))
      throw shapeDiffers(given.name);
    const documents = this.#documentsOf(given.name);
    const same = stored?.definition === JSON.stringify(given);
    await this.#indexes.ensure(documents, layout, withIndexes, same && stored?.built === true);
    await this.#put(given, withIndexes || (same && stored?.built === true));
    // Queries follow the new definition now; the old one's indexes are not needed any more.
    await this.#indexes.removeUndeclared(documents, layout);
    this.#known.clear();
  }

  async buildIndexes(name: string): Promise<void> {
    const target = await this.resolve(name);
    const { layout, documents } = await this.#load(target);
    await this.#indexes.ensure(documents, layout, true, false);
    await this.#put(layout.definition, true);
    this.#known.clear();
  }

  /** The documents first: a definition without any is only an empty collection. */
  async drop(name: string): Promise<void> {
    const { run, read } = this.#connection;
    const [user] = await read((own) =>
      this.#entries()
        .find({ collection: name }, { limit: 1, ...own })
        .toArray(),
    );
    if (user !== undefined) throw collectionInUse(user._id, name);
    await run(async ({ session }) => {
      await this.#documentsOf(name).drop().catch(unlessMissing);
      await this.#entries().deleteOne({ _id: name, collection: { $exists: false } }, { session });
    });
    this.#known.clear();
  }

  async list(): Promise<string[]> {
    const { read } = this.#connection;
    const found = await read((own) =>
      this.#entries()
        .find({ definition: { $exists: true } }, { projection: { _id: 1 }, sort: { _id: 1 }, ...own })
        .toArray(),
    );
    return found.map(({ _id }) => _id);
  }

  async setAlias(name: string, collection: string): Promise<void> {
    const { run } = this.#connection;
    await this.#load(collection);
    const own = { _id: name, definition: { $exists: false } };
    const taken = await run(({ session }) =>
      this.#entries().updateOne(own, { $set: { collection } }, { upsert: true, session }).then(no, isTaken),
    );
    if (taken && (await this.#entryOf(name))?.definition !== undefined) throw nameInUse(name);
    if (taken) await run(({ session }) => this.#entries().updateOne(own, { $set: { collection } }, { session }));
    this.#known.clear();
  }

  async dropAlias(name: string, collection: string): Promise<void> {
    const { run } = this.#connection;
    await run(({ session }) => this.#entries().deleteOne({ _id: name, collection }, { session }));
    this.#known.clear();
  }

  async resolve(name: string): Promise<string> {
    return (await this.#entryOf(name))?.collection ?? name;
  }

  /** Runs a query on the target of a name, and repeats it once if the alias was switched or the query failed on outdated facts. */
  async query<T>(name: string, work: (known: Known) => Promise<T>): Promise<T> {
    let now = this.#known.get(name) ?? (await this.#load(name));
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const [outcome, target] = await this.#outcomeOf(name, now, work(now));
      const isCurrent = target === now.layout.definition.name;
      if (isCurrent && 'value' in outcome) return outcome.value;
      now = await this.#refreshed(name, now, isCurrent ? outcome : undefined);
    }
    throw new StoreUnavailable(`the alias '${name}' keeps changing; try again`);
  }

  async #entryOf(name: string): Promise<Entry | undefined> {
    return (await this.#stored([name])).get(name);
  }

  async #load(name: string): Promise<Known> {
    this.#known.delete(name);
    const own = await this.#entryOf(name);
    const entry = own?.collection === undefined ? own : await this.#entryOf(own.collection);
    if (entry?.definition === undefined) throw unknownCollection(name);
    const { definition: text, built = false } = entry;
    const layout = layoutOf(JSON.parse(text) as CollectionDefinition);
    const documentsOf = this.#documentsOf;
    const fresh: Known = {
      layout,
      get documents() {
        return documentsOf(layout.definition.name);
      },
      built,
      isAlias: own !== entry,
      text: `${built} ${text}`,
    };
    this.#known.set(name, fresh);
    return fresh;
  }

  /** Target of a name at some moment after `work` began, with the outcome of `work`. */
  async #outcomeOf<T>(name: string, now: Known, work: Promise<T>): Promise<[Outcome<T>, string]> {
    const own = now.layout.definition.name;
    if (!now.isAlias) return [await settled(work), own];
    const began = performance.now();
    const [outcome, target] = await Promise.all([settled(work), this.resolve(name)]);
    return [outcome, performance.now() - began > SURE_MS ? await this.resolve(name) : target];
  }

  /** New knowledge of a name, unless the failure was not about knowledge or there is no new one: then it is thrown. */
  async #refreshed(name: string, now: Known, failure: Outcome<unknown> | undefined): Promise<Known> {
    const error = failure !== undefined && 'error' in failure ? failure.error : undefined;
    if (error !== undefined && !(error instanceof ReadModelError || error instanceof MissingIndex)) throw error;
    const fresh = await this.#load(name);
    if (error !== undefined && fresh.text === now.text) throw error;
    return fresh;
  }

  async #put(given: CollectionDefinition, built: boolean): Promise<void> {
    const { run } = this.#connection;
    const own = { _id: given.name, collection: { $exists: false } };
    const $set = { definition: JSON.stringify(given), built };
    for (let tries = 1; ; tries++) {
      const taken = await run(({ session }) =>
        this.#entries().updateOne(own, { $set }, { upsert: true, session }).then(no, isTaken),
      );
      if (!taken) return;
      // The first time another instance may have made it in this moment.
      if (tries > 1) throw new ReadModelError('name_in_use', `'${given.name}' is an alias of another collection`);
    }
  }

  async #holdsDocuments(name: string): Promise<boolean> {
    const { read } = this.#connection;
    return read(
      async (own) => (await this.#documentsOf(name).findOne(LIVE, { projection: { _id: 1 }, ...own })) !== null,
    );
  }
}

const no = (): boolean => false;
function isTaken(error: unknown): boolean {
  if (isDuplicateKey(error)) return true;
  throw error;
}

function unlessMissing(error: unknown): void {
  if (!isMissingCollection(error)) throw error;
}
