import { expect } from 'chai';
import { orderHistories } from '../../application/orders/orderHistory.js';
import { eventData } from '../../application/webhooks/eventData.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const ORDER = '00000000-0000-4000-8000-0000000000a1';
const meta = { at: '2026-11-01T12:00:00.000Z', workspaceId: STORE, actor: { type: 'system', id: 'test' } };
const recorded = (stream: string, revision: number, type: string): RecordedEvent =>
  ({ id: `event-${revision}`, stream, revision, position: revision, type, data: {}, meta }) as unknown as RecordedEvent;

describe("the data of webhooks' envelopes", () => {
  const history = ['OrderPlaced', 'OrderCheckedOut', 'OrderStatusChanged'].map((type, revision) =>
    recorded(`order-${ORDER}`, revision, type),
  );
  const fold = (before: object | undefined, event: RecordedEvent) => ({
    types: [...((before as { types: string[] } | undefined)?.types ?? []), event.type],
  });
  const readStream = async (_: string, { from = 0 } = {}) => history.slice(from);
  /** Category and position of each event reported as readable. */
  const made: [string, number][] = [];
  const never = () => Promise.reject(new Error('no view is read for an order'));
  const { renderData } = eventData({
    reads: { get: never, getMany: never, find: never, count: never } as never,
    histories: orderHistories({ readStream } as never, fold),
    clock: { now: () => 0 },
    passed: never,
    readable: (category, event) => void made.push([category, event.position]),
  });

  it('is the order right after the event, whatever came later and however late the views are', async () => {
    expect(await renderData(history[0]!)).to.deep.equal({ order: { types: ['OrderPlaced'] } });
    expect(await renderData(history[1]!)).to.deep.equal({ order: { types: ['OrderPlaced', 'OrderCheckedOut'] } });
    expect(made, 'readers find what receivers are told of').to.deep.equal([
      ['order', 0],
      ['order', 1],
    ]);
  });

  it('is empty for an event about products that names none', async () =>
    expect(await renderData(recorded(`catalog-${STORE}`, 0, 'ProductRevised'))).to.equal(undefined));
});
