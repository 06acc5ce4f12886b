import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EndpointProcess, startEndpoint } from '../../harness/engines/endpointProcess.js';
import { faultyProxy } from '../../harness/engines/faultyProxy.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { signedCart } from '../../harness/service/signedCart.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import { type Ran, suuqConcurrently } from '../support/stages/commandLine.js';
import { callStore } from '../support/stages/demoStore.js';
import { until } from '../support/tools/until.js';

/** Longer than the service waits for one call, in ms. */
const AWAY_MS = 12_000;

describe('suuq move', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-move-');
  const data = join(folder.path, 'data');
  let hooks: Receiver;
  let target: EndpointProcess;
  let url: string;
  let service: ServiceProcess | undefined;
  let demo: Demo;

  before(async () => {
    hooks = await receiver();
    target = await startEndpoint(join(folder.path, 'target'));
    ({ url } = target);
  });
  after(async () => {
    await service?.stop();
    await target?.stop();
    await hooks.close();
    folder.remove();
  });

  const suuq = (...words: string[]): Promise<Ran> => suuqConcurrently(data, words);
  /** Ids of the received webhook events, in order of arrival. */
  const notify = (): string[] => hooks.received.map((one) => eventOf(one).id);
  const moved = async () => {
    const ran = await suuq('move', '--to', url, '--json');
    expect(ran.status, ran.stderr).to.equal(0);
    return JSON.parse(ran.stdout);
  };
  const call = (method: string, path: string, body?: object) => callStore(service!.baseUrl, demo, method, path, body);
  const buy = async (n: number): Promise<void> => {
    const { body, headers } = signedCart(demo, n, ['shirt']);
    await fetch(`${service!.baseUrl}/channel/webhook`, { method: 'POST', headers, body });
  };
  const orders = async () => (await call('GET', '/commerce/orders')).body.orders as { id: string; number: number }[];

  it('reports a folder without a history', async () => {
    const ran = await suuq('move', '--to', url);
    expect([ran.status, ran.stdout]).to.deep.equal([1, '']);
    expect(ran.stderr).to.match(/^nothing_to_move: /);
  });

  it('is rejected while the service runs', async () => {
    service = await startService(data);
    demo = readDemo(data);
    const shirt = { name: 'Shirt', imageUrls: ['https://images.example.com/shirt.jpg'], priceCents: 1500 };
    expect((await call('PUT', '/commerce/products/shirt', shirt)).status).to.equal(201);
    const made = await call('POST', '/webhook-endpoints', { url: hooks.url, events: ['order.created'] });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    await buy(1);
    await until('the order is delivered', () => notify().length === 1);
    const ran = await suuq('move', '--to', url);
    expect([ran.status, ran.stdout]).to.deep.equal([1, '']);
    expect(ran.stderr).to.match(/^data_folder_in_use: /);
    expect(await service.stop()).to.equal(0);
    service = undefined;
  });

  it('is rejected before any copy if the work database is missing, since pending tasks could not be moved', async () => {
    renameSync(join(data, 'work.db'), join(data, 'kept.db'));
    const ran = await suuq('move', '--to', url);
    renameSync(join(data, 'kept.db'), join(data, 'work.db'));
    expect([ran.status, ran.stdout]).to.deep.equal([1, '']);
    expect(ran.stderr).to.match(/^work_is_missing: .*suuq processors settle/);
  });

  it('survives a target that is unavailable for longer than a call may take', async () => {
    const proxy = await faultyProxy(target.address);
    const direct = await openEventStoreDb(url);
    // Slow enough that answers are still on their way when the first events are stored in the target.
    proxy.delay(200);
    const moving = suuq('move', '--to', `esdb://${proxy.address}?tls=false`);
    await until('the first events are in the target', async () => (await direct.head()) >= 0);
    await proxy.refuse();
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    await proxy.heal();
    const ran = await moving;
    expect(ran.status, ran.stderr).to.equal(0);
    expect(ran.stderr).to.contain(`waiting for EventStoreDB at ${proxy.address}`);
    await direct.close();
    await proxy.close();
  });

  it('copies every event, reports count and digest, and the same when repeated', async () => {
    const ran = await suuq('move', '--to', url);
    expect(ran.status, ran.stderr).to.equal(0);
    expect(ran.stderr).to.match(/copying: \d+ events, \d+ %|verifying: \d+ events, 100 %/);
    expect(ran.stdout).to.match(
      /events moved to EventStoreDB at 127\.0\.0\.1:\d+, equal to those here \(SHA-256 [0-9a-f]{64}\)/,
    );
    expect(ran.stdout).to.include(join(data, 'master.key'));
    const first = await moved();
    expect(first.events).to.be.greaterThan(10);
    expect(ran.stdout).to.include(first.digest);
    expect(await moved()).to.deep.include({ events: first.events, digest: first.digest });
  });

  it('leaves a service on the copy with everything, and repeats no effect', async () => {
    service = await startService(data, { EVENTSTORE_URL: url, SUUQ_MASTER_KEY_FILE: join(data, 'master.key') });
    expect((await orders()).map(({ number }) => number)).to.deep.equal([1]);
    expect((await call('GET', '/commerce/products')).body.products).to.have.length(1);
    await buy(2);
    await until('the next order is delivered', () => notify().length >= 2);
    expect((await orders()).map(({ number }) => number).sort()).to.deep.equal([1, 2]);
    expect(new Set(notify()).size, 'nothing told twice').to.equal(notify().length);
    expect(notify()).to.have.length(2);
    expect(await service.stop()).to.equal(0);
    service = undefined;
  });

  it('is rejected if the target has continued on its own', async () => {
    const ran = await suuq('move', '--to', url);
    expect(ran.status).to.equal(1);
    expect(ran.stderr).to.match(/target_holds_other_events: /);
  });

  it('does not show the password of the target', async () => {
    const ran = await suuq('move', '--to', 'esdb://admin:secretpart@127.0.0.1:1?tls=false');
    expect(ran.status).to.equal(1);
    expect(ran.stderr)
      .to.match(/unavailable: /)
      .and.not.include('secretpart');
    const wrong = await suuq('move', '--to', 'admin:secretpart@nowhere');
    expect(wrong.stderr)
      .to.match(/^wrong_setting: --to /)
      .and.not.include('secretpart');
  });
});
