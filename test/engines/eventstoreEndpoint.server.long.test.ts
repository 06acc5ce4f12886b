/** The protocol endpoint as a server: access, server information, unsupported calls, and shutdown. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  EventStoreDBClient,
  jsonEvent,
  persistentSubscriptionToStreamSettingsFromDefaults,
  UnavailableError,
} from '@eventstore/db-client';
import type { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import type { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb.js';
import usersPb from '@eventstore/db-client/generated/users_pb.js';
import { type ServiceError, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { startEventStoreEndpoint } from '../../infrastructure/eventstoreEndpoint/endpoint.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { rawClient } from '../support/protocol/endpointWire.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const empty = () => new sharedPb.Empty();
const noted = () => jsonEvent({ type: 'Noted', data: { n: 1 } });
const codeOf = async (promise: Promise<unknown>): Promise<number> => ((await failureOf(promise)) as ServiceError).code;
const unary = <Answer>(
  call: (callback: (error: ServiceError | null, answer?: Answer) => void) => unknown,
): Promise<Answer> =>
  new Promise((resolve, reject) => call((error, answer) => (error === null ? resolve(answer!) : reject(error))));

describe('protocol endpoint: server', () => {
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage();
  });
  after(() => stage.close());

  it('lists exactly the supported features', async () => {
    const client = rawClient<ServerFeaturesClient>('serverfeatures', 'ServerFeaturesClient', stage.address);
    const features = await unary<SupportedMethods>((callback) => client.getSupportedMethods(empty(), callback));
    client.close();
    const names = features
      .getMethodsList()
      .map((one) => `${one.getServiceName().split('.').at(-1)}/${one.getMethodName()}`);
    expect(names).to.have.members([
      'gossip/read',
      'serverfeatures/getsupportedmethods',
      'streams/append',
      'streams/batchappend',
      'streams/delete',
      'streams/read',
      'streams/tombstone',
    ]);
  });

  it('reports one member, the leader, at the address that the client used', async () => {
    const client = rawClient<GossipClient>('gossip', 'GossipClient', stage.address.replace('127.0.0.1', 'localhost'));
    const members = (await unary<ClusterInfo>((callback) => client.read(empty(), callback))).getMembersList();
    client.close();
    expect(members.map((one) => one.getState())).to.deep.equal([8]);
    expect(members[0]!.getHttpEndPoint()!.toObject()).to.deep.equal({
      address: 'localhost',
      port: Number(stage.address.split(':')[1]),
    });
  });

  it('is found by discovery', async () => {
    const client = EventStoreDBClient.connectionString(`esdb+discover://${stage.address}?tls=false`);
    expect((await client.appendToStream('found-1', noted())).success).to.equal(true);
    await client.dispose();
  });

  describe('unsupported calls are UNIMPLEMENTED at once', () => {
    it('persistent subscriptions', async () => {
      const settings = persistentSubscriptionToStreamSettingsFromDefaults();
      const { client } = stage;
      expect(await codeOf(client.createPersistentSubscriptionToStream('s', 'g', settings))).to.equal(
        status.UNIMPLEMENTED,
      );
      const consumed = new Promise((_, reject) => {
        client
          .subscribeToPersistentSubscriptionToStream('s', 'g')
          .on('error', reject)
          .on('data', () => {});
      });
      expect(await codeOf(consumed)).to.equal(status.UNIMPLEMENTED);
      expect(await codeOf(client.deletePersistentSubscriptionToStream('s', 'g'))).to.equal(status.UNIMPLEMENTED);
      // This client uses HTTP/1.1 for calls that ServerFeatures does not list.
      expect(((await failureOf(client.listAllPersistentSubscriptions())) as Error).message).to.equal('Not Implemented');
    });

    it('projections', async () => {
      expect(await codeOf(stage.client.listProjections())).to.equal(status.UNIMPLEMENTED);
      expect(await codeOf(stage.client.createProjection('p', 'fromAll()'))).to.equal(status.UNIMPLEMENTED);
    });

    it('users and operations', async () => {
      const users = rawClient<UsersClient>('users', 'UsersClient', stage.address);
      const create = new usersPb.CreateReq().setOptions(new usersPb.CreateReq.Options().setLoginName('me'));
      expect(await codeOf(unary((callback) => users.create(create, callback)))).to.equal(status.UNIMPLEMENTED);
      users.close();
      const operations = rawClient<OperationsClient>('operations', 'OperationsClient', stage.address);
      expect(await codeOf(unary((callback) => operations.mergeIndexes(empty(), callback)))).to.equal(
        status.UNIMPLEMENTED,
      );
      operations.close();
    });
  });

  describe('credentials', () => {
    const credentials = { user: 'tools', password: 'a long one: ü' };
    let guarded: EndpointStage;
    before(async () => {
      guarded = await endpointStage({ credentials, login: `tools:${encodeURIComponent(credentials.password)}` });
    });
    after(() => guarded.close());

    it('valid ones are accepted, from the connection string and from the call', async () => {
      expect((await guarded.client.appendToStream('in-1', noted())).success).to.equal(true);
      const call = { credentials: { username: credentials.user, password: credentials.password } };
      expect((await guarded.client.appendToStream('in-1', noted(), call)).success).to.equal(true);
    });

    it('wrong and missing ones are UNAUTHENTICATED, for writes and reads', async () => {
      const wrong = { credentials: { username: 'tools', password: 'a long one: u' } };
      expect(await codeOf(guarded.client.appendToStream('out-1', noted(), wrong))).to.equal(status.UNAUTHENTICATED);
      expect(await codeOf(guarded.client.deleteStream('in-1', wrong))).to.equal(status.UNAUTHENTICATED);
      const read = async () => {
        for await (const _ of guarded.client.readStream('in-1', wrong)) expect.fail('nothing may be read');
      };
      expect(await codeOf(read())).to.equal(status.UNAUTHENTICATED);
      const stranger = EventStoreDBClient.connectionString(`esdb://${guarded.address}?tls=false`);
      const port = guarded.address.split(':')[1];
      const unsure = EventStoreDBClient.connectionString(
        `esdb://tools:wrong@localhost:${port}?tlsCAFile=${join(guarded.folder, 'endpoint.crt')}`,
      );
      expect(await codeOf(unsure.appendToStream('out-1', noted()))).to.equal(status.UNAUTHENTICATED);
      await unsure.dispose();
      expect(await codeOf(stranger.appendToStream('out-1', noted()))).to.equal(status.UNAUTHENTICATED);
      await stranger.dispose();
      expect(await guarded.store.readStream('out-1')).to.deep.equal([]);
    });

    it('are sent over TLS with a certificate that is no CA, and valid for this endpoint only', () => {
      const certificate = new X509Certificate(readFileSync(join(guarded.folder, 'endpoint.crt')));
      expect(certificate.ca).to.equal(false);
      expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
    });

    it('are ignored if none are configured', async () => {
      const any = { credentials: { username: 'nobody', password: randomUUID() } };
      expect((await stage.client.appendToStream('any-1', noted(), any)).success).to.equal(true);
    });

    it('are required on an address for other machines', async () => {
      const { store, folder } = stage;
      const error = await failureOf(startEventStoreEndpoint({ store, folder, host: '0.0.0.0', port: 0 }));
      expect((error as Error).message).to.contain('user and a password');
    });
  });

  it('accepts no writes unless configured to, and does not list them', async () => {
    const quiet = await endpointStage({ writes: false });
    const client = rawClient<ServerFeaturesClient>('serverfeatures', 'ServerFeaturesClient', quiet.address);
    const features = await unary<SupportedMethods>((callback) => client.getSupportedMethods(empty(), callback));
    client.close();
    const names = features.getMethodsList().map((one) => one.getMethodName());
    expect(names).to.have.members(['read', 'read', 'getsupportedmethods']);
    const streams = rawClient<StreamsClient>('streams', 'StreamsClient', quiet.address);
    const batch = streams.batchAppend();
    const ended = new Promise<ServiceError>((resolve) => batch.on('error', resolve).on('data', () => {}));
    expect((await ended).code).to.equal(status.PERMISSION_DENIED);
    streams.close();
    const refused = (await failureOf(quiet.client.appendToStream('quiet-1', noted()))) as Error;
    expect(refused.message).to.include('EVENTSTORE_ENDPOINT_WRITE=1');
    expect(await quiet.store.readStream('quiet-1')).to.deep.equal([]);
    await quiet.close();
  });

  it('reports why it cannot listen', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const { store, folder } = stage;
    const error = await failureOf(startEventStoreEndpoint({ store, folder, host: '127.0.0.1', port }));
    expect((error as Error).message).to.contain('EADDRINUSE');
    await new Promise((resolve) => taken.close(resolve));
    expect((await stage.client.appendToStream('still-1', noted())).success).to.equal(true);
  });

  it('ends its calls on close: appends are answered, and subscribers are notified', async () => {
    const ending = await endpointStage();
    await ending.client.appendToStream('end-1', noted());
    const notices: unknown[] = [];
    const other = EventStoreDBClient.connectionString(`esdb://${ending.address}?tls=false`);
    const follower = other.subscribeToStream('end-1');
    follower.on('data', () => notices.push('event')).on('error', (error) => notices.push(error));
    await until('the event', () => notices.includes('event'));
    const answer = await ending.client.appendToStream('end-1', noted());
    expect(answer.nextExpectedRevision).to.equal(1n);
    const restarted = ending.restart();
    await until('the end', () => notices.some((notice) => notice instanceof UnavailableError));
    await restarted;
    await other.dispose();
    expect((await ending.client.appendToStream('end-1', noted())).nextExpectedRevision).to.equal(2n);
    await ending.close();
  });
});
