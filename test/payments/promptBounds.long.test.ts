/** Payment prompts to phones: no prompt without the customer's confirmation, and none beyond the limits. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { Charge, PaymentProvider } from '../../application/ports/paymentProvider.js';
import { text } from '../../application/texts/texts.js';
import { allowPrompt, MOST_PROMPTS, paymentPrompts, promptLimit } from '../../domain/payments/prompts.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';
import { confirmsNumber, isRequested, tapPayer } from '../support/stages/payerConfirmation.js';

const ASHA = '+252615550101';
const STRANGER = '+252619990000';
const HOUR = 3_600_000;
const PER_HOUR = MOST_PROMPTS.payer.hour;
const settings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: [],
  areas: [],
};

describe('payment prompts in the chat', () => {
  let clock: FakeClock;
  let stage: OrderStage;
  let charges: Charge[];
  let messages = 0;

  /** Provider whose wallets are all empty. */
  const provider: PaymentProvider = {
    async charge(_, charge) {
      charges.push(charge);
      return { state: 'failed', reason: 'insufficient_funds' };
    },
    find: async () => ({ state: 'none' }),
    refund: async () => ({ state: 'refunded', refundId: 'r' }),
    check: async () => 'accepted',
  };
  const print = async (content: Parameters<OrderStage['receive']>[2], customer = ASHA): Promise<string> => {
    const id = `wamid.${++messages}`;
    await stage.receive(customer, id, content);
    return id;
  };
  const fill = (token: string, fields: object, customer?: string) =>
    print({ type: 'flow_reply', fields: { flow_token: token, wallet: 'zaad', ...fields } }, customer);
  const cart = async (customer = ASHA): Promise<string> => {
    const id = await print({ type: 'order', items: [{ productRetailerId: 'SCARF', quantity: 1 }] }, customer);
    await stage.quiet();
    return orderIdOf(conversationOf(customer), id);
  };
  const checkOut = async (id: string, payer: string, customer = ASHA): Promise<void> => {
    await fill(id, { fulfilment: 'pickup', name: 'Asha', wallet_phone: payer }, customer);
  };
  const last = async (customer = ASHA): Promise<string> => (await stage.queued(customer)).at(-1)!.content.text;
  const types = async (id: string) => (await stage.events.readStream(`order-${id}`)).map(({ type }) => type);
  /** Returns the command handler of another instance, with nothing cached. */
  const another = () =>
    createCommandHandler({
      eventStore: stage.events,
      snapshots: { load: async () => undefined, save: async () => undefined },
      clock,
      sharedStore: true,
    });

  beforeEach(async () => {
    charges = [];
    clock = fakeClock();
    stage = await orderStage({ provider, clock });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.saveDelivery(settings);
    await stage.takePayments(['zaad']);
    await stage.startProcessors();
  });
  afterEach(() => stage.close());

  for (const locale of ['en', 'so', 'ar'] as const)
    it(`stop at the limit of the phone, across new orders, until an hour has passed, in ${locale}`, async () => {
      stage.store.locale = locale;
      for (let n = 0; n < PER_HOUR; n += 1) {
        await checkOut(await cart(), ASHA);
        await stage.quiet();
        expect(charges).to.have.length(n + 1);
      }
      const id = await cart();
      await stage.quiet();
      await checkOut(id, ASHA);
      await stage.quiet();
      expect(charges).to.have.length(PER_HOUR);
      expect(await last()).to.include(text(locale, 'payments.limit.hour'));
      expect(await stage.order(id)).to.include({ status: 'new' });
      await clock.advance(HOUR);
      await checkOut(id, ASHA);
      await stage.quiet();
      expect(charges).to.have.length(PER_HOUR + 1);
    });

  it('stop at the limit across attempts of one order, and the retry form stays valid', async () => {
    const id = await cart();
    await checkOut(id, ASHA);
    for (let n = 2; n <= PER_HOUR; n += 1) {
      await stage.quiet();
      await fill(`${id}.${n}`, {});
    }
    await stage.quiet();
    const form = `${id}.${PER_HOUR + 1}`;
    await fill(form, {});
    await stage.quiet();
    expect(charges).to.have.length(PER_HOUR);
    expect(await last()).to.equal(text('en', 'payments.limit.hour'));
    await clock.advance(HOUR);
    await fill(form, {});
    await stage.quiet();
    expect(charges).to.have.length(PER_HOUR + 1);
  });

  it('are limited exactly when many customers use one phone at once, also with a second instance', async () => {
    const customers = Array.from({ length: 12 }, (_, n) => `+25261555${String(n).padStart(4, '0')}`);
    const orders = new Map<string, string>();
    for (const customer of customers) orders.set(customer, await cart(customer));
    await stage.quiet();
    for (const [customer, id] of orders) await checkOut(id, STRANGER, customer);
    await stage.quiet();
    expect(charges, 'nobody has confirmed it').to.deep.equal([]);
    const other = another();
    await Promise.all([
      ...[...orders].map(([customer, id]) => confirmsNumber(stage, customer, `${id}.1`)),
      other
        .decide(
          stage.context('other'),
          paymentPrompts,
          STORE,
          allowPrompt({ reference: 'elsewhere.1', customer: 'elsewhere', payer: STRANGER }, clock.now()),
        )
        .catch(() => undefined),
    ]);
    await stage.quiet();
    const counted = (await stage.events.readStream(`paymentPrompts-${STORE}`)).filter(
      ({ type }) => type === 'PaymentPromptAllowed',
    );
    expect(counted).to.have.length(PER_HOUR);
    expect(charges).to.have.length(counted.filter(({ data }) => !JSON.stringify(data).includes('elsewhere')).length);
    const failures = await Promise.all([...orders.values()].map((id) => stage.order(id)));
    const notes = failures.map((order) => order?.events.at(-1)?.note);
    expect(notes.filter((note) => note?.startsWith('Too many'))).to.have.length(customers.length - charges.length);
    const reported = (await Promise.all(customers.map((customer) => last(customer)))).filter((one) =>
      one.includes(text('en', 'payments.why.too_many')),
    );
    expect(reported).to.have.length(customers.length - charges.length);
  });

  it('stay limited after a restart', async () => {
    for (let n = 0; n < PER_HOUR; n += 1) {
      await checkOut(await cart(), ASHA);
      await stage.quiet();
    }
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect(charges, 'nothing is sent again').to.have.length(PER_HOUR);
    const requested = { customer: conversationOf(ASHA), payer: ASHA };
    expect(await another().query(paymentPrompts, STORE, promptLimit(requested, clock.now()))).to.equal('hour');
  });

  it("go to another number than the chat's only after the customer confirms it, which is stored", async () => {
    const id = await cart();
    await checkOut(id, STRANGER);
    await stage.quiet();
    expect(charges).to.deep.equal([]);
    expect(await isRequested(stage, ASHA, `${id}.1`)).to.equal(true);
    expect(await last()).to.include(STRANGER);
    // Another customer taps the button of an order that is not theirs.
    await tapPayer(stage, '+252615550199', `${id}.1`, 'wamid.theirs');
    await stage.quiet();
    expect(charges).to.deep.equal([]);
    await tapPayer(stage, ASHA, `${id}.1`, 'wamid.yes');
    await tapPayer(stage, ASHA, `${id}.1`, 'wamid.again');
    await stage.quiet();
    expect(charges.map(({ payer }) => payer)).to.deep.equal([STRANGER]);
    await fill(`${id}.2`, { wallet_phone: STRANGER });
    await stage.quiet();
    expect(charges, 'asked once').to.have.length(2);
    await fill(`${id}.3`, { wallet_phone: '+252619990001' });
    await stage.quiet();
    expect(charges, 'another number is asked about').to.have.length(2);
    expect(await last()).to.include('+252619990001');
  });

  it('end if the customer declines, or does not answer for half an hour', async () => {
    const id = await cart();
    await checkOut(id, STRANGER);
    await stage.quiet();
    await tapPayer(stage, ASHA, `${id}.1`, 'wamid.no', 'no');
    await stage.quiet();
    expect(await last()).to.include(text('en', 'payments.why.not_confirmed'));
    await tapPayer(stage, ASHA, `${id}.1`, 'wamid.late');
    await stage.quiet();
    await fill(`${id}.2`, { wallet_phone: STRANGER });
    await stage.quiet();
    expect(await isRequested(stage, ASHA, `${id}.2`)).to.equal(true);
    await clock.advance(HOUR / 2 - 1_000);
    expect((await types(id)).filter((type) => type === 'OrderPaymentFailed')).to.have.length(1);
    await clock.advance(1_000);
    await stage.quiet();
    expect((await types(id)).filter((type) => type === 'OrderPaymentFailed')).to.have.length(2);
    await fill(`${id}.3`, { wallet_phone: ASHA });
    await stage.quiet();
    expect(charges.map(({ payer }) => payer)).to.deep.equal([ASHA]);
  });
});
