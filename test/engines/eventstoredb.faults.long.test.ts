/** The EventStoreDB adapter when the connection to its server breaks, hangs or is refused. */
import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import {
  BEFORE_ALL,
  type EventData,
  type EventStore,
  type Expected,
  type RecordedEvent,
  StoreUnavailable,
} from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const TIMEOUT_MS = 1_500;
/** Extra time allowed for a busy machine. */
const SLACK_MS = 6_000;

describe('EventStoreDB adapter, faults', () => {
  const { stream, event, category } = freshNames();
  let stage: EndpointStage;
  let proxy: FaultyProxy;
  let store: EventStore;
  beforeEach(async () => {
    stage = await endpointStage();
    proxy = await faultyProxy(stage.address);
    store = await openEventStoreDb(`esdb://${proxy.address}?tls=false`, { timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await stage.close();
  });

  /**
   * Repeats an append with the same ids and the same expectation until it is acknowledged. `report` gets the time of each
   * refusal.
   */
  async function insist(
    s: string,
    expected: Expected,
    events: EventData[],
    report: (ms: number) => void,
  ): Promise<void> {
    for (;;) {
      const began = performance.now();
      try {
        await store.append(s, expected, events);
        return;
      } catch (error) {
        expect(error).to.be.instanceOf(StoreUnavailable);
        report(performance.now() - began);
      }
    }
  }

  function follower(after = BEFORE_ALL, filter = {}) {
    const seen: RecordedEvent[] = [];
    const subscription = store.subscribe(after, filter, { batch: (events) => void seen.push(...events) });
    return { seen, subscription };
  }

  const label = ({ data }: { data: object }): string => (data as { label: string }).label;

  it('loses nothing and duplicates nothing while the server restarts under load', async () => {
    const refusals: number[] = [];
    const streams = Array.from({ length: 6 }, () => stream('load'));
    const { seen, subscription } = follower(BEFORE_ALL, { categories: [category('load')] });
    let acknowledged = 0;
    let going = true;
    const written = streams.map(() => [] as string[]);
    const writers = streams.map(async (s, w) => {
      for (let i = 0; going; i += 1) {
        const events = [event(`w${w}-${i}a`), event(`w${w}-${i}b`)];
        await insist(s, i === 0 ? 'noStream' : i * 2 - 1, events, (ms) => refusals.push(ms));
        written[w]!.push(...events.map(label));
        acknowledged += 1;
      }
    });
    const more = (count: number) => {
      const goal = acknowledged + count;
      return until(`${count} more appends`, () => acknowledged >= goal);
    };
    for (let round = 0; round < 4; round += 1) {
      await more(30);
      proxy.cut();
    }
    await more(30);
    await proxy.refuse();
    await until('appends are rejected', () => refusals.length >= streams.length);
    await proxy.heal();
    await more(30);
    await stage.restart();
    await more(30);
    going = false;
    await Promise.all(writers);
    for (const [w, s] of streams.entries())
      expect((await store.readStream(s)).map(label), `stream ${w}`).to.deep.equal(written[w]);
    await until('all delivered', () => seen.length >= acknowledged * 2);
    expect(seen.map(({ id }) => id)).to.deep.equal([...new Set(seen.map(({ id }) => id))]);
    const positions = seen.map(({ position }) => position);
    expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
    expect(seen).to.have.length(acknowledged * 2);
    // A call takes at most twice the timeout, whatever kind of outage it meets.
    expect(Math.max(...refusals)).to.be.below(2 * TIMEOUT_MS + SLACK_MS);
    await subscription.stop();
  });

  it('confirms a written append whose response was lost, with each expectation', async () => {
    for (const expected of ['noStream', 0, 'any'] as const) {
      const s = stream();
      if (expected === 0) await store.append(s, 'noStream', [event(`${s}-first`)]);
      const events = [event(`${s}-a`), event(`${s}-b`)];
      // The request passes before the connection is cut, but its answer does not.
      const appending = store.append(s, expected, events);
      const direct = await openEventStoreDb(`esdb://${stage.address}?tls=false`);
      const length = expected === 0 ? 3 : 2;
      while ((await direct.readStream(s)).length < length) await wait(1);
      proxy.cut();
      const { revision } = await appending;
      expect(revision).to.equal(length - 1);
      expect(await direct.readStream(s)).to.have.length(length);
      await direct.close();
    }
  });

  it('detects a half-open connection, and continues on a new one', async () => {
    const { seen, subscription } = follower();
    const s = stream();
    await store.append(s, 'noStream', [event('before')]);
    await until('live', () => seen.length === 1);
    proxy.silence();
    const began = performance.now();
    expect(await failureOf(store.append(s, 0, [event('during')]))).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(store.readStream(s))).to.be.instanceOf(StoreUnavailable);
    expect(performance.now() - began).to.be.below(2 * TIMEOUT_MS * 2 + SLACK_MS);
    // Only new connections pass. A call on an old connection gets no answer.
    await proxy.heal();
    await insist(s, 0, [event('during')], () => {});
    await until('the subscription continues', () => seen.length === 2);
    // Keepalive: a ping after 3 s, and 2 s for its answer.
    expect(performance.now() - began).to.be.below(5_000 + 2 * TIMEOUT_MS * 2 + SLACK_MS);
    expect(seen.map(label)).to.deep.equal(['before', 'during']);
    expect(await store.readStream(s)).to.have.length(2);
    await subscription.stop();
  });

  it('survives a server that was silent at connection time', async () => {
    const s = stream();
    proxy.silence();
    proxy.cut();
    expect(await failureOf(store.append(s, 'noStream', [event('early')]))).to.be.instanceOf(StoreUnavailable);
    await proxy.heal();
    await insist(s, 'noStream', [event('early')], () => {});
    expect(await store.readStream(s)).to.have.length(1);
  });

  it('closes within a limit while the server is silent, and notifies waiting calls', async () => {
    const { subscription } = follower();
    const s = stream();
    await store.append(s, 'noStream', [event('quiet')]);
    proxy.silence();
    const waiting = [failureOf(store.append(s, 0, [event('unanswered')])), failureOf(store.readStream(s))];
    const began = performance.now();
    await store.close();
    expect(performance.now() - began).to.be.below(2_000 + SLACK_MS);
    for (const failure of await Promise.all(waiting)) expect(failure).to.be.instanceOf(StoreUnavailable);
    await subscription.ended;
  });

  it('stops a subscription at once while the server is silent', async () => {
    proxy.silence();
    const { subscription } = follower();
    await wait(50);
    const began = performance.now();
    await subscription.stop();
    expect(performance.now() - began).to.be.below(TIMEOUT_MS);
    await subscription.ended;
  });

  it('delivers everything once to a handler that is slower than the writer', async () => {
    const s = stream();
    const seen: string[] = [];
    let caughtUp = false;
    let release = (): void => {};
    const current = new Promise<void>((resolve) => {
      release = resolve;
    });
    await store.append(s, 'noStream', [event('first')]);
    const subscription = store.subscribe(
      BEFORE_ALL,
      {},
      {
        async batch(events) {
          if (caughtUp) await current;
          seen.push(...events.map(label));
        },
        caughtUp() {
          caughtUp = true;
        },
      },
    );
    await until('caught up', () => caughtUp);
    expect(seen).to.deep.equal(['first']);
    const text = 'x'.repeat(1_000);
    for (let i = 0; i < 20; i += 1) {
      const many = Array.from({ length: 400 }, (_, k) => event(`${i}-${k}`, { label: `${i}-${k}`, text }));
      await store.append(s, i * 400, many);
    }
    release();
    await until('all', () => seen.length >= 8_001);
    await subscription.stop();
    expect(seen).to.deep.equal([
      'first',
      ...Array.from({ length: 8_000 }, (_, i) => `${Math.floor(i / 400)}-${i % 400}`),
    ]);
  });

  it('leaves no unhandled rejection or exception, whatever happens to its connections', async () => {
    const file = new URL('../support/protocol/eventStoreDbLoad.js', import.meta.url);
    const url = `esdb://${proxy.address}?tls=false`;
    const child = fork(file, [url, category('child')], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let reported = '';
    child.stderr!.on('data', (bytes) => {
      reported += String(bytes);
    });
    let acknowledged = 0;
    child.on('message', (count: number) => {
      acknowledged = count;
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    for (let round = 0; round < 6; round += 1) {
      const goal = acknowledged + 40;
      await until('the child continues', () => acknowledged >= goal || child.exitCode !== null);
      proxy.cut();
    }
    proxy.silence();
    await wait(300);
    proxy.cut();
    await proxy.heal();
    const goal = acknowledged + 40;
    await until('the child continues', () => acknowledged >= goal || child.exitCode !== null);
    child.send('stop');
    expect(await exited, reported).to.equal(0);
    expect(reported).to.equal('');
  });

  it('sends appends concurrently over a slow network', async () => {
    proxy.delay(40);
    const began = performance.now();
    await Promise.all(Array.from({ length: 60 }, (_, i) => store.append(stream(), 'noStream', [event(`far${i}`)])));
    // One after the other they would take 60 × 80 ms.
    expect(performance.now() - began).to.be.below(4_500);
  });
});
