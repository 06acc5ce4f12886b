import type { Collection, Filter } from 'mongodb';
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
import { BatchWriter, byCollection, type Plan, planOf } from './batchWriter.js';
import { Checkpoints, type Claimed, guardOf, type Place } from './checkpoints.js';
import { Collections, type Entry, type Known } from './collections.js';
import { connectMongo, type MongoConnection, type Session } from './connection.js';
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

interface WriteParts {
  readonly collections: Collections;
  readonly places: Checkpoints;
  readonly writing: BatchWriter;
}

function plansOf(collections: Collections, { batches, checkpoints }: OneWrite): Promise<Plan>[] {
  const fences = checkpoints.filter((one): one is Fence => one.fence !== undefined);
  return Object.entries(batches).map(([name, batch]) => {
    // A document bears one owner's mark: that of its own checkpoint, or of the first that was given.
    const fence = fences.find((one) => one.name === name) ?? fences[0];
    return collections.change(name, async (known) => planOf(known, batch, fence && guardOf(fence)));
  });
}

async function writeAll({ collections, places, writing }: WriteParts, writes: readonly OneWrite[]): Promise<void> {
  const planned = await Promise.all(writes.flatMap((one) => plansOf(collections, one)));
  const plans = writes.length === 1 ? planned : byCollection(planned);
  const checkpoints = writes.flatMap((one) => one.checkpoints);
  await places.check(checkpoints);
  for (const plan of plans) await writing.refuseTaken(plan);
  await all(plans.map((plan) => writing.put(plan)));
  // Last, so that an interrupted batch never removes a task before its consequences are written.
  await all(plans.map((plan) => writing.remove(plan)));
  await places.move(checkpoints);
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
  const collections = new Collections(connection, entries, documentsOf, indexes);
  const places = new Checkpoints(connection, () => connection.db.collection<Place>(`${prefix}.checkpoints`));
  const writing = new BatchWriter(connection);

  const parts = { collections, places, writing };

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
        const stored = await documentsOfIds(connection, documents, requested);
        const visible = removed ? stored : stored.filter((one) => !one.removed);
        return new Map(visible.map((one) => [one._id, new MongoDocument<B>(layout, one)]));
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
      writeAll(parts, [{ batches, checkpoints }]),
    writeAll: (writes) => writeAll(parts, writes),
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
      return collections.change(name, (known) => run((own) => replaceOne(known, expected, document, own)));
    },
    removeWhere(name, where, limit) {
      return collections.change(name, async ({ documents, layout }) => {
        const filter = matchesOf(layout, where, limit);
        return filter === undefined ? 0 : run((own) => removeSome(documents, filter, limit, own));
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

async function documentsOfIds(
  { read }: MongoConnection,
  documents: Collection<Stored>,
  ids: readonly string[],
): Promise<Stored[]> {
  const found: Stored[] = [];
  for (let i = 0; i < ids.length; i += IDS) {
    const filter = { _id: { $in: ids.slice(i, i + IDS) } };
    found.push(...(await read((own) => documents.find(filter, { batchSize: IDS, ...own }).toArray())));
  }
  return found;
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

/** False if the stored document has another revision. */
async function replaceOne(
  { documents, layout }: Known,
  expected: number,
  document: NewDocument,
  { session }: Session,
): Promise<boolean> {
  const { _id, ...rest } = storedOf(layout, document);
  const filter = { _id, revision: expected, removed: { $exists: false } };
  try {
    return (await documents.replaceOne(filter, rest, { session })).matchedCount === 1;
  } catch (error) {
    throw isDuplicateKey(error) ? uniqueKeyTaken(layout.definition.name) : error;
  }
}

/** Removes at most `limit` documents that match. Returns how many. */
async function removeSome(
  documents: Collection<Stored>,
  filter: Filter<Stored>,
  limit: number,
  { session }: Session,
): Promise<number> {
  const options = { projection: { _id: 1 }, limit, batchSize: limit, session };
  const found = await documents.find(filter, options).toArray();
  if (found.length === 0) return 0;
  // A document that was changed since may not match any more.
  const matching = { $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, filter] };
  return (await documents.deleteMany(matching, { session })).deletedCount;
}
