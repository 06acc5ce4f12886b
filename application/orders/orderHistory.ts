/** Past states of an order, folded from its events, for auditors and for webhooks about the past. */

import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { type EventStore, type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import { streamEvents } from '../../engine/streamPages.js';

/** A time (ms since 1970, inclusive) or a revision. Without both, the current state. */
export interface AsOf {
  readonly at?: number;
  readonly revision?: number;
}

export interface HistoryEvent {
  readonly revision: number;
  readonly type: string;
  /** RFC 3339. */
  readonly at: string;
  readonly actor: Actor & { readonly name?: string };
  readonly correlationId: string;
  readonly data: object;
}

export interface OrderHistory<Order> {
  readonly orderId: string;
  /** Store of the order. The caller must check access. */
  readonly workspaceId?: string;
  /** Absent if it did not exist yet. */
  readonly order?: Order;
  /** All events up to then, the oldest first. */
  readonly events: readonly HistoryEvent[];
}

/** Applies one event to an order: the fold of the projection behind `getOrder`. */
export type FoldOrder<Order> = (before: Order | undefined, event: RecordedEvent) => Order | undefined;

export interface OrderHistories<Order> {
  /** Undefined: there is no such order. */
  asOf(orderId: string, when?: AsOf): Promise<OrderHistory<Order> | undefined>;
}

const isAfter = ({ meta, revision }: RecordedEvent, when: AsOf): boolean =>
  (when.at !== undefined && Date.parse(meta.at) > when.at) || (when.revision !== undefined && revision > when.revision);

/** Reads the order's stream, not the read models, so that the result does not depend on their lag. */
export const orderHistories = <Order>(store: EventStore, fold: FoldOrder<Order>): OrderHistories<Order> => ({
  async asOf(orderId, when = {}) {
    const all: RecordedEvent[] = [];
    for await (const event of streamEvents(store, streamName('order', orderId))) all.push(event);
    const [first] = all;
    if (first === undefined) return undefined;
    // Order decides, not time: after the clock was set back, an event with a later time may precede.
    const upTo = all.slice(0, all.findLastIndex((event) => !isAfter(event, when)) + 1);
    const { workspaceId } = first.meta;
    const order = upTo.reduce<Order | undefined>(fold, undefined);
    const events = upTo.map(({ revision, type, meta, data }): HistoryEvent => {
      const { at, actor, correlationId } = meta;
      return { revision, type, at, actor, correlationId, data };
    });
    return {
      orderId,
      ...defined({ workspaceId, order }),
      events,
    };
  },
});
