/** Threads of a service that end unexpectedly. The service restarts them without losing data, or ends with a reason. */
import { expect } from 'chai';
import {
  projectFolder,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { until } from '../support/tools/until.js';

const preloaded = new URL('dist/test/support/threads/endingThread.js', `file://${projectFolder}`).href;
const shirt = { name: 'Shirt', imageUrls: ['https://cdn.example.com/1.jpg'], priceCents: 10_00 };

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a service with a thread that stops unexpectedly', () => {
  const folder = temporaryFolder();
  let service: ServiceProcess;

  const started = (thread: string): Promise<ServiceProcess> =>
    startService(folder.path, { NODE_OPTIONS: `--import=${preloaded}`, SUUQ_TEST_THREAD: thread });
  async function call(method: string, path: string, body?: object) {
    const { store } = readDemo(folder.path);
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${store.workspaceId}/commerce${path}`, {
      method,
      headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { products?: { externalId: string }[] } };
  }
  const put = async (id: string): Promise<number> => (await call('PUT', `/products/${id}`, shirt)).status;
  const ids = async (): Promise<string[] | undefined> =>
    (await call('GET', '/products?limit=200')).body.products?.map(({ externalId }) => externalId);

  afterEach(() => service.kill());
  after(() => folder.remove());

  it('shows everything acknowledged once its views follow the log again', async () => {
    service = await started('projectionsThread.js');
    expect(await put('before')).to.equal(201);
    process.kill(service.pid, 'SIGUSR2');
    expect(await put('meanwhile')).to.equal(201);
    await until('the views show it', async () => (await ids())?.includes('meanwhile') === true);
    expect(await ids()).to.include('before');
  });

  it('exits with a reason if its log accepts no more writes, and has everything acknowledged after a restart', async () => {
    service = await started('writerThread.js');
    expect(await put('acknowledged')).to.equal(201);
    process.kill(service.pid, 'SIGUSR2');
    await until('it has ended', () => !isRunning(service.pid));
    expect(await service.stop()).to.equal(1);
    expect(service.output())
      .to.include('event log failed, service is stopping')
      .and.include('the event store has ended');
    service = await started('none');
    expect(await ids()).to.include('acknowledged');
  });
});
