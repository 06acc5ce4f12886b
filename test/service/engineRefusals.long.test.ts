/** Permanent refusals are not retried. A start ends, and a running service reports the required change. */
import { cpSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { type FakeNode, fakeNode } from '../support/doubles/fakeCluster.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

const KEY = { SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };

/** Opens an address that leads to several servers, one at a time. */
async function switched(address: string) {
  const sockets = new Set<Socket>();
  let to = address;
  const server = createServer((near) => {
    const [host, port] = to.split(':') as [string, string];
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          for (const other of [near, far]) other.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    to(other: string) {
      to = other;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}

describe('a service rejected by its event store', () => {
  const folder = temporaryFolder('suuq-refused-');
  let stage: EndpointStage;
  let node: FakeNode;
  before(async () => {
    stage = await endpointStage();
    node = await fakeNode(stage.address);
    node.publish({ role: 'leader', members: [node.address], leader: node.address });
  });
  after(async () => {
    node.kill();
    await stage.close();
    folder.remove();
  });

  const start = (url: string): Promise<ServiceProcess> => startService(folder.path, { ...KEY, EVENTSTORE_URL: url });

  const reportsReady = (service: ServiceProcess) => async (text: string) => {
    const end = performance.now() + 30_000;
    for (;;) {
      const message = await (await fetch(`${service.baseUrl}/readyz`)).text();
      if (message.includes(text)) return;
      if (performance.now() > end) expect.fail(`/readyz never said '${text}': ${message}`);
    }
  };

  it('fails its start at once, with what to change', async () => {
    const began = performance.now();
    const error = await start(`esdb://${node.address}`).catch((failure: Error) => failure);
    expect((error as Error).message).to.match(/engine_refused: EventStoreDB at .*add \?tls=false to the URL/);
    // A start waits 60 s for an unavailable server.
    expect(performance.now() - began).to.be.below(30_000);
  });

  it('reports in /readyz what to change while it runs, and continues once it is changed', async () => {
    const service = await start(`esdb://${node.address}?tls=false`);
    const eventually = reportsReady(service);
    node.publish({ role: 'closed' });
    await eventually('denied access, and the URL has no user');
    node.publish({ role: 'leader' });
    await eventually('"status":"ready"');
    await service.stop();
  });

  it('reports there a changed password, certificate or TLS setting', async () => {
    const credentials = { user: 'suuq', password: 'as-ever-1' };
    const [own, foreign, plain] = await Promise.all([
      endpointStage({ credentials, login: 'suuq:as-ever-1' }),
      endpointStage({ credentials, login: 'suuq:as-ever-1' }),
      endpointStage(),
    ]);
    const changed = temporaryFolder('suuq-refused-changed-');
    for (const file of ['endpoint.crt', 'endpoint.key']) cpSync(join(own.folder, file), join(changed.path, file));
    const other = {
      folder: changed.path,
      credentials: { user: 'suuq', password: 'changed-1' },
      login: 'suuq:changed-1',
    };
    const guarded = await endpointStage(other);
    const way = await switched(own.address);
    const home = temporaryFolder('suuq-refused-tls-');
    const authority = join(own.folder, 'endpoint.crt');
    const service = await startService(home.path, {
      ...KEY,
      EVENTSTORE_URL: `esdb://suuq:as-ever-1@localhost:${way.port}?tlsCAFile=${authority}`,
    });
    const eventually = reportsReady(service);
    for (const [server, text] of [
      [guarded, 'denied access: check user and password'],
      [foreign, 'has a certificate that is not trusted (self-signed certificate)'],
      [plain, 'does not use TLS'],
    ] as const) {
      way.to(server.address);
      await eventually(text);
      way.to(own.address);
      await eventually('"status":"ready"');
    }
    expect(service.output()).to.not.include('as-ever-1');
    await service.stop();
    way.close();
    await Promise.all([own, foreign, plain, guarded].map((one) => one.close()));
    for (const one of [home, changed]) one.remove();
  });
});
