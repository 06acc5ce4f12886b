/** `suuq backup` of a service under load, and restores from the copy. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { eventOf, type Receiver, receiver } from '../support/doubles/receiver.js';
import { type S3Server, s3Server } from '../support/doubles/s3Server.js';
import { commandLine, type Ran, suuqConcurrently } from '../support/stages/commandLine.js';
import { callStore } from '../support/stages/demoStore.js';
import { foundInstallation } from '../support/stages/installation.js';
import { until } from '../support/tools/until.js';

const PRODUCTS = 40;

const call = ({ baseUrl }: ServiceProcess, demo: Demo, method: string, path: string, body?: object) =>
  callStore(baseUrl, demo, method, path, body);

const put = (service: ServiceProcess, demo: Demo, n: number, priceCents: number) =>
  call(service, demo, 'PUT', `/commerce/products/P${n}`, {
    name: `Shirt ${n}`,
    imageUrls: ['https://images.example.com/shirt.jpg'],
    priceCents,
  });

describe('a backup during load', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-backup-');
  const [data, places, restored] = ['data', 'backups', 'restored'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const acknowledged = new Map<number, number>();
  let hook: Receiver;
  let delivered: ReadonlySet<string>;
  let demo: Demo;
  let backup: Ran;
  let service: ServiceProcess;

  before(async () => {
    hook = await receiver();
    service = await startService(data);
    demo = readDemo(data);
    const endpoint = await call(service, demo, 'POST', '/webhook-endpoints', {
      url: hook.url,
      events: ['product.sync_changed'],
    });
    expect(endpoint.status, JSON.stringify(endpoint.body)).to.equal(201);
    for (let n = 0; n < PRODUCTS; n += 1) {
      expect((await put(service, demo, n, 100 + n)).status).to.equal(201);
      acknowledged.set(n, 100 + n);
    }
    await until('the endpoint has received all products', () => notify().size >= PRODUCTS);
    // Deliveries are recorded shortly after the receiver's answer.
    await until('deliveries are recorded', () => pending(data) === 0);
    delivered = notify();

    let loading = true;
    const load = async (lane: number): Promise<void> => {
      for (let price = 1_000 * (lane + 1); loading; price += 1) await put(service, demo, PRODUCTS + lane, price);
    };
    const lanes = [0, 1, 2, 3].map(load);
    backup = await suuqConcurrently(data, ['backup', places, '--with-keys', '--json']);
    loading = false;
    await Promise.all(lanes);
    await service.stop();
    hook.received.length = 0;
  });
  after(async () => {
    await service?.stop();
    await hook?.close();
    folder.remove();
  });

  /** Ids of the events that were delivered to the endpoint. */
  const notify = (): ReadonlySet<string> => new Set(hook.received.map((one) => eventOf(one).id));

  /** Counts the pending tasks of the webhooks processor. */
  function pending(of: string): number {
    const db = openDatabase(join(of, 'work.db'), { readonly: true });
    try {
      return db.prepare<[number]>('SELECT count(*) FROM c_tasks_webhooks').get()![0];
    } finally {
      db.close();
    }
  }

  it('is complete, with a manifest of all its parts', () => {
    expect(backup.status, backup.stderr).to.equal(0);
    const result = JSON.parse(backup.stdout);
    expect(result.parts.map(({ name }: { name: string }) => name)).to.include.members([
      'events.db',
      'work.db',
      'files.jsonl',
      'master.key',
    ]);
    const { place, ...manifest } = result;
    expect(JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))).to.deep.equal(manifest);
    expect(readdirSync(places)).to.have.length(1);
  });

  it('restores every change that was acknowledged before it began, and resends nothing', async () => {
    const { place } = JSON.parse(backup.stdout);
    const line = commandLine(restored, { timeout: 120_000 });
    expect(line.json('restore', place).masterKey).to.equal('restored');
    expect(line.json('verify').whole).to.equal(true);

    service = await startService(restored);
    const { body } = await call(service, demo, 'GET', '/commerce/products?limit=200');
    const prices = new Map<string, number>(
      body.products.map((one: { externalId: string; priceCents: number }) => [one.externalId, one.priceCents]),
    );
    for (const [n, price] of acknowledged) expect(prices.get(`P${n}`), `P${n}`).to.equal(price);
    await put(service, demo, 0, 999);
    await until('the restored service notifies its endpoint', () => hook.received.length > 0);
    await until('all is delivered', () => pending(restored) === 0);
    for (const id of notify()) expect(delivered.has(id), `${id} was sent again`).to.equal(false);

    const verified = line.json('verify');
    expect(verified.faults).to.deep.equal([]);
    expect(verified.projections.documents).to.be.greaterThan(PRODUCTS);
  });
});

describe('backup and restore', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-backups-');
  const at = (name: string): string => join(folder.path, name);
  const data = at('data');
  const line = commandLine(data);
  let s3: S3Server;
  let place: string;

  before(async () => {
    s3 = await s3Server();
    await foundInstallation(data);
    line.json('admin', 'plans', 'put', '--key', 'growth', '--name', 'Growth', '--feature', 'commerce.catalog');
    mkdirSync(join(data, 'files/shop'), { recursive: true });
    writeFileSync(join(data, 'files/shop/photo'), 'the bytes of a photo');
    ({ place } = line.json('backup', at('backups')));
  });
  after(async () => {
    await s3.close();
    folder.remove();
  });

  const restoring = (to: string, from: string) => commandLine(at(to)).suuq('restore', from);
  function refused(to: string, from: string, code: string): void {
    const ran = restoring(to, from);
    expect(ran.status, ran.stdout).to.equal(1);
    expect(ran.stderr).to.include(`${code}: `);
  }
  /** Copies the backup and applies one change. */
  function changed(name: string, change: (folder: string) => void): string {
    const to = at(name);
    for (const file of ['manifest.json', 'events.db', 'work.db', 'files.jsonl', 'sandbox.jsonl', 'files/shop/photo']) {
      if (!existsSync(join(place, file))) continue;
      mkdirSync(join(to, file, '..'), { recursive: true });
      writeFileSync(join(to, file), readFileSync(join(place, file)));
    }
    change(to);
    return to;
  }
  const manifest = (of: string, change: (text: { format: number }) => void): void => {
    const message = JSON.parse(readFileSync(join(of, 'manifest.json'), 'utf8'));
    change(message);
    writeFileSync(join(of, 'manifest.json'), JSON.stringify(message));
  };

  it('omit the key unless requested, and report it', () => {
    expect(readdirSync(place)).to.not.include('master.key');
    const ran = line.suuq('backup', at('others'));
    expect(ran.stdout).to.include('The master key and other keys are NOT included');
    expect(ran.stderr).to.match(/^work\.db, /);
  });

  it('include files; the key is added before or after, and must be the right one', () => {
    const key = readFileSync(join(data, 'master.key'));
    mkdirSync(at('keyed'));
    writeFileSync(join(at('keyed'), 'master.key'), key);
    expect(commandLine(at('keyed')).json('restore', place).masterKey).to.equal('present');
    expect(readFileSync(join(at('keyed'), 'files/shop/photo'), 'utf8')).to.equal('the bytes of a photo');
    expect(commandLine(at('keyed')).json('verify').events).to.equal(1);

    expect(restoring('keyless', place).stdout).to.include('put master.key into');
    mkdirSync(at('otherKey'));
    writeFileSync(join(at('otherKey'), 'master.key'), `${'ab'.repeat(32)}\n`);
    refused('otherKey', place, 'other_key');
  });

  it('overwrite nothing, and need a manifest', () => {
    refused('data', place, 'data_folder_not_empty');
    refused('never', at('backups'), 'backup_missing');
    expect(restoring('never', at('backups')).stderr).to.include(place);
    expect(existsSync(join(at('never'), 'events.db'))).to.equal(false);
  });

  it('reject a backup with any part that differs from the manifest, and empty the folder again', () => {
    for (const part of ['events.db', 'work.db', 'files.jsonl', 'files/shop/photo']) {
      const bad = changed(`bad-${part.replaceAll('/', '-')}`, (to) => {
        const bytes = readFileSync(join(to, part));
        bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 1;
        writeFileSync(join(to, part), bytes);
      });
      refused('empty', bad, 'backup_damaged');
      expect(readdirSync(at('empty')).filter((name) => !name.startsWith('lock.db'))).to.deep.equal([]);
    }
    const newer = changed('newer', (to) => manifest(to, (text) => Object.assign(text, { format: 99 })));
    refused('empty', newer, 'backup_newer');
  });

  it('leave a marker during a restore, which blocks a start; the next restore starts over', () => {
    mkdirSync(at('half'));
    writeFileSync(join(at('half'), 'restore.unfinished'), 'x');
    writeFileSync(join(at('half'), 'events.db'), 'half of a file');
    const ran = commandLine(at('half')).suuq('projections', 'status');
    expect(ran.stderr).to.include('restore_unfinished: ');
    expect(restoring('half', place).status).to.equal(0);
    expect(existsSync(join(at('half'), 'restore.unfinished'))).to.equal(false);
  });

  it('work with a bucket', async () => {
    const env = {
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      SUUQ_BACKUP_ENDPOINT: s3.endpoint,
      SUUQ_BACKUP_PATH_STYLE: '1',
    };
    const made = await suuqConcurrently(data, ['backup', `s3://${s3.bucket}/nightly`, '--json'], env);
    expect(made.status, made.stderr).to.equal(0);
    const from = JSON.parse(made.stdout).place;
    expect([...s3.objects.keys()].some((key) => key.endsWith('/manifest.json'))).to.equal(true);
    const back = await suuqConcurrently(at('fromBucket'), ['restore', from, '--json'], env);
    expect(back.status, back.stderr).to.equal(0);
    expect(readFileSync(join(at('fromBucket'), 'files/shop/photo'), 'utf8')).to.equal('the bytes of a photo');
    expect(readdirSync(data).filter((name) => name.startsWith('.backup'))).to.deep.equal([]);
  });

  it('are rejected inside the data folder, for an empty one, and on engines with their own tools', async () => {
    expect(line.suuq('backup', join(data, 'copies')).stderr).to.include('backup_inside_data: ');
    expect(commandLine(at('nothing')).suuq('backup', at('x')).stderr).to.include('nothing_to_back_up: ');
    const shared = await suuqConcurrently(data, ['backup', at('x')], {
      EVENTSTORE_URL: 'esdb://user:pass@127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/suuq',
      SUUQ_MASTER_KEY: 'ab'.repeat(32),
    });
    expect(shared.stderr).to.match(/^engine_has_its_own: .*mongodump.*EventStoreDB at 127\.0\.0\.1:1/);
    expect(shared.stderr).to.not.include('pass');
  });

  it('are rejected for a damaged log', () => {
    const damaged = at('damaged');
    mkdirSync(damaged);
    const bytes = readFileSync(join(place, 'events.db'));
    const name = Buffer.from('"Growth"');
    for (let i = bytes.indexOf(name); i !== -1; i = bytes.indexOf(name)) bytes[i + 1] = 'B'.charCodeAt(0);
    writeFileSync(join(damaged, 'events.db'), bytes);
    writeFileSync(join(damaged, 'master.key'), readFileSync(join(data, 'master.key')));
    const ran = commandLine(damaged).suuq('backup', at('ofDamaged'));
    expect(ran.status).to.equal(1);
    expect(ran.stderr).to.include('log_damaged: events.db: the event at position 0');
    expect(readdirSync(at('ofDamaged'))).to.deep.equal([]);
    const verified = commandLine(damaged).suuq('verify', '--json');
    expect(verified.status).to.equal(1);
    expect(JSON.parse(verified.stdout).faults[0]).to.include({ part: 'log', place: 'position 0' });
    expect(commandLine(damaged).suuq('projections', 'status').stderr).to.include('log_damaged: ');
  });
});
