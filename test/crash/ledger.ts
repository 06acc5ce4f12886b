/** Requests, answers and deliveries as clients saw them. The invariants after a crash are checked against them. */
import type { Received } from '../support/doubles/receiver.js';
import { eventOf } from '../support/doubles/receiver.js';

export interface Ledger {
  /** Last acknowledged price of each product, and the highest price sent for it. */
  readonly acknowledged: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Customers whose cart was answered with 200. */
  readonly carts: Set<number>;
  /** Orders whose checkout form was answered with 200. */
  readonly checkedOut: Set<string>;
  /** Orders whose new status was acknowledged. */
  readonly moved: Map<string, string>;
  /** Ids of acknowledged files, with the content that follows the picture. */
  readonly files: Map<string, string>;
  /** User tokens that opened a session. */
  readonly usedTokens: Set<string>;
  /** Types of webhook events of each order, in the order of their first arrival. A failed event delays no other. */
  readonly arrived: Map<string, string[]>;
  /** Types of successfully answered webhook events of each order. */
  readonly delivered: Map<string, string[]>;
  /** Answers of 5xx while the service ran, other than `unavailable`. */
  readonly broken: string[];
  /** Number of all acknowledged changes. */
  readonly changes: { acknowledged: number };
  /**
   * Numbers of reading commands: all, those that were killed, and those that were refused because the service was killed under them.
   * `starved`: those that reported silence of a service that had no processor.
   */
  readonly commands: { run: number; killed: number; withoutService: number; readonly starved: string[] };
  /** Commands that ended in another way. */
  readonly failedCommands: string[];
  /** Unexpected ends of the service: exit codes and signals, with the output. */
  readonly ends: string[];
}

export const newLedger = (): Ledger => ({
  acknowledged: new Map(),
  sent: new Map(),
  carts: new Set(),
  checkedOut: new Set(),
  moved: new Map(),
  files: new Map(),
  usedTokens: new Set(),
  arrived: new Map(),
  delivered: new Map(),
  broken: [],
  changes: { acknowledged: 0 },
  commands: { run: 0, killed: 0, withoutService: 0, starved: [] },
  failedCommands: [],
  ends: [],
});

/** Records a delivery in one of the ledger's lists. Repeats of an event count once. */
export function noting(byOrder: Map<string, string[]>): (received: Received) => void {
  const seen = new Set<string>();
  return (received) => {
    const { id, type, data } = eventOf(received);
    const order = data.order as { id: string } | undefined;
    if (order === undefined || seen.has(id)) return;
    seen.add(id);
    byOrder.set(order.id, [...(byOrder.get(order.id) ?? []), type]);
  };
}
