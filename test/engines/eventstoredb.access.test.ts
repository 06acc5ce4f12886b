/** The EventStoreDB adapter over TLS, with a user and a password. */
import { join } from 'node:path';
import { expect } from 'chai';
import { BEFORE_ALL, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { failureOf, freshNames, until } from '../contracts/eventStoreKit.js';
import { type EndpointStage, endpointStage } from '../support/endpointStage.js';

describe('EventStoreDB adapter, access', function () {
  this.timeout(30_000);
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

  it('says that the access was refused, and not with what', async () => {
    const error = (await failureOf(
      openEventStoreDb(`esdb://suuq:wr0ng@${host}?tlsCAFile=${authority}`, { timeoutMs: 2_000 }),
    )) as Error;
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.match(/refused the access/);
    expect(`${error.message} ${error.stack}`).not.to.contain('wr0ng');
  });

  it('does not talk to a server whose certificate it does not know', async () => {
    const error = await failureOf(openEventStoreDb(`esdb://suuq:x@${host}`, { timeoutMs: 500 }));
    expect(error).to.be.instanceOf(StoreUnavailable);
  });

  it('says which file of a certificate cannot be read', async () => {
    const error = (await failureOf(openEventStoreDb(`esdb://suuq:s3cret@${host}?tlsCAFile=/nowhere/ca.crt`))) as Error;
    expect(error.message).to.contain('/nowhere/ca.crt');
    expect(error.message).not.to.contain('s3cret');
  });
});
