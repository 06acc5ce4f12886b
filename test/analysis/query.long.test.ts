/** SQL queries on a small history: results, files read, and refusals. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { DomainError } from '../../domain/decider.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDuck } from '../../upkeep/analysis/duckDb.js';
import { queryInstallation } from '../../upkeep/analysis/installationRuns.js';
import { LAMPS, orderId, SCARVES, writeShops } from '../support/stages/shopHistory.js';

const never = new AbortController().signal;

describe('SQL queries', () => {
  const folder = temporaryFolder('suuq-query-');
  const env = { SUUQ_DATA: folder.path };
  before(() => writeShops(folder.path));
  after(() => folder.remove());

  async function request(sql: string, { signal = never, seconds = 20, memoryMb = 256 } = {}) {
    const rows: (readonly unknown[])[] = [];
    const done = await queryInstallation(
      env,
      { sql, seconds, memoryMb },
      undefined,
      async (_, page) => {
        rows.push(...page);
        return true;
      },
      { report: () => undefined, signal },
    );
    return { events: done.events, rows };
  }
  const refused = async (sql: string, options = {}): Promise<DomainError> =>
    request(sql, options).then(
      () => expect.fail(`${sql} was answered`),
      (error) => error as DomainError,
    );

  it('sum what each store sold per month', async () => {
    const { rows } = await request(
      `select workspace_id, date_trunc('month', time), sum(totals.totalCents)::bigint from events_order_placed group by all order by all`,
    );
    expect(rows).to.deep.equal([
      [SCARVES, '2026-01-01T00:00:00.000Z', 3000],
      [SCARVES, '2026-02-01T00:00:00.000Z', 4000],
      [LAMPS, '2026-01-01T00:00:00.000Z', 700],
    ]);
  });

  it('include all fields of an event', async () => {
    const { rows } = await request("select * exclude (position, id) from events where type = 'OrderStatusChanged'");
    expect(rows).to.have.lengthOf(1);
    expect(rows[0]!.slice(0, -2)).to.deep.equal([
      '2026-02-02T09:00:00.000Z',
      SCARVES,
      null,
      'orders',
      'OrderStatusChanged',
      `order-${orderId(3)}`,
      orderId(3),
      1,
      'member:m1',
      'asha',
      rows[0]![10],
    ]);
    expect(rows[0]!.at(-1)).to.deep.equal({ from: 'new', to: 'cancelled', note: 'Sold out; sorry' });
  });

  it('read lists, names with any punctuation, and missing values', async () => {
    const { rows } = await request(
      'select line.name, line.quantity, customerName from (select unnest(lines) as line, customerName, number from events_order_placed) order by number',
    );
    expect(rows[2]).to.deep.equal(['Lamp', 2, null]);
    const { rows: names } = await request('select name from events_store_created order by position');
    expect(names).to.deep.equal([['Scarves, "fine"'], ['Lamps\nof brass']]);
  });

  for (const [what, sql, events, answer] of [
    ['of a type', "select count(*) from events where type = 'StoreCreated'", 2, 2],
    ['of some types', "select count(*) from events where type in ('StoreCreated', 'OrderStatusChanged')", 3, 3],
    ['of one view', 'select count(*) from events_order_placed', 4, 4],
    ['of a store', `select count(*) from events where workspace_id = '${LAMPS}'`, 2, 2],
    ['before a time', "select count(*) from events where time <= '2026-01-31 23:59:59.999'", 5, 5],
    ['since a time', "select count(*) from events_order_placed where time >= '2026-02-01'", 1, 1],
    ['within a month', "select count(*) from events where time >= '2026-01-01' and time < '2026-02-01'", 5, 5],
    [
      'of both sides of a join',
      'select count(*) from events_order_placed p join events_store_created s using (workspace_id)',
      6,
      4,
    ],
    ['of either of two types', "select count(*) from events where type = 'StoreCreated' or workspace_id is null", 7, 2],
    [
      'of all types, if a part of the query needs them',
      "select (select count(*) from events) + count(*) from events where type = 'StoreCreated'",
      7,
      9,
    ],
    [
      'of its type, for the first rows of an order',
      'select totals.totalCents from events_order_placed order by number limit 1',
      4,
      1000,
    ],
    ['of none', 'select 42', 0, 42],
  ] as const)
    it(`read only the events ${what}`, async () => {
      const done = await request(sql);
      expect(done.rows).to.deep.equal([[answer]]);
      expect(done.events).to.equal(events);
    });

  it('describe and sum up a table', async () => {
    const { rows } = await request('describe events_order_placed');
    expect(rows.map(([name]) => name)).to.include.members([
      'position',
      'workspace_id',
      'data',
      'number',
      'totals',
      'lines',
    ]);
    const summary = await request('summarize events_order_placed');
    expect(summary.events).to.equal(4);
  });

  for (const [what, sql, code, text] of [
    ['a misspelt word', 'selct 1', 'invalid_query', /syntax error at or near "selct"/],
    ['a misspelt table', 'select * from events_order_place', 'invalid_query', /Did you mean events_order_placed/],
    ['a misspelt column', 'select nmber from events_order_placed', 'invalid_query', /"number"/],
    ['two statements', 'select 1; select 2', 'invalid_query', /one statement/],
    ['no statement', ' ', 'invalid_query', /one statement/],
    ['a read model that was not built', 'select * from orders', 'not_built', /has not been built/],
    ['an invalid number', "select 'x'::int", 'invalid_query', /Could not convert/],
    ['creating a table', 'create table t as select 1', 'query_not_allowed', /may only read events and read models/],
    ['removing rows', 'delete from log', 'query_not_allowed', /may only read events and read models/],
    ['attaching a database', "attach 'x.db'", 'query_not_allowed', /may only read events and read models/],
    ['installing an extension', 'install httpfs', 'query_not_allowed', /may only read events and read models/],
    ['changing a setting', "set memory_limit = '100GB'", 'query_not_allowed', /may only read events and read models/],
    ['reading a file', "select * from read_text('/etc/hostname')", 'query_not_allowed', /read_text/],
    ['naming a file', "select * from '/etc/hostname.csv'", 'query_not_allowed', /disabled by configuration/],
    ['reading a URL', "select * from read_text('https://example.com')", 'query_not_allowed', /./],
    [
      'SQL in a string',
      "select count(*) from query('select * from ev' || 'ents')",
      'query_not_allowed',
      /query is not/,
    ],
    ['a table named in a string', "from query_table('events')", 'query_not_allowed', /query_table/],
    ['SQL in JSON', "from json_execute_serialized_sql('{}')", 'query_not_allowed', /json_execute_serialized_sql/],
    [
      'DuckDB’s settings',
      "from enable_profiling(save_location := '/tmp/x.json')",
      'query_not_allowed',
      /enable_profiling/,
    ],
    ['DuckDB’s log', "select write_log('x')", 'query_not_allowed', /write_log/],
    [
      'a function hidden deep',
      "select (select max(n) from (with a as (from glob('*')) from a) t(n))",
      'query_not_allowed',
      /glob/,
    ],
    [
      'a statement that EXPLAIN would run',
      'explain analyze delete from events',
      'query_not_allowed',
      /may only read events/,
    ],
  ] as const)
    it(`reject ${what}`, async () => {
      const error = await refused(sql);
      expect(error.code, error.message).to.equal(code);
      expect(error.message).to.match(text);
    });

  it('write no file', async () => {
    const file = join(folder.path, 'out.csv');
    const error = await refused(`copy events to '${file}'`);
    expect(error.code).to.equal('query_not_allowed');
    expect(existsSync(file)).to.equal(false);
  });

  it('create no folder', async () => {
    const target = join(folder.path, 'made');
    expect((await refused(`export database '${target}'`)).code).to.equal('query_not_allowed');
    expect(readdirSync(folder.path)).not.to.include('made');
  });

  it('explain a statement, and list tables and columns', async () => {
    expect((await request('explain select count(*) from events')).rows).to.have.lengthOf(1);
    expect((await request('from duckdb_tables() select count(*)::int')).rows[0]).to.deep.equal([1]);
    expect((await request('select e.key from json_each(\'{"a":1}\') e')).rows).to.deep.equal([['a']]);
  });

  it('return exact values, with text if a double cannot hold one', async () => {
    const values: readonly (readonly [sql: string, value: unknown])[] = [
      ['1.10::decimal(10,2)', 1.1],
      ['12345678901234567890.12::decimal(38,2)', '12345678901234567890.12'],
      ['-0.10::decimal(4,2)', -0.1],
      ['[0.1234567890123456789::decimal(38,19)]', ['0.1234567890123456789']],
      ['170141183460469231731687303715884105727::hugeint', '170141183460469231731687303715884105727'],
      [
        '\'{"a":12345678901234567890,"b":[0.10,1e400,-1.5e3],"c":"1e400 \\" 9007199254740993"}\'::json',
        {
          a: '12345678901234567890',
          b: [0.1, '1e400', -1500],
          c: '1e400 " 9007199254740993',
        },
      ],
      ["'9007199254740993'::json", '9007199254740993'],
      ["'infinity'::date", 'infinity'],
      ["'-infinity'::date", '-infinity'],
      ["'infinity'::timestamp", 'infinity'],
      ["'-infinity'::timestamptz", '-infinity'],
      ["{'a': 'infinity'::date}", { a: 'infinity' }],
      ["'2026-02-03'::date", '2026-02-03'],
    ];
    const { rows } = await request(`select ${values.map(([sql]) => sql).join(', ')}`);
    expect(rows[0]).to.deep.equal(values.map(([, value]) => value));
  });

  it('reject a row that is too large before it uses memory', async () => {
    for (const sql of [
      "select repeat('x', 20000000) from range(8)",
      "select map {'a': {'b': repeat('z', 20000000)}}",
    ]) {
      const before = process.resourceUsage().maxRSS;
      const error = await refused(sql, { memoryMb: 64 });
      expect(error.code, error.message).to.equal('query_too_large');
      expect(error.message).to.match(/A row of the result has \d+ MB; the limit is 16 MB/);
      // In KiB. DuckDB holds several copies of the row's texts.
      expect(process.resourceUsage().maxRSS - before, sql).to.be.below(500_000);
    }
  });

  it('pass large rows on a few at a time', async () => {
    const sizes: number[] = [];
    const requested = { sql: "select repeat('x', 1000000) from range(100)", seconds: 20, memoryMb: 256 };
    const take = async (_: unknown, page: readonly (readonly unknown[])[]) => {
      sizes.push(page.reduce((sum, [text]) => sum + String(text).length, 0));
      return true;
    };
    await queryInstallation(env, requested, undefined, take, { report: () => undefined, signal: never });
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.equal(100_000_000);
    expect(Math.max(...sizes)).to.be.at.most(4_000_000);
  });

  it('end in time although their reader does not', async () => {
    const requested = { sql: 'select 1', seconds: 0.2, memoryMb: 64 };
    const stalled = queryInstallation(env, requested, undefined, () => new Promise(() => undefined), {
      report: () => undefined,
      signal: never,
    });
    expect(await stalled.catch((error) => error.code)).to.equal('query_timeout');
  });

  it('end with an error when their memory is full', async () => {
    const error = await refused('select list(n) from range(200000000) t(n)', { memoryMb: 64 });
    expect(error.code, error.message).to.equal('query_too_large');
    expect(error.message).to.match(/more than 64 MB/);
  });

  const endless = 'select count(*) from range(10000000) a, range(10000000) b where a.range + b.range = -1';

  it('end when their time is over', async () => {
    expect((await refused(endless, { seconds: 0.2 })).code).to.equal('query_timeout');
  });

  it('report memory as the reason if it slowed them past their time', async () => {
    const duck = await openDuck({ memoryMb: 24, withinMs: 100, signal: never });
    await duck.connection.run('create table kept as select md5(range::varchar) as hash from range(1500000)');
    const late = (await duck.during(() => duck.connection.run(endless)).catch((error) => error)) as DomainError;
    expect(late.code).to.equal('query_timeout');
    expect(late.message).to.match(/exceeds 24 MB of memory and has spilled \d+ MB to disk/);
    duck.close();
  });

  it('end also when their time is over between two statements', async () => {
    const duck = await openDuck({ memoryMb: 64, withinMs: 20, signal: never });
    const startedAt = performance.now();
    const late = duck.during(async () => {
      while (performance.now() - startedAt < 100) await turn();
      await duck.connection.run(endless);
    });
    expect(await late.catch((error) => error.code)).to.equal('query_timeout');
    duck.close();
  });

  it('end on abort', async () => {
    const reported = new AbortController();
    setTimeout(() => reported.abort(new DomainError('stopped', 'Nothing was changed.')), 100);
    expect((await refused(endless, { signal: reported.signal })).code).to.equal('stopped');
  });

  it('report a folder without an installation, and one without an export', async () => {
    const take = async () => true;
    const run = { report: () => undefined, signal: never };
    const requested = { sql: 'select 1', seconds: 5, memoryMb: 64 };
    const nowhere = queryInstallation({ SUUQ_DATA: join(folder.path, 'none') }, requested, undefined, take, run);
    expect(((await nowhere.catch((error) => error)) as DomainError).code).to.equal('no_installation');
    writeFileSync(join(folder.path, 'some'), '');
    const none = queryInstallation(env, requested, folder.path, take, run);
    expect(((await none.catch((error) => error)) as DomainError).code).to.equal('not_an_export');
  });
});
