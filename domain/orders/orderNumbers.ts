/** A store's order numbers: 1, 2, 3 … in the order of the carts' arrival, without duplicates or gaps. */
import type { Aggregate, Decision } from '../decider.js';
import { inChunks } from '../inChunks.js';
import type { OrderNumberEvent } from './orderEvents.js';

// Events: OrderNumberEvent in orderEvents.ts ---------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------

/**
 * Number of retained assignments, so that an order which requests its number again gets the same one. That happens only if the service
 * stopped between the number and `OrderPlaced`, and the task is retried within a minute. An assignment is evicted only after 10,000 further
 * orders of one store. A repeated append (same command, same place in the stream) is recognised by its event id in any case.
 */
export const REMEMBERED = 10_000;

export interface OrderNumbers {
  /** Highest assigned number. 0 before the first. */
  last: number;
  /** Number by order id, oldest first. */
  readonly recent: Map<string, number>;
}

const note = (state: OrderNumbers, orderId: string, number: number): void => {
  state.last = number;
  state.recent.set(orderId, number);
  if (state.recent.size > REMEMBERED) state.recent.delete(state.recent.keys().next().value!);
};

const BYTES_EACH = 150;

/** Stream `orderNumbers-{workspaceId}`. All orders of a store share it, with one small append each. */
export const orderNumbers: Aggregate<OrderNumbers, OrderNumberEvent> = {
  name: 'orderNumbers',
  initial: () => ({ last: 0, recent: new Map() }),
  evolve(state, { data }) {
    note(state, data.orderId, data.number);
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
            note(state, orderId, number);
        },
        done: () => state,
      };
    },
  },
};

// Decisions ------------------------------------------------------------------------------------------------------

/** Assigns the next number. No event for an order that has one. Read it with `numberOf`. */
export const assignNumber =
  (orderId: string): Decision<OrderNumbers, OrderNumberEvent> =>
  (state) =>
    state.recent.has(orderId) ? [] : [{ type: 'OrderNumberAssigned', data: { orderId, number: state.last + 1 } }];

/** Returns the order's number, if assigned. */
export const numberOf =
  (orderId: string) =>
  (state: OrderNumbers): number | undefined =>
    state.recent.get(orderId);
