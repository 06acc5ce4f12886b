/** Customers' texts outside the log: the owner of a stream is read once. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { commandsOf } from '../../service/composition/privacy/erasureWatch.js';
import { type ForgettingStage, forgettingStage } from '../support/privacy/forgettingStage.js';

const SHOP = '00000000-0000-4000-8000-0000000000a1';
const ASHA = '+252615550101';
const CLEAR = 'order-00000000-0000-4000-8000-0000000000b1';

describe('stored texts of customers', () => {
  let stage: ForgettingStage;
  let requested: string[];
  beforeEach(async () => {
    stage = await forgettingStage();
    await stage.store(SHOP);
    requested = [];
    const { readStream } = stage.raw;
    Object.assign(stage.raw, {
      readStream(...call: Parameters<typeof readStream>) {
        requested.push(call[0]);
        return readStream.apply(stage.raw, call);
      },
    });
  });
  afterEach(() => stage.close());

  /** Appends an event as it is stored without sealing. */
  const inClear = (stream: string): Promise<unknown> => {
    const actor = { type: 'system' as const };
    const meta = { at: '2026-03-01T09:00:00.000Z', actor, correlationId: 'c', causationId: 'c', workspaceId: SHOP };
    const data = { number: 1, lines: [], totals: {}, currency: 'USD', customerPhone: ASHA };
    return stage.raw.append(stream, 'any', [{ id: randomUUID(), type: 'OrderPlaced', data, meta: meta as never }]);
  };
  const reads = (stream: string): number => requested.filter((one) => one === stream).length;

  it('have no subject if nothing is encrypted, which is read from the log once per stream', async () => {
    await inClear(CLEAR);
    for (const id of ['d1', 'd2', 'd3']) expect(await stage.texts.seal(CLEAR, id, 'Order 1')).to.equal(undefined);
    expect(reads(CLEAR)).to.equal(1);
  });

  it('belong to the customer who joins an empty stream later', async () => {
    const nowhere = await stage.texts.seal(CLEAR, 'd1', 'Order 1');
    const order = await stage.orders(SHOP, ASHA);
    expect([nowhere, await stage.texts.open('d2', (await stage.texts.seal(order, 'd2', 'Order 1'))!)]).to.deep.equal([
      undefined,
      'Order 1',
    ]);
    await inClear(CLEAR);
    requested = [];
    await stage.texts.seal(CLEAR, 'd3', 'Order 1');
    expect(reads(CLEAR), 'nothing was remembered of an empty stream').to.equal(1);
  });

  it('belong to an erased customer, however often they are read', async () => {
    const order = await stage.orders(SHOP, ASHA);
    await stage.stage.shown();
    const asha = { workspaceId: SHOP, value: ASHA, persons: await stage.people.everyone(SHOP, ASHA) };
    await stage.forgetting.forget([asha], commandsOf(stage.stage.commands));
    for (const id of ['d1', 'd2', 'd3']) {
      expect(await stage.texts.isForgotten(order)).to.equal(true);
      expect(await stage.texts.seal(order, id, 'Order 1')).to.equal(undefined);
    }
  });

  it('belong to the returned customer if a stream continues after an erasure', async () => {
    const chat = await stage.writes(SHOP, { phone: ASHA });
    await stage.stage.shown();
    const forget = async (): Promise<void> => {
      const persons = await stage.people.everyone(SHOP, ASHA);
      await stage.forgetting.forget([{ workspaceId: SHOP, value: ASHA, persons }], commandsOf(stage.stage.commands));
    };
    await forget();
    expect(await stage.texts.isForgotten(chat)).to.equal(true);
    const content = { type: 'text', text: 'I am back' };
    const queued = { messageId: 'm1', numberId: 'n1', to: { phone: ASHA }, content };
    await stage.happens(SHOP, chat, 'MessageQueued', queued);
    // Simulates a process that has just started.
    for (const texts of [stage.texts, stage.anotherTexts()]) {
      const forgotten = await Promise.all([0, 1, 2].map((revision) => texts.isForgotten(chat, revision)));
      expect(forgotten).to.deep.equal([true, true, false]);
      expect(await texts.isForgotten(chat)).to.equal(false);
      const sealed = await texts.seal(chat, 'd1', 'I am back');
      expect(await texts.open('d1', sealed!)).to.equal('I am back');
    }
    await stage.happens(SHOP, chat, 'MessageFailed', { messageId: 'm1', errorCode: 'gone', reason: 'It is gone' });
    await forget();
    expect(await stage.texts.isForgotten(chat)).to.equal(true);
    expect(await stage.texts.seal(chat, 'd1', 'I am back')).to.equal(undefined);
  });
});
