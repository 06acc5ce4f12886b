/** Creates and changes one or many products, all or nothing. (Specification 1, 'Products', rules 2, 4 and 5.) */
import { type Decision, type FieldProblem, refuse } from '../decider.js';
import { DOT_SEGMENT, isDotSegment } from '../dotSegment.js';
import { type Catalog, ownerOf } from './catalog.js';
import type { CatalogEvent, ProductContent } from './catalogEvents.js';
import { compact, difference, expand } from './compact.js';
import { leadsTo } from './contentTexts.js';
import { contentOf, contentProblems, type ProductFields, retailerIdsOf } from './productContent.js';
import { repeatedIdProblems } from './repeatedIds.js';

// Commands -------------------------------------------------------------------------------------------------------
export interface UpsertProduct {
  readonly externalId: string;
  readonly fields: ProductFields;
  /** Location of the fields in the request, such as `body.products[3]`. `idAt`: location of the external id. */
  readonly at: string;
  readonly idAt: string;
}

export interface ProductLimits {
  /** Maximum products of the plan. Undefined: no limit. Existing products can be changed when the limit is exceeded. */
  readonly maxProducts: number | undefined;
}

export type UpsertResult = 'created' | 'updated' | 'unchanged';

/** Maximum problems in one response. A batch of 500 products could have tens of thousands. */
const MOST_PROBLEMS = 100;

/** A command in normal form, with everything that can be computed without the catalog. */
interface Prepared {
  readonly externalId: string;
  readonly content: ProductContent;
  readonly compact: string;
  readonly at: string;
  readonly idAt: string;
}

// Decisions ------------------------------------------------------------------------------------------------------
/**
 * Adds and revises products. Refuses `validation_failed` (every problem of every product at once), `retailer_id_taken`,
 * `plan_limit_reached`. Equal content leads to no event. At most 500 commands.
 */
export function upsertProducts(
  commands: readonly UpsertProduct[],
  limits: ProductLimits,
): Decision<Catalog, CatalogEvent> {
  const prepared = commands.map(prepare);
  const repeated = repeatedIdProblems(
    'product',
    prepared.map(({ externalId, idAt }) => ({ externalId, at: idAt })),
  );
  const problems = [...repeated, ...prepared.flatMap(({ content, at }) => contentProblems(content, at))];
  return (catalog) => {
    const unknown = prepared.flatMap((product) => categoryProblems(catalog, product));
    const all = [...problems, ...unknown, ...prepared.flatMap((product) => pathProblems(catalog, product))];
    if (all.length > 0) refuse('validation_failed', 'The request is not valid.', all.slice(0, MOST_PROBLEMS));
    const changed = prepared.filter((product) => catalog.products.get(product.externalId) !== product.compact);
    refuseTakenIds(catalog, changed);
    refuseBeyondLimit(catalog, changed, limits.maxProducts);
    return changed.map((product) => eventOf(catalog, product));
  };
}

/** Returns the outcome of each command, derived from the events. */
export function upsertResults(
  commands: readonly Pick<UpsertProduct, 'externalId'>[],
  events: readonly CatalogEvent[],
): UpsertResult[] {
  const results = new Map<string, UpsertResult>();
  for (const event of events) {
    if (event.type === 'ProductAdded') results.set(event.data.externalId, 'created');
    if (event.type === 'ProductRevised') results.set(event.data.externalId, 'updated');
  }
  return commands.map(({ externalId }) => results.get(externalId) ?? 'unchanged');
}

/** Removes a product from the catalog. Refuses `not_found`. */
export const deleteProduct =
  (externalId: string): Decision<Catalog, CatalogEvent> =>
  (catalog) => {
    const content = catalog.products.get(externalId);
    if (content === undefined) return refuse('not_found', `There is no product ${externalId}.`);
    return [{ type: 'ProductRemoved', data: { externalId, retailerIds: retailerIdsOf(externalId, expand(content)) } }];
  };

function prepare({ externalId, fields, at, idAt }: UpsertProduct): Prepared {
  const content = contentOf(fields);
  return { externalId, content, compact: compact(content), at, idAt };
}

function categoryProblems(catalog: Catalog, { content, at }: Prepared): FieldProblem[] {
  const category = content.categoryExternalId;
  if (category === undefined || catalog.categories.has(category)) return [];
  const message = 'The store has no category with this external id. Create the category first.';
  return [{ message, location: `${at}.categoryExternalId`, value: category }];
}

/** Existing products are not checked: batches can still reach them. */
function pathProblems(catalog: Catalog, { externalId, idAt }: Prepared): FieldProblem[] {
  if (!isDotSegment(externalId) || catalog.products.has(externalId)) return [];
  return [{ message: DOT_SEGMENT, location: idAt, value: externalId }];
}

/**
 * Refuses retailer ids that another product has once the whole batch is applied. A product of the batch may take an id that another one
 * gives up, in any order.
 */
function refuseTakenIds(catalog: Catalog, changed: readonly Prepared[]): void {
  const changing = new Set(changed.map(({ externalId }) => externalId));
  const claims = new Map<string, string>();
  const problems = changed.flatMap(({ externalId, content, at, idAt }) =>
    retailerIdsOf(externalId, content).flatMap((retailerId, index): FieldProblem[] => {
      const before = ownerOf(catalog, retailerId);
      const owner = before === undefined || changing.has(before) ? claims.get(retailerId) : before;
      if (owner === undefined || owner === externalId) {
        claims.set(retailerId, externalId);
        return [];
      }
      const location = content.variants.length === 0 ? idAt : `${at}.variants[${index}].externalId`;
      return [{ message: `Product ${owner} has an item with this retailer id.`, location, value: retailerId }];
    }),
  );
  if (problems.length > 0)
    refuse(
      'retailer_id_taken',
      'Retailer ids must be unique in a store. Use a different id for each item.',
      problems.slice(0, MOST_PROBLEMS),
    );
}

function refuseBeyondLimit(catalog: Catalog, changed: readonly Prepared[], most: number | undefined): void {
  if (most === undefined) return;
  const added = changed.filter(({ externalId }) => !catalog.products.has(externalId)).length;
  if (added > 0 && catalog.products.size + added > most)
    refuse(
      'plan_limit_reached',
      `The plan allows ${most} products. The store has ${catalog.products.size}, and this request would add ${added}.`,
    );
}

function eventOf(catalog: Catalog, { externalId, content, compact: text }: Prepared): CatalogEvent {
  const retailerIds = retailerIdsOf(externalId, content);
  const stored = catalog.products.get(externalId);
  if (stored === undefined)
    return { type: 'ProductAdded', data: leadsTo({ externalId, product: content, retailerIds }, text) };
  const before = expand(stored);
  const idsBefore = retailerIdsOf(externalId, before);
  const droppedRetailerIds = idsBefore.filter((id) => !retailerIds.includes(id));
  const grows = retailerIds.some((id) => !idsBefore.includes(id));
  const data = {
    externalId,
    ...difference(before, content),
    retailerIds,
    droppedRetailerIds,
    ...(grows && { product: content }),
  };
  return { type: 'ProductRevised', data: leadsTo(data, text) };
}
