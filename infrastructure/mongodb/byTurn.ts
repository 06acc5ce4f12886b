import type { Collection, Filter } from 'mongodb';
import type { MongoConnection } from './connection.js';

/**
 * Batches reads by id: all reads that are requested in one turn of the event loop share one call. A start reads thousands of places of
 * shards, one id each. Each read shows the store as it was after its request.
 */
export function byTurn<T extends { readonly _id: string }>(
  { read }: Pick<MongoConnection, 'read'>,
  collection: () => Collection<T>,
) {
  let next: { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | undefined;

  async function readTogether(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, T>> {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    const found = await read((own) =>
      collection()
        .find<T>({ _id: { $in: [...ids] } } as Filter<T>, { batchSize: 1000, ...own })
        .toArray(),
    );
    return new Map(found.map((one) => [one._id, one]));
  }

  /** Returns the documents with these ids, and possibly others. */
  return (ids: Iterable<string>): Promise<ReadonlyMap<string, T>> => {
    if (next === undefined) {
      const together = new Set<string>();
      next = { ids: together, found: readTogether(together) };
    }
    for (const id of ids) next.ids.add(id);
    return next.found;
  };
}
