/**
 * A store's catalog. Categories and products share one stream, so that a batch is all or nothing, retailer ids are unique in the store, the
 * product limit is exact, and categories exist. Events: catalogEvents.ts. Decisions: upsertProducts.ts, putCategories.ts.
 */
import type { Aggregate, SnapshotCodec, WithMeta } from '../decider.js';
import type { CatalogEvent } from './catalogEvents.js';
import { applyChanges, compact, expand, hasVariants } from './compact.js';
import { textAfter } from './contentTexts.js';

// State: only what decisions need --------------------------------------------------------------------------------
export interface Catalog {
  /** Names by external id, in display order. */
  categories: Map<string, string>;
  /** Contents by external id, in the format of compact.ts. */
  readonly products: Map<string, string>;
  /** Product by retailer id of its variants. A product without variants is its own retailer id. */
  readonly variantOwner: Map<string, string>;
  /** Rough size in bytes. */
  weight: number;
}

const emptyCatalog = (): Catalog => ({
  categories: new Map(),
  products: new Map(),
  variantOwner: new Map(),
  weight: 1000,
});

/** Returns the product whose item has this retailer id. */
export function ownerOf(catalog: Catalog, retailerId: string): string | undefined {
  const owner = catalog.variantOwner.get(retailerId);
  if (owner !== undefined) return owner;
  const content = catalog.products.get(retailerId);
  return content === undefined || hasVariants(content) ? undefined : retailerId;
}

function evolve(catalog: Catalog, event: WithMeta<CatalogEvent>): Catalog {
  switch (event.type) {
    case 'CategoriesAdded':
    case 'CategoriesRenamed':
      for (const { externalId, name } of event.data.categories) catalog.categories.set(externalId, name);
      return catalog;
    case 'CategoriesReordered':
      catalog.categories = new Map(event.data.externalIds.map((id) => [id, catalog.categories.get(id) ?? id]));
      return catalog;
    case 'ProductAdded':
      return setProduct(catalog, event.data.externalId, textAfter(event.data) ?? compact(event.data.product));
    case 'ProductRevised': {
      const { externalId, changes } = event.data;
      const content = catalog.products.get(externalId);
      return content === undefined
        ? catalog
        : setProduct(catalog, externalId, textAfter(event.data) ?? compact(applyChanges(expand(content), changes)));
    }
    case 'ProductRemoved':
      return drop(catalog, event.data.externalId);
    default:
      return catalog;
  }
}

/** Overhead of an entry in the maps, in bytes. */
const PRODUCT_ENTRY = 120;
const VARIANT_ENTRY = 100;

function setProduct(catalog: Catalog, externalId: string, content: string): Catalog {
  drop(catalog, externalId);
  catalog.products.set(externalId, content);
  catalog.weight += content.length + externalId.length + PRODUCT_ENTRY;
  for (const id of variantIds(content)) {
    catalog.variantOwner.set(id, externalId);
    catalog.weight += VARIANT_ENTRY;
  }
  return catalog;
}

function drop(catalog: Catalog, externalId: string): Catalog {
  const content = catalog.products.get(externalId);
  if (content === undefined) return catalog;
  for (const id of variantIds(content)) {
    catalog.weight -= VARIANT_ENTRY;
    // Within one batch the id may have moved to another product.
    if (catalog.variantOwner.get(id) === externalId) catalog.variantOwner.delete(id);
  }
  catalog.products.delete(externalId);
  catalog.weight -= content.length + externalId.length + PRODUCT_ENTRY;
  return catalog;
}

const variantIds = (content: string): string[] =>
  hasVariants(content) ? expand(content).variants.map((variant) => variant.externalId) : [];

// Snapshots: products in chunks, so that a large catalog is read a little at a time -------------------------------
interface CategoryChunk {
  readonly categories: readonly (readonly [externalId: string, name: string])[];
}
interface ProductChunk {
  readonly products: readonly (readonly [externalId: string, content: string])[];
}

const CHUNK = 500;

/** Copies the lists at once (1 ms for 100,000 products). Contents are immutable strings. */
function chunks({ categories, products }: Catalog): Iterable<CategoryChunk | ProductChunk> {
  return chunksOf([...categories], [...products.keys()], [...products.values()]);
}

function* chunksOf(
  categories: readonly [string, string][],
  ids: readonly string[],
  contents: readonly string[],
): Generator<CategoryChunk | ProductChunk> {
  yield { categories };
  for (let from = 0; from < ids.length; from += CHUNK)
    yield { products: ids.slice(from, from + CHUNK).map((id, index) => [id, contents[from + index]!] as const) };
}

const snapshot: SnapshotCodec<Catalog> = {
  version: 1,
  every: 50_000,
  write: chunks,
  hold: chunks,
  read() {
    const catalog = emptyCatalog();
    return {
      add(chunk) {
        if ('categories' in chunk) catalog.categories = new Map((chunk as CategoryChunk).categories);
        else
          for (const [externalId, content] of (chunk as ProductChunk).products)
            setProduct(catalog, externalId, content);
      },
      done: () => catalog,
    };
  },
};

export const catalog: Aggregate<Catalog, CatalogEvent> = {
  name: 'catalog',
  initial: emptyCatalog,
  evolve,
  snapshot,
  weigh: (state) => state.weight,
};
