import { paymentReference } from '../../../domain/orders/paymentDecisions.js';
import type { Charged } from '../outside/wallets.js';
import type { Data } from '../world/engines.js';
import { eventsOfType } from './eventsOfType.js';
import type { Ended, Invariant } from './invariant.js';

interface Attempt {
  readonly attempt: number;
  readonly reference: string;
  readonly amountCents: number;
}
type Totals = Readonly<Record<'subtotalCents' | 'discountCents' | 'deliveryFeeCents' | 'totalCents', number>>;

/** Reads the payments of all orders from the log. */
function booked(data: Data) {
  const attempts = eventsOfType<Attempt>(data, 'OrderPaymentRequested');
  const status = new Map(
    eventsOfType<{ to: string }>(data, 'OrderStatusChanged').map((one) => [one.streamId, one.data.to]),
  );
  const retained = new Map<string, number>();
  for (const { streamId, data: paid } of eventsOfType<Attempt>(data, 'OrderPaid'))
    retained.set(streamId, (retained.get(streamId) ?? 0) + paid.amountCents);
  return {
    /** Order and attempt of a payment reference. */
    of: new Map(attempts.map(({ streamId: orderId, data: one }) => [one.reference, { orderId, ...one }])),
    refunded: new Set(eventsOfType<Attempt>(data, 'OrderRefunded').map((one) => `${one.streamId} ${one.data.attempt}`)),
    isOver: (orderId: string) => ['cancelled', 'refunded'].includes(status.get(orderId) ?? ''),
    /** Sum of the payments by order. */
    kept: retained,
  };
}

function sums({ log }: Data): { readonly wrong: string[]; readonly totals: ReadonlyMap<string, number> } {
  const wrong: string[] = [];
  const totals = new Map<string, number>();
  for (const { stream, data } of log.events) {
    const { totals: sum } = data as { totals?: Totals };
    if (sum === undefined) continue;
    totals.set(stream.slice('order-'.length), sum.totalCents);
    if (sum.subtotalCents - sum.discountCents + sum.deliveryFeeCents !== sum.totalCents)
      wrong.push(`the totals of ${stream} do not add up: ${JSON.stringify(sum)}`);
  }
  return { wrong, totals };
}

type Books = ReturnType<typeof booked>;

function charged(
  charge: Charged,
  { of, refunded, isOver, kept }: Books,
  totals: ReadonlyMap<string, number>,
): string[] {
  const { reference, requests, amountCents, refunds, state } = charge;
  const known = of.get(reference);
  if (known === undefined) return [`the provider was asked for ${reference}, which no order requested`];
  const { orderId, attempt } = known;
  const isBack = refunded.has(`${orderId} ${attempt}`);
  const stays = state === 'approved' && !isBack;
  return [
    ...(requests > 1 ? [`the customer was asked ${requests} times for ${reference}`] : []),
    ...(amountCents !== known.amountCents ? [`${reference} is charged with another amount`] : []),
    ...(isBack !== refunds > 0 ? [`${reference} was given back ${refunds} times, told ${isBack}`] : []),
    ...(state === 'pending' ? [`${reference} is still pending`] : []),
    ...(stays && isOver(orderId) ? [`${orderId} is cancelled, and ${reference} was not given back`] : []),
    ...(stays && kept.get(orderId) !== totals.get(orderId)
      ? [`${orderId} of ${totals.get(orderId)} cents has ${kept.get(orderId)} of an approved charge`]
      : []),
  ];
}

/** Lists attempts that a process recorded as begun but never sent, although it stayed alive and owned the work. */
function neverSent({ data, alone, people: { payments } }: Ended): string[] {
  return eventsOfType<{ readonly attempt: number }>(data, 'OrderPaymentBegun')
    .filter(({ id }) => alone !== undefined && data.log.writers.get(id) === alone)
    .map(({ streamId, data: { attempt } }) => paymentReference(streamId, attempt))
    .filter((reference) => !payments.tried.has(reference))
    .map((reference) => `${reference} was begun and never sent`);
}

/** A charged customer has the order or a refund, each attempt is charged once, and totals add up. */
export const money: Invariant = (ended) => {
  const { data, people } = ended;
  const { payments } = people;
  const books = booked(data);
  const { wrong, totals } = sums(data);
  const charges = [...payments.charges.values()];
  const approved = new Map<string, number>();
  for (const { reference, state, amountCents } of charges)
    if (state === 'approved') approved.set(books.of.get(reference)?.orderId ?? '', amountCents);
  const unpaid = [...books.kept].filter(([orderId, cents]) => approved.get(orderId) !== cents);
  return [
    ...wrong,
    ...neverSent(ended),
    ...charges.flatMap((charge) => charged(charge, books, totals)),
    ...unpaid.map(([orderId]) => `${orderId} is paid, and nobody was charged`),
  ];
};
