import type { AnyBulkWriteOperation, Collection, Db, IndexDescription } from 'mongodb';
import type { Scalar } from '../../engine/ports/documents.js';
import type { Log } from '../../engine/ports/log.js';
import type { MongoConnection } from './connection.js';
import { isMissingCollection } from './errors.js';
import { declaredIndexes, EXPIRY, isDeclared, type Layout, LIVE, type Stored, uniqueText } from './layout.js';

type Named = IndexDescription & { readonly name: string };

/** Documents that get the text of a new unique index in one call. */
const AT_ONCE = 500;

const keyOf = ({ key }: Pick<Named, 'key'>): string =>
  JSON.stringify(Object.entries(key).map(([field, direction]) => [field, Number(direction)]));

const isAsDeclared = (one: Named, declared: Named): boolean =>
  keyOf(one) === keyOf(declared) &&
  (one.unique === true) === (declared.unique === true) &&
  (one.sparse === true) === (declared.sparse === true) &&
  // Without a filter it holds more than it must, and serves all the same.
  JSON.stringify(one.partialFilterExpression ?? declared.partialFilterExpression) ===
    JSON.stringify(declared.partialFilterExpression) &&
  Number(one.expireAfterSeconds ?? -1) === (declared.expireAfterSeconds ?? -1);

/** Indexes as a definition declares them: those that are missing or different are made, what is declared no more goes. */
export function openIndexes({ run, patiently }: MongoConnection, log: Log) {
  async function existing(documents: Collection<Stored>): Promise<Named[]> {
    return run(async () => {
      try {
        return (await documents.listIndexes().toArray()) as Named[];
      } catch (error) {
        if (isMissingCollection(error)) return [];
        throw error;
      }
    });
  }

  /** Documents from before a unique index was declared do not have its text yet. */
  async function addTexts(documents: Collection<Stored>, layout: Layout, made: readonly Named[]): Promise<void> {
    for (const unique of layout.unique.filter(({ mark }) => made.some(({ name }) => name === `unique:${mark}`))) {
      const field = `unique.${unique.mark}`;
      let after = '';
      for (;;) {
        const filter = { _id: { $gte: after }, [field]: { $exists: false }, ...LIVE };
        const found = await documents.find(filter, { sort: { _id: 1 }, limit: AT_ONCE, batchSize: AT_ONCE }).toArray();
        const operations = found.flatMap(({ _id, revision, keys = {} }): AnyBulkWriteOperation<Stored>[] => {
          const text = uniqueText(unique, keys as Record<string, Scalar>);
          if (text === undefined) return [];
          return [{ updateOne: { filter: { _id, revision }, update: { $set: { [field]: text } } } }];
        });
        if (operations.length > 0) await documents.bulkWrite(operations, { ordered: false });
        if (found.length < AT_ONCE) break;
        after = found.at(-1)!._id;
      }
    }
  }

  async function make(documents: Collection<Stored>, layout: Layout, missing: readonly Named[]): Promise<void> {
    const build = async (of: Collection<Stored>) => {
      await addTexts(of, layout, missing);
      await of.createIndexes([...missing]);
    };
    const isEmpty = await run(async () => (await documents.findOne({}, { projection: { _id: 1 } })) === null);
    if (isEmpty) await run(() => documents.createIndexes([...missing]));
    else await patiently((db: Db) => build(db.collection<Stored>(documents.collectionName)));
  }

  return {
    /** `declared: false` makes only what every collection has. Rejects with `unique_key_taken` when documents collide. */
    async ensure(documents: Collection<Stored>, layout: Layout, declared: boolean, expected: boolean): Promise<void> {
      const requested = [EXPIRY, ...(declared ? declaredIndexes(layout) : [])];
      const found = await existing(documents);
      const missing = requested.filter(
        (one) => !found.some((other) => isAsDeclared(other, one) && other.name === one.name),
      );
      const inTheWay = found.filter((one) =>
        missing.some((wants) => wants.name === one.name || keyOf(wants) === keyOf(one)),
      );
      for (const { name } of inTheWay) await run(() => documents.dropIndex(name));
      if (missing.length === 0) return;
      const names = missing.map(({ name }) => name);
      if (expected || inTheWay.length > 0)
        log.warn({ collection: layout.definition.name, indexes: names }, 'missing or different indexes rebuilt');
      await make(documents, layout, missing);
    },

    /** Indexes that were declared once; those that somebody else made are left alone. */
    async removeUndeclared(documents: Collection<Stored>, layout: Layout): Promise<void> {
      const declared = new Set(declaredIndexes(layout).map(({ name }) => name));
      for (const { name } of await existing(documents))
        if (isDeclared(name) && !declared.has(name)) await run(() => documents.dropIndex(name));
    },
  };
}
