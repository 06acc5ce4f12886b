import type { Documents } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { Reads } from './reads.js';

/** A projection that has never been built on this data is not there yet; its first build is on the way. */
function whenBuilt(name: string, error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'unknown_collection')
    throw new StoreUnavailable(`'${name}' is being built for the first time; try again soon`, { cause: error });
  throw error;
}

/** Queries by projection name; the engine knows which build stands behind it. Rejects with StoreUnavailable before the first build. */
export function createReads(readModels: Documents): Reads {
  return {
    get: ({ name }, id) => readModels.get<never>(name, id).catch((error) => whenBuilt(name, error)),
    getMany: ({ name }, ids) => readModels.getMany<never>(name, ids).catch((error) => whenBuilt(name, error)),
    find: ({ name }, query) => readModels.find<never>(name, query).catch((error) => whenBuilt(name, error)),
    count: ({ name }, where, limit) => readModels.count(name, where, limit).catch((error) => whenBuilt(name, error)),
  };
}
