/** The findings of an examination of an EventStoreDB. It leaves nothing behind. */
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { examineEventStoreDb } from '../../infrastructure/eventstoredb/examination.js';
import { serverClock } from '../../infrastructure/eventstoredb/serverClock.js';
import { type FakeNode, fakeNode } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const TIMEOUT_MS = 5_000;

describe('the check of an EventStoreDB server', () => {
  let stage: EndpointStage;
  let node: FakeNode;
  before(async () => {
    stage = await endpointStage();
    node = await fakeNode(stage.address);
    node.publish({ members: [node.address], leader: node.address });
  });
  after(async () => {
    node.kill();
    await stage.close();
  });

  const examined = () => examineEventStoreDb(`esdb://${node.address}?tls=false`, TIMEOUT_MS);

  it('reports that everything is allowed, and writes nothing', async () => {
    node.publish({ role: 'leader' });
    const before = await stage.store.head();
    const { version, tls, login, refused } = await examined();
    expect({ version, tls, login }).to.deep.equal({ version: '23.10.8', tls: false, login: false });
    expect(Object.values(refused)).to.deep.equal([undefined, undefined, undefined, undefined]);
    expect(await stage.store.head()).to.equal(before);
  });

  it('reports what an ordinary user may not do: read $all', async () => {
    node.publish({ role: 'ordinary' });
    const { refused } = await examined();
    expect(refused.readAll).to.match(/denied access, and the URL has no user/);
    expect([refused.readStream, refused.readMetadata, refused.write]).to.deep.equal([undefined, undefined, undefined]);
  });

  it('reports a user without any permission', async () => {
    node.publish({ role: 'closed' });
    const { refused } = await examined();
    expect(Object.values(refused).every((why) => /denied access/.test(why ?? ''))).to.equal(true);
  });

  it('reports a read-only server as not writable', async () => {
    const readOnly = await endpointStage({ writes: false });
    const { refused } = await examineEventStoreDb(`esdb://${readOnly.address}?tls=false`, TIMEOUT_MS).catch(
      (error: Error) => ({ refused: { write: error.message } }),
    );
    expect(refused.write).to.not.equal(undefined);
    await readOnly.close();
  });
});

describe("a server's clock", () => {
  let server: Http2Server;
  let ahead = 0;
  before((done) => {
    server = createServer((_request, response) => {
      response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
      response.end('{}');
    });
    server.listen(0, '127.0.0.1', done);
  });
  after((done) => void server.close(done));

  const requested = () => {
    const { port } = server.address() as AddressInfo;
    const options = { tls: false } as Parameters<typeof serverClock>[1];
    return serverClock({ address: '127.0.0.1', port }, options, TIMEOUT_MS);
  };

  it('matches ours within the same second', async () => {
    ahead = 0;
    expect(await requested()).to.equal(0);
  });

  it('is ahead or behind by the difference, minus the second that its date leaves open', async () => {
    ahead = 90_000;
    expect(await requested()).to.be.within(88_900, 90_100);
    ahead = -90_000;
    expect(await requested()).to.be.within(-90_100, -88_900);
  });

  it('is unknown without a response', async () => {
    const options = { tls: false } as Parameters<typeof serverClock>[1];
    expect(await serverClock({ address: '127.0.0.1', port: 1 }, options, TIMEOUT_MS)).to.equal(undefined);
  });
});
