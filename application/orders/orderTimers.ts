/** Orders that are cancelled in the end, so that nobody waits for them: a durable timer each. */
import { delivery } from '../../domain/delivery/delivery.js';
import type { DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import { type Order, type OrderDecision, order } from '../../domain/orders/order.js';
import { clockConfirmed } from '../../engine/clockEvidence.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import {
  type Cause,
  causeOf,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';

/** When an order is cancelled, in ms since 1970. `at` undefined: never, as the store's setting is now. */
interface Due {
  readonly at: number | undefined;
}

/** How long orders of one kind wait. `from`: since when the order waits, in ms since 1970. `setting`: the store's. */
export interface WaitingRule {
  readonly setting: (settings: DeliverySettings) => number;
  /** Undefined: the order waits no more. */
  readonly due: (state: Order, from: number, setting: number) => Due | undefined;
  readonly cancel: (now: number, from: number, setting: number) => OrderDecision;
  /** Ms that the customer gets from now on where the timer is this late: they could do nothing meanwhile. */
  readonly extension?: (lateMs: number, setting: number) => number | undefined;
}

interface Timer extends Cause {
  readonly orderId: string;
  /** Absent in timers of abandoned carts that an earlier release stored: their rule does not use it. */
  readonly from?: number;
}

const DONE: Outcome = { done: true };
/** Time between two reads of a setting by which orders wait for ever. */
const AGAIN_MS = 30 * 24 * 3_600_000;

/** The timer of an order that waits since the event. `firstMs`: until the setting is read first. */
export function orderTimer(
  { id, streamId, meta }: Pick<RecordedEvent, 'id' | 'meta'> & { readonly streamId: string },
  kind: string,
  firstMs: number,
): NewTask<Timer>[] {
  const cause = causeOf(meta);
  if (cause === undefined) return [];
  const from = Date.parse(meta.at);
  const payload: Timer = { ...cause, orderId: streamId, from };
  return [{ id, kind, lane: `${cause.workspaceId}/${streamId}`, dueAt: from + firstMs, payload }];
}

/** Cancels the order when its time is over, by the store's setting at that moment and by a confirmed clock. */
export const cancelWaiting =
  (rule: WaitingRule) =>
  async (task: Task<Timer>, context: ProcessorContext): Promise<Outcome> => {
    const { orderId, workspaceId, from = 0 } = task.payload;
    const { commands, clock } = context;
    const look = async () => {
      const setting = await commands.query(delivery, workspaceId, ({ settings }) => rule.setting(settings));
      const due = await commands.query(order, orderId, (state) => rule.due(state, from, setting));
      return due && { at: due.at ?? clock.now() + AGAIN_MS, setting };
    };
    const first = await look();
    if (first !== undefined && first.at <= clock.now()) await clockConfirmed(clock, context.signal);
    // The customer may have acted, or the clock or the setting been changed, while the clock was confirmed.
    const due = await look();
    if (due === undefined) return DONE;
    const { at, setting } = due;
    const now = clock.now();
    if (at > now) return { again: { at } };
    const extension = rule.extension?.(now - at, setting);
    if (extension !== undefined) return { again: { at: now + extension, payload: { ...task.payload, from: now } } };
    await commands.decide(context.contextFor(task, task.payload), order, orderId, rule.cancel(now, from, setting));
    return DONE;
  };
