/** Durable timers that cancel orders which wait too long. */
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

/** Time at which an order is cancelled, in ms since 1970. `at` undefined: never, by the store's current setting. */
interface Due {
  readonly at: number | undefined;
}

/** Rule for orders of one kind. `from`: start of the wait, in ms since 1970. `setting`: the store's. */
export interface WaitingRule {
  readonly setting: (settings: DeliverySettings) => number;
  /** Undefined: the order does not wait any more. */
  readonly due: (state: Order, from: number, setting: number) => Due | undefined;
  readonly cancel: (now: number, from: number, setting: number) => OrderDecision;
  /** Additional ms for the customer if the timer is this late, since they could not act meanwhile. */
  readonly extension?: (lateMs: number, setting: number) => number | undefined;
}

interface Timer extends Cause {
  readonly orderId: string;
  /** Start of the wait, in ms since 1970. */
  readonly from: number;
}

const DONE: Outcome = { done: true };
/** Interval between reads of a setting that lets orders wait for ever. */
const AGAIN_MS = 30 * 24 * 3_600_000;

/** Creates the timer of an order that waits since the event. `firstMs`: delay until the first read of the setting. */
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

/** Cancels the order when its time is over, by the store's current setting and a confirmed clock. */
export const cancelWaiting =
  (rule: WaitingRule) =>
  async (task: Task<Timer>, context: ProcessorContext): Promise<Outcome> => {
    const { orderId, workspaceId, from } = task.payload;
    const { commands, clock } = context;
    const poll = async () => {
      const setting = await commands.query(delivery, workspaceId, ({ settings }) => rule.setting(settings));
      const due = await commands.query(order, orderId, (state) => rule.due(state, from, setting));
      return due && { at: due.at ?? clock.now() + AGAIN_MS, setting };
    };
    const first = await poll();
    if (first !== undefined && first.at <= clock.now()) await clockConfirmed(clock, context.signal);
    // While the clock was being confirmed, the customer may have acted, or the clock or the setting may have changed.
    const due = await poll();
    if (due === undefined) return DONE;
    const { at, setting } = due;
    const now = clock.now();
    if (at > now) return { again: { at } };
    const extension = rule.extension?.(now - at, setting);
    if (extension !== undefined) return { again: { at: now + extension, payload: { ...task.payload, from: now } } };
    await commands.decide(context.contextFor(task, task.payload), order, orderId, rule.cancel(now, from, setting));
    return DONE;
  };
