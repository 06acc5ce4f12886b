import type { ProductChanges } from '../domain/catalog/catalogEvents.js';

/** Members that stand in a product's document and in its items' as they stand in its content, and that nothing else there follows from. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['name', 'description', 'imageUrls', 'priceCents', 'salePriceCents', 'saleStartsAt', 'saleEndsAt'],
  ...['availability', 'stock'],
]);

/**
 * A copy of the body with the changes where each of them is of a plain member that it has and keeps: a new price, say, which is most of
 * what is revised. Undefined otherwise. Put together from the content, a document is copied four times, member by member.
 */
export function changedInPlace<B extends object>(body: B, changes: ProductChanges): B | undefined {
  const copy = { ...body } as Record<string, unknown>;
  for (const [name, value] of Object.entries(changes)) {
    if (!PLAIN.has(name) || value === null || copy[name] === undefined) return undefined;
    copy[name] = value;
  }
  return copy as B;
}
