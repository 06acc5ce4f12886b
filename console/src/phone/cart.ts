/** The cart before it is sent. */
import { useState } from 'preact/hooks';
import { type Price, priceOf } from './products.js';
import type { Item } from './wire.js';

/** The channel's cart takes no more of one item. */
const MOST = 99;

export interface CartLine {
  readonly retailerId: string;
  readonly quantity: number;
  readonly item: Item | undefined;
}

export interface Cart {
  readonly lines: readonly CartLine[];
  readonly pieces: number;
  /** Undefined where nothing has a price. */
  readonly total: Price | undefined;
  quantity(retailerId: string): number;
  /** Adds so many, or takes them out where it is below zero. */
  add(retailerId: string, many: number): void;
  clear(): void;
}

/** Another key is another cart, which begins empty. */
export function useCart(key: string, items: readonly Item[]): Cart {
  const [{ of, quantities }, setQuantities] = useState({ of: key, quantities: new Map<string, number>() });
  const mine = of === key ? quantities : new Map<string, number>();
  const lines = [...mine].map(([retailerId, quantity]) => ({
    ...{ retailerId, quantity },
    item: items.find((one) => one.retailerId === retailerId),
  }));
  const priced = lines.flatMap(({ item, quantity }) => {
    const price = item && priceOf(item);
    return price === undefined ? [] : [{ ...price, cents: price.cents * quantity }];
  });
  const first = priced[0];
  return {
    lines,
    pieces: lines.reduce((all, { quantity }) => all + quantity, 0),
    total: first && { currency: first.currency, cents: priced.reduce((all, { cents }) => all + cents, 0) },
    quantity: (retailerId) => mine.get(retailerId) ?? 0,
    add(retailerId, many) {
      const next = new Map(mine);
      const quantity = Math.min(MOST, (next.get(retailerId) ?? 0) + many);
      if (quantity > 0) next.set(retailerId, quantity);
      else next.delete(retailerId);
      setQuantities({ of: key, quantities: next });
    },
    clear: () => setQuantities({ of: key, quantities: new Map() }),
  };
}
