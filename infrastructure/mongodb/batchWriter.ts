import type { AnyBulkWriteOperation, Collection, Filter } from 'mongodb';
import type { NewDocument, WriteBatch } from '../../engine/ports/documents.js';
import { duplicates, notClaimed } from './checkpoints.js';
import type { MongoConnection } from './connection.js';
import { isAboutId, isDuplicateKey, uniqueKeyTaken } from './errors.js';
import { type Guard, type Layout, plainNumber, removalMark, type Stored, storedOf } from './layout.js';

/** Statements of one bulk write. */
const AT_ONCE = 1000;

/** A batch for one collection, checked: nothing can be wrong with its documents any more. */
export interface Plan {
  readonly documents: Collection<Stored>;
  readonly layout: Layout;
  /** Each id once: a document, or the mark of its removal. */
  readonly changes: readonly Stored[];
  guardOf(change: Stored): Guard | undefined;
  /** True if the unique indexes exist. */
  readonly built: boolean;
}

/** For each id the highest revision counts: the first put of it, and a removal on equality. */
function lastOfEach(layout: Layout, { put = [], remove = [] }: WriteBatch, guard: Guard | undefined): Stored[] {
  const removed = new Map(remove.map(({ id, revision }) => [id, revision]));
  const puts = new Map<string, NewDocument>();
  for (const document of put) {
    const before = puts.get(document.id);
    if (before === undefined || document.revision > before.revision) puts.set(document.id, document);
  }
  const changes: Stored[] = [];
  for (const document of put) {
    const stored = storedOf(layout, document, guard);
    if (puts.get(document.id) === document && !((removed.get(document.id) ?? -Infinity) >= document.revision))
      changes.push(stored);
  }
  for (const [id, revision] of removed)
    if (!((puts.get(id)?.revision ?? -Infinity) > revision)) changes.push(removalMark(id, revision, guard));
  return changes;
}

export const planOf = (
  { documents, layout, built }: Pick<Plan, 'documents' | 'layout' | 'built'>,
  batch: WriteBatch,
  guard: Guard | undefined,
): Plan => ({ documents, layout, changes: lastOfEach(layout, batch, guard), guardOf: () => guard, built });

/** Plans of several owners: one for each collection, in which each change keeps the guard of its owner. */
export function byCollection(plans: readonly Plan[]): Plan[] {
  const same = new Map<string, Plan[]>();
  for (const plan of plans) {
    const { collectionName } = plan.documents;
    same.set(collectionName, [...(same.get(collectionName) ?? []), plan]);
  }
  return [...same.values()].map((all) => {
    const guards = new Map(
      all.flatMap((plan) => plan.changes.map((change) => [change, plan.guardOf(change)] as const)),
    );
    return { ...all[0]!, changes: [...guards.keys()], guardOf: (change) => guards.get(change) };
  });
}

/** Writes one document unless the stored one has its revision or a higher one, or belongs to a later owner. */
function upsert({ _id, ...rest }: Stored, guard: Guard | undefined) {
  const revision = rest.removed === true ? { $lte: rest.revision } : { $lt: rest.revision };
  const filter = { _id, revision, ...notClaimed(guard) } as Filter<Stored>;
  return { filter, replacement: rest, upsert: true };
}

export class BatchWriter {
  readonly #connection: MongoConnection;

  constructor(connection: MongoConnection) {
    this.#connection = connection;
  }

  /** Refuses a batch with `unique_key_taken` before any of it is written, where that can be seen. */
  async refuseTaken(plan: Plan): Promise<void> {
    if (!plan.built) return;
    for (const { mark } of plan.layout.unique) {
      const refused = await this.#effective(plan, await this.#taken(plan, mark));
      if (refused.length > 0) throw uniqueKeyTaken(plan.layout.definition.name);
    }
  }

  /**
   * Writes the puts of the batch. A put that met a duplicate key and may still count is repeated once: an id may have been created
   * concurrently by another owner with a lower revision, and a unique key may be released by another change of the batch. After that, an
   * id means 'already stored', and a unique key is refused with `unique_key_taken`.
   */
  async put(plan: Plan): Promise<void> {
    const puts = plan.changes.filter(({ removed }) => !removed);
    const again = await this.#effective(plan, await this.#send(plan, puts));
    if (again.length === 0) return;
    await this.#giveUpKeys(plan);
    await this.#putEach(plan, await this.#effective(plan, await this.#send(plan, again)));
  }

  /** Removes what the batch removes. An id that was made in this very moment is met once more. */
  async remove(plan: Plan): Promise<void> {
    const removals = plan.changes.filter(({ removed }) => removed);
    await this.#send(plan, await this.#send(plan, removals));
  }

  /** Answers those that met a duplicate key: an id (already there, or made in this moment) or a unique index. */
  async #send({ documents, guardOf }: Plan, changes: readonly Stored[]): Promise<Stored[]> {
    const { run } = this.#connection;
    const met: Stored[] = [];
    for (let i = 0; i < changes.length; i += AT_ONCE) {
      const part = changes.slice(i, i + AT_ONCE);
      const operations = part.map((change) => ({ replaceOne: upsert(change, guardOf(change)) }));
      const failed = await run(async ({ session }) => {
        try {
          await documents.bulkWrite(operations, { ordered: false, session });
          return [];
        } catch (error) {
          return duplicates(error);
        }
      });
      met.push(...failed.map((index) => part[index]!));
    }
    return met;
  }

  /**
   * Changes that may still have an effect: the stored revision is lower, and no later owner has claimed the document. A late write of the
   * rest changes nothing, whatever its keys.
   */
  async #effective({ documents, guardOf }: Plan, changes: readonly Stored[]): Promise<Stored[]> {
    const { read } = this.#connection;
    if (changes.length === 0) return [];
    const ids = changes.map(({ _id }) => _id);
    const projection = { revision: 1, fences: 1 };
    const found = await read((own) =>
      documents.find({ _id: { $in: ids } }, { projection, batchSize: ids.length, ...own }).toArray(),
    );
    const existing = new Map(found.map((stored) => [stored._id, stored]));
    return changes.filter((change) => {
      const { _id, revision } = change;
      const guard = guardOf(change);
      const stored = existing.get(_id);
      if (stored === undefined) return true;
      const claimed = guard && plainNumber(stored.fences?.[guard.field] ?? Number.NEGATIVE_INFINITY) > guard.fence;
      return !claimed && plainNumber(stored.revision) < revision;
    });
  }

  /**
   * Writes one by one, since only the answer to a single write names the violated key: for an id it means 'already stored'. If the server
   * does not name it, a change that would still count was refused for another key.
   */
  async #putEach(plan: Plan, changes: readonly Stored[]): Promise<void> {
    const { run } = this.#connection;
    for (const change of changes) {
      const { filter, replacement, upsert: orNew } = upsert(change, plan.guardOf(change));
      const aboutId = await run(({ session }) =>
        plan.documents.replaceOne(filter, replacement, { upsert: orNew, session }).then(
          () => true,
          (error: unknown) => {
            if (!isDuplicateKey(error)) throw error;
            return isAboutId(error);
          },
        ),
      );
      if (aboutId ?? (await this.#effective(plan, [change])).length === 0) continue;
      throw uniqueKeyTaken(plan.layout.definition.name);
    }
  }

  /**
   * Removes the unique texts from documents that this batch removes, so that its puts can use them. The documents remain until all puts are
   * done: an interrupted batch finds them, and runs once more.
   */
  async #giveUpKeys({ documents, layout, changes, guardOf }: Plan): Promise<void> {
    const { run } = this.#connection;
    const removals = layout.unique.length === 0 ? [] : changes.filter(({ removed }) => removed);
    for (let i = 0; i < removals.length; i += AT_ONCE) {
      const operations = removals.slice(i, i + AT_ONCE).map((change) => {
        const { _id, revision } = change;
        const filter = { _id, revision: { $lte: revision }, ...notClaimed(guardOf(change)) } as Filter<Stored>;
        const given = Object.fromEntries(layout.unique.map(({ mark }) => [`unique.${mark}`, '']));
        return { updateOne: { filter, update: { $unset: given } } } as AnyBulkWriteOperation<Stored>;
      });
      await run(({ session }) => documents.bulkWrite(operations, { ordered: false, session }));
    }
  }

  /** Changes whose unique text another document has, which is not changed itself. */
  async #taken({ documents, changes }: Plan, mark: string): Promise<Stored[]> {
    const { read } = this.#connection;
    const byText = new Map<string, Stored>();
    const refused: Stored[] = [];
    for (const change of changes) {
      const text = change.unique?.[mark];
      if (text === undefined) continue;
      if (byText.has(text)) refused.push(change);
      byText.set(text, change);
    }
    const texts = [...byText.keys()];
    const changed = new Set(changes.map(({ _id }) => _id));
    for (let i = 0; i < texts.length; i += AT_ONCE) {
      const filter = { [`unique.${mark}`]: { $in: texts.slice(i, i + AT_ONCE) } };
      const projection = { [`unique.${mark}`]: 1 };
      const found = await read((own) => documents.find(filter, { projection, batchSize: AT_ONCE, ...own }).toArray());
      for (const { _id, unique } of found) if (!changed.has(_id)) refused.push(byText.get(unique![mark]!)!);
    }
    return refused;
  }
}
