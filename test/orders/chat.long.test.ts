import { expect } from 'chai';
import fc from 'fast-check';
import { summary } from '../../application/orders/customerTexts.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { conversation } from '../../domain/channel/conversation.js';
import { routeConversation } from '../../domain/channel/conversationRouting.js';
import { derivedId } from '../../domain/ids.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import type { OrderStatus } from '../../domain/orders/orderEvents.js';
import { assignNumber, orderNumbers } from '../../domain/orders/orderNumbers.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { offeredForm } from '../support/stages/offeredForm.js';
import { conversationOf, NUMBER, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const ISMAIL = '+252615550102';
const HODAN = derivedId('area', 'Hodan');

const cart = (...items: [string, number][]) => ({
  type: 'order' as const,
  items: items.map(([productRetailerId, quantity]) => ({ productRetailerId, quantity })),
});
const answers = (orderId: string, fields: Record<string, unknown>) => ({
  type: 'flow_reply' as const,
  fields: { flow_token: orderId, fulfilment: 'delivery', area: 'hodan', name: 'Asha Warsame', ...fields },
});
const settings = {
  deliveryEnabled: true,
  pickupEnabled: false,
  pickupAddress: '',
  requestLocation: true,
  notifyStatuses: ['preparing' as const, 'cancelled' as const],
  areas: [
    { name: 'Hodan', feeCents: 1_00, active: true, newId: HODAN },
    { name: 'Wadajir', feeCents: 2_50, active: false, newId: derivedId('area', 'Wadajir') },
  ],
  freeDeliveryAboveCents: 50_00,
};

describe('orders in the chat', () => {
  let stage: OrderStage;
  let processors: ProcessorRuntime;
  const idOf = (customer: string, messageId: string): string => orderIdOf(conversationOf(customer), messageId);
  const lastText = async (customer: string): Promise<string> => (await stage.queued(customer)).at(-1)!.content.text;
  const move = (id: string, to: OrderStatus) =>
    stage.commands.decide(stage.context(to), order, id, ofStore(STORE, moveOrder('store', to)));
  const send = async (
    customer: string,
    id: string,
    content: Parameters<OrderStage['receive']>[2],
    repliesTo?: string,
  ) => {
    await stage.receive(customer, id, content, repliesTo);
    await stage.quiet();
  };

  beforeEach(async () => {
    stage = await orderStage();
    await stage.addProducts({
      SHIRT: {
        variants: [
          { externalId: 'SHIRT-M', size: 'M' },
          { externalId: 'SHIRT-L', size: 'L', priceCents: 13_00 },
        ],
      },
      SCARF: { name: 'Scarf', priceCents: 5_50, stock: 3 },
      GONE: { name: 'Gone', active: false },
    });
    await stage.saveDelivery(settings);
    processors = await stage.startProcessors();
  });
  afterEach(() => stage.close());

  it('turns a cart into a priced order with a note of left-out items, and sends the form', async () => {
    await send(ASHA, 'wamid.1', cart(['SHIRT-L', 2], ['SCARF', 4], ['SKU-99', 1], ['GONE', 1], ['SHIRT-M', 100]));
    const id = idOf(ASHA, 'wamid.1');
    const placed = await stage.order(id);
    expect(placed).to.include({ number: 1, status: 'new', totalCents: 26_00, itemCount: 2, customerPhone: ASHA });
    expect(placed?.items).to.deep.equal([
      {
        productExternalId: 'SHIRT',
        retailerId: 'SHIRT-L',
        name: 'Linen shirt',
        size: 'L',
        quantity: 2,
        unitPriceCents: 13_00,
      },
    ]);
    for (const part of ['SKU-99', 'GONE', 'SHIRT-M', 'the 3 in stock']) expect(placed?.note).to.include(part);
    expect(placed?.events[0]).to.include({ kind: 'created', actorType: 'customer', toStatus: 'new' });
    expect(placed?.events[0]).not.to.have.property('actorId');
    const [message, ...more] = await stage.queued(ASHA);
    expect(more).to.deep.equal([]);
    expect(message).to.deep.include({ numberId: NUMBER, purpose: { kind: 'order_summary', orderId: id } });
    expect(message?.content).to.deep.include({ type: 'flow', flowName: 'checkout', screen: 'CHECKOUT', token: id });
    expect(message?.content).to.have.deep.property('data', {
      orderNumber: 1,
      currency: 'USD',
      totalText: '$26.00',
      areas: [{ id: HODAN, title: 'Hodan', description: 'Delivery: $1.00, free from $50.00. Total: $27.00' }],
      pickup: false,
      delivery: true,
    });
    expect(await lastText(ASHA)).to.include('Scarf: only 3 left');
  });

  it('writes Arabic texts with amounts, numbers and Latin names as its readers write them', async () => {
    stage.store.locale = 'ar';
    await stage.addProducts({ CAP: { name: 'Cap', priceCents: 1_00, stock: 2 } });
    await send(ASHA, 'wamid.1', cart(['SHIRT-L', 2], ['CAP', 3]));
    const [message] = await stage.queued(ASHA);
    expect(message?.content)
      .to.have.nested.property('data.totalText')
      .that.matches(/26\.00.*\$/);
    const lines = (await lastText(ASHA)).split('\n');
    expect(lines[1]).to.match(/^\u200f2 × \u2068Linen shirt\u2069 \(\u2068L\u2069\): \u2068.*26\.00.*\$.*\u2069$/);
    expect(lines).to.include('\u200f\u2068Cap\u2069: \u2068المتبقي اثنان فقط\u2069');
  });

  it('creates no order from a cart without available items, and explains why in the customer’s language', async () => {
    stage.store.locale = 'so';
    await send(ASHA, 'wamid.1', cart(['SKU-99', 1]));
    expect(await stage.order(idOf(ASHA, 'wamid.1'))).to.equal(undefined);
    const [message] = await stage.queued(ASHA);
    expect(message?.purpose).to.deep.equal({ kind: 'order_help' });
    expect(await lastText(ASHA)).to.include('SKU-99: kuma jiro liiskeenna');
    stage.store.open = false;
    await send(ISMAIL, 'wamid.2', cart(['SCARF', 1]));
    expect(await lastText(ISMAIL)).to.include('dalab ma qaadayo');
    stage.store.open = true;
    await send(ISMAIL, 'wamid.3', cart(['SCARF', 1]));
    expect(await stage.order(idOf(ISMAIL, 'wamid.3'))).to.include({ number: 1 });
  });

  it('checks out with the area’s fee, requests the location, and keeps the latest pin until the order is on its way', async () => {
    await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
    const id = idOf(ASHA, 'wamid.1');
    await send(ASHA, 'wamid.2', answers(id, { contact_phone: '00252 61 5550199', address: 'Blue gate' }));
    expect(await stage.order(id)).to.deep.include({
      status: 'new',
      fulfilment: 'delivery',
      deliveryArea: 'Hodan',
      deliveryFeeCents: 1_00,
      totalCents: 6_50,
      customerName: 'Asha Warsame',
      contactPhone: '+252615550199',
      address: 'Blue gate',
      nextStatuses: ['preparing', 'cancelled'],
    });
    const request = (await stage.queued(ASHA)).at(-1)!;
    expect(request.content.type).to.equal('location_request');
    await stage.accept(ASHA, request.messageId);
    const pin = { type: 'location' as const, latitude: 2.0371, longitude: 45.3438 };
    await send(ASHA, 'wamid.3', pin, `wamid.${request.messageId}`);
    expect((await stage.order(id))?.location).to.deep.equal({ latitude: 2.0371, longitude: 45.3438 });
    await send(ASHA, 'wamid.4', { ...pin, latitude: 3 });
    await move(id, 'preparing');
    await send(ASHA, 'wamid.5', { ...pin, latitude: 4 });
    await move(id, 'out_for_delivery');
    await send(ASHA, 'wamid.6', { ...pin, latitude: 5 });
    await send(ASHA, 'wamid.7', { ...pin, latitude: 6 }, `wamid.${request.messageId}`);
    const located = await stage.order(id);
    expect(located?.location).to.deep.equal({ latitude: 4, longitude: 45.3438 });
    const kinds = located?.events.map(({ kind, toStatus }) => (kind === 'status_changed' ? toStatus : kind));
    expect(kinds).to.deep.equal([
      ...['created', 'checkout', 'location', 'location', 'preparing', 'location', 'out_for_delivery'],
    ]);
    // A later change of the area alters nothing that was placed.
    await stage.saveDelivery({ ...settings, areas: [{ name: 'Hodan', feeCents: 9_00, active: true, newId: HODAN }] });
    expect(await stage.order(id)).to.deep.equal(located);
  });

  it('assigns a pin to the request it answers, or else to the latest order that is not on its way', async () => {
    const [first, second] = [idOf(ASHA, 'wamid.1'), idOf(ASHA, 'wamid.3')];
    await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
    await send(ASHA, 'wamid.2', answers(first, {}));
    const request = (await stage.queued(ASHA)).at(-1)!;
    await stage.accept(ASHA, request.messageId);
    await send(ASHA, 'wamid.3', cart(['SHIRT-M', 1]));
    await send(ASHA, 'wamid.4', answers(second, {}));
    const latitudes = async () =>
      Promise.all([first, second].map(async (id) => (await stage.order(id))?.location?.latitude));
    const pin = (latitude: number) => ({ type: 'location' as const, latitude, longitude: 45 });
    await send(ASHA, 'wamid.5', pin(1));
    await send(ASHA, 'wamid.6', pin(2));
    expect(await latitudes(), 'a correction is of the latest').to.deep.equal([undefined, 2]);
    await send(ASHA, 'wamid.7', pin(3), `wamid.${request.messageId}`);
    await send(ASHA, 'wamid.8', pin(4), `wamid.${request.messageId}`);
    expect(await latitudes()).to.deep.equal([4, 2]);
    await move(second, 'cancelled');
    await send(ASHA, 'wamid.9', pin(5));
    expect(await latitudes(), 'a cancelled order takes none').to.deep.equal([5, 2]);
    await move(first, 'cancelled');
    await send(ASHA, 'wamid.10', pin(6), `wamid.${request.messageId}`);
    await send(ASHA, 'wamid.11', pin(7));
    expect(await latitudes()).to.deep.equal([5, 2]);
    const third = idOf(ASHA, 'wamid.12');
    await send(ASHA, 'wamid.12', cart(['SCARF', 1]));
    await send(ASHA, 'wamid.13', answers(third, {}));
    const histories = async () => Promise.all([first, second, third].map((id) => stage.order(id)));
    const before = await histories();
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await histories(), 'pins that are read again').to.deep.equal(before);
  });

  it('sends the form again with all errors for an invalid answer, and ignores a second checkout', async () => {
    await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
    const id = idOf(ASHA, 'wamid.1');
    const wrong: [string, Record<string, unknown>, RegExp][] = [
      ['wamid.w1', { area: 'Wadajir', name: ' ' }, /delivery areas[\s\S]*your name[\s\S]*again/],
      ['wamid.w2', { fulfilment: 'pickup' }, /Pickup is not possible/],
      ['wamid.w3', { fulfilment: 7, name: 'x'.repeat(121) }, /delivery or pickup[\s\S]*120/],
      ['wamid.w4', { contact_phone: '12', address: 'x'.repeat(501) }, /country code[\s\S]*500/],
    ];
    for (const [messageId, fields, text] of wrong) {
      await send(ASHA, messageId, answers(id, fields));
      const form = (await stage.queued(ASHA)).at(-1)!;
      expect(form.content).to.include({ type: 'flow' });
      expect(await lastText(ASHA)).to.match(text);
    }
    expect(await stage.order(id)).not.to.have.property('checkedOutAt');
    await send(ASHA, 'wamid.2', answers(id, {}));
    const checkedOut = await stage.order(id);
    await send(ASHA, 'wamid.3', answers(id, { name: 'Someone else' }));
    expect(await stage.order(id)).to.deep.equal(checkedOut);
    expect(await lastText(ASHA)).to.include('already checked out');
  });

  for (const [country, typed, retained] of [
    ['SO', '061 5550199', '+252615550199'],
    ['KE', '0712 345678', '+254712345678'],
    ['KE', '+252615550199', '+252615550199'],
    ['DE', ASHA.slice(1), ASHA],
  ] as const)
    it(`reads the contact number ${typed} as written in ${country}`, async () => {
      stage.store.country = country;
      await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
      const id = idOf(ASHA, 'wamid.1');
      await send(ASHA, 'wamid.2', answers(id, { contact_phone: typed }));
      expect(await stage.order(id)).to.include({ contactPhone: retained });
    });

  it('accepts answers only from the order’s own conversation, and none after cancellation', async () => {
    await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
    const id = idOf(ASHA, 'wamid.1');
    await send(ISMAIL, 'wamid.2', answers(id, {}));
    await send(ISMAIL, 'wamid.3', answers('not-an-order', {}));
    expect(await stage.order(id)).not.to.have.property('checkedOutAt');
    expect(await stage.queued(ISMAIL)).to.deep.equal([]);
    await move(id, 'cancelled');
    await send(ASHA, 'wamid.4', answers(id, {}));
    expect(await lastText(ASHA)).to.include('can no longer');
  });

  it('notifies the customer of the statuses that the store chose, and records the delivery of each message', async () => {
    await send(ASHA, 'wamid.1', cart(['SHIRT-M', 5]));
    const id = idOf(ASHA, 'wamid.1');
    const [summary] = await stage.queued(ASHA);
    await stage.accept(ASHA, summary!.messageId);
    await send(ASHA, 'wamid.2', answers(id, {}));
    expect(await stage.order(id)).to.include({ deliveryFeeCents: 0, totalCents: 60_00 });
    for (const status of ['preparing', 'out_for_delivery', 'cancelled'] as const) await move(id, status);
    await stage.quiet();
    const reported = (await stage.queued(ASHA)).filter(({ purpose }) => purpose?.kind === 'order_status');
    expect(reported.map(({ purpose }) => (purpose as { status: string }).status)).to.deep.equal([
      'preparing',
      'cancelled',
    ]);
    await stage.accept(ASHA, reported[0]!.messageId);
    await stage.fail(ASHA, reported[0]!.messageId, 'The customer has blocked the store.');
    await stage.fail(ASHA, reported[1]!.messageId, 'Outside the window.');
    await stage.quiet();
    const history = (await stage.order(id))?.events.map(({ kind, toStatus, note }) => [kind, toStatus, note]);
    expect(history).to.deep.equal([
      ['created', 'new', undefined],
      ['summary_sent', undefined, undefined],
      ['checkout', undefined, undefined],
      ['status_changed', 'preparing', undefined],
      ['status_changed', 'out_for_delivery', undefined],
      ['status_changed', 'cancelled', undefined],
      ['customer_notified', 'preparing', undefined],
      ['customer_not_notified', 'preparing', 'The customer has blocked the store.'],
      ['customer_not_notified', 'cancelled', 'Outside the window.'],
    ]);
  });

  it('assigns an order to the team that had the chat when the cart arrived', async () => {
    const [sales, service] = [derivedId('team', 'Sales'), derivedId('team', 'Service')];
    const give = (teamId: string) =>
      stage.commands.decide(
        stage.context('route'),
        conversation,
        conversationOf(ASHA),
        routeConversation({ teamId, by: 'default' }),
      );
    const teams = async (): Promise<unknown[]> => {
      const [row, single] = await Promise.all(['orderRows', 'orders'].map((name) => stage.views.get(name, id)));
      return [row?.keys.teamId, single?.keys.teamId];
    };
    const id = idOf(ASHA, 'wamid.1');
    await send(ASHA, 'wamid.0', { type: 'text', text: 'Hello' });
    await give(sales);
    await send(ASHA, 'wamid.1', cart(['SCARF', 1]));
    expect(await teams()).to.deep.equal([sales, sales]);
    await give(service);
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(await teams()).to.deep.equal([sales, sales]);
    await send(ISMAIL, 'wamid.2', cart(['SCARF', 1]));
    const other = await stage.views.get('orderRows', idOf(ISMAIL, 'wamid.2'));
    expect([other?.keys.number, other?.keys.teamId]).to.deep.equal([2, null]);
  });

  it('numbers the carts of many customers from 1 without gaps, also when every task runs twice', async () => {
    const customers = Array.from({ length: 40 }, (_, i) => `+2526160000${String(i).padStart(2, '0')}`);
    await Promise.all(customers.map((customer) => stage.receive(customer, `wamid.${customer}`, cart(['SCARF', 1]))));
    await stage.quiet();
    const numbers = async (): Promise<unknown[]> =>
      (
        await stage.views.find('orderRows', {
          where: { workspaceId: STORE },
          sort: ['-createdAt', '-number'],
          limit: 100,
        })
      ).map(({ keys }) => keys.number);
    const first = await numbers();
    expect([...first].sort((a, b) => Number(a) - Number(b))).to.deep.equal(customers.map((_, i) => i + 1));
    const head = await stage.events.head();
    await processors.stop();
    await stage.work.dropCheckpoint('processor_orderIntake');
    await stage.work.dropCheckpoint('processor_orderMessages');
    await stage.startProcessors();
    await stage.quiet();
    expect(await numbers()).to.deep.equal(first);
    expect(await stage.events.head(), 'nothing was appended').to.equal(head);
  });

  it('numbers without gaps when no item of a numbered cart is left in the catalog', async () => {
    const id = idOf(ASHA, 'wamid.1');
    await stage.commands.decide(stage.context('crash'), orderNumbers, STORE, assignNumber(id));
    await send(ASHA, 'wamid.1', cart(['GONE', 1]));
    expect(await stage.order(id)).to.include({ number: 1, status: 'cancelled', itemCount: 0, totalCents: 0 });
    await send(ASHA, 'wamid.2', cart(['SCARF', 1]));
    expect(await stage.order(idOf(ASHA, 'wamid.2'))).to.include({ number: 2 });
  });
});

describe('texts to customers', () => {
  it('fit the channel’s limits in each language, for any order', () => {
    const line = { productExternalId: 'P', retailerId: 'R', quantity: 99, unitPriceCents: 100_000_000_000 };
    fc.assert(
      fc.property(
        fc.constantFrom('en' as const, 'so' as const, 'ar' as const),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (locale, lines, leftOut) => {
          const content = summary(
            locale,
            {
              number: 1_000_000,
              lines: Array.from({ length: lines }, () => ({
                ...line,
                name: 'n'.repeat(200),
                size: 's'.repeat(100),
                color: 'c'.repeat(100),
              })),
              totals: { subtotalCents: 0, discountCents: 9e14, deliveryFeeCents: 0, totalCents: 1e15 },
            },
            { form: offeredForm(), choices: settings },
            {
              leftOut: Array.from({ length: leftOut }, () => ({ retailerId: 'r'.repeat(100), why: 'too_many_items' })),
            },
          );
          expect(content.text.length).to.be.at.most(1024);
        },
      ),
    );
  });
});
