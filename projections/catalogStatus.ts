import type { CatalogSyncEvent } from '../domain/catalog/catalogEvents.js';
import { defined } from '../domain/defined.js';
import type { StoreEvent } from '../domain/stores/storeEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

/** Exactly the API's `CatalogBody`. (Specification 1, 'Catalog'.) */
export interface CatalogBody {
  readonly status: 'pending' | 'no_number' | 'active' | 'failed';
  readonly metaCatalogId?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** Answer for a store without a document. */
export const NO_NUMBER: CatalogBody = { status: 'no_number' };

/** Connection of a store to the catalog provider. One document per store, from its first number on. */
export const catalogStatus = defineProjection<CatalogBody, StoreEvent | CatalogSyncEvent>({
  name: 'catalogStatus',
  version: 1,
  partitionedBy: 'store',
  categories: ['store', 'catalogSync'],
  keys: {},
  indexes: [],
  on: {
    ChannelNumberConnected(view, { data }) {
      const same = view?.body.metaCatalogId === data.catalogId && view.body.status === 'active';
      return same ? view : { keys: {}, body: { status: 'pending', metaCatalogId: data.catalogId } };
    },
    CatalogStatusChanged(view, { data }) {
      if (view === undefined) return undefined;
      const { metaCatalogId } = view.body;
      const { status, errorCode, errorMessage } = data;
      return {
        keys: {},
        body: {
          status,
          ...defined({ metaCatalogId, errorCode, errorMessage }),
        },
      };
    },
  },
});
