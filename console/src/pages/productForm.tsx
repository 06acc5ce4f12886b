/** Form to create or edit a product, with the problems of each field next to it. */
import { useState } from 'preact/hooks';
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd } from '../ui/actions.js';
import { CheckField, Fields, SelectField, TimeField } from '../ui/fields.js';
import { useLoad } from '../ui/load.js';
import { useSending } from '../ui/sending.js';
import { faultAt, TextField } from '../ui/textField.js';
import { draftOf, fieldsOf, NEW_PRODUCT, NEW_VARIANT, type ProductDraft, type VariantDraft } from './productDraft.js';

const COMMERCE = '/workspaces/{workspaceId}/commerce';

/** Names of the API's fields by those of the form. */
const PLACES: Readonly<Partial<Record<keyof ProductDraft, RegExp>>> = {
  externalId: /^path\.externalId/,
  name: /^body\.name/,
  description: /^body\.description/,
  images: /^body\.imageUrls/,
  price: /^body\.priceCents/,
  salePrice: /^body\.salePriceCents/,
  saleStartsAt: /^body\.saleStartsAt/,
  saleEndsAt: /^body\.saleEndsAt/,
  stock: /^body\.stock/,
  category: /^body\.categoryExternalId/,
};

const OF_VARIANT = [
  ...[['externalId', 'Item id'] as const, ['size', 'Size'] as const, ['color', 'Color'] as const],
  ...[['price', 'Price'] as const, ['salePrice', 'Sale price'] as const, ['stock', 'Stock'] as const],
] as const;

interface VariantsProps {
  readonly variants: readonly VariantDraft[];
  /** Returns the problem of the variant at a place of the list. */
  faultOf(at: number): string | undefined;
  change(variants: readonly VariantDraft[]): void;
}

function Variants({ variants, faultOf, change }: VariantsProps) {
  const set = (at: number, part: Partial<VariantDraft>): void =>
    change(variants.map((variant, i) => (i === at ? { ...variant, ...part } : variant)));
  return (
    <fieldset class="variants">
      <legend>Variants</legend>
      {variants.map((variant, at) => (
        <div class="variant" role="group" aria-label={`Variant ${at + 1}`} key={at}>
          {OF_VARIANT.map(([part, label]) => (
            <label key={part}>
              <span class="fine">{label}</span>
              <input
                value={variant[part]}
                required={part === 'externalId'}
                maxLength={100}
                inputMode={part === 'stock' ? 'numeric' : part === 'price' || part === 'salePrice' ? 'decimal' : 'text'}
                aria-invalid={faultOf(at) !== undefined}
                onInput={({ currentTarget }) => set(at, { [part]: currentTarget.value })}
              />
            </label>
          ))}
          <button
            type="button"
            class="button small"
            aria-label={`Remove variant ${at + 1}`}
            onClick={() => change(variants.filter((_, i) => i !== at))}
          >
            Remove
          </button>
          {faultOf(at) !== undefined && <p class="bad">{faultOf(at)}</p>}
        </div>
      ))}
      <button
        type="button"
        class="button small"
        disabled={variants.length >= 50}
        onClick={() => change([...variants, NEW_VARIANT])}
      >
        Add a variant
      </button>
      <p class="fine">Such as sizes. Leave price, sale price or stock empty to use the product’s.</p>
    </fieldset>
  );
}

interface ProductFormProps {
  readonly store: ConsoleStoreBody;
  /** The product that is edited; a new one when absent. */
  readonly product?: Schemas['ProductBody'];
  /** Called with its id when it is stored. */
  done(externalId: string): void;
  away(): void;
}

export function ProductForm({ store, product, done, away }: ProductFormProps) {
  const { workspaceId, timezone: zone } = store;
  const [draft, setDraft] = useState<ProductDraft>(() =>
    product === undefined ? NEW_PRODUCT : draftOf(product, zone),
  );
  const { busy, error, renew, send } = useSending();
  const categories = useLoad(`categories ${workspaceId}`, () => read(`${COMMERCE}/categories`, { workspaceId }));
  const set = (part: Partial<ProductDraft>): void => {
    renew();
    setDraft((before) => ({ ...before, ...part }));
  };
  const externalId = draft.externalId.trim();
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      (once) =>
        act(`PUT ${COMMERCE}/products/{externalId}`, { workspaceId, externalId }, fieldsOf(draft, zone), {}, once),
      () => done(externalId),
    );
  const text = <P extends keyof ProductDraft>(part: P, label: string, about: string, most = 100) => ({
    ...{ id: `product-${part}`, name: part, value: String(draft[part]), label, about, most },
    fault: faultAt(error?.faults, PLACES[part] ?? /$^/),
    change: (value: string) => set({ [part]: value }),
  });
  const time = (part: 'saleStartsAt' | 'saleEndsAt', label: string) => (
    <TimeField
      {...{ id: `product-${part}`, label, zone, value: draft[part] }}
      fault={faultAt(error?.faults, PLACES[part]!)}
      change={(value) => set({ [part]: value })}
    />
  );
  const title = product === undefined ? 'New product' : `Edit ${product.name}`;
  return (
    <form class="card command" onSubmit={submit} aria-label={title}>
      <h2>{title}</h2>
      <Fields>
        {product === undefined && (
          <TextField {...text('externalId', 'Id', 'Letters, digits and . _ : -, such as SKU-01.')} required />
        )}
        <TextField {...text('name', 'Name', 'As customers see it.', 200)} required />
        <TextField {...text('price', 'Price', 'In US dollars, such as 12.50.', 16)} required />
        <TextField {...text('salePrice', 'Sale price', 'Below the price. Empty: no sale.', 16)} />
        {draft.salePrice !== '' && time('saleStartsAt', 'Sale begins')}
        {draft.salePrice !== '' && time('saleEndsAt', 'Sale ends')}
        <TextField {...text('stock', 'Stock', 'Units left. Empty: not counted.', 10)} />
        <SelectField
          {...{ id: 'product-availability', label: 'Availability', value: draft.availability }}
          options={[
            ['in_stock', 'In stock'],
            ['out_of_stock', 'Out of stock'],
          ]}
          change={(availability) => set({ availability })}
        />
        <SelectField
          {...{ id: 'product-category', label: 'Category', value: draft.category }}
          options={[
            ['', 'None'],
            ...(categories.data?.categories ?? []).map((category) => [category.externalId, category.name] as const),
          ]}
          disabled={categories.data === undefined}
          fault={faultAt(error?.faults, PLACES.category!)}
          change={(category) => set({ category })}
        />
        <CheckField
          {...{ id: 'product-active', label: 'For sale', checked: draft.active }}
          about="Otherwise it is left out of the channel’s catalog."
          change={(active) => set({ active })}
        />
      </Fields>
      <Fields one>
        <TextField {...text('description', 'Description', 'As customers see it.', 5000)} rows={3} />
        <TextField
          {...text('images', 'Image URLs', 'One on each line, with https; the first is the main image.', 20_500)}
          rows={3}
          required
        />
      </Fields>
      <Variants
        variants={draft.variants}
        faultOf={(at) => faultAt(error?.faults, new RegExp(`^body\\.variants\\[${at}\\]`))}
        change={(variants) => set({ variants })}
      />
      <FormEnd submit={product === undefined ? 'Create the product' : 'Save'} {...{ busy, error, away }} />
    </form>
  );
}
