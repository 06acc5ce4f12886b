import type { Documents } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { Reads } from './reads.js';

/** A projection that has never been built on this data is not there yet; its first build is on the way. */
export class ViewBeingBuilt extends StoreUnavailable {
  /** The projection's name. */
  readonly view: string;
  /** How much of the log it has read, 0 to 100; absent where that is not known. */
  readonly percent: number | undefined;
  constructor(view: string, percent: number | undefined, cause: unknown) {
    const share = percent === undefined ? '' : ` (${percent} %)`;
    super(`'${view}' is being built for the first time${share}; try again soon`, { cause });
    this.view = view;
    this.percent = percent;
  }
}

/**
 * Queries by projection name; the engine knows which build stands behind it. Rejects with ViewBeingBuilt before the first
 * build; `percentOf`: how far that is.
 */
export function createReads(readModels: Documents, percentOf: (name: string) => number | undefined = unknown): Reads {
  const whenBuilt = (name: string) => (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'unknown_collection')
      throw new ViewBeingBuilt(name, percentOf(name), error);
    throw error;
  };
  return {
    get: ({ name }, id) => readModels.get<never>(name, id).catch(whenBuilt(name)),
    getMany: ({ name }, ids) => readModels.getMany<never>(name, ids).catch(whenBuilt(name)),
    find: ({ name }, query) => readModels.find<never>(name, query).catch(whenBuilt(name)),
    count: ({ name }, where, limit) => readModels.count(name, where, limit).catch(whenBuilt(name)),
  };
}

const unknown = (): undefined => undefined;
