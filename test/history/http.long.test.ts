/** Histories read by a store's own auditors over HTTP. */
import { expect } from 'chai';
import type { Operation } from '../../api/contract/operation.js';
import { compareHistoryOf } from '../../api/operations/history/compareHistoryOf.js';
import { things } from '../../api/operations/history/historySubjects.js';
import { listHistory } from '../../api/operations/history/listHistory.js';
import { listHistoryOf } from '../../api/operations/history/listHistoryOf.js';
import { operations } from '../../api/operations/index.js';
import { setOrderStatus } from '../../api/operations/orders/setOrderStatus.js';
import type { Given } from '../support/spec/givenEvents.js';
import { type OperationStage, operationStage } from '../support/spec/operationSpec.js';

const ORDER = 'e0000000-0000-4000-8000-000000000001';
const OF_ANOTHER = 'e0000000-0000-4000-8000-000000000002';
const MOVED = 'e0000000-0000-4000-8000-000000000003';
const ANOTHER = '5f0c7a9e-2222-4000-8000-000000000009';
const T = (minutes: number): string =>
  new Date(Date.parse('2026-03-01T09:00:00.000Z') + minutes * 60_000).toISOString();

const line = { productExternalId: 'P', retailerId: 'P', name: 'Scarf', quantity: 1, unitPriceCents: 5_50 };
const totals = { subtotalCents: 5_50, discountCents: 0, deliveryFeeCents: 0, totalCents: 5_50 };
const placed = { number: 1, lines: [line], totals, currency: 'USD', customerPhone: '+252615550101' };
const story = (orderId: string): Given[] =>
  [
    { type: 'OrderPlaced', data: placed, meta: { at: T(0), actor: { type: 'customer' } as const } },
    {
      type: 'OrderCheckedOut',
      data: { fulfilment: 'pickup', totals, requestLocation: false, messageId: 'm1' },
      meta: { at: T(1), actor: { type: 'customer' } as const },
    },
    { type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing' }, meta: { at: T(2) } },
  ].map((event) => ({ ...event, stream: `order-${orderId}` }));

const [ofOrder] = things;
const listOrderHistory = listHistoryOf(ofOrder!);
const compareOrderHistory = compareHistoryOf(ofOrder!);

describe('histories over HTTP', () => {
  let stage: OperationStage;
  before(async () => {
    stage = await operationStage();
    const others = story(OF_ANOTHER).map((event) => ({ ...event, meta: { ...event.meta, workspaceId: ANOTHER } }));
    await stage
      .spec(listOrderHistory)
      .given(...story(ORDER), ...others)
      .when({ params: { orderId: ORDER } })
      .then({ status: 200 });
  });
  after(() => stage.close());
  const requested = (operation: Operation, params: object, query: Record<string, string> = {}) =>
    stage.spec(operation).when({ params: params as Record<string, string>, query });

  it('return the events of an order, and their actors', async () => {
    const { body } = await requested(listOrderHistory, { orderId: ORDER }).then({ status: 200 });
    expect(body.events.map((one: { type: string }) => one.type)).to.deep.equal(story(ORDER).map(({ type }) => type));
    expect(body.events[0].actor).to.deep.equal({ type: 'customer', name: 'The customer' });
    const later = requested(
      listOrderHistory,
      { orderId: ORDER },
      { from: T(1), type: 'OrderStatusChanged,OrderPlaced' },
    );
    expect((await later.then({ status: 200 })).body.events).to.have.lengthOf(1);
  });

  it('continue page by page, by their own cursor', async () => {
    const first = await requested(listOrderHistory, { orderId: ORDER }, { limit: '2' }).then({ status: 200 });
    expect(first.body.events).to.have.lengthOf(2);
    const rest = await requested(listOrderHistory, { orderId: ORDER }, { cursor: first.body.next }).then({
      status: 200,
    });
    expect(rest.body.events.map((one: { type: string }) => one.type)).to.deep.equal(['OrderStatusChanged']);
    expect(rest.body).to.not.have.property('next');
    await requested(listOrderHistory, { orderId: ORDER }, { cursor: '1' }).thenRefused(
      422,
      'invalid_cursor',
      'query.cursor',
    );
  });

  it('show differences in the terms of getOrder', async () => {
    const { body } = await requested(compareOrderHistory, { orderId: ORDER }, { from: T(1), to: T(2) }).then({
      status: 200,
    });
    expect(body.changes).to.deep.include({ path: 'status', was: 'new', is: 'preparing' });
    const whole = await requested(compareOrderHistory, { orderId: ORDER }).then({ status: 200 });
    expect(whole.body.changes).to.deep.include({ path: 'fulfilment', is: 'pickup' });
    const reversed = requested(compareOrderHistory, { orderId: ORDER }, { from: T(2), to: T(1) });
    await reversed.thenRefused(422, 'range_reversed');
    await requested(compareOrderHistory, { orderId: ORDER }, { from: T(-9) }).thenRefused(422, 'before_first_event');
  });

  it('answer 404 if unknown or of another store', async () => {
    for (const operation of [listOrderHistory, compareOrderHistory])
      await requested(operation, { orderId: OF_ANOTHER }).thenRefused(404, 'not_found');
    const { body } = await requested(listHistory, {}, { limit: '200' }).then({ status: 200 });
    expect(JSON.stringify(body)).to.include(ORDER).and.not.include(OF_ANOTHER).and.not.include(ANOTHER);
  });

  it('find all effects of a request', async () => {
    const moved = { type: 'OrderStatusChanged', data: { from: 'new', to: 'preparing' } };
    const answer = await stage
      .spec(setOrderStatus)
      .given(...story(MOVED).slice(0, 2))
      .when({ params: { orderId: MOVED }, body: { status: 'preparing' } })
      .then({ status: 200, events: [{ stream: `order-${MOVED}`, ...moved }] });
    const correlation = answer.headers.get('x-request-id')!;
    const { body } = await requested(listHistory, {}, { correlation }).then({ status: 200 });
    expect(body.events).to.have.lengthOf(1);
    expect(body.events[0]).to.deep.include({ ...moved, correlationId: correlation });
    expect(body.events[0].actor.name).to.match(/^The store's key …[\w-]{4}$/);
  });

  it('show the operator without the account', async () => {
    const { body } = await requested(listHistory, {}, { type: 'KeyCreated' }).then({ status: 200 });
    expect(body.events[0].actor).to.deep.equal({ type: 'system', id: 'operator', name: 'The operator' });
    expect(body.events[0].data.hash).to.equal('[not shown]');
  });

  it('require their own scopes', () => {
    const ours = operations.filter(({ tag }) => tag === 'History');
    expect(ours).to.have.lengthOf(15);
    for (const one of ours) expect([one.scope, typeof one.addition], one.id).to.deep.equal(['history:view', 'string']);
  });
});
