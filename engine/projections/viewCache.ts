import type { NewDocument, StoredDocument, WriteBatch } from '../ports/documents.js';
import { IdFilter } from './idFilter.js';
import type { View } from './projection.js';

export interface Entry {
  readonly id: string;
  view: View<unknown> | undefined;
  /** Position of the last event in it. */
  revision: number;
  /** Differs from what is stored. */
  dirty: boolean;
  stored: boolean;
  /** Its keys as they are stored, where that is known. */
  keys: View<unknown>['keys'] | undefined;
  /** Since the last clearing out. */
  used: boolean;
}

/**
 * Documents as they stand after the last event folded: those not yet written, and recently used ones. What is stored may
 * be ahead of an entry, where an owner before wrote documents and not their checkpoint; it is then what the entry comes
 * to with the events that follow, and until then writes of the entry change nothing.
 */
export class ViewCache {
  readonly #entries = new Map<string, Entry>();
  /** Apart, so that a small batch costs nothing for the views that it does not touch. */
  readonly #dirty = new Set<Entry>();
  /** Nothing is stored but what is here and what `#gone` may have (a new collection): of others a missing entry need not be looked up. */
  #complete: boolean;
  /** What was stored and is not here any more, while it is complete. */
  #gone: IdFilter | undefined;
  readonly #shared: boolean;

  /** `shared`: an owner before, frozen in a write, may still write documents that are not known here. */
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

  /** The entry, which counts as used; an empty one where nothing can be stored. */
  use(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return this.#isNew(id) ? this.loaded(id, undefined) : undefined;
    entry.used = true;
    return entry;
  }

  /** The entry of a document that begins now: nothing is looked up. A removal is written all the same, should it stand. */
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
    // With owners before, every removal leaves its mark, so that a late write of theirs does not bring a document back.
    this.#mark(entry, view !== undefined || entry.stored || this.#shared);
  }

  /** Puts an entry back to what it was before changes that shall not count. */
  restore(entry: Entry, before: Entry): void {
    this.#mark(entry, before.dirty);
    Object.assign(entry, before);
  }

  /** What is to be written so that everything folded is stored. */
  changes(): Required<WriteBatch> {
    const put: NewDocument[] = [];
    const remove: { id: string; revision: number }[] = [];
    for (const { id, view, revision, keys } of this.#dirty) {
      if (view === undefined) remove.push({ id, revision });
      else put.push({ id, keys: view.keys, body: view.body, revision, stands: standing(keys, view.keys) });
    }
    return { put, remove };
  }

  /** All changes are stored now; keeps about `most` entries, rather those used lately. */
  written(most: number): void {
    for (const entry of this.#dirty) {
      entry.stored = entry.view !== undefined;
      entry.keys = entry.view?.keys;
      entry.dirty = false;
    }
    this.#dirty.clear();
    // Oldest first; who was used since the last round is spared once, and is then the newest.
    let looks = this.#entries.size;
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= most || looks-- <= 0) break;
      this.#entries.delete(id);
      if (entry.used) {
        entry.used = false;
        this.#entries.set(id, entry);
      } else this.#let(entry);
    }
    this.#trim(most);
  }

  /** Documents may be stored from now on that are not here. */
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

  /** It goes from here, and may be asked for again. */
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

/** A key that a handler does not name is null. */
function standing(stored: View<unknown>['keys'] | undefined, keys: View<unknown>['keys']): NewDocument['stands'] {
  if (stored === undefined) return 'none';
  for (const name in keys) if ((stored[name] ?? null) !== (keys[name] ?? null)) return undefined;
  return 'sameKeys';
}
