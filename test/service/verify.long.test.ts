/** `suuq verify` reports each fault with its place, and reports success if there is none. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type InstancesStage, instancesStage, noInstances } from '../../harness/engines/instancesStage.js';
import { startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { meta } from '../contracts/eventStoreKit.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

interface Output {
  readonly whole: boolean;
  readonly events: number;
  readonly faults: readonly { readonly part: string; readonly place: string; readonly what: string }[];
  readonly projections?: { readonly documents: number };
}

describe('verify', function () {
  this.timeout(180_000);
  const folder = temporaryFolder('suuq-verify-');
  const data = join(folder.path, 'data');
  let turn = 0;

  before(async () => {
    await foundInstallation(data);
    const { json } = commandLine(data);
    json('admin', 'plans', 'put', '--key', 'growth', '--name', 'Growth', '--feature', 'commerce.catalog');
    for (const slug of ['acme', 'beta', 'gamma'])
      json('admin', 'partners', 'create', '--name', slug, '--slug', slug, '--plan', 'growth');
  });
  after(() => folder.remove());

  /** Copies the folder and applies one change. */
  function changed(database: string, sql: string): string {
    turn += 1;
    const to = join(folder.path, `changed-${turn}`);
    cpSync(data, to, { recursive: true });
    const db = openDatabase(join(to, database));
    db.exec(sql);
    db.close();
    return to;
  }

  function verified(of: string): { status: number | null; result: Output } {
    const ran = commandLine(of, { timeout: 60_000 }).suuq('verify', '--json');
    expect(ran.stdout, ran.stderr).to.not.equal('');
    return { status: ran.status, result: JSON.parse(ran.stdout) as Output };
  }

  function expectFault(of: string, fault: { part: string; place: string | RegExp; what: RegExp }): void {
    const { status, result } = verified(of);
    expect(status).to.equal(1);
    expect(result.whole).to.equal(false);
    const found = result.faults.filter(({ part }) => part === fault.part);
    expect(found, JSON.stringify(result.faults)).to.have.length(1);
    expect(found[0]!.place).to.match(new RegExp(fault.place));
    expect(found[0]!.what).to.match(fault.what);
  }

  it('reports that everything is in order', () => {
    const { status, result } = verified(data);
    expect(status).to.equal(0);
    expect(result.faults).to.deep.equal([]);
    expect(result.events).to.equal(7);
    expect(result.projections?.documents).to.be.at.least(4);
    expect(commandLine(data).suuq('verify').stdout).to.include('No faults.');
  });

  it('reports a document that does not match its events', () => {
    const wrong = `UPDATE c_partners_v${version('partners')} SET body = replace(body, 'beta', 'bета') WHERE body LIKE '%"slug":"beta"%'`;
    expectFault(changed('views.db', wrong), {
      part: 'projections',
      place: /^partners [0-9a-f-]{36}$/,
      what: /^it differs: from character \d+: ".*bета.*" instead of ".*beta/,
    });
  });

  it('reports a missing document, and an unexpected one', () => {
    const table = `c_partners_v${version('partners')}`;
    expectFault(changed('views.db', `DELETE FROM ${table} WHERE body LIKE '%"slug":"beta"%'`), {
      part: 'projections',
      place: /^partners /,
      what: /^it is missing$/,
    });
    const invented = changed('views.db', `UPDATE ${table} SET id = 'invented' WHERE body LIKE '%"slug":"beta"%'`);
    expect(verified(invented).result.faults.map(({ what }) => what)).to.have.members([
      'it should not exist',
      'it is missing',
    ]);
  });

  it('reports a checkpoint beyond the log', () => {
    const beyond = changed('views.db', `UPDATE checkpoints SET position = 900 WHERE name LIKE 'partners_v%'`);
    expectFault(beyond, {
      part: 'checkpoints',
      place: /^projection partners$/,
      what: /position 900, but the log ends at 6/,
    });
  });

  it('reports a gap in a stream', () => {
    const gap = changed('events.db', 'UPDATE events SET revision = 5 WHERE position = 6');
    const { result } = verified(gap);
    expect(
      result.faults.some(({ place, what }) => place === 'position 6' && what.includes('not as it was written')),
    ).to.equal(true);
    expect(result.faults.some(({ what }) => /revisions from 5 to 5/.test(what))).to.equal(true);
  });

  it('reports an event that does not match its schema', async () => {
    turn += 1;
    const to = join(folder.path, `changed-${turn}`);
    cpSync(data, to, { recursive: true });
    const store = await openEmbeddedEventStore(to);
    const id = '00000000-0000-4000-8000-000000000001';
    await store.append('plan-odd', 'noStream', [{ id, type: 'PlanPut', data: { key: 7 }, meta }]);
    await store.close();
    const { status, result } = verified(to);
    expect(status).to.equal(1);
    expect(result.faults.find(({ part }) => part === 'events')?.place).to.equal(
      'position 7 (PlanPut, revision 0 of plan-odd)',
    );
  });

  it('reports acknowledged data lost with a write-ahead log, as does the start', async () => {
    turn += 1;
    const to = join(folder.path, `changed-${turn}`);
    const service = await startService(to);
    await service.kill();
    expect(existsSync(join(to, 'events.db-wal'))).to.equal(true);
    for (const end of ['-wal', '-shm']) rmSync(join(to, `events.db${end}`), { force: true });
    const started = commandLine(to).suuq('projections', 'status');
    expect(started.status).to.equal(1);
    expect(started.stderr).to.match(/^(log_damaged|log_is_older): /);
    const { result } = verified(to);
    expect(result.faults[0]?.part).to.equal('log');
  });

  it('checks a folder next to its service, which continues to write', async () => {
    turn += 1;
    const to = join(folder.path, `changed-${turn}`);
    const service = await startService(to);
    const line = commandLine(to, { timeout: 60_000 });
    try {
      line.json('admin', 'plans', 'put', '--key', 'late', '--name', 'Late');
      const text = line.json('verify') as Output;
      expect(text.faults).to.deep.equal([]);
      expect(text.projections?.documents).to.be.greaterThan(5);
    } finally {
      await service.stop();
    }
  });

  /** Returns the version of the build that serves reads. */
  function version(name: string): string {
    const db = openDatabase(join(data, 'views.db'), { readonly: true });
    try {
      const [physical] = db.prepare<[string]>('SELECT collection FROM aliases WHERE name = ?').get([name])!;
      return physical.slice(`${name}_v`.length);
    } finally {
      db.close();
    }
  }
});

const shared = 'verify on shared engines';
if (noInstances !== undefined) it(`${shared} (${noInstances})`);
else
  describe(shared, function () {
    this.timeout(120_000);
    let stage: InstancesStage;

    before(async () => {
      stage = await instancesStage();
      await stage.start('one');
      await stage.store('one');
    });
    after(() => stage?.close());

    it('checks them next to an instance, and backup names their own tools', async () => {
      const text = (await stage.json('one', 'verify')) as Output;
      expect(text.faults).to.deep.equal([]);
      expect(text.events).to.be.greaterThan(5);
      expect(text.projections?.documents).to.be.greaterThan(5);
      const refused = await stage.suuq('one', 'backup', 'somewhere');
      expect(refused.status).to.equal(1);
      expect(refused.stderr).to.match(/^engine_has_its_own: /);
    });
  });
