/** An order as it was: folded from its events, for auditors, and for webhooks that tell of a moment in the past. */

import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { type EventStore, type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import { streamEvents } from '../../engine/streamPages.js';

/** At a time (ms since 1970, what happened then included) or after a revision; as it is now when neither is given. */
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
  /** The store it belongs to; who asks must be allowed to see it. */
  readonly workspaceId?: string;
  /** Absent when it did not exist yet, then. */
  readonly order?: Order;
  /** Everything up to then, oldest first. */
  readonly events: readonly HistoryEvent[];
}

/** What one more event makes of an order: the fold of the projection that answers `getOrder`. */
export type FoldOrder<Order> = (before: Order | undefined, event: RecordedEvent) => Order | undefined;

export interface OrderHistories<Order> {
  /** Undefined: there is no such order. */
  asOf(orderId: string, when?: AsOf): Promise<OrderHistory<Order> | undefined>;
}

const isAfter = ({ meta, revision }: RecordedEvent, when: AsOf): boolean =>
  (when.at !== undefined && Date.parse(meta.at) > when.at) || (when.revision !== undefined && revision > when.revision);

/** Reads the order's stream, not the read models: what it answers does not depend on how far they are. */
export const orderHistories = <Order>(store: EventStore, fold: FoldOrder<Order>): OrderHistories<Order> => ({
  async asOf(orderId, when = {}) {
    const all: RecordedEvent[] = [];
    for await (const event of streamEvents(store, streamName('order', orderId))) all.push(event);
    const [first] = all;
    if (first === undefined) return undefined;
    // By their place: where the clock was set back, what happened at a later time may stand before.
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
