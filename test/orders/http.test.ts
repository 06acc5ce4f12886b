import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { checkOutOrder } from '../../domain/orders/checkout.js';
import { order, placeOrder } from '../../domain/orders/order.js';
import type { Fulfilment } from '../../domain/orders/orderEvents.js';
import { priceOrder } from '../../domain/pricing/pricing.js';
import type { ApiServer } from '../support/stages/apiServer.js';
import { KEYS, OTHER_STORE, orderServer } from '../support/stages/orderServer.js';
import { type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const NOBODY = '99999999-9999-4999-8999-999999999999';

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers as any client without types would
type Body = any;

describe('orders and delivery over HTTP', () => {
  let stage: OrderStage;
  let server: ApiServer;
  let url: string;
  let count = 0;

  before(async () => {
    stage = await orderStage();
    server = await orderServer(stage);
    url = server.url;
  });
  after(async () => {
    await server.close();
    await stage.close();
  });

  interface Requested {
    key?: string;
    body?: unknown;
    store?: string;
    headers?: Record<string, string>;
  }
  async function call(
    method: string,
    path: string,
    requested: Requested = {},
  ): Promise<{ status: number; body: Body; headers: Headers }> {
    const { key = 'sk_test_all', body, store = STORE, headers = {} } = requested;
    const answer = await fetch(`${url}/api/v1/workspaces/${store}/commerce${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
  }

  async function place(phone = '+252615550101', fulfilment?: Fulfilment): Promise<string> {
    const number = ++count;
    const id = derivedId('order', number);
    const line = { productExternalId: 'P', retailerId: 'P', name: 'Scarf', quantity: 1, unitPriceCents: 5_50 };
    const totals = { subtotalCents: 5_50, discountCents: 0, deliveryFeeCents: 0, totalCents: 5_50 };
    const placed = { number, lines: [line], totals, currency: 'USD' as const, customerPhone: phone };
    await stage.commands.decide(stage.context(`place ${number}`), order, id, placeOrder(placed));
    if (fulfilment !== undefined) {
      const handover = fulfilment === 'pickup' ? { fulfilment } : { fulfilment, areaFeeCents: 1_00 };
      const answers = { fulfilment, requestLocation: false, ...priceOrder([line], handover) };
      await stage.commands.decide(stage.context(`check out ${number}`), order, id, checkOutOrder(answers));
    }
    await stage.projections.waitFor(['orders', 'orderRows'], await stage.events.head(), 5_000);
    return id;
  }

  describe('one order', () => {
    it('is returned with its items and history', async () => {
      const id = await place('+252615550101', 'delivery');
      const { status, body } = await call('GET', `/orders/${id}`, { key: 'sk_test_view' });
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        id,
        status: 'new',
        nextStatuses: ['preparing', 'cancelled'],
        fulfilment: 'delivery',
        currency: 'USD',
        subtotalCents: 5_50,
        deliveryFeeCents: 1_00,
        totalCents: 6_50,
        itemCount: 1,
      });
      expect(body.items).to.have.lengthOf(1);
      expect(body.events.map(({ kind }: Body) => kind)).to.deep.equal(['created', 'checkout']);
    });

    it('changes status up to delivered; going back or repeating is rejected', async () => {
      const id = await place('+252615550101', 'delivery');
      const set = (body: object) => call('POST', `/orders/${id}/status`, { body });
      expect((await set({ status: 'delivered' })).body).to.include({ status: 409, code: 'order_status_not_allowed' });
      for (const status of ['preparing', 'out_for_delivery', 'delivered'])
        expect((await set({ status, note: `now ${status}` })).body).to.include({ status });
      for (const status of ['delivered', 'preparing', 'cancelled'])
        expect((await set({ status })).body).to.include({ status: 409, code: 'order_status_not_allowed' });
      const { body } = await call('GET', `/orders/${id}`);
      expect(body.nextStatuses).to.deep.equal([]);
      expect(body.events.at(-1)).to.deep.include({
        kind: 'status_changed',
        fromStatus: 'out_for_delivery',
        toStatus: 'delivered',
        note: 'now delivered',
        actorType: 'api_key',
        actorId: KEYS.sk_test_all?.keyId,
      });
    });

    it('answers 404 for every operation if it is unknown or of another store', async () => {
      const id = await place();
      const foreign = { key: 'sk_test_other', store: OTHER_STORE };
      for (const [requested, path] of [
        [foreign, id],
        [{}, NOBODY],
        [{ key: 'sk_test_other' }, id],
      ] as [Requested, string][]) {
        const answers = [
          await call('GET', `/orders/${path}`, requested),
          await call('POST', `/orders/${path}/cancel`, requested),
          await call('POST', `/orders/${path}/status`, { ...requested, body: { status: 'cancelled' } }),
        ];
        for (const { status, body } of answers) expect([status, body.code]).to.deep.equal([404, 'not_found']);
      }
      expect((await call('GET', '/orders/7')).status).to.equal(422);
      expect((await call('GET', `/orders/${id}`)).body.status).to.equal('new');
    });

    it('changes status once when two clients change it at the same time', async () => {
      const id = await place('+252615550101', 'pickup');
      const both = await Promise.all(
        ['preparing', 'preparing', 'cancelled'].map((status) =>
          call('POST', `/orders/${id}/status`, { body: { status } }),
        ),
      );
      const { body } = await call('GET', `/orders/${id}`);
      const moves = body.events.filter(({ kind }: Body) => kind === 'status_changed');
      expect(both.filter(({ status }) => status === 200)).to.have.lengthOf(moves.length);
      expect(moves.filter(({ toStatus }: Body) => toStatus === 'preparing')).to.have.lengthOf.at.most(1);
      expect(both.filter(({ status }) => status !== 200).map(({ status }) => status)).to.deep.equal([409]);
    });

    it('replays the first response for a repeated Idempotency-Key', async () => {
      const id = await place('+252615550101', 'pickup');
      const requested = { body: { status: 'preparing' }, headers: { 'Idempotency-Key': 'once' } };
      const first = await call('POST', `/orders/${id}/status`, requested);
      const second = await call('POST', `/orders/${id}/status`, requested);
      expect(second.body).to.deep.equal(first.body);
      expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
    });
  });

  describe('the list of orders', () => {
    const ids = (body: Body): string[] => body.orders.map(({ id }: Body) => id);
    const mine = '+252617770001';
    let placed: string[];

    before(async () => {
      placed = [];
      for (const fulfilment of ['delivery', 'pickup', undefined, 'delivery', undefined] as const)
        placed.unshift(await place(mine, fulfilment));
      await call('POST', `/orders/${placed[0]}/cancel`);
      await call('POST', `/orders/${placed[1]}/status`, { body: { status: 'preparing' } });
    });

    it('returns the newest first, in pages, without items and events', async () => {
      const seen: string[] = [];
      let query = `?phone=${encodeURIComponent(mine)}&limit=2`;
      for (let pages = 1; ; pages++) {
        const { status, body } = await call('GET', `/orders${query}`);
        expect(status).to.equal(200);
        for (const row of body.orders) expect(row).not.to.have.any.keys('items', 'events');
        seen.push(...ids(body));
        if (body.next === undefined) {
          expect(pages).to.equal(3);
          break;
        }
        query = `?phone=${encodeURIComponent(mine)}&limit=2&cursor=${body.next}`;
      }
      expect(seen).to.deep.equal(placed);
    });

    const filters: [string, (all: readonly string[]) => (string | undefined)[]][] = [
      ['status=cancelled', (all) => [all[0]]],
      ['status=preparing,cancelled', (all) => [all[0], all[1]]],
      ['status=new,preparing&fulfilment=delivery', (all) => [all[1], all[4]]],
      ['fulfilment=pickup', (all) => [all[3]]],
      ['fulfilment=pickup&status=delivered', () => []],
      ['checkedOut=true', (all) => [all[1], all[3], all[4]]],
      ['checkedOut=false', (all) => [all[0], all[2]]],
      ['checkedOut=false&status=new', (all) => [all[2]]],
      ['checkedOut=true&fulfilment=pickup', (all) => [all[3]]],
      ['checkedOut=false&fulfilment=pickup', () => []],
      ['to=2020-01-01T00:00:00Z', () => []],
      ['from=2020-01-01T00:00:00Z&status=cancelled', (all) => [all[0]]],
    ];
    for (const [query, expected] of filters)
      it(`filters by ${query}, with and without the customer's number`, async () => {
        const { body } = await call('GET', `/orders?phone=${mine.slice(1)}&${query}`);
        expect(ids(body)).to.deep.equal(expected(placed));
        const wide = await call('GET', `/orders?limit=200&${query}`);
        expect(wide.status).to.equal(200);
        expect(ids(wide.body).filter((id) => placed.includes(id))).to.deep.equal(expected(placed));
      });

    it('accepts a customer’s number in any common spelling, also with a plus that became a space', async () => {
      for (const phone of ['+252617770001', '00252%2061-777%200001', '%2B252%20617770001'])
        expect(ids((await call('GET', `/orders?phone=${phone}`)).body)).to.deep.equal(placed);
    });

    it('finds an order by number, and applies the other filters', async () => {
      const { number, createdAt } = (await call('GET', `/orders/${placed[2]}`)).body;
      const found = async (query: string) => ids((await call('GET', `/orders?number=${number}${query}`)).body);
      expect(await found('')).to.deep.equal([placed[2]]);
      expect(await found(`&status=new&checkedOut=false&from=${createdAt}&phone=${mine.slice(1)}`)).to.deep.equal([
        placed[2],
      ]);
      const others = [
        '&status=paid',
        '&checkedOut=true',
        '&fulfilment=pickup',
        `&to=${createdAt}`,
        '&phone=%2B252617770099',
      ];
      for (const other of others) expect(await found(other), other).to.deep.equal([]);
      expect((await call('GET', '/orders?number=999999')).body).to.deep.equal({ orders: [] });
    });

    it('rejects invalid filters by name', async () => {
      for (const [query, where] of [
        ['status=new,lost', 'query.status[1]'],
        ['status=', 'query.status'],
        ['fulfilment=drone', 'query.fulfilment'],
        ['checkedOut=maybe', 'query.checkedOut'],
        ['number=x', 'query.number'],
        ['from=yesterday', 'query.from'],
        ['to=2026-13-01T00:00:00Z', 'query.to'],
        ['limit=201', 'query.limit'],
        ['limit=0', 'query.limit'],
      ]) {
        const { status, body } = await call('GET', `/orders?${query}`);
        expect([status, body.errors?.[0]?.location], query).to.deep.equal([422, where]);
      }
      expect((await call('GET', '/orders?cursor=nonsense')).body.code).to.equal('invalid_cursor');
    });

    it('shows a store only its own orders', async () => {
      const { body } = await call('GET', '/orders', { key: 'sk_test_other', store: OTHER_STORE });
      expect(body).to.deep.equal({ orders: [] });
    });
  });

  describe('delivery settings', () => {
    const settings = {
      deliveryEnabled: true,
      pickupEnabled: false,
      pickupAddress: 'x'.repeat(500),
      requestLocation: true,
      notifyStatuses: [
        'awaiting_payment',
        'paid',
        'preparing',
        'out_for_delivery',
        'delivered',
        'cancelled',
        'refunded',
      ],
      areas: [
        { name: 'Hodan', feeCents: 0, active: true },
        { name: 'n'.repeat(30), feeCents: 100_000_000_000, active: false },
      ],
      freeDeliveryAboveCents: 100_000_000_000,
      cartValidDays: 365,
    };
    const save = (changes: object) => call('PUT', '/delivery', { body: { ...settings, ...changes } });

    it('have defaults, are replaced as a whole, and keep the ids of areas', async () => {
      const other = { key: 'sk_test_other', store: OTHER_STORE };
      expect((await call('GET', '/delivery', other)).body).to.deep.include({
        saved: false,
        areas: [],
        deliveryEnabled: false,
      });
      const { status, body } = await save({});
      expect(status).to.equal(200);
      const areas = settings.areas.map((area, i) => ({ ...area, id: body.areas[i].id }));
      expect(body).to.deep.equal({ ...settings, areas, saved: true });
      const head = await stage.events.head();
      expect((await save({ areas })).body).to.deep.equal(body);
      expect(await stage.events.head(), 'nothing changed').to.equal(head);
      const renamed = await save({ areas: [{ ...areas[0], id: areas[0]!.id.toUpperCase(), name: 'Hodan East' }] });
      expect(renamed.body.areas).to.deep.equal([{ ...areas[0], name: 'Hodan East' }]);
      expect((await call('GET', '/delivery')).body).to.deep.equal(renamed.body);
    });

    it('reject every value beyond its limit, with its path', async () => {
      const area = { name: 'A', feeCents: 0, active: true };
      const wrong: [object, string][] = [
        [{ pickupAddress: 'x'.repeat(501) }, 'body.pickupAddress'],
        [{ notifyStatuses: ['new'] }, 'body.notifyStatuses[0]'],
        [{ notifyStatuses: Array(8).fill('paid') }, 'body.notifyStatuses'],
        [{ areas: Array.from({ length: 101 }, (_, i) => ({ ...area, name: `A${i}` })) }, 'body.areas'],
        [{ areas: [{ ...area, name: '' }] }, 'body.areas[0].name'],
        [{ areas: [{ ...area, name: 'x'.repeat(31) }] }, 'body.areas[0].name'],
        [{ areas: [{ ...area, feeCents: -1 }] }, 'body.areas[0].feeCents'],
        [{ areas: [{ ...area, feeCents: 100_000_000_001 }] }, 'body.areas[0].feeCents'],
        [{ areas: [{ ...area, feeCents: 1.5 }] }, 'body.areas[0].feeCents'],
        [{ areas: [{ ...area, colour: 'red' }] }, 'body.areas[0].colour'],
        [{ areas: [area, { ...area, name: 'a' }] }, 'body.areas[1].name'],
        [{ areas: [{ ...area, id: NOBODY }] }, 'body.areas[0].id'],
        [{ areas: [{ ...area, active: false }] }, 'body.areas'],
        [{ freeDeliveryAboveCents: -1 }, 'body.freeDeliveryAboveCents'],
        [{ cartValidDays: -1 }, 'body.cartValidDays'],
        [{ cartValidDays: 366 }, 'body.cartValidDays'],
        [{ cartValidDays: 1.5 }, 'body.cartValidDays'],
        [{ saved: true }, 'body.saved'],
        [{ requestLocation: undefined }, 'body.requestLocation'],
      ];
      for (const [changes, location] of wrong) {
        const { status, body } = await save(changes);
        expect([status, body.code, body.errors?.[0]?.location], JSON.stringify(changes).slice(0, 80)).to.deep.equal([
          422,
          'validation_failed',
          location,
        ]);
      }
      expect((await call('GET', '/delivery', { key: 'sk_test_view' })).status).to.equal(403);
    });
  });
});
