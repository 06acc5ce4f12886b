import type { ProductChanges } from '../domain/catalog/catalogEvents.js';

/** Members that a product's document and its items' documents copy unchanged from the content, and that no other member depends on. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['name', 'description', 'imageUrls', 'priceCents', 'salePriceCents', 'saleStartsAt', 'saleEndsAt'],
  ...['availability', 'stock'],
]);

/**
 * Returns a copy of the body with the changes if each changes a plain member that the body has, such as a price (most
 * revisions do); otherwise undefined. Building the document from its content would copy it four times.
 */
export function changedInPlace<B extends object>(body: B, changes: ProductChanges): B | undefined {
  const copy = { ...body } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    if (!PLAIN.has(name) || value === null || copy[name] === undefined) return undefined;
    copy[name] = value;
  }
  return copy as B;
}
