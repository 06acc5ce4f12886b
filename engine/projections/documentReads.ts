import type { Documents } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { Reads } from './reads.js';

/** The projection was never built on this data. Its first build is in progress. */
export class ViewBeingBuilt extends StoreUnavailable {
  /** The projection's name. */
  readonly view: string;
  /** Share of the log that it has read, 0 to 100; absent if unknown. */
  readonly percent: number | undefined;
  constructor(view: string, percent: number | undefined, cause: unknown) {
    const share = percent === undefined ? '' : ` (${percent} %)`;
    super(`'${view}' is being built for the first time${share}. Try again in a few seconds.`, { cause });
    this.view = view;
    this.percent = percent;
  }
}

/**
 * Queries by projection name; the engine knows the current build. Rejects with ViewBeingBuilt before the first build.
 * `percentOf`: progress of that build.
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
