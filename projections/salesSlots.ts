import { defined } from '../domain/defined.js';
import type { DiscountParts, OrderEvent, OrderLine, OrderTotals } from '../domain/orders/orderEvents.js';
import { isCalledOff } from '../domain/orders/orderStatus.js';
import { defineProjection, type Handler, type Seen } from '../engine/projections/projection.js';

/** Length of a slot. Every time zone in use differs from UTC by a multiple of it, so days of any zone are whole slots. */
export const SLOT_MS = 15 * 60_000;
/** Products, and promotions, that one slot lists by themselves. What else was sold counts in the slot's sums alone. */
const MOST_LISTED = 500;

export interface ProductSales {
  readonly name: string;
  readonly quantity: number;
  /** Paid for them by customers, without delivery. */
  readonly cents: number;
}

export interface PromotionCost {
  readonly name: string;
  readonly uses: number;
  readonly discountCents: number;
}

/** Sums of a store over one slot. Absent members are 0. Money in whole US cents; what is taken back counts when it is. */
export interface SalesSlot {
  readonly placed?: number;
  readonly checkedOut?: number;
  readonly sold?: number;
  readonly revenueCents?: number;
  readonly deliveryFeeCents?: number;
  readonly discountCents?: number;
  readonly returned?: number;
  readonly returnedCents?: number;
  readonly paymentFailures?: number;
  readonly products?: Readonly<Record<string, ProductSales>>;
  readonly promotions?: Readonly<Record<string, PromotionCost>>;
}

/** Sums that an order adds to a slot when it is sold. */
interface Sale {
  readonly totals: OrderTotals;
  readonly lines: readonly Pick<OrderLine, 'productExternalId' | 'name' | 'quantity' | 'unitPriceCents'>[];
  readonly lineDiscounts?: readonly number[];
  readonly promotions?: readonly { readonly id: string; readonly name: string; readonly cents: number }[];
}

/** The document of an order, which no query finds. */
interface OrderSale {
  readonly sale: Sale;
  readonly isSold?: true;
}

type SalesBody = SalesSlot & Partial<OrderSale>;
type Sum = Exclude<keyof SalesSlot, 'products' | 'promotions'>;
type Of<T extends OrderEvent['type']> = Seen<Extract<OrderEvent, { type: T }>>;

/** Effect of an event: the order's document after it, and the sums that it adds to its slot. */
interface Effect {
  readonly order?: OrderSale | undefined;
  readonly slot?: SalesSlot | undefined;
}

const slotOf = (at: string): number => Math.floor(Date.parse(at) / SLOT_MS) * SLOT_MS;

/** Adds values to those under the same names. `most`: names that there may be; values under further ones are left out. */
export function addEntries<V>(
  to: Map<string, V>,
  entries: Iterable<readonly [name: string, value: V]>,
  add: (a: V, b: V) => V,
  most = Number.POSITIVE_INFINITY,
): Map<string, V> {
  for (const [name, value] of entries) {
    const known = to.get(name);
    if (known !== undefined) to.set(name, add(known, value));
    else if (to.size < most) to.set(name, value);
  }
  return to;
}

type Entries<V> = Readonly<Record<string, V>>;

const merged = <V>(before: Entries<V> = {}, added: Entries<V>, add: (a: V, b: V) => V): Entries<V> =>
  Object.fromEntries(addEntries(new Map(Object.entries(before)), Object.entries(added), add, MOST_LISTED));

export const addProduct = (a: ProductSales, b: ProductSales): ProductSales => ({
  name: b.name,
  quantity: a.quantity + b.quantity,
  cents: a.cents + b.cents,
});

export const addPromotion = (a: PromotionCost, b: PromotionCost): PromotionCost => ({
  name: b.name,
  uses: a.uses + b.uses,
  discountCents: a.discountCents + b.discountCents,
});

function added(slot: SalesSlot, { products, promotions, ...sums }: SalesSlot): SalesSlot {
  const after: { -readonly [K in Sum]?: number } = { ...slot };
  for (const [name, value] of Object.entries(sums) as [Sum, number][]) after[name] = (slot[name] ?? 0) + value;
  return {
    ...after,
    ...(products && { products: merged(slot.products, products, addProduct) }),
    ...(promotions && { promotions: merged(slot.promotions, promotions, addPromotion) }),
  };
}

function saleOf(
  lines: readonly OrderLine[],
  { totals, lineDiscounts, promotions }: DiscountParts & { readonly totals: OrderTotals },
): Sale {
  return {
    totals,
    lines: lines.map(({ productExternalId, name, quantity, unitPriceCents }) => ({
      productExternalId,
      name,
      quantity,
      unitPriceCents,
    })),
    ...defined({
      lineDiscounts,
      promotions: promotions?.map(({ promotionId: id, name, discountCents: cents }) => ({ id, name, cents })),
    }),
  };
}

/** Goes by a map: ids are the store's, and `constructor` is one. */
function productsOf({ lines, lineDiscounts = [] }: Sale, sign: 1 | -1): Entries<ProductSales> {
  const sales = lines.map(({ productExternalId, name, quantity, unitPriceCents }, at) => {
    const cents = quantity * unitPriceCents - (lineDiscounts[at] ?? 0);
    return [productExternalId, { name, quantity: sign * quantity, cents: sign * cents }] as const;
  });
  return Object.fromEntries(addEntries(new Map<string, ProductSales>(), sales, addProduct));
}

const promotionsOf = ({ promotions = [] }: Sale, sign: 1 | -1): Entries<PromotionCost> =>
  Object.fromEntries(promotions.map(({ id, name, cents }) => [id, { name, uses: sign, discountCents: sign * cents }]));

const sold = (sale: Sale): SalesSlot => ({
  sold: 1,
  revenueCents: sale.totals.totalCents,
  deliveryFeeCents: sale.totals.deliveryFeeCents,
  discountCents: sale.totals.discountCents,
  products: productsOf(sale, 1),
  promotions: promotionsOf(sale, 1),
});

const returned = (sale: Sale): SalesSlot => ({
  returned: 1,
  returnedCents: sale.totals.totalCents,
  products: productsOf(sale, -1),
  promotions: promotionsOf(sale, -1),
});

/** Handles an event by its effect on the order's document and on the slot of its time. */
const affects = <E extends OrderEvent>(effect: (event: Seen<E>, order: OrderSale | undefined) => Effect) => {
  const orderOf = (own: { readonly body: SalesBody } | undefined): OrderSale | undefined =>
    own?.body.sale === undefined ? undefined : { sale: own.body.sale, ...defined({ isSold: own.body.isSold }) };
  const handler: Handler<SalesBody, E> = {
    own: true,
    ids(event, own) {
      const { order, slot } = effect(event, orderOf(own));
      const { at, workspaceId } = event.meta;
      // Most moves of an order change neither: nothing is written for them.
      return [
        ...(order === undefined ? [] : [event.streamId]),
        ...(slot === undefined ? [] : [`${workspaceId}/${slotOf(at)}`]),
      ];
    },
    evolve(view, event, id, own) {
      const { order, slot = {} } = effect(event, orderOf(own));
      if (id === event.streamId) return order && { keys: { workspaceId: null, slot: null }, body: order };
      const { at, workspaceId } = event.meta;
      return { keys: { workspaceId: workspaceId ?? null, slot: slotOf(at) }, body: added(view?.body ?? {}, slot) };
    },
  };
  return handler;
};

/** Takes over new prices. Lines that the event does not name stay. */
const repriced = (order: OrderSale | undefined, data: Of<'OrderRepriced' | 'OrderCheckedOut'>['data']) =>
  order && { ...order, sale: saleOf((data.lines ?? order.sale.lines) as readonly OrderLine[], data) };

/**
 * Sales of a store in slots of 15 minutes, for its report: one document a slot in which something happened. An order is sold
 * when it is paid, or when it is handed over for cash; it is returned when a sold one is cancelled. Each counts at its own
 * time, so that the figures of a day that has passed stay as they are.
 */
export const salesSlots = defineProjection<SalesBody, OrderEvent>({
  name: 'salesSlots',
  version: 1,
  partitionedBy: 'store',
  categories: ['order'],
  keys: { workspaceId: 'text', slot: 'number' },
  indexes: [{ keys: ['workspaceId', 'slot'] }],
  on: {
    OrderPlaced: affects(({ data }) => ({ order: { sale: saleOf(data.lines, data) }, slot: { placed: 1 } })),
    OrderRepriced: affects(({ data }, order) => ({ order: repriced(order, data) })),
    OrderCheckedOut: affects(({ data }, order) => ({ order: repriced(order, data), slot: { checkedOut: 1 } })),
    OrderPaymentFailed: affects(() => ({ slot: { paymentFailures: 1 } })),
    OrderStatusChanged: affects(({ data: { to } }, order) => {
      if (order === undefined) return {};
      if ((to === 'paid' || to === 'delivered') && !order.isSold)
        return { order: { ...order, isSold: true }, slot: sold(order.sale) };
      if (isCalledOff(to) && order.isSold) return { order: { sale: order.sale }, slot: returned(order.sale) };
      return {};
    }),
  },
});
