import type { Data } from '../world/engines.js';
import type { Invariant } from './invariant.js';

interface Product {
  readonly externalId: string;
  readonly product?: { readonly priceCents: number };
  readonly changes?: { readonly priceCents?: number };
}

/** Returns the prices in cents, by product. */
function pricesOf(workspaceId: string, { log }: Data): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const { type, data } of log.events.filter(({ stream }) => stream === `catalog-${workspaceId}`)) {
    const { externalId, product, changes } = data as Product;
    const price = product?.priceCents ?? changes?.priceCents;
    if (type === 'ProductRemoved') prices.delete(externalId);
    else if (price !== undefined) prices.set(externalId, price);
  }
  return prices;
}

/** The channel's catalog shows each product at its latest price. */
export const catalogPrices: Invariant = ({ data, town, people }) =>
  town.stores.flatMap(({ workspaceId, catalogId }) => {
    const prices = pricesOf(workspaceId, data);
    const shown = people.provider.shown(catalogId);
    return [...new Set([...prices.keys(), ...shown.keys()])]
      .filter((id) => prices.get(id) !== shown.get(id))
      .map((id) => `${id} costs ${prices.get(id)}, and customers see ${shown.get(id)}`);
  });
