/** A product as a form holds it: every field is text until it is sent. */
import type { Schemas } from '../api/openapi.js';
import { cents, dollars, optional, wholeText } from '../ui/amounts.js';
import { fieldTime, fieldValue } from '../ui/format.js';

type Product = Schemas['ProductBody'];
type Fields = Schemas['ProductFields'];

export interface VariantDraft {
  readonly externalId: string;
  readonly size: string;
  readonly color: string;
  readonly price: string;
  readonly salePrice: string;
  readonly stock: string;
  readonly availability: string;
}

export interface ProductDraft {
  readonly externalId: string;
  readonly name: string;
  readonly description: string;
  /** One URL on each line. */
  readonly images: string;
  readonly price: string;
  readonly salePrice: string;
  readonly saleStartsAt: string;
  readonly saleEndsAt: string;
  readonly availability: string;
  readonly stock: string;
  readonly active: boolean;
  readonly category: string;
  readonly variants: readonly VariantDraft[];
}

export const NEW_VARIANT: VariantDraft = {
  ...{ externalId: '', size: '', color: '', price: '', salePrice: '', stock: '', availability: '' },
};

export const NEW_PRODUCT: ProductDraft = {
  ...{ externalId: '', name: '', description: '', images: '', price: '', salePrice: '', saleStartsAt: '' },
  ...{ saleEndsAt: '', availability: 'in_stock', stock: '', active: true, category: '', variants: [] },
};

export function draftOf(product: Product, zone: string): ProductDraft {
  const { externalId, name, description, imageUrls, saleStartsAt, saleEndsAt, availability, active } = product;
  return {
    ...{ externalId, name, description, availability, active },
    images: imageUrls.join('\n'),
    price: dollars(product.priceCents),
    salePrice: dollars(product.salePriceCents),
    saleStartsAt: saleStartsAt === undefined ? '' : fieldValue(saleStartsAt, zone),
    saleEndsAt: saleEndsAt === undefined ? '' : fieldValue(saleEndsAt, zone),
    stock: wholeText(product.stock),
    category: product.category?.externalId ?? '',
    variants: product.variants.map((variant) => ({
      externalId: variant.externalId,
      size: variant.size ?? '',
      color: variant.color ?? '',
      price: dollars(variant.priceCents),
      salePrice: dollars(variant.salePriceCents),
      stock: wholeText(variant.stock),
      availability: variant.availability ?? '',
    })),
  };
}

const asIs = (text: string): string => text;

/** Returns what the API takes. JSON has no NaN: what is no number is sent as null, and the answer names its field. */
export function fieldsOf(draft: ProductDraft, zone: string): Fields {
  return {
    name: draft.name,
    description: draft.description,
    imageUrls: draft.images.split('\n').flatMap((url) => url.trim() || []),
    priceCents: cents(draft.price),
    ...optional('salePriceCents', draft.salePrice, cents),
    ...optional('saleStartsAt', draft.saleStartsAt, (text) => fieldTime(text, zone) ?? text),
    ...optional('saleEndsAt', draft.saleEndsAt, (text) => fieldTime(text, zone) ?? text),
    availability: draft.availability as NonNullable<Fields['availability']>,
    ...optional('stock', draft.stock, Number),
    active: draft.active,
    categoryExternalId: draft.category,
    variants: draft.variants.map(({ externalId, size, color, price, salePrice, stock, availability }) => ({
      externalId: externalId.trim(),
      ...optional('size', size, asIs),
      ...optional('color', color, asIs),
      ...optional('priceCents', price, cents),
      ...optional('salePriceCents', salePrice, cents),
      ...optional('stock', stock, Number),
      ...optional('availability', availability, (text) => text as NonNullable<Fields['availability']>),
    })),
  };
}
