/** Each problem is found and has a stable code and a fix. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { defined } from '../../domain/defined.js';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import type { MongoFacts } from '../../infrastructure/mongodb/examination.js';
import { nearestSetting, SETTINGS } from '../../service/settings/settingNames.js';
import { type Diagnosis, type DoctorInput, diagnosed } from '../../upkeep/doctor/doctor.js';
import { eventStoreDbCheck, mongoCheck } from '../../upkeep/doctor/engineChecks.js';
import type { Finding } from '../../upkeep/doctor/finding.js';
import { runChecks } from '../../upkeep/doctor/runChecks.js';

const GIB = 1024 ** 3;

describe('suuq doctor', () => {
  const folder = temporaryFolder('suuq-doctor-');
  after(() => folder.remove());
  const data = join(folder.path, 'data');

  const requested = (env: Record<string, string> = {}, input: Partial<DoctorInput> = {}): Promise<Diagnosis> =>
    diagnosed({
      env: { SUUQ_DATA: data, PORT: '0', ...env },
      version: '0.0.0',
      nodeNeeded: '>=20.19.0',
      nodeVersion: '20.19.0',
      ...input,
    });
  const of = ({ findings }: Diagnosis, check: Finding['check']): readonly Finding[] =>
    findings.filter((one) => one.check === check);
  const codes = (diagnosis: Diagnosis, check: Finding['check']) =>
    of(diagnosis, check).map(({ level, code }) => `${level} ${code}`);

  it('reports a missing installation, creates none, and finds no other problem', async () => {
    const diagnosis = await requested();
    expect([diagnosis.ok, diagnosis.problems, diagnosis.warnings]).to.deep.equal([true, 0, 1]);
    expect(codes(diagnosis, 'folder')).to.deep.equal(['warning no_installation']);
    expect(readdirSync(folder.path)).to.deep.equal([]);
  });

  it('reports all invalid settings at once, and unknown ones', async () => {
    const diagnosis = await requested({
      SUUQ_RATE_IP: 'many',
      SUUQ_LOG: 'loud',
      SUUQ_PROT: '3000',
      SUUQ_TEST_ANY: '1',
    });
    expect(diagnosis.ok).to.equal(false);
    expect(codes(diagnosis, 'settings')).to.deep.equal([
      'problem wrong_setting',
      'problem wrong_setting',
      'warning unknown_setting',
    ]);
    const text = JSON.stringify(of(diagnosis, 'settings'));
    for (const word of ['SUUQ_RATE_IP', 'SUUQ_LOG', 'SUUQ_PROT', 'PORT']) expect(text).to.include(word);
    expect(text).to.not.include('SUUQ_TEST_ANY');
  });

  it('skips checks that a missing setting prevents, and lists them', async () => {
    const diagnosis = await requested({ EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' });
    expect(codes(diagnosis, 'settings')).to.deep.equal(['problem wrong_setting']);
    expect(of(diagnosis, 'settings')[0]!.message).to.include('SUUQ_MASTER_KEY');
    expect(codes(diagnosis, 'folder')).to.deep.equal(['warning not_looked_at']);
  });

  it('knows every documented setting, and suggests a correction for a misspelt one', () => {
    const guide = readFileSync(join(projectFolder, 'docs/operating/settings.md'), 'utf8');
    const names = guide
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!));
    expect(SETTINGS).to.have.members(names);
    expect(nearestSetting('SUUQ_CHANEL_URL')).to.equal('SUUQ_CHANNEL_URL');
    expect(nearestSetting('SUUQ_PORT')).to.equal('PORT');
    expect(nearestSetting('SUUQ_SOMETHING_ELSE')).to.equal(undefined);
  });

  it('reports the free disk space above the minimum', async () => {
    const free = (gib: number) => ({ space: async () => ({ free: gib * GIB, total: 100 * GIB }) });
    expect(codes(await requested({}, free(50)), 'disk')).to.deep.equal(['ok disk_right']);
    expect(codes(await requested({}, free(1.5)), 'disk')).to.deep.equal(['warning disk_low']);
    expect(codes(await requested({}, free(0.5)), 'disk')).to.deep.equal(['problem disk_below_floor']);
    expect(codes(await requested({ SUUQ_FREE_SPACE: '0' }, free(0.5)), 'disk')).to.deep.equal(['ok disk_right']);
    const full = await requested({}, free(0));
    expect([full.ok, ...codes(full, 'disk')]).to.deep.equal([false, 'problem disk_full']);
  });

  it('reports a Node version that is too old, or short-lived', async () => {
    const node = async (nodeVersion: string) => codes(await requested({}, { nodeVersion }), 'node')[0];
    expect(await node('20.18.3')).to.equal('problem node_too_old');
    expect(await node('18.20.0')).to.equal('problem node_too_old');
    expect(await node('22.1.0')).to.equal('ok node_right');
    expect(await node('23.1.0')).to.equal('warning node_short_lived');
  });

  it('finds a port used by another program', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    const diagnosis = await requested({ PORT: String(port) });
    await new Promise((resolve) => server.close(resolve));
    expect(codes(diagnosis, 'ports')).to.deep.equal(['problem port_taken']);
    expect(of(diagnosis, 'ports')[0]!.message).to.include(String(port));
    expect(codes(await requested({ PORT: String(port) }), 'ports')).to.deep.equal(['ok port_free']);
    expect(
      codes(await requested({ HOST: '192.0.2.1', PORT: '4999', SUUQ_CONSOLE_PORT: '0', SUUQ_SANDBOX: 'on' }), 'ports'),
    ).to.deep.equal(['problem no_such_address']);
  });

  it('finds an interrupted restore, and files readable by others', async () => {
    const broken = join(folder.path, 'broken');
    mkdirSync(broken, { mode: 0o700 });
    writeFileSync(join(broken, 'restore.unfinished'), '', { mode: 0o600 });
    writeFileSync(join(broken, 'events.db'), '', { mode: 0o644 });
    mkdirSync(join(broken, '.backup-999999999'));
    const found = codes(await requested({ SUUQ_DATA: broken }), 'folder');
    expect(found).to.have.members([
      'warning open_to_others',
      'problem restore_unfinished',
      'warning left_over',
      'problem master_key_missing',
    ]);
  });

  it('reports if a full batch does not fit into one append, and if the server accepts less than configured', async () => {
    const refused = { readAll: undefined, readStream: undefined, readMetadata: undefined, write: undefined };
    const facts = { version: '24.10.0', tls: true, login: true, refused, clocks: new Map() };
    const sizes = async (maxAppendSize: number | undefined, mostAppend?: number, version = facts.version) => {
      const reported = { ...facts, version, ...defined({ mostAppend }) };
      const set = { url: 'esdb://log-1:2113', ...defined({ maxAppendSize }) };
      const check = eventStoreDbCheck(set, async () => reported);
      return (await runChecks([check])).map(({ level, code }) => `${level} ${code}`);
    };
    expect(await sizes(1_048_576)).to.deep.equal(['warning batch_does_not_fit']);
    expect(await sizes(undefined)).to.deep.equal(['warning batch_does_not_fit']);
    expect(await sizes(undefined, undefined, '25.1.0')).to.deep.equal(['ok log_right']);
    expect(await sizes(undefined, 1_048_576, '25.1.0')).to.deep.equal(['warning batch_does_not_fit']);
    expect(await sizes(16_000_000)).to.deep.equal(['ok log_right']);
    expect(await sizes(16_000_000, 16_000_000)).to.deep.equal(['ok log_right']);
    expect(await sizes(16_000_000, 1_048_576)).to.deep.equal(['problem append_size_differs']);
  });

  it('reports unsuitable rights, versions and settings of MongoDB', async () => {
    const right = {
      version: '7.0.14',
      replicaSet: 'rs0',
      members: 3,
      waitsForMajority: true,
      tls: true,
      missing: [],
      clockAheadMs: 0,
    };
    const found = async (but: Partial<MongoFacts>) =>
      (await runChecks([mongoCheck('mongodb://db-1/suuq', async () => ({ ...right, ...but }))])).map(
        ({ code }) => code,
      );
    expect(await found({})).to.deep.equal(['documents_right']);
    expect(await found({ version: '4.2.24' })).to.deep.equal(['mongodb_too_old']);
    expect(await found({ missing: ['insert'] })).to.deep.equal(['may_not_use_database']);
    expect(await found({ waitsForMajority: false })).to.deep.equal(['weak_write_concern']);
    expect(await found({ tls: false })).to.deep.equal(['no_tls']);
  });

  it('documents each of its codes in the guide', () => {
    const guide = readFileSync(join(projectFolder, 'docs/operating/troubleshooting.md'), 'utf8');
    const own = join(projectFolder, 'upkeep/doctor');
    const code = /\b(?:ok|warning|problem)\(\s*'(\w+)',|\bcode: '(\w+)'/g;
    const codes = readdirSync(own).flatMap((file) =>
      [...readFileSync(join(own, file), 'utf8').matchAll(code)].map(([, one, other]) => one ?? other!),
    );
    expect(codes).to.include.members(['no_installation', 'may_not_read_all', 'disk_full', 'clocks_apart']);
    expect(codes.filter((one) => !guide.includes(`\`${one}\``))).to.deep.equal([]);
  });

  it('ends, whatever a check does', async () => {
    const found = await runChecks([
      { name: 'clocks', withinMs: 20, run: () => new Promise(() => {}) },
      { name: 'node', run: () => Promise.reject(new Error('esdb://user:hidden@host said no')) },
    ]);
    expect(found.map(({ check, code }) => [check, code])).to.deep.equal([
      ['node', 'check_failed'],
      ['clocks', 'no_answer'],
    ]);
    expect(JSON.stringify(found)).to.not.include('hidden');
  });
});
