/**
 * A product's content as one short canonical text: equal texts are equal contents. The catalog's state contains only this text, so that
 * events can include the values before a change. 100,000 typical products (a name, a sentence, one image) take about 25 MB.
 *
 * It is stored only in snapshots, whose version rises with this format.
 */
import type { Availability, ProductChanges, ProductContent, Variant } from './catalogEvents.js';

type Flag = 0 | 1;
type CompactVariant = [
  externalId: string,
  size: string | null,
  color: string | null,
  priceCents: number | null,
  salePriceCents: number | null,
  inStock: Flag | null,
  stock: number | null,
];
type Compact = [
  name: string,
  description: string,
  imageUrls: readonly string[],
  priceCents: number,
  salePriceCents: number | null,
  saleStartsAt: string | null,
  saleEndsAt: string | null,
  inStock: Flag,
  stock: number | null,
  active: Flag,
  categoryExternalId: string | null,
  variants: readonly CompactVariant[],
];

const flagOf = (availability: Availability): Flag => (availability === 'in_stock' ? 1 : 0);
const availabilityOf = (flag: Flag): Availability => (flag === 1 ? 'in_stock' : 'out_of_stock');

export function compact(content: ProductContent): string {
  const value: Compact = [
    content.name,
    content.description,
    content.imageUrls,
    content.priceCents,
    content.salePriceCents ?? null,
    content.saleStartsAt ?? null,
    content.saleEndsAt ?? null,
    flagOf(content.availability),
    content.stock ?? null,
    content.active ? 1 : 0,
    content.categoryExternalId ?? null,
    content.variants.map(
      (variant): CompactVariant => [
        variant.externalId,
        variant.size ?? null,
        variant.color ?? null,
        variant.priceCents ?? null,
        variant.salePriceCents ?? null,
        variant.availability === undefined ? null : flagOf(variant.availability),
        variant.stock ?? null,
      ],
    ),
  ];
  return JSON.stringify(value);
}

export function expand(text: string): ProductContent {
  const [name, description, imageUrls, priceCents, sale, starts, ends, inStock, stock, active, category, variants] =
    JSON.parse(text) as Compact;
  return {
    name,
    description,
    imageUrls,
    priceCents,
    ...(sale !== null && { salePriceCents: sale }),
    ...(starts !== null && { saleStartsAt: starts }),
    ...(ends !== null && { saleEndsAt: ends }),
    availability: availabilityOf(inStock),
    ...(stock !== null && { stock }),
    active: active === 1,
    ...(category !== null && { categoryExternalId: category }),
    variants: variants.map(
      ([externalId, size, color, price, salePrice, inStock, stock]): Variant => ({
        externalId,
        ...(size !== null && { size }),
        ...(color !== null && { color }),
        ...(price !== null && { priceCents: price }),
        ...(salePrice !== null && { salePriceCents: salePrice }),
        ...(inStock !== null && { availability: availabilityOf(inStock) }),
        ...(stock !== null && { stock }),
      }),
    ),
  };
}

/** Returns true if the product has variants. The list of variants ends the text, so it need not be parsed. */
export const hasVariants = (text: string): boolean => !text.endsWith(',[]]');

const FIELDS: readonly (keyof ProductContent)[] = [
  'name',
  'description',
  'imageUrls',
  'priceCents',
  'salePriceCents',
  'saleStartsAt',
  'saleEndsAt',
  'availability',
  'stock',
  'active',
  'categoryExternalId',
  'variants',
];

/** Returns the fields that differ, with their values after and before. null: no value. */
export function difference(
  before: ProductContent,
  after: ProductContent,
): { changes: ProductChanges; before: ProductChanges } {
  const changed = FIELDS.filter((field) => !same(before[field], after[field]));
  const pick = (content: ProductContent): ProductChanges =>
    Object.fromEntries(changed.map((field) => [field, content[field] ?? null]));
  return { changes: pick(after), before: pick(before) };
}

const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Returns the content after a change. */
export function applyChanges(content: ProductContent, changes: ProductChanges): ProductContent {
  const after: Record<string, unknown> = { ...content, ...changes };
  for (const [field, value] of Object.entries(changes)) if (value === null) delete after[field];
  return after as unknown as ProductContent;
}
