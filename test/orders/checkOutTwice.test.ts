/** Answers to a checkout form that are performed while another performance checks the order out at another price. */
import { expect } from 'chai';
import { checkOut, type FormReply } from '../../application/orders/checkOut.js';
import type { OrderPromotions } from '../../application/orders/orderDependencies.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { derivedId } from '../../domain/ids.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import { systemClock } from '../../engine/ports/clock.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { contextOf } from '../../engine/processors/context.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';

describe('a checkout that another run has completed at another price', () => {
  let stage: OrderStage;
  let id: string;
  let token: string;
  let ten: string;
  let half: string;
  beforeEach(async () => {
    stage = await orderStage();
    await stage.addProducts({ SHIRT: { name: 'Shirt' } });
    await stage.saveDelivery({
      ...{ deliveryEnabled: false, pickupEnabled: true, pickupAddress: '', requestLocation: false },
      ...{ notifyStatuses: [], areas: [] },
    });
    ten = await stage.addPromotion({ name: 'Ten', kind: 'coupon', code: 'TEN', percentOff: 10 });
    half = await stage.addPromotion({ name: 'Half', kind: 'coupon', code: 'HALF', percentOff: 50 });
    await stage.startProcessors();
    await stage.receive(ASHA, 'cart', { type: 'order', items: [{ productRetailerId: 'SHIRT', quantity: 1 }] });
    await stage.quiet();
    id = orderIdOf(conversationOf(ASHA), 'cart');
    token = await stage.newestForm(ASHA);
  });
  afterEach(() => stage.close());

  /** Performs the task as an instance does that has owned it for a while. */
  async function perform(
    messageId: string,
    coupon: string,
    promotions: OrderPromotions = stage.dependencies.promotions,
  ) {
    const payload: FormReply = {
      ...{
        workspaceId: STORE,
        correlationId: 'spec',
        conversationId: conversationOf(ASHA),
        messageId,
        orderId: id,
        token,
      },
      fields: { fulfilment: 'pickup', name: 'Asha', coupon },
    };
    const now = Date.now();
    const task = { id: messageId, kind: 'checkOut', lane: id, dueAt: now, createdAt: now, attempt: 1, payload };
    const { commands, reads } = stage;
    const context = contextOf(
      { name: 'orderIntake' } as never,
      { commands, reads, clock: systemClock },
      { signal: new AbortController().signal },
    );
    await checkOut({ ...stage.dependencies, promotions })(task, context);
  }

  /** The performance that another one overtakes, when the promotions have been looked up and when the uses are reserved. */
  async function overtaken(messageId: string, by: string, when: 'promotionsFor' | 'reserve'): Promise<void> {
    const { promotions } = stage.dependencies;
    let overtakes = true;
    const overtake = async () => {
      if (!overtakes) return;
      overtakes = false;
      await perform(by, 'HALF');
    };
    await perform(messageId, 'TEN', {
      ...promotions,
      async promotionsFor(query) {
        const offered = await promotions.promotionsFor(query);
        if (when === 'promotionsFor') await overtake();
        return offered;
      },
      async reserve(...use) {
        const reserved = await promotions.reserve(...use);
        if (when === 'reserve') await overtake();
        return reserved;
      },
    });
  }

  for (const when of ['promotionsFor', 'reserve'] as const)
    it(`redeems only the promotions of the order’s price (${when})`, async () => {
      await overtaken(derivedId('message', 'form'), derivedId('message', 'form'), when);
      await stage.quiet();
      expect(await stage.order(id)).to.include({ couponCode: 'HALF', totalCents: 6_00 });
      expect(await stage.usesOf(half)).to.deep.equal([id]);
      expect(await stage.usesOf(ten)).to.deep.equal([]);
    });

  it('keeps its redemptions when a losing answer releases those it had read', async () => {
    const { promotions } = stage.dependencies;
    let [reached, checkedOut] = [() => {}, () => {}];
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const isCheckedOut = new Promise<void>((resolve) => {
      checkedOut = resolve;
    });
    let other: Promise<void> | undefined;
    await perform(derivedId('message', 'first'), 'HALF', {
      ...promotions,
      async reserve(...use) {
        const answer = await promotions.reserve(...use);
        other ??= perform(derivedId('message', 'second'), 'NONE', {
          ...promotions,
          async release(...given) {
            reached();
            await isCheckedOut;
            return promotions.release(...given);
          },
        });
        await isReached;
        return answer;
      },
    });
    checkedOut();
    await other;
    expect(await stage.order(id)).to.include({ couponCode: 'HALF', totalCents: 6_00 });
    expect(await stage.usesOf(half)).to.deep.equal([id]);
  });

  it('reserves redemptions under a new id after another answer has released them', async () => {
    const { promotions } = stage.dependencies;
    const away = new StoreUnavailable('no answer');
    const failed = perform(derivedId('message', 'first'), 'HALF', {
      ...promotions,
      async reserve(...use) {
        await promotions.reserve(...use);
        throw away;
      },
    });
    expect(await failed.catch((error: unknown) => error)).to.equal(away);
    await perform(derivedId('message', 'second'), 'NONE');
    await perform(derivedId('message', 'first'), 'HALF');
    expect(await stage.usesOf(half)).to.deep.equal([id]);
    const ids = (await stage.events.readStream(`promotion-${half}`)).map((event) => event.id);
    expect(new Set(ids)).to.have.property('size', ids.length);
  });

  it('reserves no redemptions for an order that was cancelled before its task runs again', async () => {
    await perform(derivedId('message', 'form'), 'HALF');
    const by = {
      workspaceId: STORE,
      correlationId: 'spec',
      commandId: derivedId('command', 'cancel'),
      actor: { type: 'system' },
    } as const;
    await stage.commands.decide(by, order, id, ofStore(STORE, moveOrder('store', 'cancelled')));
    await stage.quiet();
    expect(await stage.usesOf(half)).to.deep.equal([]);
    const uses = async () => (await stage.events.readStream(`promotion-${half}`)).map(({ type }) => type);
    const before = await uses();
    await perform(derivedId('message', 'form'), 'HALF');
    expect(await uses()).to.deep.equal(before);
  });

  it('informs a customer whose second answer came too late', async () => {
    await overtaken(derivedId('message', 'first'), derivedId('message', 'second'), 'reserve');
    expect(await stage.usesOf(half)).to.deep.equal([id]);
    expect(await stage.usesOf(ten)).to.deep.equal([]);
    expect((await stage.queued(ASHA)).at(-1)!.content.text).to.include('already checked out');
  });
});
