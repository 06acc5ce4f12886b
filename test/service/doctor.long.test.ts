/** `suuq doctor` run by an operator: next to a running service, without one, and on remote engines. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { emulator, testDatabase } from '../../harness/engines/mongoStage.js';
import {
  EMBEDDED,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type Diagnosis, diagnosed } from '../../upkeep/doctor/doctor.js';
import type { Finding } from '../../upkeep/doctor/finding.js';
import { type FakeNode, fakeNode } from '../support/doubles/fakeCluster.js';
import { NO_SMALL_DISK, smallDisk } from '../support/doubles/smallDisk.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';
import { foundInstallation } from '../support/stages/installation.js';

interface Ran {
  readonly status: number | null;
  readonly diagnosis: Diagnosis;
  readonly output: string;
}

const suuq = (data: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  spawnSync(process.execPath, [suuqCommand, ...args], {
    env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data, PORT: '0', ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });

function doctor(data: string, env: Readonly<Record<string, string>> = {}): Ran {
  const { status, stdout, stderr } = suuq(data, env, 'doctor', '--json');
  return { status, diagnosis: JSON.parse(stdout), output: stdout + stderr };
}

const codes = ({ findings }: Diagnosis, check: Finding['check']) =>
  findings.filter((one) => one.check === check).map(({ level, code }) => `${level} ${code}`);
const wrong = ({ findings }: Diagnosis) =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, code }) => `${level} ${code}`);

describe('suuq doctor on a data folder', () => {
  const folder = temporaryFolder('suuq-doctor-');
  const data = join(folder.path, 'data');
  let service: ServiceProcess;
  after(async () => {
    await service?.kill();
    folder.remove();
  });

  it('finds no problem next to a running service, and reports that it is ready', async () => {
    service = await startService(data);
    const { status, diagnosis } = doctor(data, { SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1' });
    expect([status, ...wrong(diagnosis)]).to.deep.equal([0]);
    expect(codes(diagnosis, 'service')).to.deep.equal(['ok service_ready']);
    expect(codes(diagnosis, 'belonging')).to.deep.equal(['ok belong_together']);
    expect(codes(diagnosis, 'projections')).to.deep.equal(['ok projections_right']);
    expect(codes(diagnosis, 'processors')).to.deep.equal(['ok processors_right']);
  });

  it('reports that the service has other settings than the command', () => {
    const { status, diagnosis } = doctor(data, { PORT: '4998' });
    expect([status, ...codes(diagnosis, 'ports')]).to.deep.equal([0, 'warning other_settings']);
  });

  it('reports after a kill that the service has ended, and checks its files itself', async () => {
    await service.kill();
    const { status, diagnosis } = doctor(data);
    expect([status, ...wrong(diagnosis)]).to.deep.equal([0, 'warning service_killed']);
    expect(codes(diagnosis, 'projections')).to.deep.equal(['ok projections_right']);
  });

  it('prints lines for people: level, check, finding, and what to do', () => {
    const ran = suuq(data, { SUUQ_LGO: 'info' }, 'doctor');
    expect(ran.status).to.equal(0);
    expect(ran.stdout).to.match(/^ok {7}node {9}Node\.js /m);
    expect(ran.stdout).to.match(/^warning {2}settings {5}SUUQ_LGO is set.*Did you mean SUUQ_LOG\?\n {22}Remove it/m);
    expect(ran.stdout).to.match(/\n0 problems, 2 warnings\.\n$/);
  });
});

/** Creates the folder as the command does, with access for its user only. */
async function founded(data: string): Promise<void> {
  const before = process.umask(0o077);
  await foundInstallation(data).finally(() => process.umask(before));
}

describe('suuq doctor without a service', () => {
  const folder = temporaryFolder('suuq-doctor-');
  after(() => folder.remove());

  it('leaves an installation unchanged', async () => {
    const data = join(folder.path, 'rest');
    await founded(data);
    const before = readdirSync(data).sort();
    const { status, diagnosis } = doctor(data);
    expect([status, ...wrong(diagnosis)]).to.deep.equal([0]);
    expect(readdirSync(data).sort()).to.deep.equal(before);
  });

  it('finds a log without its work database, and late effects', async () => {
    const data = join(folder.path, 'gone');
    const service = await startService(data);
    await service.stop();
    const work = openEmbeddedReadModels(join(data, 'work.db'), { name: 'work.db' });
    const dueAt = Date.now() - 600_000;
    const late = { id: 'late', keys: { lane: 'l', dueAt }, revision: 1, body: { kind: 'deliver', payload: {} } };
    await work.write({ tasks_webhooks: { put: [late] } });
    await work.close();
    const pending = doctor(data);
    expect([pending.status, ...wrong(pending.diagnosis)]).to.deep.equal([0, 'warning effects_late']);
    expect(JSON.stringify(pending.diagnosis)).to.include(new Date(dueAt).toISOString());
    for (const name of ['work.db', 'work.db-wal', 'work.db-shm']) rmSync(join(data, name), { force: true });
    const { status, diagnosis } = doctor(data);
    expect([status, ...codes(diagnosis, 'belonging')]).to.deep.equal([1, 'problem work_is_missing']);
  });

  it('finds a clock that is behind the log, or far ahead of it', async () => {
    const data = join(folder.path, 'clock');
    const service = await startService(data);
    await service.stop();
    const env = { ...EMBEDDED, SUUQ_DATA: data, PORT: '0' };
    const clocksAt = async (ms: number): Promise<readonly string[]> => {
      const now = () => Date.now() + ms;
      return codes(await diagnosed({ env, version: '0.0.0', nodeNeeded: '>=20.19.0', now }), 'clocks');
    };
    expect(await clocksAt(-3_600_000)).to.deep.equal(['warning clock_behind_log']);
    expect(await clocksAt(800 * 86_400_000)).to.include('ok clock_ahead_of_log');
  });

  it('finds a full disk', async function () {
    const disk = smallDisk(16);
    if (disk === undefined) {
      this.test!.title += ` (${NO_SMALL_DISK})`;
      return this.skip();
    }
    try {
      const data = join(disk.path, 'data');
      await founded(data);
      disk.fill();
      const { status, diagnosis } = doctor(data);
      expect([status, ...codes(diagnosis, 'disk')]).to.deep.equal([1, 'problem disk_full']);
      disk.makeRoom();
      expect(codes(doctor(data).diagnosis, 'disk')).to.deep.equal(['ok disk_right']);
    } finally {
      disk.close();
    }
  });
});

describe('suuq doctor with remote engines', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-doctor-');
  const key = {
    SUUQ_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    EVENTSTORE_MAX_APPEND_SIZE: '16000000',
  };
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

  it('reports that an ordinary user may not read $all, and what the administrator has to set', () => {
    node.publish({ role: 'ordinary' });
    const { status, diagnosis } = doctor(join(folder.path, 'a'), {
      ...key,
      EVENTSTORE_URL: `esdb://${node.address}?tls=false`,
    });
    node.publish({ role: 'leader' });
    expect([status, ...codes(diagnosis, 'event log')]).to.deep.equal([1, 'problem may_not_read_all']);
    const { advice } = diagnosis.findings.find(({ code }) => code === 'may_not_read_all')!;
    expect(advice).to.include('update-default-acl').and.include('$systemStreamAcl.$r');
  });

  it('reports that a server does not use TLS, and never a password', () => {
    const url = `esdb://suuq:pass-word-1@${node.address}`;
    const { status, diagnosis, output } = doctor(join(folder.path, 'b'), { ...key, EVENTSTORE_URL: url });
    expect([status, ...codes(diagnosis, 'event log')]).to.deep.equal([1, 'problem engine_refused']);
    expect(output).to.include('add ?tls=false').and.not.include('pass-word-1');
    const plain = doctor(join(folder.path, 'b'), { ...key, EVENTSTORE_URL: `${url}?tls=false` });
    expect([plain.status, ...codes(plain.diagnosis, 'event log')]).to.deep.equal([0, 'warning login_not_sent']);
    expect(plain.output).to.not.include('pass-word-1');
  });

  it('reports a wrong password as a failed login, over TLS', async () => {
    const own = await endpointStage({
      credentials: { user: 'suuq', password: 'right-one-1' },
      login: 'suuq:right-one-1',
    });
    const host = own.address.replace('127.0.0.1', 'localhost');
    const env = (password: string) => ({
      ...key,
      EVENTSTORE_URL: `esdb://suuq:${password}@${host}?tlsCAFile=${join(own.folder, 'endpoint.crt')}`,
    });
    const refused = doctor(join(folder.path, 'c'), env('wrong-one-1'));
    const right = doctor(join(folder.path, 'c'), env('right-one-1'));
    await own.close();
    expect([refused.status, ...codes(refused.diagnosis, 'event log')]).to.deep.equal([1, 'problem login_refused']);
    expect(refused.output).to.not.include('wrong-one-1');
    expect(codes(right.diagnosis, 'event log')).to.deep.equal(['ok log_right']);
    expect(codes(right.diagnosis, 'clocks')).to.deep.equal(['ok clocks_agree']);
  });

  it('reports within its limit that nothing answers, also if both engines are unavailable', () => {
    const began = performance.now();
    const { status, diagnosis, output } = doctor(join(folder.path, 'd'), {
      ...key,
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://suuq:pass-word-2@127.0.0.1:1/suuq',
    });
    expect(performance.now() - began).to.be.below(25_000);
    expect(status).to.equal(1);
    expect(codes(diagnosis, 'event log')).to.deep.equal(['problem engine_unreachable']);
    expect(codes(diagnosis, 'documents')).to.deep.equal(['problem engine_unreachable']);
    expect(codes(diagnosis, 'belonging')).to.deep.equal(['warning not_looked_at']);
    expect(output).to.not.include('pass-word-2');
  });

  it('checks both engines next to a running instance, and writes to neither', async function () {
    if (emulator.missing !== undefined) {
      this.test!.title += ` (${emulator.missing})`;
      return this.skip();
    }
    const database = await testDatabase(emulator);
    const env = { ...key, EVENTSTORE_URL: `esdb://${node.address}?tls=false`, MONGODB_URL: database.url };
    const data = join(folder.path, 'instance');
    const names = async () => (await database.db.listCollections().toArray()).map(({ name }) => name).sort();
    const empty = doctor(join(folder.path, 'e'), env);
    expect(await names()).to.deep.equal([]);
    expect([empty.status, ...wrong(empty.diagnosis)]).to.deep.equal([0, 'warning no_replica_set']);
    const service = await startService(data, { ...env, SUUQ_SANDBOX: 'on' });
    const concurrent = doctor(data, env);
    const elsewhere = doctor(join(folder.path, 'e'), env);
    expect(await stage.store.readStream('doctor-examination')).to.deep.equal([]);
    const { stdout } = suuq(join(folder.path, 'e'), env, 'status', '--json');
    const { running, instances } = JSON.parse(stdout) as { running: boolean; instances: { address: string }[] };
    expect([running, ...instances.map(({ address }) => address)]).to.deep.equal([true, service.baseUrl]);
    await service.stop();
    for (const { status, diagnosis } of [concurrent, elsewhere]) {
      expect([status, ...wrong(diagnosis)], JSON.stringify(diagnosis)).to.deep.equal([0, 'warning no_replica_set']);
      expect(codes(diagnosis, 'belonging')).to.deep.equal(['ok belong_together']);
      expect(codes(diagnosis, 'clocks')).to.deep.equal(['ok clocks_agree']);
      expect(codes(diagnosis, 'processors')).to.deep.equal(['ok processors_right']);
    }
    expect(codes(concurrent.diagnosis, 'service')).to.deep.equal(['ok service_ready']);
    expect(codes(elsewhere.diagnosis, 'service')).to.deep.equal(['ok no_service']);
    await database.close();
  });
});
