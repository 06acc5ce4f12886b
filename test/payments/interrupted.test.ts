/** Payments while the event store does not answer: sent once, and never left unsent or unrecorded. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { Charge, PaymentOutcome, PaymentProvider } from '../../application/ports/paymentProvider.js';
import { text } from '../../application/texts/texts.js';
import { Fenced } from '../../engine/ports/documents.js';
import { type EventStore, StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { until } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage } from '../support/stages/orderStage.js';
import { isRequested, tapPayer } from '../support/stages/payerConfirmation.js';

const ASHA = '+252615550101';
const settings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: [],
  areas: [],
};
/** Calls that a store refuses before it answers again: more than one command repeats by itself. */
const REFUSALS = 4;

describe('payments while the event store does not answer', () => {
  let stage: OrderStage;
  let running: ProcessorRuntime;
  let charges: Charge[];
  let inquiries: number;
  let outcome: PaymentOutcome;
  let count = 0;
  /** After an event of this type was written, the store refuses calls about this order. */
  let silentAfter: string | undefined;
  let refusals = 0;

  const provider: PaymentProvider = {
    async charge(_, charge) {
      charges.push(charge);
      return outcome;
    },
    async find() {
      inquiries += 1;
      return { state: 'none' };
    },
    refund: async () => ({ state: 'refunded', refundId: 'r' }),
    check: async () => 'accepted',
  };

  function breakStore(events: EventStore): void {
    const { append, readStream } = events;
    const refuse = (stream: string): void => {
      if (refusals === 0 || !stream.startsWith('order-')) return;
      refusals -= 1;
      throw new StoreUnavailable('no answer in time');
    };
    events.append = async (stream, expected, list) => {
      refuse(stream);
      const appended = await append.call(events, stream, expected, list);
      if (silentAfter === undefined || !list.some(({ type }) => type === silentAfter)) return appended;
      silentAfter = undefined;
      refusals = REFUSALS;
      refuse(stream);
      return appended;
    };
    events.readStream = async (...args) => {
      refuse(args[0]);
      return readStream.apply(events, args);
    };
  }

  const send = async (content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(ASHA, id, content);
    return orderIdOf(conversationOf(ASHA), id);
  };
  const answer = (token: string, more: object = {}) =>
    send({
      type: 'flow_reply',
      fields: { flow_token: token, fulfilment: 'pickup', name: 'Asha', wallet: 'zaad', ...more },
    });
  const texts = async () => (await stage.queued(ASHA)).map(({ content }) => content.text);
  const statusIs = (id: string, status: string): Promise<void> =>
    until(`the order is ${status}`, async () => (await stage.order(id))?.status === status);

  beforeEach(async () => {
    charges = [];
    inquiries = 0;
    refusals = 0;
    silentAfter = undefined;
    outcome = { state: 'approved', transactionId: 't1' };
    stage = await orderStage({ provider, unknownMs: 60_000 });
    breakStore(stage.events as { -readonly [M in keyof EventStore]: EventStore[M] });
    await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 10_00 } });
    await stage.saveDelivery(settings);
    await stage.takePayments(['zaad']);
    running = await stage.startProcessors();
  });
  afterEach(() => stage.close());

  async function placed(): Promise<string> {
    const id = await send({ type: 'order', items: [{ productRetailerId: 'SHIRT', quantity: 1 }] });
    await stage.quiet();
    return id;
  }

  it('sends an attempt whose start was written although the write seemed to fail', async () => {
    const id = await placed();
    silentAfter = 'OrderPaymentBegun';
    await answer(id);
    await statusIs(id, 'paid');
    expect(charges).to.have.length(1);
    expect(inquiries, 'nothing is looked up that was never sent').to.equal(0);
  });

  it('records a result that could not be recorded at once', async () => {
    const id = await placed();
    const charge = provider.charge;
    provider.charge = async (...args) => {
      const answered = await charge(...args);
      refusals = REFUSALS;
      return answered;
    };
    outcome = { state: 'failed', reason: 'wrong_pin' };
    await answer(id);
    await until('the reason is reported', async () =>
      (await texts()).some((one) => one.includes(text('en', 'payments.why.wrong_pin'))),
    );
    provider.charge = charge;
    expect(charges).to.have.length(1);
    expect(inquiries).to.equal(0);
  });

  const wrongPinIsReported = (): Promise<void> =>
    until('the reason is reported', async () =>
      (await texts()).some((one) => one.includes(text('en', 'payments.why.wrong_pin'))),
    );

  /** The PIN was wrong; from then on the event store does not answer, and the processors are ended. */
  async function endedWhileRecording(): Promise<void> {
    const id = await placed();
    let ended: Promise<void> | undefined;
    outcome = { state: 'failed', reason: 'wrong_pin' };
    const { charge } = provider;
    provider.charge = async (...args) => {
      provider.charge = charge;
      const answered = await charge(...args);
      refusals = Number.POSITIVE_INFINITY;
      ended = running.stop();
      return answered;
    };
    await answer(id);
    await until('it is charged', () => ended !== undefined);
    await ended;
  }

  it('records a result that an instance could not record before it stopped', async () => {
    await endedWhileRecording();
    refusals = 0;
    await stage.startProcessors();
    await wrongPinIsReported();
    expect(charges).to.have.length(1);
    expect(inquiries).to.equal(0);
  });

  it('records a result also if the task is lost with the lease', async () => {
    stage.work.write = () => Promise.reject(new Fenced('newer'));
    await endedWhileRecording();
    refusals = 0;
    const failed = async () =>
      (await stage.events.readStream(`order-${orderIdOf(conversationOf(ASHA), `wamid.${count - 1}`)}`)).find(
        ({ type }) => type === 'OrderPaymentFailed',
      );
    await until('it is recorded', async () => (await failed()) !== undefined);
    expect((await failed())!.data).to.include({ reason: 'wrong_pin' });
  });

  it('sends the customer instructions for an attempt that an answer started, also if the store fails right after', async () => {
    const id = await placed();
    outcome = { state: 'failed', reason: 'insufficient_funds' };
    await answer(id);
    await until('the form for another payment', async () => (await stage.newestForm(ASHA)).startsWith(`${id}.2`));
    await stage.quiet();
    let decide: () => void = () => undefined;
    provider.charge = async (_, charge) => {
      charges.push(charge);
      await new Promise<void>((resolve) => {
        decide = resolve;
      });
      return { state: 'approved', transactionId: 't2' };
    };
    silentAfter = 'OrderPaymentRequested';
    await answer(`${id}.2`);
    await until('the customer reads what to do', async () => (await texts()).at(-1)?.includes('confirm') ?? false);
    await until('the wallet prompts', () => charges.length === 2);
    decide();
    await statusIs(id, 'paid');
  });

  it('sends no second answer to a customer whose rejected number seemed not to be recorded', async () => {
    const id = await placed();
    await answer(id, { wallet_phone: '+252619990000' });
    await stage.quiet();
    expect(await isRequested(stage, ASHA, `${id}.1`)).to.equal(true);
    silentAfter = 'OrderPaymentFailed';
    await tapPayer(stage, ASHA, `${id}.1`, 'wamid.no', 'no');
    await until('the reason is sent', async () =>
      (await texts()).some((one) => one.includes(text('en', 'payments.why.not_confirmed'))),
    );
    await stage.quiet();
    expect([silentAfter, refusals], 'the store failed').to.deep.equal([undefined, 0]);
    const { number } = (await stage.order(id))!;
    expect(await texts()).to.not.include(text('en', 'payments.notOpen', { number }));
  });
});
