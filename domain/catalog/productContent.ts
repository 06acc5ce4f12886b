/** Content of a product: defaults, normal forms, and the rules that need only the product itself. */
import type { FieldProblem } from '../decider.js';
import type { Availability, ProductContent, Variant } from './catalogEvents.js';
import { imageUrlProblem } from './imageUrl.js';

/** Product in the form of the API. Money in cents, times RFC 3339. (Specification 1, 'ProductFields'.) */
export interface ProductFields {
  readonly name: string;
  readonly description?: string;
  readonly imageUrls: readonly string[];
  readonly priceCents: number;
  readonly salePriceCents?: number;
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly currency?: 'USD';
  readonly availability?: Availability;
  readonly stock?: number;
  readonly active?: boolean;
  readonly categoryExternalId?: string;
  readonly variants?: readonly Variant[] | null;
}

/** Returns the content with defaults applied. Equal instants become equal text, and empty texts of optional fields no value. */
export function contentOf(fields: ProductFields): ProductContent {
  return {
    name: fields.name,
    description: fields.description ?? '',
    imageUrls: fields.imageUrls,
    priceCents: fields.priceCents,
    ...set('salePriceCents', fields.salePriceCents),
    ...set('saleStartsAt', fields.saleStartsAt && utc(fields.saleStartsAt)),
    ...set('saleEndsAt', fields.saleEndsAt && utc(fields.saleEndsAt)),
    availability: fields.availability ?? 'in_stock',
    ...set('stock', fields.stock),
    active: fields.active ?? true,
    ...set('categoryExternalId', fields.categoryExternalId || undefined),
    variants: (fields.variants ?? []).map(variantOf),
  };
}

const variantOf = (variant: Variant): Variant => ({
  externalId: variant.externalId,
  ...set('size', variant.size || undefined),
  ...set('color', variant.color || undefined),
  ...set('priceCents', variant.priceCents),
  ...set('salePriceCents', variant.salePriceCents),
  ...set('availability', variant.availability),
  ...set('stock', variant.stock),
});

const set = <K extends string, V>(key: K, value: V | undefined | ''): { [P in K]?: V } =>
  (value === undefined || value === '' ? {} : { [key]: value }) as { [P in K]?: V };

/** Converts to UTC with milliseconds. A time that does not exist (a leap second) is unchanged, so that `contentProblems` can name it. */
function utc(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString();
}

/** Retailer ids of the product's items: those of its variants, or its own id if it has none. (Specification 1, 'Product'.) */
export const retailerIdsOf = (externalId: string, content: Pick<ProductContent, 'variants'>): string[] =>
  content.variants.length === 0 ? [externalId] : content.variants.map((variant) => variant.externalId);

/** Rules between fields of a product in a request, each with the fields that it reads. */
export const fieldRules: readonly {
  readonly fields: readonly (keyof ProductFields)[];
  problems(fields: ProductFields, services: unknown, at: string): FieldProblem[];
}[] = [
  { fields: ['priceCents', 'salePriceCents'] as const, check: salePriceProblems },
  { fields: ['saleStartsAt', 'saleEndsAt'] as const, check: saleWindowProblems },
  { fields: ['priceCents', 'salePriceCents', 'variants'] as const, check: variantProblems },
].map(({ fields, check }) => ({
  fields,
  problems(sent, _, at) {
    const problems: FieldProblem[] = [];
    const read = Object.fromEntries(fields.map((field) => [field, sent[field]]));
    check(contentOf(read as unknown as ProductFields), (field, message, value) => {
      problems.push({ message, location: `${at}.${field}`, value });
    });
    return problems;
  },
}));

/** Returns every problem of one product. `at`: location in the request, such as `body.products[3]`. */
export function contentProblems(content: ProductContent, at: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const problem = (field: string, message: string, value: unknown): void => {
    problems.push({ message, location: `${at}.${field}`, value });
  };
  content.imageUrls.forEach((url, index) => {
    const wrong = imageUrlProblem(url);
    if (wrong !== undefined) problem(`imageUrls[${index}]`, wrong, url);
  });
  salePriceProblems(content, problem);
  saleWindowProblems(content, problem);
  variantProblems(content, problem);
  return problems;
}

type Report = (field: string, message: string, value: unknown) => void;

function salePriceProblems({ priceCents, salePriceCents }: ProductContent, problem: Report): void {
  if (salePriceCents !== undefined && salePriceCents >= priceCents)
    problem('salePriceCents', `The sale price must be below the price of ${priceCents} cents.`, salePriceCents);
}

function saleWindowProblems({ saleStartsAt, saleEndsAt }: ProductContent, problem: Report): void {
  const unreadable = (field: string, time: string | undefined): boolean => {
    if (time === undefined || !Number.isNaN(Date.parse(time))) return false;
    problem(field, 'The time does not exist.', time);
    return true;
  };
  const unclear = [unreadable('saleStartsAt', saleStartsAt), unreadable('saleEndsAt', saleEndsAt)];
  if (unclear.includes(true) || saleStartsAt === undefined || saleEndsAt === undefined) return;
  if (Date.parse(saleEndsAt) <= Date.parse(saleStartsAt))
    problem('saleEndsAt', 'The sale must end after it starts.', saleEndsAt);
}

function variantProblems(content: ProductContent, problem: Report): void {
  const seen = new Set<string>();
  content.variants.forEach((variant, index) => {
    const at = `variants[${index}]`;
    if (seen.has(variant.externalId))
      problem(`${at}.externalId`, 'Another variant of this product has the same external id.', variant.externalId);
    seen.add(variant.externalId);
    if (variant.priceCents === undefined && variant.salePriceCents === undefined) return;
    const price = variant.priceCents ?? content.priceCents;
    const sale = variant.salePriceCents ?? content.salePriceCents;
    if (sale === undefined || sale < price) return;
    if (variant.salePriceCents !== undefined)
      problem(`${at}.salePriceCents`, `The sale price must be below the variant's price of ${price} cents.`, sale);
    else problem(`${at}.priceCents`, `The price must be above the product's sale price of ${sale} cents.`, price);
  });
}
