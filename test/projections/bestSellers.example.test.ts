import { expect } from 'chai';
import type { OrderEvent, OrderLine } from '../../domain/orders/orderEvents.js';
import { bestSellers } from '../../examples/bestSellers.js';
import { documentsAfter, type History, recorded, SPEC_STORE } from '../support/spec/documentsAfter.js';
import { eventually, stage } from '../support/stages/projectionStage.js';

const totals = { subtotalCents: 0, discountCents: 0, deliveryFeeCents: 0, totalCents: 0 };
const line = (product: string, quantity: number): OrderLine => ({
  productExternalId: product,
  retailerId: product,
  name: `The ${product}`,
  quantity,
  unitPriceCents: 12_00,
});
const placed = (...lines: OrderLine[]): OrderEvent => ({
  type: 'OrderPlaced',
  data: { number: 1, lines, totals, currency: 'USD', customerPhone: '+252615550101' },
});
const cancelled: OrderEvent = { type: 'OrderStatusChanged', data: { from: 'new', to: 'cancelled' } };
const refunded: OrderEvent = { type: 'OrderStatusChanged', data: { from: 'cancelled', to: 'refunded' } };
const paid: OrderEvent = { type: 'OrderStatusChanged', data: { from: 'awaiting_payment', to: 'paid' } };
const repriced = (...lines: OrderLine[]): OrderEvent => ({ type: 'OrderRepriced', data: { totals, lines } });

/** How many were sold of each product. */
const soldAfter = (...history: History<OrderEvent>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(documentsAfter<{ quantity?: number }, OrderEvent>(bestSellers, history))
      .filter(([id]) => id.startsWith(`${SPEC_STORE}/`))
      .map(([id, { quantity }]) => [id.slice(SPEC_STORE.length + 1), quantity!]),
  );

describe('best sellers', () => {
  it('count the quantity of a product in every order', () => {
    const sold = soldAfter(
      ['order-1', placed(line('shirt', 2), line('shirt', 1))],
      ['order-2', placed(line('shirt', 4))],
    );
    expect(sold).to.deep.equal({ shirt: 7 });
  });

  it('subtract a cancelled order once', () => {
    const history: History<OrderEvent> = [
      ['order-1', placed(line('shirt', 2), line('cap', 1))],
      ['order-2', placed(line('shirt', 4))],
      ['order-2', paid],
      ['order-1', cancelled],
    ];
    expect(soldAfter(...history)).to.deep.equal({ shirt: 4 });
    expect(soldAfter(...history, ['order-1', refunded])).to.deep.equal({ shirt: 4 });
  });

  it('count the remaining lines of a repriced order', () => {
    const history: History<OrderEvent> = [
      ['order-1', placed(line('shirt', 2), line('cap', 1))],
      ['order-1', repriced(line('shirt', 1))],
    ];
    expect(soldAfter(...history)).to.deep.equal({ shirt: 1 });
    expect(soldAfter(...history, ['order-1', cancelled])).to.deep.equal({});
  });

  it('are sorted by the quantity sold, for any status of the orders', async () => {
    const w = await stage();
    try {
      const history = recorded<OrderEvent>([
        ['order-1', placed(line('shirt', 2), line('cap', 1))],
        ['order-2', placed(line('cap', 4), line('scarf', 9))],
        ['order-1', repriced(line('shirt', 6), line('cap', 1))],
        ['order-2', cancelled],
      ]);
      for (const { stream, ...event } of history) await w.store.append(stream, 'any', [event]);
      const runtime = await w.start([bestSellers]);
      await eventually(async () => (await runtime.status()).every(({ state }) => state === 'live'));
      const rows = await w.models.find<{ name: string }>('bestSellers', {
        where: { workspaceId: SPEC_STORE },
        sort: ['-quantity'],
        limit: 10,
      });
      expect(rows.map(({ body }) => body)).to.deep.equal([
        { productExternalId: 'shirt', name: 'The shirt', quantity: 6 },
        { productExternalId: 'cap', name: 'The cap', quantity: 1 },
      ]);
    } finally {
      await w.close();
    }
  });
});
