/**
 * A store that closes, or whose plan loses its orders, while customers are placing orders. Tests the whole service over
 * HTTP.
 */
import { expect } from 'chai';
import { operations } from '../../api/operations/index.js';
import { text } from '../../application/texts/texts.js';
import { type Body, isProblem } from '../support/conformance/answers.js';
import {
  type ConformanceStage,
  conformanceStage,
  featuresWithout,
  operationNamed,
  type Partner,
  product,
  type Store,
} from '../support/conformance/stage.js';
import { until } from '../support/doubles/fakeClock.js';

const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];
const CLOSED = text('en', 'orders.closed');
let customers = 0;

describe('customers of a store that closes', () => {
  let stage: ConformanceStage;
  let stores = 0;

  const call = (id: string, store: Store, requested: { body?: object; params?: Record<string, string> } = {}) =>
    stage.call(operationNamed(operations, id), requested, store);

  async function sandbox<A = Body>(path: string, body?: object): Promise<A> {
    const answer = await fetch(`${stage.sandboxUrl}/sandbox/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(answer.status, path).to.be.within(200, 201);
    return answer.json() as A;
  }

  /** A store of `partner` that sells a shirt, delivers it and takes payments. */
  async function openStore(partner: Partner = stage.main): Promise<Store> {
    const store = await stage.addStore(partner, `closing-${++stores}`);
    await call('upsertProduct', store, { params: { externalId: 'shirt' }, body: product() });
    const areas = [{ name: 'Hodan', feeCents: 100, active: true }];
    const delivers = { deliveryEnabled: true, pickupEnabled: true, pickupAddress: '', requestLocation: true };
    const settings = { ...delivers, notifyStatuses: ['paid', 'refunded'], areas };
    expect((await call('saveDeliverySettings', store, { body: settings })).status).to.equal(200);
    const key = { merchantId: 'M0912269', apiKey: '1000297:API-1901083745AHX' };
    await call('savePaymentSettings', store, { body: key });
    await call('savePaymentWallets', store, { body: { wallets: ['zaad'] } });
    return store;
  }

  interface Customer {
    readonly phone: string;
    send(message: object): Promise<void>;
    /** The last message to the customer. */
    last(): Promise<string>;
    hears(words: string): Promise<void>;
    /** Sends a cart. Returns the order's id. */
    orders(): Promise<string>;
    fills(token: string, fields?: object): Promise<void>;
    /** Waits for the question about the number to pay with, and confirms the number. */
    confirms(): Promise<void>;
  }

  function customerOf(store: Store): Customer {
    const phone = `25261${2_000_000 + ++customers}`;
    const place = `numbers/${store.channel.phoneNumberId}/customers/${phone}/messages`;
    const texts = async () => JSON.stringify((await sandbox<{ messages: Body[] }>(place)).messages.at(-1) ?? {});
    const customer: Customer = {
      phone,
      send: async (message) => void (await sandbox(place, message)),
      last: texts,
      hears: (words) => until(`the customer receives: ${words}`, async () => (await texts()).includes(words)),
      async orders() {
        await customer.send({ cart: { items: [{ retailerId: 'shirt' }] } });
        await customer.hears(text('en', 'orders.checkOutBelow'));
        const list = async (): Promise<Body[]> =>
          (await stage.call(operationNamed(operations, 'listOrders'), { query: { phone } }, store)).body.orders;
        await until('the order is listed', async () => (await list()).length > 0);
        return (await list())[0]!.id;
      },
      fills: (flowToken, fields = {}) => customer.send({ checkout: { flowToken, ...fields } }),
      async confirms() {
        await customer.hears('not the number of this chat');
        await customer.send({ choice: { title: text('en', 'payments.numberIsRight') } });
      },
    };
    return customer;
  }

  const orderOf = async (store: Store, orderId: string): Promise<Body> =>
    (await call('getOrder', store, { params: { orderId } })).body;
  const statusIs = (store: Store, orderId: string, status: string) =>
    until(`the order is ${status}`, async () => (await orderOf(store, orderId)).status === status);
  const charges = async (orderId: string): Promise<Body[]> =>
    (await sandbox<{ payments: Body[] }>('payments')).payments.filter(({ reference }) => reference.startsWith(orderId));
  const pickup = (wallet_phone: string) => ({ fulfilment: 'pickup', name: 'Asha', wallet_phone });
  const own = ({ phone }: Customer) => pickup(phone);

  before(async () => {
    stage = await conformanceStage();
  });
  after(() => stage.close());

  const externalRef = (store: Store) => ({ params: { externalRef: store.externalRef } });
  const ways: Record<string, { close(store: Store): Promise<unknown>; open(store: Store): Promise<unknown> }> = {
    'its partner closed': {
      close: (store) => call('closePartnerStore', store, externalRef(store)),
      open: (store) => call('updatePartnerStore', store, { ...externalRef(store), body: { status: 'active' } }),
    },
    'the operator suspended': {
      close: (store) => stage.operator('stores.suspend', { workspace: store.workspaceId }),
      open: (store) => stage.operator('stores.reinstate', { workspace: store.workspaceId }),
    },
  };
  for (const [how, { close, open }] of Object.entries(ways))
    it(`in a store that ${how}: older forms and pins are rejected, and accepted when it reopens`, async () => {
      const store = await openStore();
      const [cart, checkout, payment, pin] = [1, 2, 3, 4].map(() => customerOf(store)) as [
        Customer,
        Customer,
        Customer,
        Customer,
      ];
      const form = await checkout.orders();
      const failed = await payment.orders();
      await payment.fills(failed, pickup('252615559901'));
      await payment.confirms();
      await payment.hears(text('en', 'payments.why.cancelled'));
      const brought = await pin.orders();
      await pin.fills(brought, { fulfilment: 'delivery', area: 'Hodan', name: 'Asha', wallet_phone: '252615559901' });
      await pin.confirms();
      await pin.hears(text('en', 'payments.why.cancelled'));
      await close(store);

      const place = { location: { latitude: 2.0371, longitude: 45.3438 } };
      const turn = async () => {
        await cart.send({ cart: { items: [{ retailerId: 'shirt' }] } });
        await checkout.fills(form, own(checkout));
        await payment.fills(`${failed}.2`, { wallet_phone: payment.phone });
        await pin.send(place);
      };
      await turn();
      for (const one of [cart, checkout, pin]) await one.hears(CLOSED);
      await payment.hears(text('en', 'payments.closed'));
      expect(await orderOf(store, form)).to.include({ status: 'new' });
      expect(await orderOf(store, failed)).to.include({ status: 'awaiting_payment' });
      expect(await orderOf(store, brought)).to.not.have.property('location');
      expect(await charges(form)).to.deep.equal([]);
      expect(await charges(failed)).to.have.length(1);

      await open(store);
      await turn();
      await statusIs(store, form, 'paid');
      await statusIs(store, failed, 'paid');
      await until('the pin is accepted', async () => 'location' in (await orderOf(store, brought)));
      await cart.hears(text('en', 'orders.checkOutBelow'));
    });

  for (const [how, reopens] of [
    ['', false],
    [', also when it is open again before the approval', true],
  ] as const)
    it(`are refunded when it closes in the meantime${how}, and nobody is notified of a payment`, async () => {
      const store = await openStore();
      const events = ['order.paid', 'order.status_changed'];
      const hook = { url: stage.hooks.url, events };
      await call('createWebhookEndpoint', store, { body: hook });
      const asha = customerOf(store);
      const id = await asha.orders();
      await asha.fills(id, pickup('252615559905'));
      await asha.confirms();
      await until('the customer is asked', async () => (await charges(id)).length === 1);
      await call('closePartnerStore', store, externalRef(store));
      if (reopens) await call('updatePartnerStore', store, { ...externalRef(store), body: { status: 'active' } });
      await sandbox(`payments/${id}.1`, { state: 'APPROVED' });
      await statusIs(store, id, 'refunded');
      expect((await charges(id))[0]).to.include({ reversed: true, asked: 1 });
      const moves = (await orderOf(store, id)).events.filter(({ kind }: Body) => kind === 'status_changed');
      const notes = moves.map(({ toStatus, note }: Body) => [toStatus, note]).slice(-2);
      expect(notes).to.deep.equal([
        [
          'cancelled',
          'The store stopped taking orders while the customer was paying; the payment goes back to the customer.',
        ],
        ['refunded', 'The store had stopped taking orders while the customer was paying.'],
      ]);
      await asha.hears(text('en', 'orders.status.refunded', { number: 1 }));
      const notify = () => stage.hooks.received.map(({ raw }) => String(raw)).filter((body) => body.includes(id));
      const heard = (type: string) => notify().some((body) => body.includes(`"type":"${type}"`));
      await until('the endpoint has received the end', async () => heard('order.status_changed'));
      expect(heard('order.paid')).to.equal(false);
    });

  it('are refunded by its store, which can do nothing else with orders', async () => {
    const store = await openStore();
    const asha = customerOf(store);
    const id = await asha.orders();
    await asha.fills(id, own(asha));
    await statusIs(store, id, 'paid');
    const params = { orderId: id };
    const next = async () => {
      const { orders } = (await call('listOrders', store)).body;
      return [...orders, await orderOf(store, id)].map(({ nextStatuses }: Body) => nextStatuses);
    };
    const open = ['preparing', 'cancelled'];
    expect(await next()).to.deep.equal([open, open]);
    await call('closePartnerStore', store, externalRef(store));
    expect(await next(), 'what the store may set now').to.deep.equal([['cancelled'], ['cancelled']]);
    for (const status of ['preparing', 'cancelled'])
      isProblem(await call('setOrderStatus', store, { params, body: { status } }), 403, 'store_closed');
    const cancelled = await call('cancelOrder', store, { params, body: { reason: 'We are closed.' } });
    expect(cancelled.status).to.equal(200);
    // The refund may be complete before the answer is read.
    expect(cancelled.body.status).to.be.oneOf(['cancelled', 'refunded']);
    expect(await next()).to.deep.equal([[], []]);
    await statusIs(store, id, 'refunded');
    expect((await charges(id))[0]).to.include({ reversed: true });
    const moves = (await orderOf(store, id)).events.filter(({ kind }: Body) => kind === 'status_changed');
    expect(moves.map(({ toStatus }: Body) => toStatus).slice(-2)).to.deep.equal(['cancelled', 'refunded']);
  });

  it("get the closed-store texts if the store's plan has no orders, until it has them again", async () => {
    const partner = await stage.addPartner('changing-plan', FEATURES);
    const plan = (features: readonly string[]) =>
      stage.operator('plans.put', { key: 'changing-plan', name: 'P', features: features.map((key) => ({ key })) });
    const store = await openStore(partner);
    const [before, under, cart] = [customerOf(store), customerOf(store), customerOf(store)];
    const form = await before.orders();
    const paying = await under.orders();
    await under.fills(paying, pickup('252615559905'));
    await under.confirms();
    await until('the customer is asked', async () => (await charges(paying)).length === 1);
    await plan(featuresWithout('commerce.orders'));
    isProblem(await call('getOrder', store, { params: { orderId: form } }), 403, 'feature_not_available');
    await before.fills(form, own(before));
    await before.hears(CLOSED);
    await cart.send({ cart: { items: [{ retailerId: 'shirt' }] } });
    await cart.hears(CLOSED);
    await sandbox(`payments/${paying}.1`, { state: 'APPROVED' });
    await until('the money is refunded', async () => (await charges(paying))[0]!.reversed === true);
    await plan(FEATURES);
    await statusIs(store, paying, 'refunded');
    expect(await charges(form)).to.deep.equal([]);
    await before.fills(form, own(before));
    await statusIs(store, form, 'paid');
    const { body } = await call('listOrders', store);
    expect(
      body.orders.map(({ number }: Body) => number),
      'the cart is none',
    ).to.have.members([1, 2]);
  });
});
