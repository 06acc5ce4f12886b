/** Order notifications to customers: text within a day of their last message, a template after that. */
import { expect } from 'chai';
import { OUTSIDE_WINDOW, type StatusTemplates } from '../../application/orders/customerNotices.js';
import { orderIdOf } from '../../application/orders/placeOrder.js';
import { text } from '../../application/texts/texts.js';
import { moveOrder, ofStore, order } from '../../domain/orders/order.js';
import { conversationOf, type OrderStage, orderStage, STORE } from '../support/stages/orderStage.js';

const ASHA = '+252615550101';
const HOUR = 3_600_000;

describe('notifications of an order', () => {
  let stage: OrderStage;
  afterEach(() => stage.close());

  /** Places an order whose customer last wrote this long ago. Returns its id once the store is preparing the order. */
  async function preparing(hoursAgo: number, statusTemplates: StatusTemplates): Promise<string> {
    stage = await orderStage({ statusTemplates });
    await stage.addProducts({ SCARF: { name: 'Scarf', priceCents: 5_50 } });
    await stage.startProcessors();
    const sentAt = new Date(Date.now() - hoursAgo * HOUR).toISOString();
    const items = [{ productRetailerId: 'SCARF', quantity: 1 }];
    await stage.receive(ASHA, 'wamid.1', { type: 'order', items }, undefined, sentAt);
    const id = orderIdOf(conversationOf(ASHA), 'wamid.1');
    await stage.quiet();
    const answers = { flow_token: id, fulfilment: 'pickup', name: 'Asha' };
    await stage.receive(ASHA, 'wamid.2', { type: 'flow_reply', fields: answers }, undefined, sentAt);
    await stage.quiet();
    await stage.commands.decide(stage.context('prepare'), order, id, ofStore(STORE, moveOrder('store', 'preparing')));
    await stage.quiet();
    return id;
  }
  const last = async () => (await stage.queued(ASHA)).at(-1)!;
  const history = async (id: string) => (await stage.order(id))?.events.at(-1);
  const templates = { en: { name: 'order_update', language: 'en_US' } };
  const message = text('en', 'orders.status.preparing', { number: 1 });

  it('use the template in the store’s language outside the 24-hour window, and count when the channel accepts them', async () => {
    const id = await preparing(25, templates);
    expect((await last()).content).to.deep.equal({ type: 'template', ...templates.en, text: message, body: [message] });
    await stage.accept(ASHA, (await last()).messageId);
    await stage.quiet();
    expect(await history(id)).to.include({ kind: 'customer_notified', toStatus: 'preparing' });
  });

  it('are not sent without a template in that language, and the history records why', async () => {
    const id = await preparing(25, { ar: { name: 'order_update', language: 'ar' } });
    expect((await last()).purpose).to.not.deep.include({ kind: 'order_status' });
    expect(await history(id)).to.include({
      kind: 'customer_not_notified',
      toStatus: 'preparing',
      note: OUTSIDE_WINDOW,
    });
    const events = (await stage.order(id))?.events;
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect((await stage.order(id))?.events).to.deep.equal(events);
  });

  it('are sent once as the template if the channel reports that the text was too late', async () => {
    const id = await preparing(23, templates);
    const late = await last();
    await stage.fail(ASHA, late.messageId, 'Outside the window.');
    await stage.quiet();
    expect(await history(id)).to.include({ kind: 'customer_not_notified', note: 'Outside the window.' });
    const again = await last();
    expect(again.messageId).to.not.equal(late.messageId);
    expect(again.content).to.deep.equal({ type: 'template', ...templates.en, text: message, body: [message] });
    await stage.fail(ASHA, again.messageId, 'Outside the window.');
    await stage.restartProcessorsFromTheBeginning();
    await stage.quiet();
    expect((await last()).messageId, 'a template is not replaced').to.equal(again.messageId);
  });

  it('are recorded as failed in the history if the channel rejects the template', async () => {
    const id = await preparing(25, templates);
    await stage.fail(ASHA, (await last()).messageId, 'The template is paused.');
    await stage.quiet();
    expect(await history(id)).to.include({ kind: 'customer_not_notified', note: 'The template is paused.' });
  });
});
