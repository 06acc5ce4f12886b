/** How the EventStoreDB adapter finds its way in a cluster: by gossip, and by a node that names the leader. */
import { setTimeout as wait } from 'node:timers/promises';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

/**
 * A follower that lists its features and answers each call to streams with the leader's address. `requests`: the
 * `requires-leader` header of each call.
 */
async function follower(leader: string): Promise<{ address: string; requests: string[]; close(): void }> {
  const [host, port] = leader.split(':') as [string, string];
  const requests: string[] = [];
  const trailers = new Metadata();
  trailers.set('exception', 'not-leader');
  trailers.set('leader-endpoint-host', host);
  trailers.set('leader-endpoint-port', port);
  const refusal = { code: status.NOT_FOUND, details: 'Leader info available', metadata: trailers };
  const method = new featureMessages.SupportedMethod();
  method.setServiceName('event_store.client.streams.Streams');
  method.setMethodName('BatchAppend');
  const methods = new featureMessages.SupportedMethods();
  methods.setMethodsList([method]);
  const server = new Server();
  const refuse = (call: { metadata: Metadata; emit(name: 'error', error: object): boolean }): void => {
    requests.push(String(call.metadata.get('requires-leader')[0]));
    call.emit('error', refusal);
  };
  server.addService(streams.StreamsService, {
    read: refuse,
    batchAppend: refuse,
    append: refuse,
    delete: refuse,
    tombstone: refuse,
  } as never);
  server.addService(features.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: (error: null, methods: object) => void) => answer(null, methods),
  } as never);
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error === null ? resolve(at) : reject(error),
    ),
  );
  return { address: `127.0.0.1:${bound}`, requests, close: () => server.forceShutdown() };
}

describe('EventStoreDB adapter in a cluster', () => {
  const { stream, event } = freshNames();
  let stage: EndpointStage;
  beforeEach(async () => {
    stage = await endpointStage();
  });
  afterEach(() => stage.close());

  it('finds a node by gossip from any of the named ones, and again after an outage', async () => {
    const store = await openEventStoreDb(`esdb://127.0.0.1:1,${stage.address}?tls=false`);
    const s = stream();
    const seen: number[] = [];
    const subscription = store.subscribe(
      BEFORE_ALL,
      {},
      { batch: (events) => void seen.push(...events.map(({ revision }) => revision)) },
    );
    await store.append(s, 'noStream', [event('before')]);
    await stage.restart();
    for (;;) {
      const outcome = await store.append(s, 0, [event('after')]).catch((error: unknown) => error);
      if (!(outcome instanceof StoreUnavailable)) break;
      await wait(20);
    }
    await until('the subscription continues', () => seen.length === 2);
    expect(seen).to.deep.equal([0, 1]);
    await subscription.stop();
    await store.close();
  });

  it('connects to the leader that a node names', async () => {
    const node = await follower(stage.address);
    const store = await openEventStoreDb(`esdb://${node.address}?tls=false`);
    const s = stream();
    expect((await store.append(s, 'noStream', [event('one')])).revision).to.equal(0);
    expect(await store.readStream(s)).to.have.length(1);
    expect(await stage.store.readStream(s)).to.have.length(1);
    expect(node.requests).to.deep.equal(['true']);
    await store.close();
    node.close();
  });

  it('knows that a single node has no replicas, and assumes them otherwise', async () => {
    const single = await openEventStoreDb(`esdb://${stage.address}?tls=false`);
    await until('the node has named its members', () => single.mayLag?.() === false);
    await single.close();
    const node = await follower(stage.address);
    for (const address of [`127.0.0.1:1,${stage.address}`, node.address]) {
      const store = await openEventStoreDb(`esdb://${address}?tls=false`);
      await store.append(stream(), 'noStream', [event('once')]);
      expect(store.mayLag?.(), address).to.equal(true);
      await store.close();
    }
    node.close();
  });

  it('reports in time that no node was found', async () => {
    const error = await failureOf(openEventStoreDb('esdb://127.0.0.1:1,127.0.0.1:2?tls=false', { timeoutMs: 500 }));
    expect(error).to.be.instanceOf(StoreUnavailable);
  });
});
