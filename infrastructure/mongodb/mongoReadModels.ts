import type { Collection } from 'mongodb';
import type {
  Checkpoint,
  CollectionDefinition,
  DocumentStore,
  Fence,
  NewDocument,
  OneWrite,
  Query,
  WriteBatch,
} from '../../engine/ports/documents.js';
import { type Log, silentLog } from '../../engine/ports/log.js';
import { byCollection, openBatchWriter, type Plan, planOf } from './batchWriter.js';
import { type Claimed, guardOf, openCheckpoints, type Place } from './checkpoints.js';
import { type Entry, type Known, openCollections } from './collections.js';
import { connectMongo, type Session } from './connection.js';
import { isAboutId, isDuplicateKey, uniqueKeyTaken } from './errors.js';
import { openIndexes } from './indexes.js';
import { indexName, MongoDocument, type Stored, storedOf } from './layout.js';
import { findPage, matchesOf } from './query.js';

export interface MongoReadModelsOptions {
  /** Begins the names of all collections: 'views' or 'work'. */
  readonly prefix: string;
  /** Longest wait for one call of the server, and for it to be there at all; 10,000 when absent. */
  readonly timeoutMs?: number;
  readonly log?: Log;
}

const TIMEOUT_MS = 10_000;
/** Ids of one query. */
const IDS = 1000;

/** Resolves when all have ended, so that a batch that is tried again does not meet the rest of itself. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * Read models in the MongoDB database of `url` (default `suuq`): a collection `{prefix}_{name}` each, and `{prefix}.catalogue` and
 * `{prefix}.checkpoints`. Rejects within `timeoutMs`; the message contains MONGODB_URL and never a password. No call needs a transaction:
 * see docs/internals/mongodb.md. Errors: `DocumentRefused` about a document (`unique_key_taken`, `document_too_large`, …), `ReadModelError`
 * about a query; `Fenced`; `BadEngineUrl` at the opening; for all other failures `StoreUnavailable` (`StoreRefused` if somebody must change
 * something first).
 */
export async function openMongoReadModels(url: string, options: MongoReadModelsOptions): Promise<DocumentStore> {
  const { prefix, log = silentLog, timeoutMs = TIMEOUT_MS } = options;
  const connection = await connectMongo(url, timeoutMs);
  const { run, read } = connection;
  const documentsOf = (name: string) => connection.db.collection<Stored>(`${prefix}_${name}`);
  const entries = () => connection.db.collection<Entry>(`${prefix}.catalogue`);
  const indexes = openIndexes(connection, log);
  const collections = openCollections(connection, entries, documentsOf, indexes);
  const places = openCheckpoints(connection, () => connection.db.collection<Place>(`${prefix}.checkpoints`));
  const writing = openBatchWriter(connection);

  function plansOf({ batches, checkpoints }: OneWrite): Promise<Plan>[] {
    const fences = checkpoints.filter((one): one is Fence => one.fence !== undefined);
    return Object.entries(batches).map(([name, batch]) => {
      // A document bears one owner's mark: that of its own checkpoint, or of the first that was given.
      const fence = fences.find((one) => one.name === name) ?? fences[0];
      return collections.change(name, async (known) => planOf(known, batch, fence && guardOf(fence)));
    });
  }

  async function writeAll(writes: readonly OneWrite[]): Promise<void> {
    const planned = await Promise.all(writes.flatMap(plansOf));
    const plans = writes.length === 1 ? planned : byCollection(planned);
    const checkpoints = writes.flatMap((one) => one.checkpoints);
    await places.check(checkpoints);
    for (const plan of plans) await writing.refuseTaken(plan);
    await all(plans.map((plan) => writing.put(plan)));
    // Last, so that an interrupted batch never removes a task before its consequences are written.
    await all(plans.map((plan) => writing.remove(plan)));
    await places.move(checkpoints);
  }

  return {
    open: (definition: CollectionDefinition, { indexes = 'now' } = {}) =>
      collections.open(definition, indexes === 'now'),
    buildIndexes: (name) => collections.buildIndexes(name),
    drop: (name) => collections.drop(name),
    list: () => collections.list(),

    get<B>(name: string, id: string) {
      return collections.query(name, async ({ documents, layout }) => {
        const stored = await read((own) => documents.findOne({ _id: id }, own));
        return stored === null || stored.removed ? undefined : new MongoDocument<B>(layout, stored);
      });
    },
    getMany<B>(name: string, ids: readonly string[], { removed = false } = {}) {
      const requested = [...new Set(ids)];
      return collections.query(name, async ({ documents, layout }) => {
        const found = new Map<string, MongoDocument<B>>();
        for (let i = 0; i < requested.length; i += IDS) {
          const filter = { _id: { $in: requested.slice(i, i + IDS) } };
          const part = await read((own) => documents.find(filter, { batchSize: IDS, ...own }).toArray());
          for (const stored of part)
            if (removed || !stored.removed) found.set(stored._id, new MongoDocument<B>(layout, stored));
        }
        return found;
      });
    },
    find<B>(name: string, query: Query) {
      return collections.query(name, ({ documents, layout, built }) =>
        read((own) => findPage<B>(documents, layout, query, built, own)),
      );
    },
    count(name, where, limit) {
      return collections.query(name, async ({ documents, layout }) => {
        const filter = matchesOf(layout, where, limit);
        return filter === undefined ? 0 : read((own) => documents.countDocuments(filter, { limit, ...own }));
      });
    },

    write: (batches: Readonly<Record<string, WriteBatch>>, ...checkpoints: readonly (Checkpoint | Fence)[]) =>
      writeAll([{ batches, checkpoints }]),
    writeAll,
    async checkpoint(name) {
      return (await places.positions([name])).get(name)!;
    },
    checkpoints: (names) => places.positions(names),
    marks: (names) => places.marks(names),
    async claim(fence, claimed = []) {
      const known = await Promise.all(
        claimed.map(async (one) => {
          const { collection, where } = typeof one === 'string' ? { collection: one, where: {} } : one;
          const found = await collections.find(collection);
          return found === undefined ? [] : [claimedIn(found, where)];
        }),
      );
      return places.claim(fence, known.flat());
    },
    dropCheckpoint: (name) => places.drop(name),

    insert(name: string, document: NewDocument) {
      return collections.change(name, ({ documents, layout }) =>
        run((own) => insertOne(documents, storedOf(layout, document), own)),
      );
    },
    replace(name: string, expected: number, document: NewDocument) {
      return collections.change(name, async ({ documents, layout }) => {
        const { _id, ...rest } = storedOf(layout, document);
        const filter = { _id, revision: expected, removed: { $exists: false } };
        return run(async ({ session }) => {
          try {
            return (await documents.replaceOne(filter, rest, { session })).matchedCount === 1;
          } catch (error) {
            throw isDuplicateKey(error) ? uniqueKeyTaken(layout.definition.name) : error;
          }
        });
      });
    },
    removeWhere(name, where, limit) {
      return collections.change(name, async ({ documents, layout }) => {
        const filter = matchesOf(layout, where, limit);
        if (filter === undefined) return 0;
        return run(async ({ session }) => {
          const options = { projection: { _id: 1 }, limit, batchSize: limit, session };
          const found = await documents.find(filter, options).toArray();
          if (found.length === 0) return 0;
          // The condition once more: one that was changed since is not theirs any longer.
          const theirs = { $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] };
          return (await documents.deleteMany(theirs, { session })).deletedCount;
        });
      });
    },

    setAlias: (name, collection) => collections.setAlias(name, collection),
    dropAlias: (name, collection) => collections.dropAlias(name, collection),
    resolve: (name) => collections.resolve(name),
    close: () => connection.close(),
  };
}

/** Documents of a claim; the index contains every document, and no mark of a removal. */
function claimedIn({ documents, layout, built }: Known, where: NonNullable<Query['where']>): Claimed {
  const filter = matchesOf(layout, where, 1) ?? { _id: { $in: [] } };
  const index = built && layout.indexes[0] !== undefined ? indexName(layout.indexes[0]) : undefined;
  return { documents, filter, index };
}

/** False when the id or a unique key is taken; the mark of a removal takes nothing. */
async function insertOne(documents: Collection<Stored>, stored: Stored, { session }: Session): Promise<boolean> {
  try {
    await documents.insertOne(stored, { session });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if (isAboutId(error) === false) return false;
  }
  const { _id, ...rest } = stored;
  try {
    return (await documents.replaceOne({ _id, removed: true }, rest, { session })).matchedCount === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
