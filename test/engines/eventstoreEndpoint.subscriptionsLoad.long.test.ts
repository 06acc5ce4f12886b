/**
 * Subscriptions under load: no lost or repeated events, slow readers, many readers at once, and cleanup after they
 * leave.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { binaryEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { expect } from 'chai';
import fc from 'fast-check';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { readHandler } from '../../infrastructure/eventstoreEndpoint/reading/readHandler.js';
import { HeadWatch } from '../../infrastructure/sqlite/eventStore/notices.js';
import { openLogForReading } from '../../infrastructure/sqlite/eventStore/schema.js';
import { until } from '../support/doubles/fakeClock.js';
import { ReadCallStub } from '../support/doubles/readCallStub.js';
import { type RawRead, Reading, revisionsIn } from '../support/protocol/endpointReads.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const write = (client: EventStoreDBClient, stream: string, count: number, size = 10) =>
  client.appendToStream(
    stream,
    Array.from({ length: count }, () => binaryEvent({ id: randomUUID(), type: 'Noted', data: Buffer.alloc(size, 1) })),
  );

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const dense = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('protocol endpoint: subscriptions under load', () => {
  let stage: EndpointStage;
  let open: Reading[] = [];
  before(async () => {
    stage = await endpointStage();
  });
  afterEach(() => {
    for (const reading of open) reading.close();
    open = [];
  });
  after(() => stage.close());

  const subscribe = (read: RawRead): Reading => {
    const reading = new Reading(stage.address, read);
    open.push(reading);
    return reading;
  };

  /** One event of a run in which several things happen concurrently. */
  const step = fc.record({
    stream: fc.integer({ min: 0, max: 2 }),
    events: fc.constantFrom(1, 2, 30, 300),
    /** Source that a new subscriber follows. Undefined if none subscribes. */
    follows: fc.option(fc.constantFrom('stream', 'all', 'filtered'), { nil: undefined }),
    /** The readers resume, and the step waits for its own write. */
    calm: fc.boolean(),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** Writes and subscribes as the steps prescribe. Returns the events written to each stream, and the readers. */
  async function play(steps: readonly Step[], name: (n: number) => string) {
    const filter = { on: 'stream', prefixes: [name(0)], window: 10 } as const;
    const reads: Record<string, RawRead> = { stream: { stream: name(0) }, all: {}, filtered: { filter } };
    const readers: { reading: Reading; streams: readonly number[] }[] = [];
    const writing: Promise<unknown>[] = [];
    for (const { stream, events, follows, calm } of steps) {
      writing.push(write(stage.client, name(stream), events));
      const streams = follows === 'all' ? [0, 1, 2] : [0];
      if (follows !== undefined) readers.push({ reading: subscribe(reads[follows]!), streams });
      for (const { reading } of readers) reading.call[calm ? 'resume' : 'pause']();
      if (calm) await writing.at(-1);
    }
    await Promise.all(writing);
    const written = [0, 1, 2].map((n) => total(steps.filter(({ stream }) => stream === n).map(({ events }) => events)));
    return { written, readers };
  }

  it('deliver every event exactly once and in order, at any start and speed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        const run = randomUUID();
        const name = (n: number): string => `s${n}-${run}`;
        const { written, readers } = await play(steps, name);
        for (const { reading, streams } of readers) {
          reading.call.resume();
          const expected = total(streams.map((n) => written[n]!));
          await until('all events', () => reading.words.filter((word) => word.includes(run)).length >= expected);
          expect(streams.map((n) => reading.revisions(name(n)))).to.deep.equal(
            streams.map((n) => dense(0, written[n]!)),
          );
          const positions = reading.events.map((event) => Number(event.getCommitPosition()));
          expect(positions).to.deep.equal([...new Set(positions)].toSorted((a, b) => a - b));
          reading.close();
        }
      }),
      { numRuns: 6 },
    );
  });

  it('deliver each event to 200 subscriptions at once', async () => {
    const streams = dense(0, 100).map((n) => `many-${n}`);
    for (const stream of streams) await write(stage.client, stream, 1);
    const from = String((await write(stage.client, 'many-mark', 1)).position!.commit);
    const readings = streams.flatMap((stream) => [subscribe({ stream }), subscribe({ from })]);
    await Promise.all(readings.map((reading) => reading.has('caught up')));
    await Promise.all(streams.map((stream) => write(stage.client, stream, 1)));
    for (const [index, reading] of readings.entries()) {
      const stream = streams[index >> 1]!;
      const ofStream = index % 2 === 0;
      await reading.count(ofStream ? 2 : 100);
      expect(reading.revisions(stream)).to.deep.equal(ofStream ? [0, 1] : [1]);
    }
  });

  it('deliver everything to a reader who pauses a real connection while 24 MB are written', async () => {
    const reading = subscribe({ stream: 'paused', from: 'end' });
    await reading.has('caught up');
    reading.call.pause();
    for (const _ of dense(0, 30)) await write(stage.client, 'paused', 40, 20_000);
    reading.call.resume();
    await reading.count(1_200);
    expect(reading.revisions('paused')).to.deep.equal(dense(0, 1_200));
    expect(reading.end).to.equal(undefined);
  });

  describe('apart from the connection', () => {
    /** Runs the handler in this thread, so that the test controls how much a reader consumes. */
    async function handler() {
      const db = openLogForReading(stage.folder);
      const heads = new HeadWatch(BEFORE_ALL);
      const notices = stage.store.connectReader();
      heads.listen(notices);
      const read = readHandler({ db, heads, now: Date.now });
      const close = (): void => {
        notices.close();
        db.close();
      };
      return { read, heads, close };
    }

    it('a live reader who reads nothing gets a few messages, and later a notice that it fell behind', async () => {
      const { read, close } = await handler();
      const stub = new ReadCallStub({ stream: 'held', from: 'end' });
      const all = new ReadCallStub({ from: 'end' });
      for (const one of [stub, all]) {
        read(one.call);
        await until('live', () => one.words.includes('caught up'));
        one.hold();
      }
      const parts = dense(0, 23);
      for (const _ of parts) await write(stage.client, 'held', 500);
      const full = stub.writableHighWaterMark;
      await until('the maximum is sent', () => stub.writableNeedDrain && all.writableNeedDrain);
      expect([stub.writableLength, all.writableLength]).to.deep.equal([full, full]);
      stub.take();
      all.take();
      for (const one of [stub, all]) {
        await until('all events', () => one.words.length > 500 * parts.length);
        expect(revisionsIn(one.words, 'held')).to.deep.equal(dense(0, 500 * parts.length));
        await until('caught up again', () => one.words.at(-1) === 'caught up');
        expect(one.words.filter((word) => word === 'fell behind')).to.have.length(1);
        one.cancel();
      }
      close();
    });

    it('a reader that cancels or disconnects is dropped', async () => {
      const { read, close } = await handler();
      const calls: { messages: readonly unknown[]; sent: number; stub: WeakRef<ReadCallStub> }[] = [];
      const begin = async (request: RawRead, current: boolean): Promise<void> => {
        const stub = new ReadCallStub(request, !current);
        read(stub.call);
        await until('the beginning', () => stub.words.includes('confirmed') || stub.writableNeedDrain);
        stub.cancel();
        calls.push({ messages: stub.messages, sent: stub.messages.length, stub: new WeakRef(stub) });
      };
      await write(stage.client, 'left', 50);
      for (const current of [false, true]) {
        await begin({ stream: 'left' }, current);
        await begin({ stream: 'left', from: 'end' }, current);
        await begin({ stream: 'not-there' }, current);
        await begin({}, current);
      }
      await begin({ stream: 'left', count: 1_000 }, true);
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const recorded = () => calls.filter(({ stub }) => stub.deref() !== undefined).length;
      for (let tries = 0; tries < 100 && recorded() > 0; tries++) {
        await wait(1);
        collect();
      }
      expect(recorded()).to.equal(0);
      await write(stage.client, 'left', 1);
      expect(calls.filter(({ messages, sent }) => messages.length > sent)).to.deep.equal([]);
      close();
    });

    it('when the store ends, subscriptions end as unavailable', async () => {
      const { read, heads, close } = await handler();
      const stubs = [{}, { stream: 'left' }, { stream: 'not-there' }].map((request) => new ReadCallStub(request));
      for (const stub of stubs) read(stub.call);
      await until('the subscriptions', () => stubs.every((stub) => stub.words.includes('confirmed')));
      heads.fail(new StoreUnavailable('the event store has ended'));
      await until('the ends', () => stubs.every((stub) => stub.status !== undefined));
      expect(stubs.map((stub) => stub.status!.details)).to.deep.equal(
        stubs.map(() => 'the event store has ended: try again soon'),
      );
      close();
    });
  });

  it('end with a notice when the endpoint closes', async () => {
    const other = await endpointStage();
    await other.client.appendToStream('a', jsonEvent({ type: 'Noted', data: {} }));
    const readings = [new Reading(other.address, {}), new Reading(other.address, { stream: 'a' })];
    for (const reading of readings) await reading.has('caught up');
    await other.close();
    for (const reading of readings) {
      expect(await reading.ended()).to.match(/^(UNAVAILABLE|CANCELLED)/);
      reading.close();
    }
  });
});
