/** Tasks of a customer's messages that are performed again, after the customer has read an answer and the store has changed. */
import { expect } from 'chai';
import { orderIntake } from '../../application/orders/orderIntake.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { text } from '../../application/texts/texts.js';
import { derivedId } from '../../domain/ids.js';
import { systemClock } from '../../engine/ports/clock.js';
import { contextOf } from '../../engine/processors/context.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const HODAN = derivedId('area', 'Hodan');

describe('a message that is processed again after the customer has read the answer', () => {
  let stage: OrderStage;
  let id: string;
  let token: string;
  beforeEach(async () => {
    stage = await orderStage();
    await stage.addProducts({ SHIRT: { name: 'Shirt' } });
    await stage.saveDelivery({
      ...{ deliveryEnabled: true, pickupEnabled: true, pickupAddress: '', requestLocation: true },
      ...{ notifyStatuses: [], areas: [{ newId: HODAN, name: 'Hodan', feeCents: 100, active: true }] },
    });
    await stage.startProcessors();
    await stage.receive(ASHA, 'cart', { type: 'order', items: [{ productRetailerId: 'SHIRT', quantity: 1 }] });
    await stage.quiet();
    id = orderIdOf(conversationOf(ASHA), 'cart');
    token = await stage.newestForm(ASHA);
  });
  afterEach(() => stage.close());

  const texts = async () => (await stage.queued(ASHA)).map(({ content }) => content.text);

  /** Performs one task twice: in a store that takes no orders if `closed`, then in one that does. */
  async function twice(kind: string, payload: object, between: () => Promise<unknown>, closed = false): Promise<void> {
    const now = Date.now();
    const shared = { workspaceId: STORE, correlationId: 'spec', conversationId: conversationOf(ASHA) };
    const task = {
      ...{ id: derivedId('task', kind), kind, lane: 'lane', dueAt: now, createdAt: now, attempt: 1 },
      payload: { ...shared, ...payload },
    };
    const context = contextOf(
      { name: 'orderIntake' } as never,
      { commands: stage.commands, reads: stage.reads, clock: systemClock },
      { signal: new AbortController().signal },
    );
    const perform = (takesOrders: boolean) =>
      orderIntake({ ...stage.dependencies, takesOrders: async () => takesOrders }).perform[kind]!(
        task as never,
        context,
      );
    await perform(!closed);
    await between();
    await perform(true);
    await stage.quiet();
  }
  const nothing = async (): Promise<void> => undefined;
  const checkout = (fields: object) => ({
    ...{ messageId: derivedId('message', 'form'), orderId: id, token },
    fields: { fulfilment: 'pickup', name: 'Asha', ...fields },
  });

  it('a cart rejected by a closed store does not become an order when the store reopens', async () => {
    const cart = { channelMessageId: 'second', items: [{ productRetailerId: 'SHIRT', quantity: 2 }], phone: ASHA };
    await twice('cart', cart, nothing, true);
    expect((await texts()).at(-1)).to.equal(text('en', 'orders.closed'));
    expect(await stage.order(orderIdOf(conversationOf(ASHA), 'second'))).to.equal(undefined);
  });

  it('a cart without available items does not become an order when the items are available again', async () => {
    const cart = { channelMessageId: 'second', items: [{ productRetailerId: 'HAT', quantity: 2 }], phone: ASHA };
    await twice('cart', cart, () => stage.addProducts({ HAT: { name: 'Hat' } }));
    expect(await stage.order(orderIdOf(conversationOf(ASHA), 'second'))).to.equal(undefined);
  });

  it('a form with a rejected coupon is not checked out with that coupon later', async () => {
    const before = (await texts()).length;
    await twice('checkout', checkout({ coupon: 'TEN' }), () =>
      stage.addPromotion({ name: 'Ten', kind: 'coupon', code: 'TEN', percentOff: 10 }),
    );
    expect(await stage.order(id))
      .to.include({ status: 'new' })
      .and.not.have.property('couponCode');
    expect((await texts()).length, 'the form again, once').to.equal(before + 1);
  });

  it('a location rejected by a closed store is not accepted when the store reopens', async () => {
    await stage.receive(ASHA, 'form', {
      type: 'flow_reply',
      fields: { flow_token: token, fulfilment: 'delivery', area: HODAN, name: 'Asha' },
    });
    await stage.quiet();
    await twice('location', { latitude: 2.04, longitude: 45.32 }, nothing, true);
    expect((await texts()).at(-1)).to.equal(text('en', 'orders.closed'));
    expect(await stage.order(id)).to.not.have.property('location');
  });
});
