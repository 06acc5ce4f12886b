/** `suuq projections try` and `diff`: a projection over the real history, with all of its possible faults. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { type Given, minute, recorded } from '../support/spec/givenEvents.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const OTHER = '5f0c7a9e-1111-4000-8000-000000000002';
const totals = { subtotalCents: 5_50, discountCents: 0, deliveryFeeCents: 0, totalCents: 5_50 };
const placed = (n: number, workspaceId: string): Given => ({
  stream: `order-e0000000-0000-4000-8000-00000000000${n}`,
  type: 'OrderPlaced',
  data: { number: n, lines: [], totals, currency: 'USD', customerPhone: '+252615550101' },
  meta: { workspaceId, at: minute(n) },
});
/** Six orders, one per minute. The last two belong to another store. */
const story = [1, 2, 3, 4].map((n) => placed(n, SHOP)).concat([5, 6].map((n) => placed(n, OTHER)));

/** A projection that counts the orders of a store. `body`: code of its handler. */
const counting = (body: string, before = ''): string => `
import { defineProjection } from 'suuq';
${before}
export default defineProjection({
  name: 'counted', version: 1, categories: ['order'], keys: { orders: 'number' }, indexes: [],
  on: { OrderPlaced: { ids: ({ meta }) => [meta.workspaceId], evolve(view, event) { ${body} } } },
});`;
const COUNT = 'const orders = (view?.body.orders ?? 0) + 1; return { keys: { orders }, body: { orders } };';

describe('trying out a projection', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-try-');
  const data = join(folder.path, 'data');
  /** The same data, before a service ran on it. */
  const stored = join(folder.path, 'stored');
  // A folder outside the project, without installed packages.
  const own = join(folder.path, 'own');
  const { suuq } = commandLine(data, { timeout: 60_000 });
  let turn = 0;

  before(async () => {
    mkdirSync(own);
    await foundInstallation(data);
    const log = await openEmbeddedEventStore(data);
    for (const { stream, revision: _, position: __, ...event } of recorded(['order'], story, {}))
      await log.append(stream, 'any', [event]);
    await log.close();
    commandLine(data).json('projections', 'rebuild', 'orders');
    cpSync(data, stored, { recursive: true });
  });
  after(() => folder.remove());

  const fileOf = (source: string): string => {
    const file = join(own, `projection${++turn}.mjs`);
    writeFileSync(file, source);
    return file;
  };
  function tried(source: string, ...options: string[]) {
    const ran = suuq('projections', 'try', fileOf(source), ...options, '--json');
    const output = JSON.parse(ran.status === 0 || ran.stdout !== '' ? ran.stdout : ran.stderr);
    return { status: ran.status, result: output };
  }
  /** Names and times of all files, except those that concurrent readers use. */
  const written = (): unknown =>
    readdirSync(data)
      .filter((name) => !/-(?:shm|wal)$/.test(name))
      .map((name) => [name, statSync(join(data, name)).mtimeMs]);

  it('shows its documents, from outside the project, and writes nothing', () => {
    const before = written();
    const { status, result } = tried(counting(COUNT));
    expect(status).to.equal(0);
    expect(result).to.include({ events: 6, handled: 6, documents: 2, poisonCount: 0 });
    expect(result.eventsPerSecond).to.be.above(0);
    expect(result.samples).to.deep.equal([
      { id: SHOP, keys: { orders: 4 }, body: { orders: 4 } },
      { id: OTHER, keys: { orders: 2 }, body: { orders: 2 } },
    ]);
    expect(written()).to.deep.equal(before);
    expect(suuq('projections', 'try', fileOf(counting(COUNT))).stdout).to.include('Nothing was written.');
  });

  it('reads a part of the history, and shows one document step by step', () => {
    const { result } = tried(counting(COUNT), '--from', minute(2), '--to', minute(6), '--document', SHOP);
    expect(result).to.include({ events: 4, documents: 2, stepCount: 3 });
    expect(result.steps[1].changes).to.deep.equal([
      { path: 'keys.orders', was: 1, is: 2 },
      { path: 'body.orders', was: 1, is: 2 },
    ]);
    expect(tried(counting(COUNT), '--store', OTHER).result).to.include({ events: 2, documents: 1 });
    expect(tried(counting(COUNT), '--from', minute(6), '--to', minute(2)).result.error.code).to.equal('range_reversed');
  });

  it('reports events that it cannot apply, and continues after them', () => {
    const { status, result } = tried(counting(`if (event.data.number === 2) throw new Error('two!'); ${COUNT}`));
    expect([status, result.poisonCount, result.poison[0].error]).to.deep.equal([1, 1, 'two!']);
    expect(result.samples[0].body).to.deep.equal({ orders: 3 });
  });

  const wrong: readonly [string, string, RegExp][] = [
    ['returns a promise', 'return Promise.resolve({ keys: {}, body: {} });', /promise/],
    ['modifies its input', 'event.data.number = 7; return { keys: {}, body: {} };', /read only/],
    ['has a key of another type', "return { keys: { orders: 'many' }, body: {} };", /orders is a string/],
    ['has an undeclared key', 'return { keys: { more: 1 }, body: {} };', /more is not declared/],
  ];
  for (const [what, body, error] of wrong)
    it(`reports a handler that ${what}`, () => {
      const { status, result } = tried(counting(body));
      expect([status, result.poisonCount]).to.deep.equal([1, 6]);
      expect(result.poison[0].error).to.match(error);
    });

  it('reports values that JSON cannot represent', () => {
    const { result } = tried(
      counting('return { keys: {}, body: { since: new Map(), gone: undefined } };'),
      '--store',
      SHOP,
    );
    expect(result.lost).to.deep.include({ id: SHOP, path: 'body.since' });
  });

  const ended: readonly [why: string, body: string, before?: string][] = [
    ['endless', 'for (;;) {}'],
    ['clock', 'return { keys: {}, body: { at: Date.now() } };'],
    ['clock', 'return { keys: {}, body: { at: new Date().toISOString() } };'],
    ['clock', 'try { performance.now(); } catch {} return undefined;'],
    ['clock', 'return { keys: {}, body: { at: String(process.hrtime.bigint()) } };'],
    ['randomness', 'return { keys: {}, body: { chance: Math.random() } };'],
    ['randomness', 'return { keys: {}, body: { id: randomUUID() } };', "import { randomUUID } from 'node:crypto';"],
    ['network', "fetch('http://127.0.0.1:1/').catch(() => {}); return undefined;"],
    ['network', "get('http://127.0.0.1:1/'); return undefined;", "import { get } from 'node:http';"],
    ['network', "connect(1, '127.0.0.1'); return undefined;", "import { connect } from 'node:net';"],
    ['files', "writeFileSync('x', 'y'); return undefined;", "import { writeFileSync } from 'node:fs';"],
    ['process', 'process.exit(0);'],
    ['timers', 'setTimeout(() => {}, 1); return undefined;'],
    ['memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5));'],
    ['memory', 'const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1));'],
    ['files', "write('x', 'y'); return undefined;", "import fs from 'node:fs'; const write = fs.writeFileSync;"],
    [
      'files',
      "require('fs').writeFileSync('x', 'y'); return undefined;",
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    ],
    ['clock', 'return { keys: {}, body: { at: now() } };', 'const now = Date.now;'],
  ];
  for (const [why, body, before] of ended)
    it(`ends it, with its name, for ${why}: ${body}`, () => {
      const { status, result } = tried(counting(body, before));
      expect([status, result.ended.why]).to.deep.equal([1, why]);
      expect(result.ended.what).to.match(why === 'memory' ? /memory|MB/ : /OrderPlaced/);
      expect(result.ended.event).to.include({ type: 'OrderPlaced' });
    });

  const unstable: readonly [what: string, body: string, before?: string][] = [
    ['module state', 'return { keys: {}, body: { n: ++n } };', 'let n = 0;'],
    ['the time zone', 'return { keys: {}, body: { hour: new Date(event.meta.at).getHours() } };'],
    ['time formatting', "return { keys: {}, body: { day: new Date(event.meta.at).toLocaleString('en') } };"],
  ];
  for (const [what, body, before] of unstable)
    it(`reports that it depends on ${what}`, () => {
      const { status, result } = tried(counting(body, before));
      expect([status, result.ended?.why, result.unstable?.id]).to.deep.equal([1, 'unstable', SHOP]);
      expect(result.unstable.changes[0].path).to.match(/^body/);
    });

  it('reports a thread that dies after the last event', () => {
    const body = `if (event.data.number === 6) Promise.reject(new Error('gone')); ${COUNT}`;
    const { status, result } = tried(counting(body));
    expect([status, result.ended.why, result.ended.what]).to.deep.equal([1, 'exited', 'gone']);
  });

  it('writes nothing while its file is loaded', () => {
    const target = join(own, 'written-at-load');
    const { status, result } = tried(
      counting(COUNT, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(target)}, 'x');`),
    );
    expect([status, result.error.code]).to.deep.equal([1, 'projection_unreadable']);
    expect(result.error.message).to.include('fs.writeFileSync');
    expect(existsSync(target)).to.equal(false);
  });

  const late: readonly [why: string, use: string, before?: string][] = [
    ['network', "fetch('http://127.0.0.1:1/')"],
    ['network', "get('http://127.0.0.1:1/')", "import { get } from 'node:http';"],
    ['files', "writeFileSync('FILE', 'y')", "import { writeFileSync } from 'node:fs';"],
    ['process', "execSync('touch FILE')", "import { execSync } from 'node:child_process';"],
  ];
  for (const [why, use, before] of late)
    it(`ends it, with its name, for ${why} of a promise that continues after the handler returned: ${use}`, () => {
      const file = join(own, 'written');
      const { status, result } = tried(
        counting(`Promise.resolve().then(() => ${use.replace('FILE', file)}); return { keys: {}, body: {} };`, before),
      );
      expect([status, result.ended.why]).to.deep.equal([1, why]);
      expect(result.ended.what).to.match(/after it has returned/);
      expect(existsSync(file)).to.equal(false);
    });

  it('rejects a file with no or several projections, or a missing file, with instructions', () => {
    const several =
      "import { defineProjection as d } from 'suuq/engine'; const p = (name) => d({ name, version: 1, categories: ['order'], keys: {}, indexes: [], on: {} }); export const a = p('a'); export const b = p('b');";
    for (const [source, words] of [
      ['export const nothing = 1;', /exports no projection/],
      [several, /several projections \(a, b\).*--projection/],
      ['import "nowhere";', /nowhere/],
      ['for (;;) {}', /Loading it takes longer/],
    ] as const) {
      const { status, result } = tried(source);
      expect([status, result.error.code]).to.deep.equal([1, 'projection_unreadable']);
      expect(result.error.message).to.match(words);
    }
    expect(tried(several, '--projection', 'b').result.projection).to.deep.equal({ name: 'b', version: 1 });
    expect(suuq('projections', 'try', join(own, 'none.mjs')).stderr).to.match(
      /^projection_unreadable: There is no file/,
    );
  });

  it('works next to the running service', async () => {
    const running = await startService(data);
    try {
      expect(tried(counting(COUNT), '--store', SHOP).result.samples[0].body).to.deep.equal({ orders: 4 });
      const diff = suuq('projections', 'diff', 'orders', '--json');
      expect(diff.status, diff.stdout + diff.stderr).to.equal(0);
      expect(JSON.parse(diff.stdout)).to.include({ added: 0, gone: 0, changed: 0 });
    } finally {
      await running.stop();
    }
  });

  describe("stored documents compared with the code's", () => {
    const differing = join(folder.path, 'differing');
    const diffed = (of: string, name = 'orders') => {
      const ran = commandLine(of, { timeout: 60_000 }).suuq('projections', 'diff', name, '--json');
      return { status: ran.status, result: JSON.parse(ran.stdout || ran.stderr) };
    };
    /** Document ids, by their last character. */
    const [ONE, TWO, THREE] = [1, 2, 3].map((n) => `e0000000-0000-4000-8000-00000000000${n}`);
    before(() => {
      expect(diffed(stored).result, 'the views are there').to.include({ equal: 6, added: 0, gone: 0, changed: 0 });
      cpSync(stored, differing, { recursive: true });
      const db = openDatabase(join(differing, 'views.db'));
      const [collection] = db.prepare<[string]>('SELECT collection FROM aliases WHERE name = ?').get(['orders'])!;
      const table = `c_${collection}`;
      db.exec(`UPDATE ${table} SET body = replace(body, '"number":1', '"number":77') WHERE id = '${ONE}'`);
      db.exec(`UPDATE ${table} SET id = 'stranger' WHERE id = '${TWO}'`);
      db.exec(`DELETE FROM ${table} WHERE id = '${THREE}'`);
      db.close();
    });

    it('are reported as added, removed and changed, with the differences', () => {
      const { status, result } = diffed(differing);
      expect(status).to.equal(1);
      expect(result).to.include({ equal: 3, added: 2, gone: 1, changed: 1, moving: 0 });
      expect(result.documents).to.deep.include.members([
        { id: ONE, kind: 'changed', changes: [{ path: 'body.number', was: 77, is: 1 }] },
        { id: TWO, kind: 'added' },
        { id: THREE, kind: 'added' },
        { id: 'stranger', kind: 'gone' },
      ]);
      const people = commandLine(differing).suuq('projections', 'diff', 'orders').stdout;
      expect(people).to.match(/body\.number: 77 → 1/);
    });

    it('lead to an error with suggestions for an unknown projection', () => {
      const { status, result } = diffed(stored, 'order');
      expect([status, result.error.code]).to.deep.equal([1, 'not_found']);
      expect(result.error.message).to.include('orders');
    });

    it('leave the folder unchanged', () => {
      const before = readdirSync(differing).sort();
      diffed(differing);
      expect(readdirSync(differing).sort()).to.deep.equal(before);
      expect(readFileSync(join(differing, 'events.db')).length).to.be.above(0);
    });
  });
});
