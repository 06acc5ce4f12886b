/**
 * Data of a simulated document store, shared by all processes. Each change is one step, and `by` determines which
 * changes survive a power cut.
 */
import {
  type Checkpoint,
  type CollectionDefinition,
  type Fence,
  Fenced,
  type NewDocument,
  type WriteBatch,
} from '../../../engine/ports/documents.js';
import { BEFORE_ALL, type EventMark, type Position } from '../../../engine/ports/eventStore.js';
import {
  collectionInUse,
  nameInUse,
  shapeDiffers,
  shapeOf,
  unknownCollection,
} from '../../../infrastructure/readModels/shape.js';
import {
  type Collection,
  type Guard,
  isTaken,
  matches,
  rowOf,
  type StoredRow,
  set,
  type Undo,
  uniqueKeyTaken,
} from './collection.js';

/**
 * `steps`: writes like the MongoDB engine. Documents come first and the checkpoint last, each as a separate durable
 * change, with tombstones for removals. `transactions`: writes like SQLite. Each write is atomic, and a power cut loses
 * the last ones.
 */
export type WritingBy = 'steps' | 'transactions';

interface Place {
  readonly position: Position | undefined;
  readonly fence: number;
  /** Mark of the event at the position. */
  readonly mark?: EventMark | undefined;
}

/** Maximum number of writes that a power cut can lose. */
const MOST_UNSYNCED = 40;

const sameKeys = (a: CollectionDefinition, b: CollectionDefinition): boolean =>
  JSON.stringify(Object.entries(a.keys).sort()) === JSON.stringify(Object.entries(b.keys).sort());

export class DocumentState {
  readonly by: WritingBy;
  /** Changes of each write that has begun and not ended. A write of a killed process stays, maybe half applied. */
  readonly unended = new Set<readonly StoredRow[]>();
  readonly #collections = new Map<string, Collection>();
  readonly #aliases = new Map<string, string>();
  readonly #places = new Map<string, Place>();
  /** Undos of the last writes, oldest first. */
  #unsynced: Undo[][] = [];

  constructor(by: WritingBy) {
    this.by = by;
  }

  /** Copies the data for another world. */
  copy(): DocumentState {
    const copied = new DocumentState(this.by);
    for (const [name, { shape, documents, hasIndexes }] of this.#collections)
      copied.#collections.set(name, { shape, documents: new Map(documents), hasIndexes });
    for (const [name, target] of this.#aliases) copied.#aliases.set(name, target);
    for (const [name, place] of this.#places) copied.#places.set(name, place);
    return copied;
  }

  // Collections ------------------------------------------------------------------------------------------------------

  open(definition: CollectionDefinition, hasIndexes: boolean): void {
    const before = this.#collections.get(definition.name);
    if (this.#aliases.has(definition.name)) throw nameInUse(definition.name);
    const isEmpty = before === undefined || [...before.documents.values()].every(({ json }) => json === undefined);
    if (before !== undefined && !isEmpty && !sameKeys(before.shape.definition, definition))
      throw shapeDiffers(definition.name);
    const documents = before?.documents ?? new Map<string, StoredRow>();
    this.#collections.set(definition.name, { shape: shapeOf(definition), documents, hasIndexes });
  }

  buildIndexes(name: string): void {
    this.of(name).hasIndexes = true;
  }

  drop(name: string): void {
    for (const [alias, target] of this.#aliases) if (target === name) throw collectionInUse(alias, name);
    this.#collections.delete(name);
  }

  list(): string[] {
    return [...this.#collections.keys()].sort();
  }

  setAlias(name: string, target: string): void {
    if (!this.#collections.has(target)) throw unknownCollection(target);
    if (this.#collections.has(name)) throw nameInUse(name);
    this.#aliases.set(name, target);
  }

  dropAlias(name: string, target: string): void {
    if (this.#aliases.get(name) === target) this.#aliases.delete(name);
  }

  resolve(name: string): string {
    return this.#aliases.get(name) ?? name;
  }

  of(name: string): Collection {
    const found = this.#collections.get(this.resolve(name));
    if (found === undefined) throw unknownCollection(name);
    return found;
  }

  // Places in the log ------------------------------------------------------------------------------------------------

  position(name: string): Position {
    return this.#places.get(name)?.position ?? BEFORE_ALL;
  }

  mark(name: string): EventMark | undefined {
    return this.#places.get(name)?.mark;
  }

  /** Throws `Fenced` if one of the names has a newer owner. */
  checkFences(all: readonly (Checkpoint | Fence)[]): void {
    for (const { name, fence } of all) {
      const isCurrent = this.#places.get(name)?.fence ?? 0;
      if (fence !== undefined && fence < isCurrent)
        throw new Fenced(`'${name}' has a newer owner (${isCurrent}) than ${fence}`);
    }
  }

  /** Moves a checkpoint. In steps it never moves back. */
  move({ name, position, fence, mark }: Checkpoint): Undo {
    this.checkFences([{ name, position, ...(fence !== undefined && { fence }) }]);
    const before = this.#places.get(name);
    const isCurrent = before?.position ?? BEFORE_ALL;
    const to = this.by === 'steps' ? Math.max(isCurrent, position) : position;
    return this.#place(name, { position: to, fence: before?.fence ?? 0, mark: to === position ? mark : before?.mark });
  }

  raise({ name, fence }: Fence): Undo {
    this.checkFences([{ name, fence }]);
    const before = this.#places.get(name);
    return this.#place(name, { position: before?.position, fence, mark: before?.mark });
  }

  forget(name: string): Undo {
    const before = this.#places.get(name);
    return before === undefined ? () => undefined : this.#place(name, { fence: before.fence, position: undefined });
  }

  #place(name: string, place: Place): Undo {
    const before = this.#places.get(name);
    this.#places.set(name, place);
    return () => void (before === undefined ? this.#places.delete(name) : this.#places.set(name, before));
  }

  // Documents --------------------------------------------------------------------------------------------------------

  /** Validates a batch and returns its changes, with tombstones for removals. The highest revision of an id wins. */
  plan(name: string, { put = [], remove = [] }: WriteBatch, guard?: Guard): StoredRow[] {
    const { shape } = this.of(name);
    const changes = new Map<string, StoredRow>();
    for (const document of put) {
      const retained = rowOf(shape, document, guard);
      if ((changes.get(retained.id)?.revision ?? Number.NEGATIVE_INFINITY) < retained.revision)
        changes.set(retained.id, retained);
    }
    const fences = guard === undefined ? {} : { [guard.name]: guard.fence };
    for (const { id, revision } of remove)
      if ((changes.get(id)?.revision ?? Number.NEGATIVE_INFINITY) <= revision)
        changes.set(id, { id, revision, keys: {}, json: undefined, fences });
    return [...changes.values()];
  }

  /** Throws `unique_key_taken` if an effective change conflicts with another document's unique key. */
  refuseTaken(name: string, changes: readonly StoredRow[]): void {
    const collection = this.of(name);
    const counting = changes.filter(
      (retained) => retained.json !== undefined && this.#counts(collection, retained, undefined),
    );
    for (const retained of counting) if (isTaken(collection, retained, changes)) throw uniqueKeyTaken(collection);
  }

  /** Applies one change, unless the stored document is newer or belongs to a later owner. */
  apply(name: string, retained: StoredRow, guard?: Guard): Undo {
    const collection = this.of(name);
    if (!this.#counts(collection, retained, guard)) return () => undefined;
    const isGone = retained.json === undefined && this.by === 'transactions';
    return set(collection, retained.id, isGone ? undefined : retained);
  }

  #counts({ documents }: Collection, retained: StoredRow, guard: Guard | undefined): boolean {
    const before = documents.get(retained.id);
    if (before === undefined) return true;
    if (guard !== undefined && (before.fences[guard.name] ?? 0) > guard.fence) return false;
    return retained.json === undefined ? before.revision <= retained.revision : before.revision < retained.revision;
  }

  /** Marks the matching documents of a collection as the new owner's. */
  take(name: string, where: Parameters<typeof matches>[1], { name: by, fence }: Fence): void {
    const collection = this.of(name);
    for (const retained of matches(collection, where, 10_000))
      if ((retained.fences[by] ?? 0) < fence)
        collection.documents.set(retained.id, { ...retained, fences: { ...retained.fences, [by]: fence } });
  }

  insert(name: string, document: NewDocument): boolean {
    const collection = this.of(name);
    const retained = rowOf(collection.shape, document);
    if (collection.documents.get(retained.id)?.json !== undefined || isTaken(collection, retained)) return false;
    this.record(set(collection, retained.id, retained));
    return true;
  }

  replace(name: string, expected: number, document: NewDocument): boolean {
    const collection = this.of(name);
    const retained = rowOf(collection.shape, document);
    const before = collection.documents.get(retained.id);
    if (before?.json === undefined || before.revision !== expected) return false;
    if (isTaken(collection, retained)) throw uniqueKeyTaken(collection);
    this.record(set(collection, retained.id, retained));
    return true;
  }

  removeWhere(name: string, where: Parameters<typeof matches>[1], limit: number): number {
    const collection = this.of(name);
    const found = matches(collection, where, limit);
    this.record(...found.map(({ id }) => set(collection, id, undefined)));
    return found.length;
  }

  // Power ------------------------------------------------------------------------------------------------------------

  /** Records the undos of one atomic write. */
  record(...undos: readonly Undo[]): void {
    if (this.by === 'steps') return;
    this.#unsynced.push([...undos]);
    if (this.#unsynced.length > MOST_UNSYNCED) this.#unsynced.shift();
  }

  /** Makes all previous writes durable. */
  sync(): void {
    this.#unsynced = [];
  }

  /** Undoes the last writes, each as a whole. */
  lose(writes: number): void {
    for (const undos of this.#unsynced.splice(Math.max(0, this.#unsynced.length - writes)).reverse())
      for (const undo of undos.reverse()) undo();
    this.sync();
  }
}
