import type { CatalogEvent } from '../domain/catalog/catalogEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/** Exactly the API's `CategoryBody`. (Specification 1, 'Category'.) */
export interface CategoryBody {
  readonly externalId: string;
  readonly name: string;
  /** Display order, from 0. */
  readonly position: number;
}

/** Id of a category's document. */
export const categoryId = (workspaceId: string, externalId: string): string => `${workspaceId}/${externalId}`;

/** One document a category; a store's in display order. */
export const categories = defineProjection<CategoryBody, CatalogEvent>({
  name: 'categories',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['catalog'],
  keys: { workspaceId: 'text', position: 'number' },
  indexes: [{ keys: ['workspaceId', 'position'] }],
  on: {
    CategoriesAdded: {
      ids: ({ data, streamId }) => data.categories.map(({ externalId }) => categoryId(streamId, externalId)),
      evolve(_, { data, streamId }, id) {
        const added = data.categories.find(({ externalId }) => categoryId(streamId, externalId) === id)!;
        return {
          keys: { workspaceId: streamId, position: added.position },
          body: { externalId: added.externalId, name: added.name, position: added.position },
        };
      },
    },
    CategoriesRenamed: {
      ids: ({ data, streamId }) => data.categories.map(({ externalId }) => categoryId(streamId, externalId)),
      evolve(view, { data, streamId }, id) {
        const renamed = data.categories.find(({ externalId }) => categoryId(streamId, externalId) === id);
        return view && renamed && { keys: view.keys, body: { ...view.body, name: renamed.name } };
      },
    },
    CategoriesReordered: {
      ids: ({ data, streamId }) => data.externalIds.map((externalId) => categoryId(streamId, externalId)),
      evolve(view, { data }) {
        if (view === undefined) return undefined;
        const position = data.externalIds.indexOf(view.body.externalId);
        return { keys: { ...view.keys, position }, body: { ...view.body, position } };
      },
    },
  },
});
