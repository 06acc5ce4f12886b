/** The EventStoreDB adapter over TLS, with a user and a password. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect } from 'chai';
import { BEFORE_ALL, StoreRefused } from '../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { certificateIn } from '../../infrastructure/eventstoreEndpoint/certificate.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

/** A lasting failure is reported at once, even with a long timeout. Otherwise the tests would run out of time. */
const PATIENT = { timeoutMs: 60_000 };

describe('EventStoreDB adapter, access', () => {
  const { stream, event } = freshNames();
  let stage: EndpointStage;
  let host: string;
  let authority: string;
  before(async () => {
    stage = await endpointStage({
      credentials: { user: 'suuq', password: 'p?ss:w0rd' },
      login: 'suuq:p%3Fss%3Aw0rd',
    });
    host = stage.address.replace('127.0.0.1', 'localhost');
    authority = join(stage.folder, 'endpoint.crt');
  });
  after(() => stage.close());

  it('logs in with each call over TLS', async () => {
    const store = await openEventStoreDb(`esdb://suuq:p%3Fss%3Aw0rd@${host}?tlsCAFile=${authority}`);
    const s = stream();
    const seen: number[] = [];
    const subscription = store.subscribe(
      BEFORE_ALL,
      {},
      { batch: (events) => void seen.push(...events.map(({ revision }) => revision)) },
    );
    await store.append(s, 'noStream', [event('one')]);
    await store.append(s, 0, [event('two')]);
    expect(await store.readStream(s)).to.have.length(2);
    await until('followed', () => seen.length === 2);
    await subscription.stop();
    await store.close();
  });

  it('reports rejected credentials without showing them', async () => {
    const error = (await failureOf(
      openEventStoreDb(`esdb://suuq:wr0ng@${host}?tlsCAFile=${authority}`, PATIENT),
    )) as Error;
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.match(/denied access: check user and password/);
    expect(`${error.message} ${error.stack}`).not.to.contain('wr0ng');
  });

  it('does not connect to a server with an unknown certificate', async () => {
    for (const hosts of [host, `${host},${host.replace('localhost', '127.0.0.1')}`]) {
      const error = (await failureOf(openEventStoreDb(`esdb://suuq:x@${hosts}`, PATIENT))) as Error;
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message).to.match(/certificate that is not trusted \(.*self.signed certificate.*\)/);
    }
  });

  it('reports a server with TLS when the URL disables it', async () => {
    const { cert, key } = certificateIn(stage.folder, '127.0.0.1');
    const server = createServer({ cert, key, ALPNProtocols: ['h2'] }).on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = (await failureOf(openEventStoreDb(`esdb://127.0.0.1:${port}?tls=false`, PATIENT))) as Error;
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.contain('uses TLS');
    server.close();
  });

  it('reports a server without TLS when the URL enables it', async () => {
    const plain = await endpointStage();
    const error = (await failureOf(openEventStoreDb(`esdb://${plain.address}`, PATIENT))) as Error;
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.contain('does not use TLS');
    await plain.close();
  });

  it('accepts KurrentDB connection strings', async () => {
    const plain = await endpointStage();
    for (const scheme of ['kurrentdb', 'kdb', 'kurrentdb+discover', 'kdb+discover']) {
      const store = await openEventStoreDb(`${scheme}://${plain.address}?tls=false`);
      expect(await store.readStream('nothing-1')).to.deep.equal([]);
      await store.close();
    }
    await plain.close();
  });

  it('does not use the log of another running service', async () => {
    const service = await endpointStage({ hasService: true });
    const error = (await failureOf(openEventStoreDb(`esdb://${service.address}?tls=false`, PATIENT))) as Error;
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.contain('the endpoint of a running Suuq service');
    await service.close();
  });

  it('reports which certificate file cannot be read', async () => {
    const error = (await failureOf(openEventStoreDb(`esdb://suuq:s3cret@${host}?tlsCAFile=/nowhere/ca.crt`))) as Error;
    expect(error.message).to.contain('/nowhere/ca.crt');
    expect(error.message).not.to.contain('s3cret');
  });
});
