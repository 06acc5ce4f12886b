/** The vault of shared engines: collections of its own beside the work. */
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
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
/** Several instances may note somebody at the same time. */
const NUMBER_TRIES = 50;

interface Kept {
  readonly key: string;
}

/** Opens the collections where they are missing. `store`: closed by whoever opened it. */
export async function openDocumentVault(store: DocumentStore, now: () => number = Date.now): Promise<PersonVault> {
  for (const one of vaultCollections) await store.open(one);
  let made = 0;

  async function note(person: string, at: string): Promise<void> {
    for (let tries = 0; tries < NUMBER_TRIES; tries += 1) {
      if ((await store.get(forgotten.name, person)) !== undefined) return;
      const [last] = await store.find(forgotten.name, { sort: ['-number'], limit: 1 });
      const number = ((last?.keys.number as number | undefined) ?? 0) + 1;
      if (await store.insert(forgotten.name, { id: person, keys: { number }, body: { at }, revision: 1 })) return;
    }
    throw new StoreUnavailable('The vault is written by too many at once; try again.');
  }

  async function removeAll(collection: string, where: Readonly<Record<string, string>>): Promise<void> {
    while ((await store.removeWhere(collection, where, MOST)) === MOST);
  }

  async function linksBy(name: 'lookup' | 'person', values: readonly string[]): Promise<PersonLink[]> {
    const found: (PersonLink & { readonly at: number })[] = [];
    for (const value of values) {
      const rows = await store.find(links.name, { where: { [name]: value }, sort: ['at'], limit: MOST });
      for (const { keys } of rows)
        found.push({ lookup: keys.lookup as string, person: keys.person as string, at: keys.at as number });
    }
    return found.sort((a, b) => a.at - b.at).map(({ lookup, person }) => ({ lookup, person }));
  }

  return {
    links: (lookups) => linksBy('lookup', lookups),
    linksOf: (those) => linksBy('person', those),
    async add(added, linked) {
      for (const { id, key } of added)
        await store.insert(persons.name, { id, keys: { person: id }, body: { key }, revision: 1 });
      for (const { lookup, person } of linked) {
        // In the order in which they come, also within a millisecond.
        made = Math.max(made + 1, now() * 1_000);
        const keys = { lookup, person, at: made };
        await store.insert(links.name, { id: `${lookup}.${person}`, keys, body: {}, revision: 1 });
      }
    },
    async keys(wanted) {
      const found = await store.getMany<Kept>(persons.name, wanted);
      return new Map([...found].map(([id, { body }]) => [id, body.key]));
    },
    async reseal(changed) {
      for (const { id, key } of changed) {
        const stands = await store.get<Kept>(persons.name, id);
        if (stands === undefined) continue;
        const document = { id, keys: { person: id }, body: { key }, revision: stands.revision + 1 };
        await store.replace(persons.name, stands.revision, document);
      }
    },
    async page(after, limit) {
      const rows = await store.find<Kept>(persons.name, {
        where: { person: { gt: after } },
        sort: ['person'],
        limit,
      });
      return rows.map(({ id, body }): NewPerson => ({ id, key: body.key }));
    },
    async forget(those, at) {
      for (const person of those) {
        await note(person, at);
        await removeAll(persons.name, { person });
        await removeAll(links.name, { person });
      }
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

/** For whoever only reads, also before there is anybody: makes no collection. `store`: closed by whoever opened it. */
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
