/** The sandbox's product catalogs: items, batches and their review. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../engine/ports/clock.js';
import { dropOldest } from '../dropOldest.js';

export type ItemData = Readonly<Record<string, unknown>>;

interface Item {
  readonly data: ItemData;
  /** ms since 1970. */
  readonly changedAt: number;
  readonly wasApproved: boolean;
}

export interface Refused {
  readonly retailer_id: string;
  readonly errors: readonly { readonly message: string }[];
}

interface Batch {
  readonly at: number;
  readonly ids: readonly string[];
  readonly invalid: readonly Refused[];
}

interface Catalog {
  readonly items: Map<string, Item>;
  readonly batches: Map<string, Batch>;
}

export type Review = 'PENDING' | 'APPROVED' | 'REJECTED' | 'OUTDATED';

export interface ReviewedItem {
  readonly retailerId: string;
  readonly data: ItemData;
  readonly review: Review;
  readonly reasons: readonly string[];
}

/** One change of a catalog, as the journal keeps it. `null`: the item is gone. */
export interface CatalogEntry {
  readonly kind: 'catalog';
  readonly catalogId: string;
  readonly items: readonly (readonly [string, Item | null])[];
  readonly batch?: readonly [string, Batch];
}

const KEPT_BATCHES = 1_000;
/** Batches that can be undone. */
const KEPT_UNDO = 20;
const PRICE = /^\d+\.\d{2} [A-Z]{3}$/;
const REQUIRED = ['title', 'description', 'availability', 'condition', 'price', 'link', 'image_link', 'brand'];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function problems(data: ItemData): { message: string }[] {
  const missing = REQUIRED.filter((name) => text(data[name]) === '').map((name) => ({
    message: `${name} is required.`,
  }));
  const wrong = ['price', 'sale_price'].filter((name) => data[name] !== undefined && !PRICE.test(text(data[name])));
  const long = text(data.title).length > 200 ? [{ message: 'title is too long.' }] : [];
  return [...missing, ...wrong.map((name) => ({ message: `${name} is not like '9.99 USD'.` })), ...long];
}

/** An update changes the fields that it names; an empty one takes the field away. */
function merged(before: ItemData | undefined, change: ItemData): ItemData {
  const entries = Object.entries({ ...before, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== null));
}

function rejection(data: ItemData): string | undefined {
  if (text(data.title).includes('[reject]')) return 'The item is of a kind that may not be sold on the channel.';
  if (text(data.description).trim().toLowerCase() === 'counterfeit') return 'The item looks like a counterfeit.';
  return undefined;
}

/** Reviews take `reviewMs`; their state follows from the clock, so that nothing has to run for it. */
export class SandboxCatalogs {
  readonly #clock: Clock;
  readonly #reviewMs: number;
  readonly #catalogs = new Map<string, Catalog>();
  /** Previous items of a batch, by its handle. */
  readonly #before = new Map<string, readonly (readonly [string, Item | null])[]>();

  constructor(clock: Clock, reviewMs: number) {
    this.#clock = clock;
    this.#reviewMs = reviewMs;
  }

  submit(catalogId: string, requests: readonly unknown[]): { handle: string; refused: Refused[]; entry: CatalogEntry } {
    const catalog = this.#catalogOf(catalogId);
    const at = this.#clock.now();
    const items: [string, Item | null][] = [];
    const refused: Refused[] = [];
    for (const request of requests) {
      const { method, data } = (request ?? {}) as { method?: unknown; data?: ItemData };
      const id = text(data?.id);
      if (id === '') refused.push({ retailer_id: '', errors: [{ message: 'data.id is required.' }] });
      else if (method === 'DELETE') items.push([id, null]);
      else {
        const item = this.#changed(catalog, id, data!, at);
        if ('errors' in item) refused.push(item);
        else items.push([id, item]);
      }
    }
    const handle = randomUUID();
    this.#before.set(
      handle,
      items.map(([id]) => [id, catalog.items.get(id) ?? null] as const),
    );
    dropOldest(this.#before, KEPT_UNDO);
    const batch = [handle, { at, ids: items.map(([id]) => id), invalid: refused }] as const;
    const entry: CatalogEntry = { kind: 'catalog', catalogId, items, batch };
    this.apply(entry);
    return { handle, refused, entry };
  }

  /** Undefined: no such batch. `done`: it is no longer worked on. */
  batch(catalogId: string, handle: string): { done: boolean; invalid: readonly Refused[] } | undefined {
    const batch = this.#catalogs.get(catalogId)?.batches.get(handle);
    return batch && { done: this.#clock.now() >= batch.at + this.#reviewMs / 4, invalid: batch.invalid };
  }

  /** Puts the items of a recent batch back as they were, as if none had been saved. */
  undo(catalogId: string, handle: string): { invalid: Refused[]; entry: CatalogEntry } | undefined {
    const batch = this.#catalogs.get(catalogId)?.batches.get(handle);
    if (batch === undefined) return undefined;
    const errors = [{ message: 'The item was not saved.' }];
    const invalid = [...batch.invalid, ...batch.ids.map((id) => ({ retailer_id: id, errors }))];
    const entry: CatalogEntry = {
      kind: 'catalog',
      catalogId,
      items: this.#before.get(handle) ?? [],
      batch: [handle, { at: batch.at, ids: [], invalid }],
    };
    this.apply(entry);
    return { invalid, entry };
  }

  item(catalogId: string, retailerId: string): ReviewedItem | undefined {
    const item = this.#catalogs.get(catalogId)?.items.get(retailerId);
    return item && this.#shown(retailerId, item);
  }

  *items(catalogId: string): Iterable<ReviewedItem> {
    for (const [id, item] of this.#catalogs.get(catalogId)?.items ?? []) yield this.#shown(id, item);
  }

  ids(): string[] {
    return [...this.#catalogs.keys()];
  }

  *entries(): Iterable<CatalogEntry> {
    for (const [catalogId, { items, batches }] of this.#catalogs) {
      for (const item of items) yield { kind: 'catalog', catalogId, items: [item] };
      for (const batch of batches) yield { kind: 'catalog', catalogId, items: [], batch };
    }
  }

  apply({ catalogId, items, batch }: CatalogEntry): void {
    const catalog = this.#catalogOf(catalogId);
    for (const [id, item] of items) {
      if (item === null) catalog.items.delete(id);
      else catalog.items.set(id, item);
    }
    if (batch === undefined) return;
    catalog.batches.set(...(batch as [string, Batch]));
    dropOldest(catalog.batches, KEPT_BATCHES);
  }

  #catalogOf(catalogId: string): Catalog {
    let catalog = this.#catalogs.get(catalogId);
    if (catalog === undefined) {
      catalog = { items: new Map(), batches: new Map() };
      this.#catalogs.set(catalogId, catalog);
    }
    return catalog;
  }

  #reviewOf(item: Item): Review {
    if (this.#clock.now() < item.changedAt + this.#reviewMs) return item.wasApproved ? 'OUTDATED' : 'PENDING';
    return rejection(item.data) === undefined ? 'APPROVED' : 'REJECTED';
  }

  #shown(retailerId: string, item: Item): ReviewedItem {
    const review = this.#reviewOf(item);
    return { retailerId, data: item.data, review, reasons: review === 'REJECTED' ? [rejection(item.data)!] : [] };
  }

  #changed(catalog: Catalog, id: string, change: ItemData, at: number): Item | Refused {
    const old = catalog.items.get(id);
    const data = merged(old?.data, change);
    const errors = problems(data);
    if (errors.length > 0) return { retailer_id: id, errors };
    if (old !== undefined && JSON.stringify(old.data) === JSON.stringify(data)) return old;
    const wasApproved = old !== undefined && ['APPROVED', 'OUTDATED'].includes(this.#reviewOf(old));
    return { data, changedAt: at, wasApproved };
  }
}
