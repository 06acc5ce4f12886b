/** Creating, renaming and ordering categories. (Specification 1, 'Category' and 'Categories'.) */
import { type Decision, refuse } from '../decider.js';
import type { Catalog } from './catalog.js';
import type { CatalogEvent } from './catalogEvents.js';
import { repeatedIdProblems } from './repeatedIds.js';

/** Maximum categories of a store. The API cannot remove a category, so their number would have no bound. */
export const MAX_CATEGORIES = 1000;

// Commands -------------------------------------------------------------------------------------------------------
export interface CategoryInput {
  readonly externalId: string;
  readonly name: string;
}

// Decisions ------------------------------------------------------------------------------------------------------
/**
 * Puts these categories first, in this order. Other categories keep their names and follow in their previous order. Refuses
 * `validation_failed` for repeated external ids and for more than `MAX_CATEGORIES`. Leads to at most three events.
 */
export const putCategories =
  (inputs: readonly CategoryInput[]): Decision<Catalog, CatalogEvent> =>
  ({ categories }) => {
    const problems = repeatedIdProblems(
      'category',
      inputs.map(({ externalId }, index) => ({ externalId, at: `body.categories[${index}].externalId` })),
    );
    if (problems.length > 0) refuse('validation_failed', 'A category is given more than once.', problems);
    const added = inputs
      .filter(({ externalId }) => !categories.has(externalId))
      .map(({ externalId, name }, index) => ({ externalId, name, position: categories.size + index }));
    if (categories.size + added.length > MAX_CATEGORIES) refuseTooMany(categories.size, added.length);
    const renamed = inputs.flatMap(({ externalId, name }) => {
      const before = categories.get(externalId);
      return before === undefined || before === name ? [] : [{ externalId, name, before }];
    });
    const events: CatalogEvent[] = [];
    if (added.length > 0) events.push({ type: 'CategoriesAdded', data: { categories: added } });
    if (renamed.length > 0) events.push({ type: 'CategoriesRenamed', data: { categories: renamed } });
    const order = [...new Set([...inputs.map(({ externalId }) => externalId), ...categories.keys()])];
    const orderWithout = [...categories.keys(), ...added.map(({ externalId }) => externalId)];
    if (order.some((id, index) => id !== orderWithout[index]))
      events.push({ type: 'CategoriesReordered', data: { externalIds: order } });
    return events;
  };

function refuseTooMany(now: number, added: number): never {
  const detail = `A store can have at most ${MAX_CATEGORIES} categories. It has ${now}, and this request would add ${added}.`;
  return refuse('validation_failed', detail, [{ message: detail, location: 'body.categories' }]);
}
