/** The EventStoreDB adapter and a server that scans a long part of the log before an event passes the filter. */
import { expect } from 'chai';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type SizedNode, sizedNode } from '../support/doubles/sizedNode.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const TIMEOUT_MS = 500;
/** Silence before the first message, as if the sought event came after millions of others. */
const SCAN_MS = 1_500;

describe('EventStoreDB adapter, long scans', () => {
  const { stream, event, category } = freshNames();
  let stage: EndpointStage;
  let node: SizedNode;
  let proxy: FaultyProxy;
  const open = () => openEventStoreDb(`esdb://${proxy.address}?tls=false`, { timeoutMs: TIMEOUT_MS });
  before(async () => {
    stage = await endpointStage();
    node = await sizedNode(stage.address, { version: '23.10.8', most: 1_048_576, scanMs: SCAN_MS });
    proxy = await faultyProxy(node.address);
    await stage.store.append(stream('sought'), 'noStream', [event('one')]);
  });
  after(async () => {
    await proxy.close();
    await node.close();
    await stage.close();
  });

  it('waits for the newest event, a page and a history as long as the server answers', async () => {
    const store = await open();
    expect(await store.head()).to.be.greaterThan(BEFORE_ALL);
    const filter = { categories: [category('sought')] };
    expect((await store.readAll(BEFORE_ALL, { filter })).events).to.have.length(1);
    const seen: number[] = [];
    const subscription = store.subscribe(BEFORE_ALL, filter, { batch: (events) => void seen.push(events.length) });
    await until('delivered', () => seen.length > 0);
    await subscription.stop();
    await store.close();
  });

  it('gives up a server that sends nothing', async () => {
    const store = await open();
    proxy.silence();
    const began = performance.now();
    for (const call of [store.head(), store.readAll(BEFORE_ALL, { filter: { categories: ['none'] } })])
      expect(await failureOf(call)).to.be.instanceOf(StoreUnavailable);
    expect(performance.now() - began).to.be.below(10_000);
    await store.close();
    await proxy.heal();
  });
});
