import type { OrderEvent, OrderLine } from '../domain/orders/orderEvents.js';
import { defineProjection, type Handler, type Seen } from '../engine/projections/projection.js';

type Line = Pick<OrderLine, 'productExternalId' | 'name' | 'quantity'>;

/** For a product: its sales. For an order, which is in no list: the lines that it counts for. */
interface Sales {
  readonly productExternalId?: string;
  readonly name?: string;
  readonly quantity?: number;
  readonly lines?: readonly Line[];
}

const unitsOf = (lines: readonly Line[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** From this event on the order counts for `linesOf` it; what it counted for before is taken off again. */
const counts = <E extends OrderEvent>(
  linesOf: (data: E['data'], before: readonly Line[]) => readonly Line[],
): Handler<Sales, E> => ({
  own: true, // the order's own document before the event
  ids({ data, meta, streamId }: Seen<E>, own) {
    const before = own?.body.lines ?? [];
    const products = [...before, ...linesOf(data, before)].map((line) => line.productExternalId);
    return [streamId, ...new Set(products.map((product) => `${meta.workspaceId}/${product}`))];
  },
  evolve(view, { data, meta, streamId }, id, own) {
    const before = own?.body.lines ?? [];
    const lines = linesOf(data, before);
    if (id === streamId) return { keys: { workspaceId: null, quantity: null }, body: { lines } };
    const ofProduct = (line: Line): boolean => `${meta.workspaceId}/${line.productExternalId}` === id;
    const [was, is] = [before.filter(ofProduct), lines.filter(ofProduct)];
    const quantity = (view?.body.quantity ?? 0) - unitsOf(was) + unitsOf(is);
    if (quantity === 0) return undefined;
    const { productExternalId, name } = (is[0] ?? was[0])!;
    return { keys: { workspaceId: meta.workspaceId ?? null, quantity }, body: { productExternalId, name, quantity } };
  },
});

/** Sales of each product of a store, less cancellations and refunds: one document a product. */
export const bestSellers = defineProjection<Sales, OrderEvent>({
  name: 'bestSellers',
  version: 1,
  categories: ['order'], // streams order-…
  keys: { workspaceId: 'text', quantity: 'number' }, // what it is found and sorted by
  indexes: [{ keys: ['workspaceId', '-quantity'] }], // every query must be served by one
  on: {
    OrderPlaced: counts(({ lines }) => lines),
    OrderRepriced: counts(({ lines }, before) => lines ?? before),
    OrderCheckedOut: counts(({ lines }, before) => lines ?? before),
    OrderStatusChanged: counts(({ to }, before) => (to === 'cancelled' || to === 'refunded' ? [] : before)),
  },
});
