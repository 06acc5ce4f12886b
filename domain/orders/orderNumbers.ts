/** A store's own order numbers: 1, 2, 3 … in the order of the carts' arrival, without a duplicate or a gap. */
import type { Aggregate, Decision } from '../decider.js';
import { inChunks } from '../inChunks.js';
import type { OrderNumberEvent } from './orderEvents.js';

// Events: OrderNumberEvent in orderEvents.ts ---------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------

/**
 * How many assignments are remembered, so that an order which asks again gets its first number. An order asks again
 * only when the service was stopped between the number and `OrderPlaced`; its task is then repeated within a minute,
 * and an order that has been placed never asks. So forgetting takes 10,000 further orders of one store while one task
 * is owed; and a repeated append (same command, same place in the stream) is recognised by its event id in any case.
 */
export const REMEMBERED = 10_000;

export interface OrderNumbers {
  /** The highest number given; 0 before the first. */
  last: number;
  /** Number by order id, oldest first. */
  readonly recent: Map<string, number>;
}

const remember = (state: OrderNumbers, orderId: string, number: number): void => {
  state.last = number;
  state.recent.set(orderId, number);
  if (state.recent.size > REMEMBERED) state.recent.delete(state.recent.keys().next().value!);
};

const BYTES_EACH = 150;

/** Stream `orderNumbers-{workspaceId}`. A store's orders meet here for one small append each. */
export const orderNumbers: Aggregate<OrderNumbers, OrderNumberEvent> = {
  name: 'orderNumbers',
  initial: () => ({ last: 0, recent: new Map() }),
  evolve(state, { data }) {
    remember(state, data.orderId, data.number);
    return state;
  },
  weigh: (state) => 500 + state.recent.size * BYTES_EACH,
  snapshot: {
    version: 1,
    every: 5_000,
    *write(state) {
      for (const part of inChunks([...state.recent])) yield { numbers: part };
    },
    read() {
      const state = orderNumbers.initial();
      return {
        add(chunk) {
          for (const [orderId, number] of (chunk as { numbers: [string, number][] }).numbers)
            remember(state, orderId, number);
        },
        done: () => state,
      };
    },
  },
};

// Decisions ------------------------------------------------------------------------------------------------------

/** Gives the order the next number; an order that has one keeps it (no event). Read it with `numberOf`. */
export const assignNumber =
  (orderId: string): Decision<OrderNumbers, OrderNumberEvent> =>
  (state) =>
    state.recent.has(orderId) ? [] : [{ type: 'OrderNumberAssigned', data: { orderId, number: state.last + 1 } }];

/** The number that the order was given, if it was. */
export const numberOf =
  (orderId: string) =>
  (state: OrderNumbers): number | undefined =>
    state.recent.get(orderId);
