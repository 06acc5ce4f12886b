/** The vault of shared engines: separate collections next to the work. */
import { defined } from '../../domain/defined.js';
import {
  type CollectionDefinition,
  type DocumentStore,
  placeOf,
  type Query,
  type StoredDocument,
} from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { NewPerson, PersonLink, PersonVault, VaultReads } from '../../engine/ports/personVault.js';

const persons = { name: 'vaultPersons', keys: { person: 'text' }, indexes: [{ keys: ['person'] }] } as const;
const links = {
  name: 'vaultLinks',
  keys: { lookup: 'text', person: 'text', at: 'number' },
  indexes: [{ keys: ['lookup', 'at'] }, { keys: ['person', 'at'] }],
} as const;
const forgotten = {
  name: 'vaultForgotten',
  keys: { number: 'number' },
  indexes: [{ keys: ['number'], unique: true }, { keys: ['number'] }],
} as const;

const vaultCollections: readonly CollectionDefinition[] = [persons, links, forgotten];

const MOST = 1_000;
/** Ranges of one query, and writes that are under way at once. */
const AT_ONCE = 16;
/** Several instances may note somebody at the same time. */
const NUMBER_TRIES = 50;

function* partsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

interface StoredKey {
  readonly key: string;
}

async function removeAll(store: DocumentStore, collection: string, persons: readonly string[]): Promise<void> {
  for (const part of partsOf(persons))
    while ((await store.removeWhere(collection, { person: { in: part } }, MOST)) === MOST);
}

async function linksBy(
  store: DocumentStore,
  name: 'lookup' | 'person',
  values: readonly string[],
): Promise<PersonLink[]> {
  const found: StoredDocument[] = [];
  for (const part of partsOf([...new Set(values)])) {
    const query = { where: { [name]: { in: part } }, sort: ['at'], limit: MOST };
    for (let after: Query['after']; ; ) {
      const rows = await store.find(links.name, { ...query, ...defined({ after }) });
      found.push(...rows);
      if (rows.length < MOST) break;
      after = placeOf(query.sort, rows.at(-1)!);
    }
  }
  return found
    .sort((a, b) => Number(a.keys.at) - Number(b.keys.at))
    .map(({ keys }) => ({ lookup: keys.lookup as string, person: keys.person as string }));
}

/** Creates the collections if they are missing. `store`: closed by its owner. */
export async function openDocumentVault(store: DocumentStore, now: () => number = Date.now): Promise<PersonVault> {
  for (const one of vaultCollections) await store.open(one);
  let made = 0;

  /** One number after the other, so that a reader after a number misses none before it. */
  async function note(those: readonly string[], at: string): Promise<void> {
    const known = await store.getMany(forgotten.name, those);
    let last: number | undefined;
    for (const person of new Set(those.filter((one) => !known.has(one)))) last = await noteOne(person, at, last);
  }

  /** `last`: the highest number, where it is known. Answers the number; undefined where another instance has noted them. */
  async function noteOne(person: string, at: string, last: number | undefined): Promise<number | undefined> {
    for (let tries = 0; tries < NUMBER_TRIES; tries += 1) {
      const number = (tries === 0 && last !== undefined ? last : await lastNumber()) + 1;
      if (await store.insert(forgotten.name, { id: person, keys: { number }, body: { at }, revision: 1 }))
        return number;
      if ((await store.get(forgotten.name, person)) !== undefined) return undefined;
    }
    throw new StoreUnavailable('Too many concurrent writes to the vault. Try again.');
  }

  async function lastNumber(): Promise<number> {
    const [last] = await store.find(forgotten.name, { sort: ['-number'], limit: 1 });
    return (last?.keys.number as number | undefined) ?? 0;
  }

  return {
    links: (lookups) => linksBy(store, 'lookup', lookups),
    linksOf: (those) => linksBy(store, 'person', those),
    async add(added, linked) {
      const keys = added.map(({ id, key }) => ({ id, keys: { person: id }, body: { key }, revision: 1 }));
      const leads = linked.map(({ lookup, person }) => {
        // In the order in which they come, also within a millisecond.
        made = Math.max(made + 1, now() * 1_000);
        return { id: `${lookup}.${person}`, keys: { lookup, person, at: made }, body: {}, revision: 1 };
      });
      // Keys first: who is found must have one.
      if (keys.length > 0) await store.write({ [persons.name]: { put: keys } });
      if (leads.length > 0) await store.write({ [links.name]: { put: leads } });
    },
    async keys(requested) {
      // Between the note and the deletion of a key, which may fail, readers must not cache the key again.
      const [found, gone] = await Promise.all([
        store.getMany<StoredKey>(persons.name, requested),
        store.getMany(forgotten.name, requested),
      ]);
      return new Map([...found].filter(([id]) => !gone.has(id)).map(([id, { body }]) => [id, body.key]));
    },
    async reseal(changed) {
      const current = await store.getMany<StoredKey>(
        persons.name,
        changed.map(({ id }) => id),
      );
      // Only if it still exists: a key that was destroyed meanwhile must not return.
      for (const part of partsOf(changed.filter(({ id }) => current.has(id))))
        await Promise.all(
          part.map(({ id, key }) => {
            const { revision } = current.get(id)!;
            const document = { id, keys: { person: id }, body: { key }, revision: revision + 1 };
            return store.replace(persons.name, revision, document);
          }),
        );
    },
    async page(after, limit) {
      const rows = await store.find<StoredKey>(persons.name, {
        where: { person: { gt: after } },
        sort: ['person'],
        limit,
      });
      return rows.map(({ id, body }): NewPerson => ({ id, key: body.key }));
    },
    async forget(those, at) {
      await note(those, at);
      await removeAll(store, persons.name, those);
      await removeAll(store, links.name, those);
    },
    async forgotten(those) {
      return new Set((await store.getMany(forgotten.name, those)).keys());
    },
    async forgottenAfter(through) {
      const rows = await store.find(forgotten.name, {
        where: { number: { gt: through } },
        sort: ['number'],
        limit: MOST,
      });
      return {
        persons: rows.map(({ id }) => id),
        through: (rows.at(-1)?.keys.number as number | undefined) ?? through,
      };
    },
    async close() {},
  };
}

/** For readers, even before there are any subjects: creates no collection. `store`: closed by its owner. */
export function readDocumentVault(store: DocumentStore): VaultReads {
  let opened: Promise<PersonVault> | undefined;
  async function vault(): Promise<PersonVault | undefined> {
    if (opened !== undefined) return opened;
    const names = new Set(await store.list());
    if (!vaultCollections.every(({ name }) => names.has(name))) return undefined;
    opened = openDocumentVault(store);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }
  return {
    keys: async (persons) => (await vault())?.keys(persons) ?? new Map(),
    forgotten: async (persons) => (await vault())?.forgotten(persons) ?? new Set(),
    forgottenAfter: async (through) => (await vault())?.forgottenAfter(through) ?? { persons: [], through },
    close: async () => {},
  };
}
