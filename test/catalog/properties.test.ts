import { expect } from 'chai';
import fc from 'fast-check';
import { type Catalog, catalog } from '../../domain/catalog/catalog.js';
import type { CatalogEvent } from '../../domain/catalog/catalogEvents.js';
import { compact, expand } from '../../domain/catalog/compact.js';
import { contentOf, type ProductFields, retailerIdsOf } from '../../domain/catalog/productContent.js';
import {
  deleteProduct,
  type UpsertProduct,
  upsertProducts,
  upsertResults,
} from '../../domain/catalog/upsertProducts.js';
import { DomainError } from '../../domain/decider.js';
import { specMeta } from '../support/spec/given.js';

const LIMIT = 4;
/** Few ids, so that products and variants meet. */
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const variant = fc.record(
  {
    externalId: id,
    size: fc.constantFrom('S', 'M', ''),
    priceCents: fc.integer({ min: 60, max: 99 }),
    stock: fc.nat(3),
    availability: fc.constantFrom('in_stock' as const, 'out_of_stock' as const),
  },
  { requiredKeys: ['externalId'] },
);
const fields: fc.Arbitrary<ProductFields> = fc
  .record({
    name: fc.constantFrom('Shirt', 'Shoe “42”', 'قميص'),
    description: optional(fc.constantFrom('', ',[]]', 'Fine.')),
    imageUrls: fc.constant(['https://cdn.example.com/a.jpg']),
    priceCents: fc.integer({ min: 60, max: 99 }),
    salePriceCents: optional(fc.integer({ min: 0, max: 59 })),
    saleEndsAt: optional(fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-01T03:00:00+03:00')),
    stock: optional(fc.nat(3)),
    active: optional(fc.boolean()),
    variants: fc.option(fc.uniqueArray(variant, { maxLength: 3, selector: (v) => v.externalId })),
  })
  .map(
    (value) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as unknown as ProductFields,
  );

type Step = { remove: string } | { upsert: UpsertProduct[] };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: id.map((remove) => ({ remove })) },
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(fc.tuple(id, fields), { minLength: 1, maxLength: 3, selector: ([externalId]) => externalId })
      .map((products) => ({
        upsert: products.map(([externalId, value], i) => ({
          externalId,
          fields: value,
          at: `body.products[${i}]`,
          idAt: `body.products[${i}].externalId`,
        })),
      })),
  },
);

const fold = (state: Catalog, events: readonly CatalogEvent[]): Catalog =>
  events.reduce((after, event) => catalog.evolve(after, { ...event, meta: specMeta }), state);
const decisionOf = (action: Step) =>
  'remove' in action ? deleteProduct(action.remove) : upsertProducts(action.upsert, { maxProducts: LIMIT });

/** Undefined: refused. */
function attempt(state: Catalog, action: Step): readonly CatalogEvent[] | undefined {
  try {
    return decisionOf(action)(state);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

const retailerIds = (state: Catalog): string[] =>
  [...state.products].flatMap(([externalId, content]) => retailerIdsOf(externalId, expand(content)));

function restored(state: Catalog): Catalog {
  const reader = catalog.snapshot!.read();
  for (const chunk of catalog.snapshot!.write(state)) reader.add(JSON.parse(JSON.stringify(chunk)));
  return reader.done();
}

describe('catalog: any sequence of upserts and deletes', () => {
  it('keeps retailer ids unique and the limit exact, and replays to the same state', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let state = catalog.initial();
        const history: CatalogEvent[] = [];
        for (const action of steps) {
          const events = attempt(state, action) ?? [];
          // As they are read again, without what the decision knows of them.
          history.push(...(JSON.parse(JSON.stringify(events)) as CatalogEvent[]));
          state = fold(state, events);
          const ids = retailerIds(state);
          expect(new Set(ids).size).to.equal(ids.length);
          expect(state.products.size).to.be.at.most(LIMIT);
          expect(state.variantOwner).to.deep.equal(fold(catalog.initial(), history).variantOwner);
        }
        expect(fold(catalog.initial(), history)).to.deep.equal(state);
        expect(restored(state)).to.deep.equal(state);
      }),
    ));

  it('appends no event when the last command is repeated, and reports it as unchanged', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), step, (steps, last) => {
        let state = catalog.initial();
        for (const action of steps) state = fold(state, attempt(state, action) ?? []);
        if ('remove' in last) return;
        const first = attempt(state, last);
        if (first === undefined) return;
        state = fold(state, first);
        const again = attempt(state, last);
        expect(again).to.deep.equal([]);
        expect(upsertResults(last.upsert, again!)).to.deep.equal(last.upsert.map(() => 'unchanged'));
      }),
    ));

  it('records the previous values in each revision', () =>
    fc.assert(
      fc.property(id, fields, fields, (externalId, before, after) => {
        const command = (value: ProductFields): Step => ({
          upsert: [{ externalId, fields: value, at: 'body', idAt: 'path.externalId' }],
        });
        const state = fold(catalog.initial(), attempt(catalog.initial(), command(before))!);
        for (const event of attempt(state, command(after))!) {
          if (event.type !== 'ProductRevised') throw new Error(event.type);
          const old: Record<string, unknown> = { ...contentOf(before) };
          for (const [field, value] of Object.entries(event.data.before))
            expect(old[field] ?? null).to.deep.equal(value);
          for (const [field, value] of Object.entries(event.data.changes)) old[field] = value;
          expect(JSON.parse(JSON.stringify(old))).to.deep.equal({
            ...event.data.changes,
            ...JSON.parse(JSON.stringify(contentOf(after))),
          });
        }
      }),
    ));

  it('has one compact text for each content, which decodes to the same content', () =>
    fc.assert(
      fc.property(fields, (value) => {
        const content = contentOf(value);
        expect(expand(compact(content))).to.deep.equal(content);
      }),
    ));
});
