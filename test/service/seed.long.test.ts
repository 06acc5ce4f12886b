/** The demo store is filled behind the first start, also across a kill; other stores by `suuq seed`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Demo,
  EMBEDDED,
  readDemo,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type CommandLine, commandLine } from '../support/stages/commandLine.js';
import { callStore } from '../support/stages/demoStore.js';
import { until } from '../support/tools/until.js';

const ORDERS = 30;
/** Orders in each status once the store is filled. */
const STATUSES = {
  new: 4,
  awaiting_payment: 2,
  paid: 4,
  preparing: 3,
  out_for_delivery: 3,
  delivered: 10,
  cancelled: 2,
  refunded: 2,
};

describe('a demo store', () => {
  const folder = temporaryFolder('suuq-seed-');
  let service: ServiceProcess;
  let demo: Demo;
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  const start = async (): Promise<void> => {
    service = await startService(folder.path, { SUUQ_DEMO: 'shop' });
    demo = readDemo(folder.path);
  };
  const read = async (path: string) => (await callStore(service.baseUrl, demo, 'GET', path)).body;
  const orders = async (): Promise<{ id: string; number: number; status: string; customerPhone: string }[]> =>
    (await read('/commerce/orders?limit=100')).orders;

  it('is filled once, although the first start is killed in the meantime', async () => {
    await start();
    await until('some orders', async () => (await orders()).length >= 5);
    await service.kill();
    await start();
    expect((await orders()).length, 'killed in the middle').to.be.lessThan(ORDERS);
    await until('the store is filled', () => !existsSync(join(folder.path, 'demo.unseeded')), 60_000);

    const all = await orders();
    expect(all.map(({ number }) => number).sort((a, b) => a - b)).to.deep.equal(
      Array.from(Array(ORDERS), (_, at) => at + 1),
    );
    const inEach = Object.keys(STATUSES).map((status) => [
      status,
      all.filter((order) => order.status === status).length,
    ]);
    expect(Object.fromEntries(inEach)).to.deep.equal(STATUSES);
    const { conversations } = await read('/conversations?limit=100');
    expect(new Set(conversations.map(({ contact }: { contact: { phone: string } }) => contact.phone)).size).to.equal(
      27,
    );
    const rahma = conversations.find(({ contact }: { contact: { name: string } }) => contact.name === 'Rahma Guuleed');
    const { messages } = await read(`/conversations/${rahma.id}/messages`);
    expect(messages).to.have.length(4);
  });

  it('has products with pictures, promotions, settings, a rejected product and a failing webhook', async () => {
    const { products } = await read('/commerce/products?limit=100');
    expect(products).to.have.length(24);
    const rejected = products.filter(({ sync }: { sync: { status: string } }) => sync.status !== 'approved');
    expect(
      rejected.map(({ name, sync }: { name: string; sync: { reason: string } }) => [name, sync.reason]),
    ).to.deep.equal([['Designer sunglasses', 'The item looks like a counterfeit.']]);
    const page = await (await fetch(`${service.baseUrl}/p/${demo.store.workspaceId}/demo-teapot-blue`)).text();
    const [, picture] = /<img class="main" src="\.\.\/\.\.(\/[^"]+)"/.exec(page) ?? [];
    expect((await fetch(`${service.baseUrl}${picture}`)).headers.get('content-type')).to.match(/^image\/svg/);
    const { promotions } = await read('/commerce/promotions');
    expect(promotions.map(({ kind }: { kind: string }) => kind).sort()).to.deep.equal([
      'coupon',
      'flash_sale',
      'number_list',
    ]);
    expect((await read('/commerce/delivery')).areas).to.have.length(4);
    const { endpoints } = await read('/webhook-endpoints');
    expect(endpoints).to.have.length(1);
    const { attention } = await read('/commerce/report');
    expect([attention.rejectedItems, attention.failingEndpoints]).to.deep.equal([1, 1]);
  });

  it('is not filled again, by the command or a start', async () => {
    const { suuq } = commandLine(folder.path);
    const { status, stderr } = suuq('seed');
    expect([status, stderr]).to.deep.equal([
      1,
      `already_seeded: Store ${demo.store.workspaceId} has the demo's goods and orders already.\n`,
    ]);
    expect((await orders()).length).to.equal(ORDERS);
  });
});

describe('suuq seed', () => {
  const folder = temporaryFolder('suuq-seed-');
  const { suuq, json }: CommandLine = commandLine(folder.path);
  let service: ServiceProcess;
  let demo: Demo;
  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    const features = [
      'commerce.catalog',
      'commerce.orders',
      'channel.number',
      'workspace.core',
      'commerce.products.max=5',
    ];
    json(
      'admin',
      'plans',
      'put',
      '--key',
      'small',
      '--name',
      'Small',
      ...features.flatMap((one) => ['--feature', one]),
    );
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  const owner = [
    '--owner-email',
    'o@example.com',
    '--owner-name',
    'O',
    '--country',
    'SO',
    '--timezone',
    'Africa/Mogadishu',
  ];
  const store = (name: string): string =>
    json('admin', 'stores', 'create', '--name', name, ...owner, '--plan', 'small').workspaceId;
  /** Code of the refusal. */
  const refusal = (...words: string[]): string => {
    const { status, stderr } = suuq('seed', ...words);
    expect(status, stderr).to.equal(1);
    return stderr.split(':')[0]!;
  };

  it('leaves the demo store empty if configured', async () => {
    expect(existsSync(join(folder.path, 'demo.unseeded'))).to.equal(false);
    expect((await callStore(service.baseUrl, demo, 'GET', '/commerce/products')).body.products).to.deep.equal([]);
  });

  it('rejects a store that is unknown, without a number, too small, live or closed', () => {
    expect(refusal('--workspace', '5f0c7a9e-1111-4000-8000-000000000002')).to.equal('not_found');
    const workspace = store('Small');
    expect(refusal('--workspace', workspace)).to.equal('number_not_connected');
    json('admin', 'numbers', 'connect', '--workspace', workspace);
    expect(refusal('--workspace', workspace)).to.equal('plan_limit_reached');
    const { keys } = json('admin', 'keys', 'list', '--workspace', workspace);
    expect(
      keys.map(({ revokedAt }: { revokedAt?: string }) => revokedAt !== undefined),
      'its key is revoked',
    ).to.deep.equal([true]);
    const { id } = json(
      'admin',
      'keys',
      'create',
      '--workspace',
      workspace,
      '--mode',
      'live',
      '--scope',
      'commerce:manage',
    );
    expect(refusal('--workspace', workspace)).to.equal('live_store');
    json('admin', 'keys', 'revoke', '--id', id);
    json('admin', 'stores', 'test-keys', '--workspace', workspace, '--set', 'refuse');
    expect(refusal('--workspace', workspace)).to.equal('live_store');
    json('admin', 'stores', 'suspend', '--workspace', workspace);
    expect(refusal('--workspace', workspace)).to.equal('store_closed');
  });

  it('revokes its key when it is interrupted', async () => {
    const workspace = json('admin', 'stores', 'create', '--name', 'Large', ...owner, '--plan', 'demo').workspaceId;
    json('admin', 'numbers', 'connect', '--workspace', workspace);
    const env = { ...process.env, ...EMBEDDED, SUUQ_DATA: folder.path };
    const child = spawn(process.execPath, [suuqCommand, 'seed', '--workspace', workspace], { env });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const keys = () => json('admin', 'keys', 'list', '--workspace', workspace).keys as { revokedAt?: string }[];
    await until('the key', () => keys().length === 1);
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    expect([status, stderr]).to.deep.equal([1, 'stopped: Stopped. Run the same command again to continue.\n']);
    expect(keys()[0]).to.have.property('revokedAt');
  });

  it('requires a running service', async () => {
    await service.stop();
    expect(refusal()).to.equal('not_running');
  });
});
