import { ERASED_PHONE } from '../../../domain/erasure.js';
import { numberOf } from '../workload/wares.js';
import type { Data } from '../world/engines.js';
import { eventsOfType } from './eventsOfType.js';
import type { Invariant } from './invariant.js';

interface Limits {
  readonly maxRedemptions?: number;
  readonly maxPerCustomer?: number;
}
interface Use {
  readonly orderId: string;
  readonly customer: string;
}

/** Lists violations of one promotion's limits at any moment. Fills `uses` with the remaining uses. */
function overused(stream: string, { log }: Data, limits: Limits, uses: Map<string, string>): string[] {
  const { maxRedemptions = Infinity, maxPerCustomer = Infinity } = limits;
  const wrong: string[] = [];
  for (const { type, data } of log.events.filter((event) => event.stream === stream)) {
    const { orderId, customer } = data as Use;
    if (type === 'RedemptionGivenBack' && !uses.delete(orderId)) wrong.push(`${stream} gave back what was not used`);
    if (type !== 'PromotionRedeemed') continue;
    if (uses.has(orderId)) wrong.push(`${stream} is used twice by order ${orderId}`);
    uses.set(orderId, numberOf(customer));
    const ofCustomer = [...uses.values()].filter((one) => one === numberOf(customer)).length;
    if (uses.size > maxRedemptions) wrong.push(`${stream} is used ${uses.size} times`);
    if (ofCustomer > maxPerCustomer && customer !== ERASED_PHONE)
      wrong.push(`${stream} is used ${ofCustomer} times by ${customer}`);
  }
  return wrong;
}

/** Returns the promotions applied to each checked-out order. A repricing replaces them. */
function appliedBy(data: Data): Map<string, ReadonlySet<string>> {
  const applied = new Map<string, ReadonlySet<string>>();
  for (const { type, stream, data: priced } of data.log.events) {
    const orderId = stream.slice('order-'.length);
    if (type !== 'OrderCheckedOut' && !(type === 'OrderRepriced' && applied.has(orderId))) continue;
    const { promotions = [] } = priced as { readonly promotions?: readonly { readonly promotionId: string }[] };
    applied.set(orderId, new Set(promotions.map(({ promotionId }) => promotionId)));
  }
  return applied;
}

/** Uses of a promotion never exceed its limits. In the end they match the orders that the promotion applies to. */
export const promotionLimits: Invariant = ({ data }) => {
  const moved = eventsOfType<{ to: string }>(data, 'OrderStatusChanged');
  const cancelled = new Set(moved.filter((one) => one.data.to === 'cancelled').map(({ streamId }) => streamId));
  const paid = new Set(eventsOfType(data, 'OrderPaid').map(({ streamId }) => streamId));
  const applied = appliedBy(data);
  const wrong: string[] = [];
  const users = new Map<string, Map<string, string>>();
  /** Checks a use that remains at the end. */
  const existing = (promotionId: string, orderId: string): string[] => {
    const isOver = cancelled.has(orderId);
    if (isOver && !paid.has(orderId)) return [`promotion ${promotionId} is still used by the cancelled ${orderId}`];
    const isPart = isOver || applied.get(orderId)?.has(promotionId);
    return isPart ? [] : [`promotion ${promotionId} is used by ${orderId}, which has nothing of it`];
  };
  for (const { stream, streamId, data: made } of eventsOfType<{ definition: Limits }>(data, 'PromotionCreated')) {
    const uses = new Map<string, string>();
    users.set(streamId, uses);
    wrong.push(...overused(stream, data, made.definition, uses));
    // A checkout that an erasure interrupts does not release its uses.
    for (const [orderId, customer] of uses) if (customer !== ERASED_PHONE) wrong.push(...existing(streamId, orderId));
  }
  for (const [orderId, promotions] of applied)
    for (const promotionId of cancelled.has(orderId) ? [] : promotions)
      if (!users.get(promotionId)?.has(orderId))
        wrong.push(`order ${orderId} has promotion ${promotionId} without a use of it`);
  return wrong;
};
