/** Errors for an operator with a wrong URL, with a server that is not EventStoreDB, or with an invalid position. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf as shown } from '../../cli/failures.js';
import { BEFORE_ALL, StoreRefused } from '../../engine/ports/eventStore.js';
import { suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { BadEngineUrl } from '../../infrastructure/engineUrl.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { certificateIn } from '../../infrastructure/eventstoreEndpoint/certificate.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { fakeNode } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const login = 'suuq:as-ever-1';

describe('EventStoreDB adapter, connection problems', () => {
  const { stream, event } = freshNames();
  const folder = temporaryFolder('suuq-edges-');
  const servers: Server[] = [];
  let stage: EndpointStage;
  before(async () => {
    stage = await endpointStage({ credentials: { user: 'suuq', password: 'as-ever-1' }, login });
  });
  after(async () => {
    for (const server of servers) server.close();
    await stage.close();
    folder.remove();
  });
  const authority = () => `tlsCAFile=${join(stage.folder, 'endpoint.crt')}`;
  const opening = async (url: string) => (await failureOf(openEventStoreDb(url, { timeoutMs: 3_000 }))) as Error;

  async function suuq(url: string, ...words: string[]) {
    const env = { ...process.env, EVENTSTORE_URL: url, MONGODB_URL: '', SUUQ_MASTER_KEY: '5c'.repeat(32) };
    const child = spawn(process.execPath, [suuqCommand, ...words], { env: { ...env, SUUQ_DATA: folder.path } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [status] = (await once(child, 'close')) as [number | null];
    clearTimeout(late);
    return { status, said: output };
  }

  it('reports a misspelt option or a missing file as a wrong setting', async () => {
    for (const [options, sentence] of [
      ['tlsCaFil=a', /^EVENTSTORE_URL has an unknown option 'tlsCaFil'/],
      ['tlsCAFile=/none/ca.crt', /^EVENTSTORE_URL names \/none\/ca.crt by tlsCAFile, which cannot be read \(ENOENT\)/],
    ] as const) {
      const error = await opening(`esdb://asha:s3cret@127.0.0.1:1?${options}`);
      expect(error).to.be.instanceOf(BadEngineUrl);
      expect(error.message).to.match(sentence).and.not.include('s3cret');
      expect(shown(error).code).to.equal('wrong_setting');
    }
  });

  it('reports a URL without a user', async () => {
    const error = await opening(`esdb://${stage.address}?${authority()}`);
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.match(/the URL has no user: write it as esdb:\/\/user:password@host/);
  });

  it('reports at once a server that is not EventStoreDB, over HTTP/1.1 or 2, with TLS or without', async () => {
    const certificate = certificateIn(folder.path, '127.0.0.1');
    const ca = `tlsCAFile=${join(folder.path, 'endpoint.crt')}`;
    const nothing: RequestListener = (_request, response) => void response.writeHead(404).end('not found');
    for (const [server, options] of [
      [createServer(nothing), 'tls=false'],
      [createHttp2Server(nothing as never), 'tls=false'],
      [createSecureServer({ ...certificate, allowHTTP1: true }, nothing as never), ca],
    ] as const) {
      servers.push(server as Server);
      await new Promise<void>((resolve) => (server as Server).listen(0, '127.0.0.1', resolve));
      const error = await opening(`esdb://127.0.0.1:${((server as Server).address() as AddressInfo).port}?${options}`);
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message).to.match(/is not EventStoreDB.*check host and port in the URL/);
    }
  });

  it('finds events by their positions, and can be tailed from them', async () => {
    const open = await endpointStage();
    const node = await fakeNode(open.address);
    node.publish({ role: 'leader', members: [node.address], leader: node.address });
    const url = `esdb://${node.address}?tls=false`;
    const store = await openEventStoreDb(url);
    const { position } = await store.append(stream(), 'noStream', [event('one'), event('two')]);
    node.publish({ end: Math.floor(position / 2) });
    const requested = [BEFORE_ALL, position, position + 7].map((at) => store.isPlace(at));
    expect(await Promise.all(requested)).to.deep.equal([true, true, false]);
    const { status, said } = await suuq(url, 'events', 'tail', '--after', '1000');
    expect(said).to.match(/^no_event_there: There is no event at position 1000\./m);
    expect(status).to.equal(1);
    await store.close();
    node.kill();
    await open.close();
  });

  it('connects over TLS to an IP address without a warning', async () => {
    const { said } = await suuq(`esdb://${login}@${stage.address}?${authority()}`, 'doctor');
    expect(said).to.include(stage.address).and.not.include('DEP0123');
  });
});
