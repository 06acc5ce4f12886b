/** A small history of two shops in an installation's folder: orders over two months, one of them cancelled. */
import { derivedId } from '../../../domain/ids.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { type Given, recorded } from '../spec/givenEvents.js';

export const SCARVES = '5c000000-0000-4000-8000-000000000001';
export const LAMPS = '5c000000-0000-4000-8000-000000000002';
export const orderId = (n: number): string => derivedId('shop history', n);

const created = (name: string) => ({
  name,
  owner: { email: 'asha@example.com', name: 'Asha' },
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  planKey: 'p',
});

export interface SoldOrder {
  readonly store: string;
  readonly at: string;
  readonly cents: number;
  readonly phone?: string;
  readonly name?: string;
}

/** Returns an order's first event. `n` is its index among all orders. */
export const placed = ({ store, at, cents, phone = '+252615550101', name = 'Scarf' }: SoldOrder, n: number): Given => ({
  stream: `order-${orderId(n)}`,
  type: 'OrderPlaced',
  data: {
    number: n + 1,
    lines: [{ productExternalId: name, retailerId: name, name, quantity: 2, unitPriceCents: cents / 2 }],
    totals: { subtotalCents: cents, discountCents: 0, deliveryFeeCents: 0, totalCents: cents },
    currency: 'USD',
    customerPhone: phone,
  },
  meta: { workspaceId: store, at, actor: { type: 'system' } },
});

export const SOLD: readonly SoldOrder[] = [
  { store: SCARVES, at: '2026-01-10T09:00:00.000Z', cents: 1000 },
  { store: SCARVES, at: '2026-01-31T23:59:59.999Z', cents: 2000 },
  { store: LAMPS, at: '2026-01-31T23:59:59.999Z', cents: 700, name: 'Lamp' },
  { store: SCARVES, at: '2026-02-01T00:00:00.000Z', cents: 4000 },
];

const story: readonly Given[] = [
  {
    stream: `store-${SCARVES}`,
    type: 'StoreCreated',
    data: created('Scarves, "fine"'),
    meta: { workspaceId: SCARVES },
  },
  { stream: `store-${LAMPS}`, type: 'StoreCreated', data: created('Lamps\nof brass'), meta: { workspaceId: LAMPS } },
].map((event, n) => ({ ...event, meta: { ...event.meta, at: `2026-01-0${n + 1}T09:00:00.000Z` } }));

const cancelled: Given = {
  stream: `order-${orderId(3)}`,
  type: 'OrderStatusChanged',
  data: { from: 'new', to: 'cancelled', note: 'Sold out; sorry' },
  meta: { workspaceId: SCARVES, at: '2026-02-02T09:00:00.000Z', actor: { type: 'member', id: 'm1' }, operator: 'asha' },
};

/** Appends events to the log of a folder, in their order. */
export async function appendTo(folder: string, events: readonly Given[]): Promise<void> {
  const log = await openEmbeddedEventStore(folder, { writesHere: true });
  try {
    for (const { stream, revision: _, position: __, ...event } of recorded(['order'], events, {}))
      await log.append(stream, 'any', [{ ...event, id: derivedId(stream, event.type, event.meta.at) }]);
  } finally {
    await log.close();
  }
}

/** Writes the history of both shops: seven events. */
export const writeShops = (folder: string): Promise<void> =>
  appendTo(folder, [...story, ...SOLD.map(placed), cancelled]);
