/**
 * A plain history for rebuilds over other engines: stores with products that are revised, and orders that run their whole course. It is
 * separate from the year of bench/generator, since the recorded figures are of this mix of events. Also, a stream here is one append or
 * waits for the previous one: a server need not guarantee the order of concurrent appends.
 */
import type { CatalogEvent, ProductContent } from '../../domain/catalog/catalogEvents.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import type { EventMeta } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import type { OrderEvent, OrderNumberEvent } from '../../domain/orders/orderEvents.js';
import type { StoreEvent } from '../../domain/stores/storeEvents.js';
import type { EventData, EventStore } from '../../engine/ports/eventStore.js';

type AnyEvent = CatalogEvent | ConversationEvent | OrderEvent | OrderNumberEvent | StoreEvent;
type Written = { stream: string; events: EventData[] };

const START = Date.parse('2026-01-01T00:00:00Z');
const PRODUCTS_A_STORE = 1000;
const EVENTS_A_PRODUCT = 3;
const STORES = 50;

class Writer {
  written = 0;
  readonly #store: EventStore;
  #waiting: Promise<unknown>[] = [];
  constructor(store: EventStore) {
    this.#store = store;
  }

  meta(workspaceId: string): EventMeta {
    return {
      at: new Date(START + this.written * 1000).toISOString(),
      actor: { type: 'system' },
      correlationId: derivedId('request', this.written),
      workspaceId,
    };
  }

  /** The whole stream in one append; never more than 64 appends on their way. */
  async stream({ stream, events }: Written): Promise<void> {
    this.written += events.length;
    this.#waiting.push(this.#store.append(stream, 'noStream', events));
    if (this.#waiting.length >= 64) await this.flush();
  }

  async flush(): Promise<void> {
    await Promise.all(this.#waiting);
    this.#waiting = [];
  }
}

function events(writer: Writer, workspaceId: string, stream: string, list: readonly AnyEvent[]): Written {
  const meta = writer.meta(workspaceId);
  return { stream, events: list.map((event, index) => ({ id: derivedId(stream, index), ...event, meta })) };
}

function product(n: number): ProductContent {
  return {
    name: `Cotton shirt no. ${n}`,
    description: 'Soft, light and made to last: pre-washed cotton, a straight cut, and buttons that stay on.',
    imageUrls: [`https://images.example.com/shirts/${n}/front.jpg`, `https://images.example.com/shirts/${n}/back.jpg`],
    priceCents: 1500 + (n % 40) * 25,
    availability: 'in_stock',
    active: true,
    variants: [],
  };
}

async function writeStore(writer: Writer, store: EventStore, workspaceId: string, index: number): Promise<void> {
  await writer.stream(
    events(writer, workspaceId, `store-${workspaceId}`, [
      {
        type: 'StoreCreated',
        data: {
          name: `Store ${index}`,
          owner: { email: `owner${index}@example.com`, name: 'Asha Warsame' },
          country: 'SO',
          timezone: 'Africa/Mogadishu',
          locale: 'en',
          planKey: 'bench',
        },
      },
    ]),
  );
  const stream = `catalog-${workspaceId}`;
  let revision = -1;
  const append = async (list: AnyEvent[]): Promise<void> => {
    const meta = writer.meta(workspaceId);
    const data = list.map((event, i) => ({ id: derivedId(stream, revision + 1 + i), ...event, meta }));
    writer.written += data.length;
    await store.append(stream, revision === -1 ? 'noStream' : revision, data);
    revision += data.length;
  };
  for (let from = 0; from < PRODUCTS_A_STORE; from += 500) {
    const ids = Array.from({ length: 500 }, (_, i) => from + i);
    await append(
      ids.map((n) => ({
        type: 'ProductAdded',
        data: { externalId: `P${n}`, product: product(n), retailerIds: [`P${n}`] },
      })),
    );
    for (let change = 1; change < EVENTS_A_PRODUCT; change += 1) {
      await append(
        ids.map((n) => ({
          type: 'ProductRevised',
          data: {
            externalId: `P${n}`,
            changes: { priceCents: product(n).priceCents + change },
            before: { priceCents: product(n).priceCents + change - 1 },
            retailerIds: [`P${n}`],
            droppedRetailerIds: [],
          },
        })),
      );
    }
  }
}

async function writeOrder(writer: Writer, workspaceId: string, order: number, number: number): Promise<void> {
  const orderId = derivedId('bench order', order);
  const phone = `+25261${String(1_000_000 + (order % 900_000))}`;
  const conversationId = derivedId('bench conversation', order);
  const messageId = derivedId('bench message', order);
  const summary = derivedId('bench summary', order);
  const item = product(order % PRODUCTS_A_STORE);
  const totals = {
    subtotalCents: item.priceCents * 2,
    discountCents: 0,
    deliveryFeeCents: 0,
    totalCents: item.priceCents * 2,
  };
  const sku = `P${order % PRODUCTS_A_STORE}`;
  await writer.stream(
    events(writer, workspaceId, `conversation-${conversationId}`, [
      { type: 'ConversationStarted', data: { numberId: workspaceId, customer: { phone } } },
      {
        type: 'MessageReceived',
        data: {
          messageId,
          channelMessageId: `wamid.processors${order}`,
          sentAt: new Date(START).toISOString(),
          content: { type: 'order', items: [{ productRetailerId: sku, quantity: 2 }] },
          customer: { phone },
        },
      },
      {
        type: 'MessageQueued',
        data: {
          messageId: summary,
          numberId: workspaceId,
          to: { phone },
          content: { type: 'text', text: 'Thank you. Your order is on its way.' },
          purpose: { kind: 'order_summary', orderId },
        },
      },
      {
        type: 'MessageAccepted',
        data: {
          messageId: summary,
          channelMessageId: `wamid.out${order}`,
          purpose: { kind: 'order_summary', orderId },
        },
      },
    ]),
  );
  await writer.stream(
    events(writer, workspaceId, `order-${orderId}`, [
      {
        type: 'OrderPlaced',
        data: {
          number,
          lines: [
            { productExternalId: sku, retailerId: sku, name: item.name, quantity: 2, unitPriceCents: item.priceCents },
          ],
          totals,
          currency: 'USD',
          customerPhone: phone,
          conversationId,
        },
      },
      { type: 'OrderSummarySent', data: { messageId: summary } },
      {
        type: 'OrderCheckedOut',
        data: { fulfilment: 'pickup', totals, customerName: 'Hodan Ali', requestLocation: false },
      },
      { type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing' } },
      { type: 'CustomerNotified', data: { status: 'preparing', messageId: summary } },
      { type: 'OrderStatusChanged', data: { from: 'preparing', to: 'delivered' } },
      { type: 'CustomerNotified', data: { status: 'delivered', messageId: summary } },
    ]),
  );
}

/** Appends about `total` events to an empty store; answers how many and one of the workspaces. */
export async function writeHistory(store: EventStore, total: number): Promise<{ events: number; workspaceId: string }> {
  const writer = new Writer(store);
  const stores = Math.max(1, Math.min(STORES, Math.floor(total / (PRODUCTS_A_STORE * EVENTS_A_PRODUCT * 4))));
  const workspaces = Array.from({ length: stores }, (_, i) => derivedId('bench store', i));
  for (const [index, workspaceId] of workspaces.entries()) await writeStore(writer, store, workspaceId, index);
  for (let order = 0; writer.written < total; order += 1) {
    await writeOrder(writer, workspaces[order % stores]!, order, Math.floor(order / stores) + 1);
  }
  await writer.flush();
  return { events: writer.written, workspaceId: workspaces[0]! };
}
