import { expect } from 'chai';
import { orderHistories } from '../../application/orders/orderHistory.js';
import { renderOrderHistory } from '../../application/orders/renderOrderHistory.js';
import type { Actor } from '../../domain/decider.js';
import type { DeliveryEvent } from '../../domain/delivery/deliveryEvents.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import type { EventStore, RecordedEvent } from '../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../engine/projections/projection.js';
import { deliverySettings } from '../../projections/deliverySettings.js';
import { foldOrder, orderRows, orders, type StoreOrderBody } from '../../projections/orders.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const ORDER = '00000000-0000-4000-8000-00000000000a';
const CHAT = '00000000-0000-4000-8000-0000000000c1';
const TEAM = '00000000-0000-4000-8000-0000000000d1';
const STARTED = Date.parse('2026-03-01T09:00:00.000Z');
const at = (minutes: number): string => new Date(STARTED + minutes * 60_000).toISOString();

const lines = [
  { productExternalId: 'SHIRT', retailerId: 'SHIRT-M', name: 'Shirt', size: 'M', quantity: 2, unitPriceCents: 12_00 },
];
const totals = { subtotalCents: 24_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 24_00 };
const customer: Actor = { type: 'customer' };
const key: Actor = { type: 'api_key', id: 'key-1' };
const story: [OrderEvent, Actor][] = [
  [
    {
      type: 'OrderPlaced',
      data: {
        number: 7,
        lines,
        totals,
        currency: 'USD',
        customerPhone: '+252615550101',
        customerName: 'Asha',
        conversationId: CHAT,
        teamId: TEAM,
        note: 'Item SKU-99 was left out: it is not in the catalog.',
      },
    },
    customer,
  ],
  [{ type: 'OrderSummarySent', data: { messageId: 'm1' } }, { type: 'system' }],
  [
    {
      type: 'OrderCheckedOut',
      data: {
        fulfilment: 'delivery',
        totals: { ...totals, deliveryFeeCents: 2_50, totalCents: 26_50 },
        deliveryArea: 'Wadajir',
        deliveryAreaId: 'area-1',
        customerName: 'Asha Warsame',
        requestLocation: true,
        messageId: 'in-2',
      },
    },
    customer,
  ],
  [{ type: 'OrderLocationShared', data: { latitude: 2.03, longitude: 45.34 } }, customer],
  [{ type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing' } }, key],
  [{ type: 'CustomerNotified', data: { status: 'preparing', messageId: 'm2' } }, { type: 'system' }],
  [{ type: 'OrderStatusChanged', data: { from: 'preparing', to: 'cancelled', note: 'No cloth\u001b[31m' } }, key],
  [{ type: 'CustomerNotNotified', data: { status: 'cancelled', reason: 'Window closed.' } }, { type: 'system' }],
];
const recorded = story.map(
  ([event, actor], revision): RecordedEvent => ({
    ...event,
    id: `event-${revision}`,
    stream: `order-${ORDER}`,
    revision,
    position: 100 + revision,
    meta: { at: at(revision), actor, correlationId: `request-${revision}`, workspaceId: STORE },
  }),
);
/** A store of events that holds only this story, read in small pages. */
const events = {
  readStream: async (stream: string, { from = 0, limit = 500 } = {}) =>
    stream === `order-${ORDER}` ? recorded.slice(from, from + limit) : [],
} as unknown as EventStore;

function folded<B>(projection: AnyProjection, times = 1): View<B> | undefined {
  const views = new Map<string, View<B> | undefined>();
  for (let time = 0; time < times; time++) for (const event of recorded) foldEvent(projection, views, event);
  return views.get(ORDER);
}

describe('order views', () => {
  it('show a single order exactly as the API does', () => {
    expect(folded<StoreOrderBody>(orders)?.body).to.deep.equal({
      id: ORDER,
      number: 7,
      status: 'cancelled',
      nextStatuses: [],
      fulfilment: 'delivery',
      currency: 'USD',
      ...totals,
      deliveryFeeCents: 2_50,
      totalCents: 26_50,
      itemCount: 2,
      customerPhone: '+252615550101',
      customerName: 'Asha Warsame',
      deliveryArea: 'Wadajir',
      cancelReason: 'No cloth\u001b[31m',
      note: 'Item SKU-99 was left out: it is not in the catalog.',
      checkedOutAt: at(2),
      conversationId: CHAT,
      teamId: TEAM,
      location: { latitude: 2.03, longitude: 45.34 },
      createdAt: at(0),
      updatedAt: at(6),
      items: lines,
      events: [
        {
          at: at(0),
          kind: 'created',
          actorType: 'customer',
          toStatus: 'new',
          note: 'Item SKU-99 was left out: it is not in the catalog.',
        },
        { at: at(1), kind: 'summary_sent', actorType: 'system' },
        { at: at(2), kind: 'checkout', actorType: 'customer' },
        { at: at(3), kind: 'location', actorType: 'customer' },
        {
          at: at(4),
          kind: 'status_changed',
          actorType: 'api_key',
          actorId: 'key-1',
          fromStatus: 'new',
          toStatus: 'preparing',
        },
        { at: at(5), kind: 'customer_notified', actorType: 'system', toStatus: 'preparing' },
        {
          at: at(6),
          kind: 'status_changed',
          actorType: 'api_key',
          actorId: 'key-1',
          fromStatus: 'preparing',
          toStatus: 'cancelled',
          note: 'No cloth\u001b[31m',
        },
        {
          at: at(7),
          kind: 'customer_not_notified',
          actorType: 'system',
          toStatus: 'cancelled',
          note: 'Window closed.',
        },
      ],
    });
  });

  it('show the same in a list, without items and events, under keys for every filter', () => {
    const { items: _, events: __, ...row } = folded<StoreOrderBody>(orders)!.body;
    const view = folded(orderRows);
    expect(view?.body).to.deep.equal(row);
    expect(view?.keys).to.deep.equal({
      workspaceId: STORE,
      teamId: TEAM,
      createdAt: STARTED,
      status: 'cancelled',
      fulfilment: 'delivery',
      phone: '+252615550101',
      number: 7,
    });
  });

  it('store the team that had the conversation and are found by it, or have none', () => {
    for (const projection of [orders, orderRows]) {
      expect(folded(projection)?.keys.teamId).to.equal(TEAM);
      const [{ data, ...placed }] = recorded as [RecordedEvent];
      const { teamId: _, ...without } = data as { teamId?: string };
      const views = new Map<string, View<unknown> | undefined>();
      foldEvent(projection, views, { ...placed, data: without });
      expect(views.get(ORDER)?.keys.teamId).to.equal(null);
      expect(views.get(ORDER)?.body).not.to.have.property('teamId');
    }
  });

  it('are the same when every event is applied twice', () => {
    for (const projection of [orders, orderRows])
      expect(folded(projection, 2)).to.deep.equal(folded(projection), projection.name);
  });

  it('show delivery settings as last saved', () => {
    const saved: DeliveryEvent = {
      type: 'DeliverySettingsSaved',
      data: {
        deliveryEnabled: false,
        pickupEnabled: true,
        pickupAddress: 'Here',
        requestLocation: false,
        notifyStatuses: [],
        areas: [],
      },
    };
    const views = new Map();
    const event = { ...recorded[0]!, ...saved, stream: `delivery-${STORE}` };
    for (let time = 0; time < 2; time++) foldEvent(deliverySettings, views, event);
    expect(views.get(STORE)).to.deep.equal({ keys: {}, body: { ...saved.data, saved: true } });
  });
});

describe('the order at a point in time', () => {
  const histories = orderHistories(events, foldOrder);

  it('now equals the result of getOrder', async () => {
    const history = await histories.asOf(ORDER);
    expect(history?.order).to.deep.equal(folded<StoreOrderBody>(orders)?.body);
    expect(history).to.include({ workspaceId: STORE, orderId: ORDER });
    expect(history?.events[4]).to.deep.equal({
      revision: 4,
      type: 'OrderStatusChanged',
      at: at(4),
      actor: key,
      correlationId: 'request-4',
      data: { from: 'new', to: 'preparing' },
    });
  });

  it('after a given event excludes later events', async () => {
    const { order, events: seen } = (await histories.asOf(ORDER, { revision: 4 }))!;
    expect(order)
      .to.include({ status: 'preparing', updatedAt: at(4) })
      .and.not.have.property('cancelReason');
    expect(order?.nextStatuses).to.deep.equal(['out_for_delivery', 'delivered', 'cancelled']);
    expect(order?.events).to.have.lengthOf(5);
    expect(seen.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4]);
    expect((await histories.asOf(ORDER, { revision: 0 }))?.order).to.include({
      totalCents: 24_00,
      customerName: 'Asha',
    });
  });

  it('at a given time includes the events of that millisecond', async () => {
    const then = async (ms: number) => (await histories.asOf(ORDER, { at: ms }))?.order?.status;
    expect(await then(STARTED + 4 * 60_000)).to.equal('preparing');
    expect(await then(STARTED + 4 * 60_000 - 1)).to.equal('new');
    expect(await histories.asOf(ORDER, { at: STARTED - 1 })).to.deep.equal({
      orderId: ORDER,
      workspaceId: STORE,
      events: [],
    });
    expect(await histories.asOf('another')).to.equal(undefined);
  });

  it('prints a timeline without terminal control sequences', async () => {
    const text = renderOrderHistory((await histories.asOf(ORDER))!);
    const rows = text.split('\n');
    expect(rows[1]).to.equal('no. 7 · cancelled · $26.50 · delivery · Asha Warsame +252615550101');
    expect(rows[2]).to.equal('  2 × Shirt (M) at $12.00');
    expect(rows.filter((line) => /^ +\d+ {2}2026-03-01T/.test(line))).to.have.lengthOf(story.length);
    expect(text).to.include('new → preparing').and.include('customer not notified: cancelled: “Window closed.”');
    expect(text).not.to.include('\u001b');
    const early = renderOrderHistory((await histories.asOf(ORDER, { at: STARTED - 1 }))!);
    expect(early).to.include('It did not exist yet.');
  });
});
