import { type AnyBulkWriteOperation, type Collection, type Filter, MongoBulkWriteError } from 'mongodb';
import { defined } from '../../domain/defined.js';
import { type Checkpoint, type Fence, Fenced } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventMark, type Position, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { byTurn } from './byTurn.js';
import type { MongoConnection, Session } from './connection.js';
import { DUPLICATE_KEY, isDuplicateKey, Taken, writeErrorsOf } from './errors.js';
import { type Guard, plainNumber, type Stored } from './layout.js';

/** A name's place in the log and its owner's number, in one document, so that one conditional update moves both. */
export interface Place {
  readonly _id: string;
  readonly position?: number;
  /** The event of the checkpoint; valid while the checkpoint is at `at`. */
  readonly mark?: Mark;
  readonly fence?: number;
}

/** `at` comes first: so the greatest one, as the server compares documents, is the mark of the greatest position. */
interface Mark {
  readonly at: number;
  readonly event: string;
}

/** The documents that a claim marks, and the index that contains them all, if there is one. */
export interface Claimed {
  readonly documents: Collection<Stored>;
  readonly filter: Filter<Stored>;
  readonly index: string | undefined;
}

/** Documents that a claim marks in one call. */
const AT_ONCE = 1000;

/** Fields of a fence in documents. A name is one field, so characters that would form a path are escaped. */
export const guardOf = ({ name, fence }: Fence): Guard => ({
  field: name.replace(/[.$%]/g, (found) => `%${found.charCodeAt(0).toString(16)}`),
  fence,
});

/** Only what no later owner has taken. */
export const notClaimed = (guard: Guard | undefined): Record<string, unknown> =>
  guard === undefined ? {} : { [`fences.${guard.field}`]: { $not: { $gt: guard.fence } } };

const fenced = ({ name, fence }: Fence, existing?: unknown): Fenced =>
  new Fenced(`'${name}' has a newer owner${existing === undefined ? '' : ` (${existing})`} than ${fence}`);

const madeAtOnce = (): StoreUnavailable =>
  new StoreUnavailable('a checkpoint was created concurrently, twice in a row; try again');

/** Update that moves a checkpoint forwards, and never back. */
const forwards = ({ position, mark }: Checkpoint) => ({
  $max: { position, ...(mark !== undefined && { mark: { at: position, event: JSON.stringify(mark) } }) },
});

/** Neither bears a fence of its own. */
const isSamePlace = (one: Checkpoint, other: Checkpoint): boolean =>
  one.fence === undefined &&
  other.fence === undefined &&
  one.position === other.position &&
  one.mark?.id === other.mark?.id &&
  one.mark?.revision === other.mark?.revision;

const isFenced = (one: Checkpoint | Fence): one is Fence => one.fence !== undefined;

/** Matches the place of a name, unless an owner with a higher fence has claimed it. */
const ownedBy = (name: string, fence: number | undefined) => ({
  _id: name,
  ...(fence !== undefined && { fence: { $not: { $gt: fence } } }),
});

const positionIn = (place: Place | null | undefined): Position =>
  place?.position === undefined ? BEFORE_ALL : plainNumber(place.position);

/** The checkpoints of one database: who owns a name, and how far it is. */
export class Checkpoints {
  readonly #connection: MongoConnection;
  readonly #places: () => Collection<Place>;
  readonly #stored: ReturnType<typeof byTurn<Place>>;

  constructor(connection: MongoConnection, places: () => Collection<Place>) {
    this.#connection = connection;
    this.#places = places;
    this.#stored = byTurn(connection, places);
  }

  async positions(names: readonly string[]): Promise<Map<string, Position>> {
    const found = await this.#stored(names);
    return new Map(names.map((name) => [name, positionIn(found.get(name))]));
  }

  async marks(names: readonly string[]): Promise<Map<string, EventMark>> {
    const found = await this.#stored(names);
    return new Map(
      names.flatMap((name) => {
        const { position, mark } = found.get(name) ?? {};
        return mark === undefined || plainNumber(mark.at) !== plainNumber(position)
          ? []
          : [[name, JSON.parse(mark.event) as EventMark]];
      }),
    );
  }

  /** Rejects with `Fenced` when one of the names was claimed with a higher fence. */
  async check(checkpoints: readonly (Checkpoint | Fence)[]): Promise<void> {
    const fences = checkpoints.filter(isFenced);
    if (fences.length === 0) return;
    const found = await this.#stored(fences.map(({ name }) => name));
    for (const own of fences) {
      const { fence = 0 } = found.get(own.name) ?? {};
      if (plainNumber(fence) > own.fence) throw fenced(own, fence);
    }
  }

  /** Moves them forwards, each only while its name is not claimed. A repeated batch never moves one back. */
  async move(checkpoints: readonly (Checkpoint | Fence)[]): Promise<void> {
    const { run } = this.#connection;
    const moved = checkpoints.filter((one): one is Checkpoint => 'position' in one);
    if (moved.length === 0) return;
    if (moved.length === 1) return this.#moveOne(moved[0]!);
    const left = await this.#moveTogether(moved);
    if (left.length === 0) return;
    const operations: AnyBulkWriteOperation<Place>[] = left.map((one) => ({
      updateOne: { filter: ownedBy(one.name, one.fence), update: forwards(one), upsert: true },
    }));
    const failed = await run(async ({ session }) => {
      try {
        await this.#places().bulkWrite(operations, { ordered: false, session });
        return [];
      } catch (error) {
        return duplicates(error);
      }
    });
    for (const index of failed) await this.#moveOne(left[index]!);
  }

  /** Raises the name's fence, then that of the documents, so that what was under way changes none of them any more. */
  async claim(fence: Fence, collections: readonly Claimed[]): Promise<Position> {
    const place = await this.#twice(fence, ({ session }) =>
      this.#places()
        .findOneAndUpdate(
          ownedBy(fence.name, fence.fence),
          { $set: { fence: fence.fence } },
          { upsert: true, returnDocument: 'after', session },
        )
        .catch(throwTaken),
    );
    for (const claimed of collections) await this.#mark(claimed, guardOf(fence));
    return positionIn(place);
  }

  /** Forgets the place; who owns the name stays. */
  async drop(name: string): Promise<void> {
    const { run } = this.#connection;
    await run(({ session }) =>
      this.#places().updateOne({ _id: name }, { $unset: { position: '', mark: '' } }, { session }),
    );
  }

  /**
   * Repeats a guarded upsert that meets a duplicate id: either two created the name at once, then the second attempt succeeds; or it is
   * claimed.
   */
  async #twice<T>(fence: Fence | undefined, work: (own: Session) => Promise<T>): Promise<T> {
    const { run } = this.#connection;
    for (let tries = 1; ; tries++) {
      try {
        return await run(work);
      } catch (error) {
        if (!isTaken(error)) throw error;
        if (tries === 2) throw fence === undefined ? madeAtOnce() : fenced(fence);
      }
    }
  }

  async #moveOne(one: Checkpoint): Promise<void> {
    const fence = isFenced(one) ? one : undefined;
    await this.#twice(fence, ({ session }) =>
      this.#places()
        .updateOne(ownedBy(one.name, one.fence), forwards(one), { upsert: true, session })
        .catch(throwTaken),
    );
  }

  /** Many shards come to one place: one statement moves those that are there already. Answers what is left to move. */
  async #moveTogether(moved: readonly Checkpoint[]): Promise<readonly Checkpoint[]> {
    const { run } = this.#connection;
    const [first] = moved;
    if (first === undefined || !moved.every((one) => isSamePlace(one, first))) return moved;
    const names = moved.map(({ name }) => name);
    const { matchedCount } = await run(({ session }) =>
      this.#places().updateMany({ _id: { $in: names } }, forwards(first), { session }),
    );
    return matchedCount === names.length ? [] : moved;
  }

  /**
   * Batch by batch, each call bounded. Marks of removals are left out: what is removed already no write that is under way
   * is about, and the new owner's own removals bear its number. So is what comes in meanwhile, which it has just read.
   */
  async #mark({ documents, filter, index }: Claimed, guard: Guard): Promise<void> {
    const { run } = this.#connection;
    const field = `fences.${guard.field}`;
    const hint = defined({ hint: index });
    const cursor = documents.find(filter, { projection: { _id: 1 }, batchSize: AT_ONCE, ...hint });
    try {
      for (;;) {
        const ids = await run(async () => ((await cursor.hasNext()) ? cursor.readBufferedDocuments() : []));
        if (ids.length === 0) return;
        const older = { _id: { $in: ids.map(({ _id }) => _id) }, [field]: { $not: { $gte: guard.fence } } };
        await run(({ session }) => documents.updateMany(older, { $set: { [field]: guard.fence } }, { session }));
      }
    } finally {
      await cursor.close().catch(() => undefined);
    }
  }
}

const isTaken = (error: unknown): boolean => error instanceof Taken;
function throwTaken(error: unknown): never {
  throw isDuplicateKey(error) ? new Taken() : error;
}

/** Indexes of the statements of an unordered bulk write that met a duplicate key; rejects with what else went wrong. */
export function duplicates(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
  const errors = writeErrorsOf(error);
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return errors.map(({ index }) => index);
}
