import { type EventOfType, eventsOfType } from './eventsOfType.js';
import type { Invariant } from './invariant.js';

interface Assigned {
  readonly orderId: string;
  readonly number: number;
}

/** Numbers start at 1 without gaps, each for another order. */
function inOneStore(assigned: readonly EventOfType<Assigned>[]): string[] {
  const wrong = assigned.flatMap(({ data: { number } }, i) =>
    number === i + 1 ? [] : [`number ${number} comes as the ${i + 1}th`],
  );
  const orders = new Set(assigned.map(({ data: { orderId } }) => orderId));
  return orders.size === assigned.length ? wrong : [...wrong, 'an order has two numbers'];
}

/** Numbers start at 1 in each store, each assigned to one existing order. */
export const orderNumbers: Invariant = ({ data }) => {
  const placed = new Map<string, number>();
  const wrong: string[] = [];
  for (const { streamId, data: order } of eventsOfType<{ number: number }>(data, 'OrderPlaced')) {
    if (placed.has(streamId)) wrong.push(`order ${streamId} was placed twice`);
    placed.set(streamId, order.number);
  }
  const assigned = eventsOfType<Assigned>(data, 'OrderNumberAssigned');
  for (const stream of new Set(assigned.map((one) => one.stream)))
    wrong.push(...inOneStore(assigned.filter((one) => one.stream === stream)));
  const numbers = new Map(assigned.map(({ data: { orderId, number } }) => [orderId, number]));
  for (const [id, number] of placed)
    if (numbers.get(id) !== number) wrong.push(`order ${id} has number ${number}, and ${numbers.get(id)} was assigned`);
  for (const [id, number] of numbers) if (!placed.has(id)) wrong.push(`number ${number} of ${id} is that of no order`);
  return wrong;
};
