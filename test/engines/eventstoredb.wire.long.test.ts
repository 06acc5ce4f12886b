/** EventStoreDB behind a network that fails at any one frame of an exchange: what was acknowledged is there, once, for all. */
import { expect } from 'chai';
import {
  BEFORE_ALL,
  type EventData,
  type Expected,
  type RecordedEvent,
  StoreUnavailable,
} from '../../engine/ports/eventStore.js';
import { faultyProxy } from '../../harness/engines/faultyProxy.js';
import { http2Frames } from '../../harness/engines/wireMessages.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { faultAt, messagesOf, WIRE_FAULTS } from '../support/doubles/wireFaults.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const TIMEOUT_MS = 1000;
/** Frames of an exchange differ from run to run: windows are updated, pings are sent. So many more are tried. */
const MORE_FRAMES = 2;
/** As a caller does: again while it may pass. */
async function insisting<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 60_000; ; )
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || Date.now() > end) throw error;
    }
}

/** A frame alone cannot get lost: nothing that was sent behind it comes before it. */
const faults = Object.entries(WIRE_FAULTS).filter(([, verdict]) => verdict !== 'lose');

describe('EventStoreDB adapter, a network that fails at one frame', function () {
  this.timeout(120_000);
  const { stream, event, category } = freshNames();
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage();
  });
  after(() => stage.close());

  const label = ({ data }: { data: object }): string => (data as { label: string }).label;

  /** A connection of its own, with a subscriber who has seen the first event of the stream. */
  async function opened(kind: string) {
    const proxy = await faultyProxy(stage.address, http2Frames);
    const store = await openEventStoreDb(`esdb://${proxy.address}?tls=false`, { timeoutMs: TIMEOUT_MS });
    const name = stream(kind);
    /** As a caller that knows nothing: the same ids, the same expectation, until it is acknowledged. */
    const insist = (expected: Expected, events: EventData[]) => insisting(() => store.append(name, expected, events));
    const seen: RecordedEvent[] = [];
    const follower = {
      batch: (events: readonly RecordedEvent[]) => void seen.push(...events.filter((one) => one.stream === name)),
    };
    const subscription = store.subscribe(BEFORE_ALL, { categories: [category(kind)] }, follower);
    await insist('noStream', [event('first')]);
    await until('the subscriber is there', () => seen.length === 1);
    return {
      ...{ proxy, store, name, seen },
      append: () => insist(0, [event('second'), event('third')]),
      async close(): Promise<void> {
        await subscription.stop();
        await store.close();
        await proxy.close();
      },
    };
  }

  for (const [n, [fault, verdict]] of faults.entries())
    it(`a frame that ${fault}: an append is acknowledged once, read completely and delivered once in order`, async () => {
      const kind = `wire${n}`;
      const whole = await opened(kind);
      const frames = await messagesOf(whole.proxy, async () => {
        await whole.append();
        await until('all is delivered', () => whole.seen.length === 3);
      });
      await whole.close();
      expect(frames).to.be.at.least(4);
      const meeting = Array.from({ length: frames + MORE_FRAMES }, async (_, at) => {
        const where = `a frame that ${fault}: number ${at} of ${frames}`;
        const one = await opened(kind);
        faultAt(one.proxy, at, verdict);
        await one.append();
        one.proxy.judge(undefined);
        await until(`${where}: all is delivered`, () => one.seen.length >= 3);
        const expected = ['first', 'second', 'third'];
        expect((await insisting(() => one.store.readStream(one.name))).map(label), where).to.deep.equal(expected);
        expect(one.seen.map(label), where).to.deep.equal(expected);
        await one.close();
      });
      await Promise.all(meeting);
    });
});
