/** Export of the history: contents of the files, incremental exports, and recovery of a partial one. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DomainError, EventMeta } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openRing } from '../../service/composition/privacy/vaults.js';
import { type Chunk, chunksOf } from '../../upkeep/analysis/chunks.js';
import { threadedChunks } from '../../upkeep/analysis/chunkThreads.js';
import { embeddedTexts } from '../../upkeep/analysis/eventTexts.js';
import { TakenChunk } from '../../upkeep/analysis/exportPart.js';
import { exportInstallation, queryInstallation } from '../../upkeep/analysis/installationRuns.js';
import type { ExportChoice, ExportFormat, ExportManifest } from '../../upkeep/analysis/manifest.js';
import { smallDisk } from '../support/doubles/smallDisk.js';
import { appendTo, LAMPS, placed, SCARVES, writeShops } from '../support/stages/shopHistory.js';

const never = new AbortController().signal;
const run = { report: () => undefined, signal: never };

/** Joins the texts of all chunks, regardless of the chunk boundaries. */
async function joined(chunks: AsyncIterable<Chunk>) {
  const texts = new Map<string | undefined, string>();
  const positions: number[] = [];
  let end = -1;
  for await (const chunk of chunks) {
    for (const { type, from, to } of chunk.texts)
      if (from < to) texts.set(type, (texts.get(type) ?? '') + Buffer.from(chunk.bytes.subarray(from, to)).toString());
    positions.push(...chunk.positions);
    end = chunk.through;
  }
  return { texts: [...texts].sort(([a], [b]) => String(a).localeCompare(String(b))), positions, end };
}

describe('an export', () => {
  let folder = temporaryFolder('suuq-export-');
  const data = () => join(folder.path, 'data');
  const out = () => join(folder.path, 'out');
  beforeEach(async () => {
    folder = temporaryFolder('suuq-export-');
    mkdirSync(data());
    await writeShops(data());
  });
  afterEach(() => folder.remove());

  const make = (format: ExportFormat = 'parquet', choice: ExportChoice = {}, to = out(), given = run) =>
    exportInstallation({ SUUQ_DATA: data() }, { folder: to, format, choice, memoryMb: 256 }, given);
  const refused = (made: Promise<unknown>): Promise<DomainError> =>
    made.then(
      () => expect.fail('it was done'),
      (error) => error as DomainError,
    );
  const manifest = (of = out()): ExportManifest => JSON.parse(readFileSync(join(of, 'manifest.json'), 'utf8'));
  async function request(sql: string) {
    const rows: (readonly unknown[])[] = [];
    const take = async (_: unknown, page: readonly (readonly unknown[])[]) => rows.push(...page) >= 0;
    await queryInstallation({}, { sql, seconds: 10, memoryMb: 256 }, out(), take, run);
    return rows;
  }
  const february = placed({ store: LAMPS, at: '2026-02-20T09:00:00.000Z', cents: 900 }, 4);

  it('includes all events before a time, like a query, also behind an event of a clock that was ahead', async () => {
    const at = '2026-01-31T12:00:00.000Z';
    const ahead = placed({ store: LAMPS, at: '2036-01-01T00:00:00.000Z', cents: 100 }, 5);
    await appendTo(data(), [ahead, placed({ store: LAMPS, at, cents: 1 }, 6)]);
    expect(await make('jsonl', { to: '2026-02-01T00:00:00Z', types: ['OrderPlaced'] })).to.include({ events: 4 });
    const rows: (readonly unknown[])[] = [];
    const sql = `select number from events_order_placed where time < '2026-02-01' order by position`;
    const take = async (_: unknown, page: readonly (readonly unknown[])[]) => rows.push(...page) >= 0;
    await queryInstallation({ SUUQ_DATA: data() }, { sql, seconds: 10, memoryMb: 256 }, undefined, take, run);
    expect(rows).to.have.lengthOf(4);
  });

  it('lists every file with its hash, and can be queried without the installation', async () => {
    expect(await make()).to.include({ added: 7, events: 7 });
    rmSync(data(), { recursive: true });
    const { files } = manifest();
    expect(files.map(({ path }) => path.split('/')[1])).to.deep.equal([
      'OrderPlaced',
      'OrderStatusChanged',
      'StoreCreated',
    ]);
    for (const { path, sha256 } of files)
      expect(
        createHash('sha256')
          .update(readFileSync(join(out(), path)))
          .digest('hex'),
      ).to.equal(sha256);
    const months = `select workspace_id, date_trunc('month', time), sum(totals.totalCents)::bigint from events_order_placed group by all order by all`;
    expect(await request(months)).to.deep.equal([
      [SCARVES, '2026-01-01T00:00:00.000Z', 3000],
      [SCARVES, '2026-02-01T00:00:00.000Z', 4000],
      [LAMPS, '2026-01-01T00:00:00.000Z', 700],
    ]);
    expect(await request("select data->>'$.note' from events where type = 'OrderStatusChanged'")).to.deep.equal([
      ['Sold out; sorry'],
    ]);
    expect(await request('select count(*) from events_order_paid')).to.deep.equal([[0]]);
  });

  it('has no read models, and reads no other file', async () => {
    await make();
    expect((await refused(request('select * from orders'))).message).to.match(/an export only has events/);
    expect((await refused(request("select * from read_text('/etc/hostname')"))).code).to.equal('query_not_allowed');
    expect((await refused(request(`copy events to '${out()}/x.csv'`))).code).to.equal('query_not_allowed');
  });

  it('adds new events when repeated, and nothing otherwise', async () => {
    await make();
    const before = manifest();
    expect(await make()).to.include({ added: 0, events: 7 });
    expect(manifest()).to.deep.equal(before);
    await appendTo(data(), [february]);
    expect(await make()).to.include({ added: 1, events: 8 });
    expect(manifest().files.slice(0, 3)).to.deep.equal(before.files);
    expect(await request('select sum(totals.totalCents)::bigint from events_order_placed')).to.deep.equal([[8600]]);
  });

  it('is one JSON object per event, in the order of the log', async () => {
    await make('jsonl');
    const [file] = manifest().files;
    const lines = readFileSync(join(out(), file!.path), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).to.have.lengthOf(7);
    expect(lines.map(({ position }) => position)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(lines[1]).to.include({ type: 'StoreCreated', workspace_id: LAMPS });
    expect(lines[1].data.name).to.equal('Lamps\nof brass');
  });

  it('is CSV with the columns of each type', async () => {
    await make('csv', { types: ['OrderStatusChanged'] });
    const [file, ...others] = manifest().files;
    expect(others).to.deep.equal([]);
    const [head, row] = readFileSync(join(out(), file!.path), 'utf8').trim().split('\n');
    expect(head).to.match(/^position,id,time,workspace_id,.*,data,from,to,note,cause$/);
    expect(row).to.match(/,new,cancelled,Sold out; sorry,$/);
  });

  it('is CSV without spreadsheet formulas on request', async () => {
    const cancelled = (note: string, n: number) => ({
      stream: `order-${derivedId('formula', String(n))}`,
      type: 'OrderStatusChanged',
      data: { from: 'new', to: 'cancelled', note },
      meta: { workspaceId: LAMPS, at: '2026-03-01T00:00:00.000Z' },
    });
    await appendTo(data(), ['=1+1', '-1.5', '\u00a0@sum', 'plain', '\t+x'].map(cancelled));
    const notes = async (choice: ExportChoice, to: string) => {
      await make('csv', { types: ['OrderStatusChanged'], ...choice }, join(folder.path, to));
      const text = readFileSync(join(folder.path, to, manifest(join(folder.path, to)).files[0]!.path), 'utf8');
      return [...text.matchAll(/,new,cancelled,([^,\n]*),/g)].map(([, note]) => note);
    };
    expect(await notes({}, 'plain')).to.deep.equal(['Sold out; sorry', '=1+1', '-1.5', '\u00a0@sum', 'plain', '\t+x']);
    expect(await notes({ escapeFormulas: true }, 'escaped')).to.deep.equal([
      'Sold out; sorry',
      "'=1+1",
      '-1.5',
      "'\u00a0@sum",
      'plain',
      "'\t+x",
    ]);
  });

  it('contains events of other programs, whatever their names and lengths', async () => {
    const types = ['../../stolen', 'tick\nof\u001fa clock', 'Long', 'nameless'];
    const long = 'x'.repeat(1_000_000);
    const odd = types.map((type, n) => ({
      stream: `clock-${n}`,
      type,
      data: { says: n === 2 ? long : 'tick "tock"\r\n\u2028 ,é\\' },
      meta: { workspaceId: LAMPS, at: n === 3 ? 'noon' : '2026-03-01T00:00:00.000Z', operator: 'a\nb' },
    }));
    await appendTo(data(), odd);
    for (const format of ['parquet', 'csv', 'jsonl'] as const) {
      const to = join(folder.path, format);
      expect(await make(format, {}, to)).to.include({ events: 11 });
      const paths = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /stolen/.test(name),
      );
      expect(paths).to.deep.equal([]);
    }
    await make();
    expect(
      await request(
        "select type, time, operator, length(data->>'$.says') from events where area is null order by position",
      ),
    ).to.deep.equal([
      ['../../stolen', '2026-03-01T00:00:00.000Z', 'a b', 18],
      ['tick of a clock', '2026-03-01T00:00:00.000Z', 'a b', 18],
      ['Long', '2026-03-01T00:00:00.000Z', 'a b', 1_000_000],
      ['nameless', null, 'a b', 18],
    ]);
    expect(await request("select data->>'$.says' from events where type = 'nameless'")).to.deep.equal([
      ['tick "tock"\r\n\u2028 ,é\\'],
    ]);
    expect(readdirSync(out()).sort()).to.deep.equal(['.lock', 'events', 'manifest.json']);
  });

  it('contains only what was selected', async () => {
    const to = (name: string) => join(folder.path, name);
    expect(await make('parquet', { store: LAMPS }, to('a'))).to.include({ events: 2 });
    expect(await make('parquet', { types: ['OrderPlaced'], from: '2026-01-15T00:00:00Z' }, to('b'))).to.include({
      events: 3,
    });
    expect(await make('parquet', { from: '2026-01-31T23:59:59.999Z', to: '2026-02-01T00:00:00Z' }, to('c'))).to.include(
      { events: 2 },
    );
    expect(await make('parquet', { to: '2020-01-01T00:00:00Z' }, to('d'))).to.include({ events: 0 });
  });

  it('rejects a range that ends before it begins, and unknown names', async () => {
    const reversed = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect((await refused(make('csv', reversed))).code).to.equal('range_reversed');
    const type = await refused(make('csv', { types: ['OrderPlacd'] }));
    expect([type.code, type.message]).to.deep.equal([
      'unknown_event_type',
      'Unknown event type OrderPlacd. Did you mean OrderPlaced?',
    ]);
    expect((await refused(make('csv', { store: LAMPS.replace('2', '3') }))).code).to.equal('unknown_store');
  });

  it('rejects a folder with other files, another selection, and another log', async () => {
    mkdirSync(out());
    writeFileSync(join(out(), 'holiday.jpg'), '');
    expect((await refused(make())).code).to.equal('not_an_export');
    rmSync(out(), { recursive: true });
    await make();
    expect((await refused(make('csv'))).code).to.equal('export_differs');
    expect((await refused(make('parquet', { store: LAMPS }))).code).to.equal('export_differs');
    rmSync(data(), { recursive: true });
    mkdirSync(data());
    await appendTo(data(), [
      february,
      ...[5, 6, 7, 8, 9, 10, 11].map((n) => placed({ store: LAMPS, at: '2026-02-21T09:00:00.000Z', cents: 2 }, n)),
    ]);
    expect((await refused(make())).code).to.equal('other_log');
  });

  it('is the same when repeated after a stop in the middle of its files', async () => {
    await make();
    const whole = manifest();
    // State after a kill: some files, a partial one, and the previous manifest.
    writeFileSync(
      join(out(), 'manifest.json'),
      JSON.stringify({ ...whole, position: -1, newest: undefined, events: 0, bytes: 0, files: [] }),
    );
    rmSync(join(out(), whole.files[1]!.path));
    writeFileSync(join(out(), `${whole.files[1]!.path}.part`), 'PAR1');
    // Remains of a part that was being collected.
    mkdirSync(join(out(), '.gathered', '1'), { recursive: true });
    writeFileSync(join(out(), '.gathered', '1', '0.txt'), 'half a li');
    // Part of a shorter log, which ends at another position.
    writeFileSync(join(out(), 'events/OrderPlaced/0000000000000002-0000000000000003.parquet'), 'PAR1');
    expect(await make()).to.include({ added: 7, events: 7 });
    expect(manifest()).to.deep.equal(whole);
    const names = readdirSync(join(out(), 'events'), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.includes('.'))).to.have.lengthOf(3);
    expect(readdirSync(out())).not.to.include('.gathered');
  });

  it('reports missing or truncated files', async () => {
    await make();
    const [first] = manifest().files;
    truncateSync(join(out(), first!.path), 10);
    for (const error of [await refused(make()), await refused(request('select count(*) from events'))]) {
      expect(error.code).to.equal('export_damaged');
      expect(error.message).to.include(first!.path);
    }
    writeFileSync(join(out(), 'manifest.json'), '{"layout":1,');
    expect((await refused(make())).code).to.equal('export_damaged');
  });

  it('of a long log is the same with several threads as with one', async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ ...february, stream: `clock-${n}`, type: `Tick${n % 7}` }));
    const log = await openEmbeddedEventStore(data());
    for (const [n, { stream, type, data: text, meta }] of many.entries())
      await log.append(
        stream,
        'any',
        Array.from({ length: 150 }, (_, of) => ({
          id: derivedId(stream, String(of)),
          type: of % 5 === 0 ? 'Tock' : type,
          // Long texts split a range into several chunks.
          data: { ...text, says: n > 10 && n < 23 ? 'né '.repeat(1_400) : `né ${of}` },
          meta: { actor: { type: 'system' }, correlationId: stream, ...meta } as EventMeta,
        })),
      );
    await log.close();
    const { ring } = await openRing({ place: { file: join(data(), 'vault.db') } });
    const texts = embeddedTexts(data(), ring);
    const range = { after: 2, through: await texts.head() };
    const all = { selection: {}, byType: true };
    const until = { selection: { to: Date.parse('2026-02-01T12:00:00Z') }, byType: false };
    const typed = { selection: { types: ['Tick3', 'OrderPlaced'], stores: [LAMPS] }, byType: true };
    // The threads cannot read these keys. The main thread continues.
    writeFileSync(join(folder.path, 'broken.db'), 'no database');
    try {
      for (const [requested, end, file] of [
        [all, range.through, 'data/vault.db'],
        [typed, range.through, 'data/vault.db'],
        [until, range.through, 'broken.db'],
      ] as const) {
        const chunked = { folder: data(), texts, access: { place: { file: join(folder.path, file) } } };
        const expected = await joined(chunksOf(texts, range, requested));
        expect(await joined(threadedChunks(chunked, range, requested, 1)), file).to.deep.equal(expected);
        expect(expected.end).to.equal(end);
      }
      expect((await joined(chunksOf(texts, range, all))).positions).to.have.lengthOf(4_504);
    } finally {
      texts.close();
    }
  });

  it('ends a part in the middle of a chunk', () => {
    const bytes = new TextEncoder().encode('a1\na22\nb1\nb2\n');
    const chunk = new TakenChunk({
      bytes,
      memory: bytes.buffer,
      texts: [
        { type: 'A', from: 0, to: 7, lines: 2 },
        { type: 'B', from: 7, to: 13, lines: 2 },
      ],
      positions: Float64Array.of(10, 11, 15, 16),
      textOf: Uint16Array.of(0, 1, 0, 1),
      lengths: Uint32Array.of(3, 3, 4, 3),
      through: 20,
    });
    let room = 0;
    const first = chunk.take((taken) => {
      room += taken;
      return room < 10;
    });
    const rest = chunk.take(() => true);
    const shown = ({ lines, ...of }: typeof first) => ({
      ...of,
      lines: lines.map(({ type, bytes: some, longest }) => [type, new TextDecoder().decode(some), longest]),
    });
    expect(shown(first)).to.deep.equal({
      events: 3,
      first: 10,
      last: 15,
      lines: [
        ['A', 'a1\na22\n', 4],
        ['B', 'b1\n', 3],
      ],
    });
    expect(shown(rest)).to.deep.equal({ events: 1, first: 16, last: 16, lines: [['B', 'b2\n', 3]] });
    expect(chunk.isOver).to.equal(true);
  });

  it('reports a full disk, and continues when there is space', async function () {
    const disk = smallDisk(1);
    if (disk === undefined) return this.skip();
    try {
      const to = join(disk.path, 'out');
      mkdirSync(join(to, '.lock'), { recursive: true });
      disk.fill(40_000);
      expect((await refused(make('parquet', {}, to))).code).to.equal('storage_full');
      disk.makeRoom();
      expect(await make('parquet', {}, to)).to.include({ events: 7 });
    } finally {
      disk.close();
    }
  });
});
