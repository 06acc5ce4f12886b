/** `suuq query`, `suuq export` and `suuq events tail` as a user runs them, with and without a running service. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import {
  EMBEDDED,
  projectFolder,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { openStreams } from '../../upkeep/streams/index.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';
import { appendTo, LAMPS, orderId, placed, SCARVES, writeShops } from '../support/stages/shopHistory.js';

describe('the command line for analysts', () => {
  const folder = temporaryFolder('suuq-analysts-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data, { cwd: folder.path });
  before(async () => {
    await foundInstallation(data);
    await writeShops(data);
    json('projections', 'rebuild', 'orders');
  });
  after(() => folder.remove());

  it('prints a table, JSON or CSV', () => {
    const sql =
      "select type, count(*) as n, min(time) as first from events where type like 'Order%' group by type order by type";
    expect(json('query', sql).rows).to.deep.equal([
      { type: 'OrderPlaced', n: 4, first: '2026-01-10T09:00:00.000Z' },
      { type: 'OrderStatusChanged', n: 1, first: '2026-02-02T09:00:00.000Z' },
    ]);
    expect(suuq('query', sql).stdout).to.match(/^type +n +first\nOrderPlaced +4 +2026-01-10T09:00:00.000Z\n/);
    expect(suuq('query', sql, '--csv').stdout).to.equal(
      'type,n,first\nOrderPlaced,4,2026-01-10T09:00:00.000Z\nOrderStatusChanged,1,2026-02-02T09:00:00.000Z\n',
    );
    const cut = json('query', 'select position from events order by position', '--limit', '2');
    expect(cut).to.deep.include({ rows: [{ position: 0 }, { position: 1 }], more: true });
  });

  it('limits memory for tables, and escapes formulas for spreadsheets on request', () => {
    const large = suuq('query', "select repeat('x', 1000000) from range(200)", '--memory', '256');
    expect([large.status, large.stderr]).to.deep.equal([
      1,
      'query_too_large: The rows exceed 64 MB, a quarter of --memory. Select fewer or shorter columns, set --limit, or print all rows as CSV (--csv).\n',
    ]);
    const sql = `select '=1+1' as "@a", -1.5 as n, '+x' as b, ' -2' as c, 'plain' as d`;
    expect(suuq('query', sql, '--csv').stdout).to.equal('@a,n,b,c,d\n=1+1,-1.5,+x, -2,plain\n');
    expect(suuq('query', sql, '--csv', '--escape-formulas').stdout).to.equal(
      `'@a,n,b,c,d\n'=1+1,-1.5,'+x,' -2,plain\n`,
    );
    expect(suuq('query', sql, '--escape-formulas').status).to.equal(2);
  });

  it('stops in time while DuckDB computes a single value and ignores the interrupt', () => {
    const ran = suuq('query', "select length(repeat('x', 1000000000))", '--memory', '64', '--seconds', '1');
    expect(ran.stderr).to.match(/^query_timeout: This takes longer than 1 s/);
    expect(ran.signal).to.equal('SIGKILL');
  });

  it('reads a read model with its typed fields', () => {
    const sql = `select id, status, totalCents, len(items) as items from orders where workspaceId = '${SCARVES}' order by number desc limit 1`;
    const [row] = json('query', sql).rows;
    expect(row).to.include({ status: 'cancelled', totalCents: 4000, items: 1 });
  });

  it('lists its tables and the columns of one', () => {
    const { tables } = json('query', '--schema', 'events_order_placed');
    const totals = tables[0].columns.find(({ name }: { name: string }) => name === 'totals');
    expect(totals.type).to.match(/^STRUCT\("subtotalCents" BIGINT/);
    const ran = suuq('query', '--schema', 'events_order_place');
    expect([ran.status, ran.stderr]).to.deep.equal([
      1,
      'unknown_table: There is no table events_order_place. Did you mean events_order_placed?\n',
    ]);
  });

  it('reports a missing statement and an invalid number', () => {
    expect(suuq('query').status).to.equal(2);
    expect(suuq('query', 'select 1', '--memory', 'much').status).to.equal(2);
    expect(suuq('query', 'select 1', '--csv', '--json').status).to.equal(2);
    expect(suuq('export', 'out', '--format', 'xls').status).to.equal(2);
    expect(suuq('export', 'out', '--from', 'yesterday').status).to.equal(2);
  });

  it('ends quietly when its reader closes the pipe', () => {
    const line = `'${process.execPath}' '${suuqCommand}' query 'select * from range(3000000)' --csv | head -1; echo "\${PIPESTATUS[0]}"`;
    const ran = spawnSync('bash', ['-c', line], {
      env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data },
      encoding: 'utf8',
    });
    expect(ran.stdout).to.equal('range\n0\n');
    expect(ran.stderr).to.equal('');
  });

  it('exports from a running service, and follows new events', async () => {
    const out = join(folder.path, 'out');
    const service = await startService(data);
    try {
      const first = json('export', out);
      expect(first.added).to.be.at.least(7);
      expect(json('query', 'select count(*) as n from events_order_placed', '--from', out).rows).to.deep.equal([
        { n: 4 },
      ]);
      const tail = spawn(
        process.execPath,
        [
          suuqCommand,
          'events',
          'tail',
          '--json',
          '--type',
          'PlanPublished,OrderPlaced',
          '--from',
          '2026-01-01T00:00:00Z',
        ],
        {
          env: { ...process.env, ...EMBEDDED, SUUQ_DATA: data },
        },
      );
      const lines = createInterface({ input: tail.stdout })[Symbol.asyncIterator]();
      const types: string[] = [];
      for (let n = 0; n < 4; n += 1) types.push(JSON.parse((await lines.next()).value).type);
      expect(types).to.deep.equal(['OrderPlaced', 'OrderPlaced', 'OrderPlaced', 'OrderPlaced']);
      json('admin', 'plans', 'put', '--key', 'p', '--name', 'P', '--feature', 'commerce.catalog');
      expect(JSON.parse((await lines.next()).value).type).to.match(/^Plan/);
      const last = lines.next();
      tail.kill('SIGINT');
      const [code] = await once(tail, 'exit');
      expect(code).to.equal(0);
      expect(JSON.parse((await last).value).events).to.equal(5);
      expect(json('export', out).added).to.be.at.least(1);
      const streams = await openStreams({ data, env: {} });
      try {
        const changes = await lastValueFrom(streams.projection$('orders', { live: false }).pipe(toArray()));
        expect(changes.map(({ id }) => id)).to.deep.equal([0, 1, 2, 3].map(orderId));
        expect(changes[3]!.body).to.include({ status: 'cancelled' });
        const lags = await firstValueFrom(
          streams.lag$().pipe(filter((all) => all.every(({ behind }) => behind === 0))),
        );
        expect(lags.map(({ name }) => name)).to.include('orders');
      } finally {
        await streams.close();
      }
    } finally {
      await service.stop();
    }
  });

  it('repairs after a killed export what was incomplete', async () => {
    const big = join(folder.path, 'big');
    mkdirSync(big);
    await appendTo(
      big,
      Array.from({ length: 400 }, (_, n) => placed({ store: LAMPS, at: '2026-03-01T09:00:00.000Z', cents: 900 }, n)),
    );
    const [whole, killed] = [join(folder.path, 'whole'), join(folder.path, 'killed')];
    const run = commandLine(big);
    run.json('export', whole);
    for (const ms of [250, 400, 550]) {
      const child = spawn(process.execPath, [suuqCommand, 'export', killed], {
        env: { ...process.env, ...EMBEDDED, SUUQ_DATA: big },
      });
      await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, ms))]);
      child.kill('SIGKILL');
      if (existsSync(join(killed, 'manifest.json')))
        expect(() => JSON.parse(readFileSync(join(killed, 'manifest.json'), 'utf8'))).not.to.throw();
    }
    expect(run.json('export', killed).events).to.equal(400);
    expect(readFileSync(join(killed, 'manifest.json'), 'utf8')).to.equal(
      readFileSync(join(whole, 'manifest.json'), 'utf8'),
    );
    rmSync(big, { recursive: true });
  });

  it('leaves nothing open in a program that imports the streams if subject keys cannot be read', async () => {
    const lost = join(folder.path, 'lost');
    mkdirSync(lost);
    await writeShops(lost);
    writeFileSync(join(lost, 'vault.db'), 'no database '.repeat(500));
    const program = `import { openStreams } from 'suuq/streams';
      await openStreams().catch(({ message }) => console.log(message));`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: projectFolder,
      env: { ...process.env, ...EMBEDDED, SUUQ_DATA: lost },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect([ran.status, ran.stdout], ran.stderr).to.deep.equal([0, 'vault.db is damaged: file is not a database\n']);
  });
});
