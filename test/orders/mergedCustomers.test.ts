/** Orders of a customer who turned out to be another one: their chat was merged, and goes on in the other's conversation. */
import { expect } from 'chai';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import type { Charge, PaymentProvider } from '../../application/ports/paymentProvider.js';
import { conversation } from '../../domain/channel/conversation.js';
import { mergeAway } from '../../domain/channel/conversationRouting.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import { type FakeClock, fakeClock } from '../support/doubles/fakeClock.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const BEFORE = '+252615550101';
const NOW = '+252615550102';
const OTHER_PHONE = '+252615550109';
const HOUR = 3_600_000;

describe('a customer merged with another', () => {
  let clock: FakeClock;
  let stage: OrderStage;
  let charges: Charge[];
  let outcome: Awaited<ReturnType<PaymentProvider['charge']>>;
  let count = 0;
  const provider: PaymentProvider = {
    async charge(_, charge) {
      charges.push(charge);
      return outcome;
    },
    find: async () => ({ state: 'none' }),
    refund: async () => ({ state: 'refunded', refundId: 'r' }),
    check: async () => 'accepted',
  };
  beforeEach(async () => {
    clock = fakeClock();
    charges = [];
    outcome = { state: 'approved', transactionId: 't1' };
    stage = await orderStage({ clock, provider });
    await stage.addProducts({ SHIRT: { name: 'Shirt', priceCents: 10_00 } });
    await stage.saveDelivery({
      ...{ deliveryEnabled: false, pickupEnabled: true, pickupAddress: '', requestLocation: false },
      ...{ notifyStatuses: ['preparing'], areas: [] },
    });
    await stage.takePayments(['zaad']);
    await stage.startProcessors();
  });
  afterEach(() => stage.close());

  const send = async (from: string, content: Parameters<OrderStage['receive']>[2]): Promise<string> => {
    const id = `wamid.${++count}`;
    await stage.receive(from, id, content);
    await stage.quiet();
    return id;
  };
  const answer = (from: string, token: string, fields: object = {}) =>
    send(from, {
      type: 'flow_reply',
      fields: { flow_token: token, fulfilment: 'pickup', name: 'Asha Warsame', wallet: 'zaad', ...fields },
    });
  const placed = async (): Promise<string> => {
    const cart = await send(BEFORE, { type: 'order', items: [{ productRetailerId: 'SHIRT', quantity: 1 }] });
    return orderIdOf(conversationOf(BEFORE), cart);
  };
  /** The customer's chat before goes on in the one that they write in now. */
  const merge = async () => {
    await send(NOW, { type: 'text', text: 'Hello' });
    const merging = mergeAway(conversationOf(NOW));
    await stage.commands.decide(stage.context('merge'), conversation, conversationOf(BEFORE), merging);
    await stage.quiet();
  };
  const texts = async (of: string) => (await stage.queued(of)).map(({ content }) => content.text);

  it('confirms the payment number that they were asked about before the merge', async () => {
    const id = await placed();
    await answer(BEFORE, await stage.newestForm(BEFORE), { wallet_phone: OTHER_PHONE });
    expect(charges, 'before the number is confirmed').to.deep.equal([]);
    await merge();
    await send(NOW, { type: 'choice', id: `payer:yes:${id}.1`, title: 'Yes' });
    expect(charges.map(({ payer }) => payer)).to.deep.equal([OTHER_PHONE]);
    expect(await stage.order(id)).to.include({ status: 'paid' });
  });

  it('checks out with a form sent before the merge', async () => {
    const id = await placed();
    const form = await stage.newestForm(BEFORE);
    await merge();
    await answer(NOW, form);
    expect(charges.map(({ reference }) => reference)).to.deep.equal([`${id}.1`]);
    expect(await stage.order(id)).to.include({ status: 'paid', fulfilment: 'pickup' });
  });

  it('pays with a retry form sent before the merge', async () => {
    const id = await placed();
    outcome = { state: 'failed', reason: 'wrong_pin' };
    await answer(BEFORE, await stage.newestForm(BEFORE));
    outcome = { state: 'approved', transactionId: 't2' };
    const form = await stage.newestForm(BEFORE);
    await merge();
    await answer(NOW, form);
    expect(charges.map(({ reference }) => reference)).to.deep.equal([`${id}.1`, `${id}.2`]);
    expect(await stage.order(id)).to.include({ status: 'paid' });
  });

  it('receives notices in the remaining conversation while its 24-hour window is open', async () => {
    const id = await placed();
    await answer(BEFORE, await stage.newestForm(BEFORE));
    await clock.advance(30 * HOUR);
    await merge();
    const before = await texts(BEFORE);
    const preparing = ofStore(STORE, moveOrder('store', 'preparing'));
    await stage.commands.decide(stage.context('preparing'), order, id, preparing);
    await stage.quiet();
    expect((await texts(NOW)).at(-1)).to.match(/preparing your order/);
    expect(await texts(BEFORE)).to.deep.equal(before);
  });
});
