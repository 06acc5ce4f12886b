import type { SellableItem } from '../../domain/pricing/pricing.js';
import type { Reads } from '../../engine/projections/reads.js';
import { catalogItems } from '../../projections/catalogItems.js';
import { readsOfStore } from '../access/changeScopes.js';

/** Returns the store's catalog items by retailer id. Unknown ones are left out. */
export type ItemsOf = (workspaceId: string, retailerIds: readonly string[]) => Promise<Map<string, SellableItem>>;

/** Returns the store of an item's document, by its name. */
export const storeOfItem = (name: string): string => name.slice(0, name.indexOf('/'));

/** Reads the view `catalogItems`, whose documents are named `{workspaceId}/{retailerId}`. Skips removed items. */
export const itemsFrom =
  (reads: Reads): ItemsOf =>
  async (workspaceId, retailerIds) => {
    const found = await readsOfStore(reads, workspaceId).getMany(
      catalogItems,
      retailerIds.map((id) => `${workspaceId}/${id}`),
    );
    const items = [...found.values()].map(({ body }) => body);
    return new Map(items.filter(({ removed }) => !removed).map((item) => [item.retailerId, item]));
  };
