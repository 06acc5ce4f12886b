/** Finds a person's values in a data folder, by collection, or by file where the file is not a database. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf } from '../../../engine/collections.js';
import { openEmbeddedReadModels } from '../../../infrastructure/sqlite/readModels/embeddedReadModels.js';

type KindsIn = (text: string) => readonly string[];
/** Kinds found, by place. */
export type Found = Map<string, Set<string>>;

const DOCUMENTS = ['views.db', 'work.db'];

const add = (found: Found, place: string, kinds: readonly string[]): void => {
  if (kinds.length > 0) found.set(place, new Set([...(found.get(place) ?? []), ...kinds]));
};

/** Returns the projection's name. Its builds are stored under that name and a number. */
const nameOf = (collection: string): string => collection.replace(/_v\d+.*$/, '').replace(/_by\d+$/, '');

async function inDocuments(folder: string, file: string, kindsIn: KindsIn, found: Found): Promise<void> {
  const documents = await openEmbeddedReadModels(join(folder, file), { name: file });
  try {
    for (const collection of await documents.list())
      for await (const page of pagesOf(documents, collection))
        for (const { id, keys, body } of page)
          add(found, nameOf(collection), kindsIn(JSON.stringify([id, keys, body])));
  } finally {
    await documents.close();
  }
}

/** Searches the folder of a stopped service. */
export async function foundIn(folder: string, kindsIn: KindsIn): Promise<Found> {
  const found: Found = new Map();
  for (const file of DOCUMENTS) await inDocuments(folder, file, kindsIn, found);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (DOCUMENTS.some((file) => name.startsWith(file)) || !statSync(join(folder, name)).isFile()) continue;
    const place = name.includes('/') ? name.slice(0, name.indexOf('/')) : name.replace(/-(wal|shm)$/, '');
    add(found, place, kindsIn(readFileSync(join(folder, name), 'latin1')));
    add(found, `${place}: names`, kindsIn(name));
  }
  return found;
}
