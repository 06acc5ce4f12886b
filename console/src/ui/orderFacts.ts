/** Price and payment of an order at a time, from its events. */
import type { ConsoleTimelineStepBody } from '../../../api/console/contract.js';
import type { Schemas } from '../api/openapi.js';
import { money, words } from './format.js';

export type OrderBody = Schemas['StoreOrderBody'];
type Step = ConsoleTimelineStepBody;

interface Line {
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceCents: number;
  /** Absent: no sale price applied. */
  readonly listPriceCents?: number;
  readonly withoutFlashSaleCents?: number;
}
interface Promotion {
  readonly kind: string;
  readonly name: string;
  readonly code?: string;
  readonly discountCents: number;
  readonly percentOff?: number;
}
interface Priced {
  readonly lines?: readonly Line[];
  readonly totals?: { subtotalCents: number; discountCents: number; deliveryFeeCents: number; totalCents: number };
  readonly promotions?: readonly Promotion[];
  readonly flashSales?: readonly { readonly name: string }[];
  readonly passedOver?: readonly { readonly name: string; readonly why: string }[];
  readonly deliveryArea?: string;
}

export interface PriceStep {
  readonly name: string;
  readonly why?: string;
  readonly cents: number;
  readonly kind: 'base' | 'off' | 'add' | 'sum';
}

const PASSED: Readonly<Record<string, string>> = {
  not_combinable: 'cannot be combined with the applied promotions',
  min_subtotal: 'the minimum would not be reached',
  free_delivery: 'the order would cost more in total',
};

/** A step that may have priced something. */
export interface PricingStep {
  readonly event: { readonly data: unknown };
}

/** Price calculation, from the newest event that priced the order. */
export function priceSteps(
  steps: readonly PricingStep[],
  currency: string,
): { steps: readonly PriceStep[]; notes: readonly string[] } {
  const all = steps.map(({ event }) => event.data as Priced);
  const priced = all.findLast(({ totals }) => totals !== undefined);
  const lines = all.findLast((data) => data.totals !== undefined && data.lines !== undefined)?.lines ?? [];
  if (priced?.totals === undefined) return { steps: [], notes: [] };
  const { totals, promotions = [], flashSales = [], passedOver = [], deliveryArea } = priced;
  const sum = (of: (line: Line) => number): number => lines.reduce((all, line) => all + of(line) * line.quantity, 0);
  const storeCents = (line: Line): number => line.withoutFlashSaleCents ?? line.unitPriceCents;
  const list = sum((line) => line.listPriceCents ?? storeCents(line));
  const store = sum(storeCents);
  const flash = store - sum((line) => line.unitPriceCents);
  const onSale = lines.filter(({ listPriceCents }) => listPriceCents !== undefined);
  const pieces = lines.reduce((all, { quantity }) => all + quantity, 0);
  const found: PriceStep[] = [
    {
      name: 'List price',
      why: `${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`,
      cents: list,
      kind: 'base',
    },
  ];
  if (list > store)
    found.push({ name: 'Sale', why: onSale.map(({ name }) => name).join(', '), cents: store - list, kind: 'off' });
  if (flash > 0)
    found.push({ name: 'Flash sale', why: flashSales.map(({ name }) => name).join(', '), cents: -flash, kind: 'off' });
  for (const { kind, name, code, discountCents, percentOff } of promotions)
    found.push({
      name,
      why: [words(kind), code, percentOff === undefined ? undefined : `${percentOff} %`].filter(Boolean).join(' · '),
      cents: -discountCents,
      kind: 'off',
    });
  const unnamed = totals.discountCents - promotions.reduce((all, one) => all + one.discountCents, 0);
  if (unnamed > 0) found.push({ name: 'Discount', cents: -unnamed, kind: 'off' });
  if (totals.deliveryFeeCents > 0)
    found.push({
      name: 'Delivery',
      ...(deliveryArea !== undefined && { why: deliveryArea }),
      cents: totals.deliveryFeeCents,
      kind: 'add',
    });
  found.push({ name: 'Total', cents: totals.totalCents, kind: 'sum' });
  const notes = passedOver.map(({ name, why }) => `${name}: ${PASSED[why] ?? words(why)}`);
  if (flash > 0) notes.unshift(`Flash sales reduced the unit prices by ${money(flash, currency)}.`);
  return { steps: found, notes };
}

export interface PaymentTry {
  readonly attempt: number;
  readonly wallet?: string;
  readonly payer?: string;
  readonly amountCents?: number;
  readonly state: 'requested' | 'started' | 'paid' | 'failed' | 'refunded' | 'surplus';
  readonly reason?: string;
  readonly transactionId?: string;
}

const STATES: Readonly<Record<string, PaymentTry['state']>> = {
  OrderPaymentRequested: 'requested',
  OrderPaymentBegun: 'started',
  OrderPaid: 'paid',
  OrderPaymentFailed: 'failed',
  OrderPaymentSurplus: 'surplus',
  OrderRefunded: 'refunded',
};

/** Returns each payment attempt, in its state at the time. */
export function paymentTries(steps: readonly Step[]): readonly PaymentTry[] {
  const tries = new Map<number, PaymentTry>();
  for (const { event } of steps) {
    const state = STATES[event.type];
    if (state === undefined) continue;
    const data = event.data as Partial<PaymentTry> & { readonly attempt: number };
    tries.set(data.attempt, { ...tries.get(data.attempt), ...data, state });
  }
  return [...tries.values()];
}

/** Fields whose changes are listed. */
const COMPARED: readonly (keyof OrderBody)[] = [
  'status',
  'subtotalCents',
  'discountCents',
  'deliveryFeeCents',
  'totalCents',
  'fulfilment',
  'customerName',
  'contactPhone',
  'address',
  'deliveryArea',
  'couponCode',
  'cancelReason',
  'discountReason',
  'note',
  'customerNote',
];

export interface Difference {
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

function shownValue(name: string, value: unknown, currency: string): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (name.endsWith('Cents')) return money(Number(value), currency);
  return name === 'status' || name === 'fulfilment' ? words(String(value)) : String(value);
}

/** Returns the changes of an order by one event. */
export function differences(before: OrderBody | undefined, after: OrderBody | undefined): readonly Difference[] {
  if (after === undefined) return [];
  return COMPARED.flatMap((name) => {
    const was = shownValue(name, before?.[name], after.currency);
    const is = shownValue(name, after[name], after.currency);
    if (was === is || (before === undefined && name !== 'status' && name !== 'totalCents')) return [];
    const title = words(
      name
        .replace(/Cents$/, '')
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase(),
    );
    return [{ name: title, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}
