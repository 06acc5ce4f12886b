import type { NewDocument, StoredDocument, WriteBatch } from '../ports/documents.js';
import { IdFilter } from './idFilter.js';
import type { View } from './projection.js';

export interface Entry {
  readonly id: string;
  view: View<unknown> | undefined;
  /** Position of the last event in it. */
  revision: number;
  /** True if it differs from the stored document. */
  dirty: boolean;
  stored: boolean;
  /** Stored keys, if they are known. */
  keys: View<unknown>['keys'] | undefined;
  /** True if it was used since the last eviction. */
  used: boolean;
}

/**
 * Documents after the last folded event: unwritten ones, and recently used ones. A stored document may be ahead of its
 * entry, if a previous owner wrote it without the checkpoint. The following events bring the entry to the same state.
 * Until then, writes of the entry have no effect.
 */
export class ViewCache {
  readonly #entries = new Map<string, Entry>();
  /** Separate set, so that a small batch costs nothing for views that it does not touch. */
  readonly #dirty = new Set<Entry>();
  /**
   * True if every stored document is here or in `#gone`, as in a new collection. Other missing entries need no lookup
   * then.
   */
  #complete: boolean;
  /** Stored documents that were evicted while the cache was complete. */
  #gone: IdFilter | undefined;
  readonly #shared: boolean;

  /** `shared`: a previous owner, frozen in a write, may still write documents that are unknown here. */
  constructor(complete: boolean, shared = false) {
    this.#complete = complete;
    this.#shared = shared;
  }

  get dirty(): number {
    return this.#dirty.size;
  }
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry, and marks it as used. Returns an empty entry if nothing can be stored. */
  use(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return this.#isNew(id) ? this.loaded(id, undefined) : undefined;
    entry.used = true;
    return entry;
  }

  /**
   * Creates the entry of a document that begins now, without a lookup. A removal is written anyway, in case the
   * document exists.
   */
  begin(id: string): void {
    if (this.#entries.has(id)) return;
    this.#entries.set(id, {
      id,
      view: undefined,
      revision: -1,
      dirty: false,
      stored: true,
      keys: undefined,
      used: true,
    });
  }

  get(id: string): Entry {
    return this.#entries.get(id)!;
  }

  loaded(id: string, document: StoredDocument | undefined): Entry {
    const entry: Entry =
      document === undefined || document.removed
        ? {
            id,
            view: undefined,
            revision: document?.revision ?? -1,
            dirty: false,
            stored: false,
            keys: undefined,
            used: true,
          }
        : {
            id,
            view: { keys: document.keys, body: document.body },
            revision: document.revision,
            dirty: false,
            stored: true,
            keys: document.keys,
            used: true,
          };
    this.#entries.set(id, entry);
    return entry;
  }

  change(entry: Entry, view: View<unknown> | undefined, revision: number): void {
    entry.view = view;
    entry.revision = revision;
    // After previous owners, every removal is recorded, so that a late write of theirs does not bring a document back.
    this.#mark(entry, view !== undefined || entry.stored || this.#shared);
  }

  /** Restores the state of an entry before changes that must not count. */
  restore(entry: Entry, before: Entry): void {
    this.#mark(entry, before.dirty);
    Object.assign(entry, before);
  }

  /** Returns the writes that store everything folded. */
  changes(): Required<WriteBatch> {
    const put: NewDocument[] = [];
    const remove: { id: string; revision: number }[] = [];
    for (const { id, view, revision, keys } of this.#dirty) {
      if (view === undefined) remove.push({ id, revision });
      else put.push({ id, keys: view.keys, body: view.body, revision, existing: existingKeys(keys, view.keys) });
    }
    return { put, remove };
  }

  /** Marks all changes as stored. Evicts entries down to about `most`, preferably those not used recently. */
  written(most: number): void {
    for (const entry of this.#dirty) {
      entry.stored = entry.view !== undefined;
      entry.keys = entry.view?.keys;
      entry.dirty = false;
    }
    this.#dirty.clear();
    // Oldest first. An entry used since the last round is spared once, and is then the newest.
    let checks = this.#entries.size;
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= most || checks-- <= 0) break;
      this.#entries.delete(id);
      if (entry.used) {
        entry.used = false;
        this.#entries.set(id, entry);
      } else this.#let(entry);
    }
    this.#trim(most);
  }

  /** Call it when documents that are not here may be stored from now on. */
  incomplete(): void {
    this.#complete = false;
    this.#gone = undefined;
  }

  clear(): void {
    this.#entries.clear();
    this.#dirty.clear();
    this.incomplete();
  }

  #trim(most: number): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= most) return;
      this.#entries.delete(id);
      this.#let(entry);
    }
  }

  #isNew(id: string): boolean {
    return this.#complete && this.#gone?.mayHave(id) !== true;
  }

  /** Notes an evicted entry, which may be needed again. */
  #let({ id, stored }: Entry): void {
    if (!stored || !this.#complete) return;
    if (this.#shared) this.#complete = false;
    else {
      this.#gone ??= new IdFilter();
      this.#gone.add(id);
    }
  }

  #mark(entry: Entry, dirty: boolean): void {
    if (dirty) this.#dirty.add(entry);
    else this.#dirty.delete(entry);
    entry.dirty = dirty;
  }
}

/** Compares stored and new keys. A key that a handler does not name is null. */
function existingKeys(stored: View<unknown>['keys'] | undefined, keys: View<unknown>['keys']): NewDocument['existing'] {
  if (stored === undefined) return 'none';
  for (const name in keys) if ((stored[name] ?? null) !== (keys[name] ?? null)) return undefined;
  return 'sameKeys';
}
