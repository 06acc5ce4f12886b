/** The EventStoreDB adapter when the leader of three nodes fails in any way, and when a single server comes back. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { BEFORE_ALL, type EventStore, type RecordedEvent, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeCluster, fakeCluster, fakeNode } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

/** Maximum time until writes succeed again, in ms. A cluster needs 6.5 s of it for its election. */
const REACH_MS = 10_000;
const ALONE_MS = 2_000;
/** Maximum time until a follower receives events that were written while its subscription was silent, in ms. */
const SILENT_MS = 3_500;
/** Extra time allowed for a busy machine. */
const SLACK_MS = 1_500;

describe('EventStoreDB adapter, loss of the leader', () => {
  const { stream, event } = freshNames();
  let stage: EndpointStage;
  let cluster: FakeCluster;
  let links: FaultyProxy[];
  let writing: EventStore;
  let reading: EventStore;
  const opened: EventStore[] = [];
  const writers: { stop(): void }[] = [];
  const open = async (url: string, timeoutMs = 5_000): Promise<EventStore> => {
    const store = await openEventStoreDb(url, { timeoutMs });
    opened.push(store);
    return store;
  };
  beforeEach(async () => {
    stage = await endpointStage();
    links = [];
    cluster = await fakeCluster(stage.address, async (node) => {
      const link = await faultyProxy(node.address);
      links.push(link);
      return link.address;
    });
    writing = await open(`esdb://${cluster.hosts}?tls=false`);
    // Like the projections' thread, it appends nothing, so it must notice the change by itself.
    reading = await open(`esdb://${cluster.hosts}?tls=false`);
  });
  afterEach(async () => {
    for (const one of writers.splice(0)) one.stop();
    await Promise.all(opened.splice(0).map((store) => store.close()));
    cluster.close();
    await Promise.all(links.map((link) => link.close()));
    await stage.close();
  });

  const label = ({ data }: { data: object }): string => (data as { label: string }).label;

  /**
   * Writes one event after another, with retries, until stopped. Reports the longest time between two acknowledgements.
   */
  function writer(store: EventStore, s: string) {
    const acknowledged: string[] = [];
    let going = true;
    let longest = 0;
    let last = performance.now();
    const done = (async () => {
      while (going) {
        const one = event(`${s}-${acknowledged.length}`);
        try {
          await store.append(s, acknowledged.length === 0 ? 'noStream' : acknowledged.length - 1, [one]);
          acknowledged.push(label(one));
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
          await wait(5);
        } catch (error) {
          expect(error).to.be.instanceOf(StoreUnavailable);
        }
      }
    })();
    const written = {
      acknowledged,
      /** In ms. Includes a gap that has not ended yet. */
      get longest() {
        return Math.max(longest, performance.now() - last);
      },
      async stop() {
        going = false;
        await done;
      },
    };
    writers.push(written);
    return written;
  }

  async function goesOn(lose: () => void): Promise<void> {
    const s = stream();
    const seen: RecordedEvent[] = [];
    const subscription = reading.subscribe(BEFORE_ALL, {}, { batch: (events) => void seen.push(...events) });
    const writes = writer(writing, s);
    await until('it writes', () => writes.acknowledged.length > 50 && seen.length > 20);
    lose();
    await cluster.elect();
    const before = writes.acknowledged.length;
    await until('it writes again', () => writes.acknowledged.length > before + 50);
    await writes.stop();
    await until('all are seen', () => seen.length >= writes.acknowledged.length);
    expect(seen.map(label)).to.deep.equal(writes.acknowledged);
    expect((await stage.store.readStream(s)).map(label)).to.deep.equal(writes.acknowledged);
    expect(writes.longest).to.be.below(REACH_MS + SLACK_MS);
    await subscription.stop();
  }

  it('continues when its process is killed', () => goesOn(() => cluster.nodes[0].kill()));

  it('continues when its process is frozen', () => goesOn(() => cluster.nodes[0].freeze()));

  it('continues when its machine is lost', () => goesOn(() => links[0]!.silence()));

  it('continues when it is cut off from the others and still answers', () =>
    goesOn(() => {
      const [first] = cluster.nodes;
      first.publish({ role: 'cutOff' });
      setTimeout(() => first.publish({ role: 'notReady', leader: null }), 5_000);
    }));

  it('continues at once when a single node returns, killed, frozen or lost', async () => {
    const node = await fakeNode(stage.address);
    node.publish({ role: 'leader', members: [node.address], leader: node.address });
    const proxy = await faultyProxy(node.address);
    const store = await open(`esdb://${proxy.address}?tls=false`, 1_500);
    const s = stream();
    const writes = writer(store, s);
    const ways = [
      { lose: () => proxy.refuse(), back: () => proxy.heal(), awayMs: 3_000 },
      { lose: () => node.freeze(), back: () => node.thaw(), awayMs: 3_000 },
      { lose: () => proxy.silence(), back: () => proxy.heal(), awayMs: 13_000 },
      { lose: () => proxy.silence(), back: () => proxy.heal(), awayMs: 4_000 },
    ];
    for (const { lose, back, awayMs } of ways) {
      await until('it writes', () => writes.acknowledged.length > 10);
      await lose();
      await wait(awayMs);
      const before = writes.acknowledged.length;
      const began = performance.now();
      await back();
      await until('it writes again', () => writes.acknowledged.length > before + 2);
      expect(performance.now() - began).to.be.below(ALONE_MS + SLACK_MS);
    }
    await writes.stop();
    expect((await stage.store.readStream(s)).map(label)).to.deep.equal(writes.acknowledged);
    node.kill();
  });

  it('resubscribes when it leads again without its old subscriptions', async () => {
    const [first] = cluster.nodes;
    const s = stream();
    let live = 0;
    const heard = [writing, reading].map((store) => {
      const seen: RecordedEvent[] = [];
      store.subscribe(BEFORE_ALL, {}, { batch: (events) => void seen.push(...events), caughtUp: () => live++ });
      return seen;
    });
    const labels = ['a', 'b', 'c', 'd'];
    const append = (at: number) => writing.append(s, at === 0 ? 'noStream' : at - 1, [event(labels[at]!)]);
    await append(0);
    await until('both follow live', () => live === 2);
    await append(1);
    await until('both have received', () => heard.every((seen) => seen.length === 2));
    first.publish({ forgets: 'listeners' });
    await until('it has lost both', () => first.forgotten >= 2);
    await append(2);
    const began = performance.now();
    await until('both receive again', () => heard.every((seen) => seen.length === 3));
    expect(performance.now() - began).to.be.below(SILENT_MS + SLACK_MS);
    await append(3);
    await until('both continue', () => heard.every((seen) => seen.length === 4));
    for (const seen of heard) expect(seen.map(label)).to.deep.equal(labels);
    expect(first.calls, 'and the connection was kept').to.equal(1);
  });

  it('appends when it leads again without its old append calls', async () => {
    const [first] = cluster.nodes;
    const s = stream();
    const writes = writer(writing, s);
    await until('it writes', () => writes.acknowledged.length > 10);
    first.publish({ forgets: 'appenders' });
    await until('it has lost it', () => first.forgotten === 1);
    const before = writes.acknowledged.length;
    await until('it writes again', () => writes.acknowledged.length > before + 50);
    await writes.stop();
    expect((await stage.store.readStream(s)).map(label)).to.deep.equal(writes.acknowledged);
    expect(writes.longest).to.be.below(REACH_MS + SLACK_MS);
    expect(first.calls, 'over a new call').to.equal(2);
  });

  it('tolerates a pause of the server', async () => {
    const [first] = cluster.nodes;
    const s = stream();
    await writing.append(s, 'noStream', [event(`${s}-0`)]);
    first.freeze();
    await wait(5_500);
    first.thaw();
    await writing.append(s, 0, [event(`${s}-1`)]);
    expect(first.calls).to.equal(1);
  });

  it('leaves it also if one name resolves to several hosts', async () => {
    const first = await fakeNode(stage.address);
    const port = Number(first.address.split(':')[1]);
    const second = await fakeNode(stage.address, '127.0.0.2', port);
    for (const node of [first, second])
      node.publish({ role: 'leader', members: [first.address, second.address], leader: node.address });
    const store = await openEventStoreDb(`esdb://log.example:${port}?tls=false`, {
      resolve: async () => [{ address: '127.0.0.1' }, { address: '127.0.0.2' }],
    });
    opened.push(store);
    const s = stream();
    await store.append(s, 'noStream', [event(`${s}-0`)]);
    first.publish({ role: 'busy' });
    await until('it is busy', () => first.calls === 1);
    await store.append(s, 0, [event(`${s}-1`)]);
    expect([first.refused, second.calls]).to.deep.equal([1, 1]);
    first.kill();
    second.kill();
  });

  it('leaves a node that rejects appends for one that accepts them', async () => {
    const [first, second] = cluster.nodes;
    const s = stream();
    await writing.append(s, 'noStream', [event(`${s}-0`)]);
    const members = cluster.hosts.split(',');
    for (const node of cluster.nodes) node.publish({ leader: members[1]! });
    second.publish({ role: 'leader' });
    first.publish({ role: 'busy', leader: members[0]! });
    const began = performance.now();
    await writing.append(s, 0, [event(`${s}-1`)]);
    expect(performance.now() - began).to.be.below(ALONE_MS + SLACK_MS);
    expect(first.refused).to.be.within(1, 5);
  });
});
