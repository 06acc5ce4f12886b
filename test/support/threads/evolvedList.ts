import type { EvolvedEvents } from '../../../domain/decider.js';

/** Loaded by the projections' thread in tests: version 1 of the event counted items in boxes of 10. */
export const evolvedEvents: EvolvedEvents = new Map([
  [
    'ItemsAdded',
    {
      version: 2,
      upcast: {
        1: (data: object) => {
          const { items } = data as { items: readonly { sku: string; quantity: number }[] };
          return { items: items.map(({ sku, quantity }) => ({ sku, quantity: quantity * 10 })) };
        },
      },
    },
  ],
]);
