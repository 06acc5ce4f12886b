/** Answers and events of single requests over HTTP, for orders and number lists. */
import { expect } from 'chai';
import { createNumberList } from '../../api/operations/numberLists/createNumberList.js';
import { cancelOrder } from '../../api/operations/orders/cancelOrder.js';
import { setOrderStatus } from '../../api/operations/orders/setOrderStatus.js';
import { derivedId } from '../../domain/ids.js';
import type { OrderStatus } from '../../domain/orders/orderEvents.js';
import type { Given } from '../support/spec/givenEvents.js';
import { type OperationStage, operationStage } from '../support/spec/operationSpec.js';

describe('requests', () => {
  let stage: OperationStage;
  let count = 0;
  before(async () => {
    stage = await operationStage();
  });
  after(() => stage.close());

  /** Creates an order that no other test uses. */
  function anOrder(...moves: OrderStatus[]): { orderId: string; stream: string; history: Given[] } {
    const orderId = derivedId('order', ++count);
    const stream = `order-${orderId}`;
    const line = { productExternalId: 'P', retailerId: 'P', name: 'Scarf', quantity: 1, unitPriceCents: 5_50 };
    const totals = { subtotalCents: 5_50, discountCents: 0, deliveryFeeCents: 0, totalCents: 5_50 };
    const data = { number: count, lines: [line], totals, currency: 'USD', customerPhone: '+252615550101' };
    const all: OrderStatus[] = ['new', ...moves];
    const moved = moves.map((to, i) => ({ stream, type: 'OrderStatusChanged', data: { from: all[i], to } }));
    const checkedOut = { fulfilment: 'pickup', totals, requestLocation: false, messageId: 'm1' };
    const started = [
      { stream, type: 'OrderPlaced', data },
      { stream, type: 'OrderCheckedOut', data: checkedOut },
    ];
    return { orderId, stream, history: [...started, ...moved] };
  }

  describe('to set the status of an order', () => {
    // #region operation
    it('change it, with the note', () => {
      const { orderId, stream, history } = anOrder();
      return stage
        .spec(setOrderStatus)
        .given(...history)
        .when({ params: { orderId }, body: { status: 'preparing', note: 'begun' } })
        .then({
          status: 200,
          body: { id: orderId, status: 'preparing', nextStatuses: ['delivered', 'cancelled'] },
          events: [{ stream, type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing', note: 'begun' } }],
        });
    });

    it('are rejected if the status is not allowed next', () => {
      const { orderId, history } = anOrder('preparing', 'delivered');
      const request = stage.spec(setOrderStatus).given(...history);
      return request
        .when({ params: { orderId }, body: { status: 'preparing' } })
        .thenRefused(409, 'order_status_not_allowed');
    });
    // #endregion

    for (const status of ['new', 'awaiting_payment', 'paid', 'refunded', 'lost', 7, null])
      it(`are rejected for ${status}, which a store does not set`, () => {
        const params = { orderId: derivedId('no', 'order') };
        return stage
          .spec(setOrderStatus)
          .when({ params, body: { status } })
          .thenRefused(422, 'validation_failed', 'body.status');
      });

    it('are rejected with a read-only key', async () => {
      const { orderId, history } = anOrder();
      const owner = { workspace: stage.workspaceId, mode: 'test' };
      const { key } = await stage.operator('keys.create', { ...owner, scopes: ['orders:view'] });
      const request = stage.spec(setOrderStatus).given(...history);
      await request
        .when({ key, params: { orderId }, body: { status: 'preparing' } })
        .thenRefused(403, 'permission_denied');
    });
  });

  describe('to cancel an order', () => {
    const reason = 'x'.repeat(500);

    it('cancel it with the reason', () => {
      const { orderId, stream, history } = anOrder();
      const data = { from: 'new', to: 'cancelled', note: reason };
      return stage
        .spec(cancelOrder)
        .given(...history)
        .when({ params: { orderId }, body: { reason } })
        .then({
          status: 200,
          body: { status: 'cancelled', cancelReason: reason },
          events: [{ stream, type: 'OrderStatusChanged', data }],
        });
    });

    it('need no body, which leaves the reason empty', async () => {
      const { orderId, history, stream } = anOrder();
      const { body } = await stage
        .spec(cancelOrder)
        .given(...history)
        .when({ params: { orderId } })
        .then({ status: 200, body: { status: 'cancelled' }, events: [{ stream, type: 'OrderStatusChanged' }] });
      expect(body).not.to.have.property('cancelReason');
    });

    it('are rejected if it is already cancelled', () => {
      const { orderId, history } = anOrder('cancelled');
      const request = stage.spec(cancelOrder).given(...history);
      return request.when({ params: { orderId } }).thenRefused(409, 'order_status_not_allowed');
    });

    it('may set its status instead, whose note is the reason', () => {
      const { orderId, history, stream } = anOrder();
      return stage
        .spec(setOrderStatus)
        .given(...history)
        .when({ params: { orderId }, body: { status: 'cancelled', note: 'Sold out' } })
        .then({
          status: 200,
          body: { status: 'cancelled', cancelReason: 'Sold out' },
          events: [{ stream, type: 'OrderStatusChanged' }],
        });
    });

    const wrong: readonly [body: unknown, place: string][] = [
      [{ reason: 'x'.repeat(501) }, 'body.reason'],
      [{ reason: 1 }, 'body.reason'],
      [{ why: 'no' }, 'body.why'],
      [[], 'body'],
    ];
    for (const [body, place] of wrong)
      it(`are rejected for ${JSON.stringify(body).slice(0, 20)}`, () => {
        const { orderId, history } = anOrder();
        const request = stage.spec(cancelOrder).given(...history);
        return request.when({ params: { orderId }, body }).thenRefused(422, 'validation_failed', place);
      });

    it('are rejected for a note that is too long', () => {
      const { orderId, history } = anOrder();
      const body = { status: 'cancelled', note: 'x'.repeat(501) };
      const request = stage.spec(setOrderStatus).given(...history);
      return request.when({ params: { orderId }, body }).thenRefused(422, 'validation_failed', 'body.note');
    });
  });

  describe('to create a number list', () => {
    const create = (body: object) => stage.spec(createNumberList).when({ body });

    it('store each international number once, in E.164, with or without a plus', async () => {
      const phones = [
        '+252 61 1000001',
        '252 61 1000002',
        '00254712345678',
        '(252) 61-100-0001',
        '٢٥٢٦١١٠٠٠٠٠٢',
        ' +252611000001 ',
      ];
      const { body } = await create({ name: 'Regulars', kind: 'uploaded', phones }).then({
        status: 201,
        body: { name: 'Regulars', kind: 'uploaded', size: 3, usedBy: 0 },
        events: [
          { stream: 'names', type: 'NameTaken' },
          {
            stream: 'numberList',
            type: 'NumberListCreated',
            data: { name: 'Regulars', phones: ['+252611000001', '+252611000002', '+254712345678'] },
          },
        ],
      });
      expect(body, 'only when one list is read').to.not.have.property('phones');
    });

    it('are rejected with the position of each invalid number', async () => {
      const phones = ['+252611000001', 'no number', '+252611000002', '12', '+252611000003 ext. 4', '061 1000002'];
      const places = [1, 3, 4, 5].map((i) => `body.phones[${i}]`);
      const answer = await create({ name: 'Wrong', kind: 'uploaded', phones }).thenRefused(
        422,
        'validation_failed',
        ...places,
      );
      expect(answer.body.errors[0].value).to.equal('no number');
    });
  });
});
