/** Subscriptions to $all through the protocol endpoint: positions, filters, checkpoints. */
import { randomUUID } from 'node:crypto';
import { jsonEvent, streamNameFilter } from '@eventstore/db-client';
import { expect } from 'chai';
import fc from 'fast-check';
import { until } from '../support/doubles/fakeClock.js';
import { type RawFilter, type RawRead, Reading } from '../support/protocol/endpointReads.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

describe('protocol endpoint: subscriptions to $all', () => {
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

  const write = async (stream: string, count: number, type = 'Noted') =>
    (
      await stage.client.appendToStream(
        stream,
        Array.from({ length: count }, (_, n) => jsonEvent({ id: randomUUID(), type, data: { n } })),
      )
    ).position!;
  const subscribe = (read: RawRead): Reading => {
    const reading = new Reading(stage.address, read);
    open.push(reading);
    return reading;
  };
  /** 'e' an event, 'c' a checkpoint, 'U' caught up. */
  const signs = (reading: Reading): string =>
    reading.words.map((words) => ({ confirmed: '', 'caught up': 'U', checkpoint: 'c' })[words] ?? 'e').join('');
  const caughtUp = async (read: RawRead): Promise<Reading> => {
    const reading = subscribe(read);
    await reading.has('caught up');
    return reading;
  };

  it("of a new log: caught up after the server's own event", async () => {
    const reading = await caughtUp({});
    expect(reading.words).to.deep.equal(['confirmed', '$$$scavenges/0', 'caught up']);
  });

  it('from the start, from a position (exclusive), from the end, and from beyond it', async () => {
    await write('a', 2);
    await write('b', 1);
    const readings = await Promise.all((['start', 2, 'end', 2 ** 50] as const).map((from) => caughtUp({ from })));
    await write('a', 1);
    for (const reading of readings) await reading.has('a/2');
    expect(readings.map((reading) => reading.words.slice(1))).to.deep.equal([
      ['$$$scavenges/0', 'a/0', 'a/1', 'b/0', 'caught up', 'a/2'],
      ['b/0', 'caught up', 'a/2'],
      ['caught up', 'a/2'],
      ['caught up', 'a/2'],
    ]);
  });

  describe('filtered', () => {
    const only = (stream: string, window: number, multiplier = 1): RawFilter => ({
      on: 'stream',
      prefixes: [stream],
      window,
      multiplier,
    });

    /** Streams of a test's own, and where the log ended before them. */
    const fresh = async () => {
      const run = randomUUID();
      const begin = await write(`begin-${run}`, 1);
      return { yes: `yes-${run}`, no: `no-${run}`, begin, from: String(begin.commit) };
    };

    it('matching events arrive, in the history and live', async () => {
      const { yes, no, from } = await fresh();
      await write(yes, 2);
      await write(no, 2);
      const reading = await caughtUp({ from, filter: only(yes, 32) });
      await write(no, 1);
      await write(yes, 1);
      await reading.has(`${yes}/2`);
      expect(reading.words).to.deep.equal(['confirmed', `${yes}/0`, `${yes}/1`, 'caught up', `${yes}/2`]);
    });

    it('a checkpoint follows the number of historical events set by the window and its multiplier', async () => {
      const { yes, no, from } = await fresh();
      for (let n = 0; n < 100; n++) await write(n % 10 === 9 ? yes : no, 1);
      const signsOf = async (filter: RawFilter): Promise<string> => signs(await caughtUp({ from, filter }));
      expect(await signsOf(only(yes, 20))).to.equal('eeceeceeceeceecU');
      expect(await signsOf(only(yes, 20, 2))).to.equal('eeeeceeeeceeU');
      expect(await signsOf(only(yes, 5))).to.equal(`${'cec'.repeat(10)}U`);
      expect(await signsOf(only('nothing', 1))).to.equal(`${'c'.repeat(100)}U`);
    });

    it('and the same number of live events', async () => {
      const { yes } = await fresh();
      const reading = await caughtUp({ from: 'end', filter: only(yes, 10) });
      for (let n = 0; n < 25; n++) await write(yes, 1);
      await reading.count(25);
      expect(signs(reading)).to.equal(`U${'e'.repeat(10)}c${'e'.repeat(10)}c${'e'.repeat(5)}`);
    });

    it('continuing from any checkpoint loses nothing and repeats nothing', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          async (pattern, window) => {
            const { yes, no, from: begin } = await fresh();
            for (const passes of pattern) await write(passes ? yes : no, 1);
            const filter = only(yes, window);
            const whole = await caughtUp({ from: begin, filter });
            for (const [index, message] of whole.messages.entries()) {
              const at = message.getCheckpoint();
              if (at === undefined) continue;
              const from = { commit: at.getCommitPosition(), prepare: at.getPreparePosition() };
              const again = await caughtUp({ from, filter });
              const rest = whole.words.slice(index).filter((words) => words.startsWith('yes'));
              expect(again.words.filter((words) => words.startsWith('yes'))).to.deep.equal(rest);
              again.close();
            }
            whole.close();
          },
        ),
        { numRuns: 10 },
      );
    });

    it('a position between events continues with the next event', async () => {
      const run = randomUUID();
      const at = await write(`yes-${run}`, 1);
      await write(`yes-${run}`, 1);
      const filter = only(`yes-${run}`, 32);
      const before = { commit: String(at.commit), prepare: '0' };
      const words = async (from: typeof before) => (await caughtUp({ from, filter })).words.slice(1, -1);
      expect(await words(before)).to.deep.equal([`yes-${run}/0`, `yes-${run}/1`]);
      expect(await words({ ...before, prepare: before.commit })).to.deep.equal([`yes-${run}/1`]);
    });

    it("the client's checkpointReached is called with rising positions", async () => {
      const { yes, no, begin } = await fresh();
      await write(no, 400);
      const reached: bigint[] = [];
      const filter = streamNameFilter({
        prefixes: [yes],
        maxSearchWindow: 20,
        checkpointInterval: 5,
        checkpointReached: async (_subscription, { commit }) => void reached.push(commit - begin.commit),
      });
      const subscription = stage.client.subscribeToAll({ filter, fromPosition: begin });
      subscription.on('data', () => {});
      await until('four checkpoints', () => reached.length === 4);
      await subscription.unsubscribe();
      // Each is the place of the event that would come next.
      expect(reached).to.deep.equal([101n, 201n, 301n, 401n]);
    });

    it('invalid filters are rejected', async () => {
      expect(await subscribe({ filter: only('a', 0) }).ended()).to.match(/^INVALID_ARGUMENT: .*window/);
      expect(await subscribe({ filter: only('a', 10, 0) }).ended()).to.match(/^UNKNOWN: .*multiplier/);
      expect(await subscribe({ filter: { on: 'type', regex: '(' } }).ended()).to.match(
        /^UNKNOWN: .*regular expression/,
      );
    });
  });
});
