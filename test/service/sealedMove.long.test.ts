/** Move of a history from before subject keys: it is sealed on the way into another folder or into EventStoreDB. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../bench/generator/write.js';
import { pagesOf } from '../../engine/moving/walk.js';
import { BEFORE_ALL, type EventStore, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { boxesIn, MOVED } from '../../engine/sealing/sealedData.js';
import { startEndpoint } from '../../harness/engines/endpointProcess.js';
import { emulator, testDatabase } from '../../harness/engines/mongoStage.js';
import { EMBEDDED, startService, suuqCommand, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { accessOf, openedBy, type VaultAccess } from '../../service/composition/privacy/vaults.js';
import { type Ran, suuqConcurrently } from '../support/stages/commandLine.js';

const EVENTS = 4_000;
const FILE = 'files/0a/1b/chime.wav';

interface Log {
  readonly opened: readonly RecordedEvent[];
  readonly stored: readonly RecordedEvent[];
}

async function allOf(log: Pick<EventStore, 'readAll'>): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const page of pagesOf(log, BEFORE_ALL)) found.push(...page);
  return found;
}

async function logOf(folder: string): Promise<Log> {
  const store = await openEmbeddedEventStore(folder);
  const reads = await openedBy(store, accessOf({}, folder) as VaultAccess);
  const log = { stored: await allOf(store), opened: await allOf(reads) };
  await reads.close();
  return log;
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const phonesIn = (events: readonly object[]): string[] => [
  ...new Set(
    JSON.stringify(events)
      .match(/"\+252\d{6,}"/g)
      ?.map((one) => one.slice(1, -1)) ?? [],
  ),
];

describe('a history moved with encryption', function () {
  this.timeout(180_000);
  const root = temporaryFolder('suuq-sealed-move-');
  const old = join(root.path, 'old');
  const moved = join(root.path, 'new');
  const headFile = join(root.path, 'head.json');
  let digest: string;
  let source: Log;
  let ran: Ran;

  const suuq = (data: string, ...words: string[]): Promise<Ran> => suuqConcurrently(data, words);
  async function json<T>(data: string, ...words: string[]): Promise<T> {
    const done = await suuq(data, ...words, '--json');
    expect(done.status, done.stderr).to.equal(0);
    return JSON.parse(done.stdout) as T;
  }

  /** Kills the command when it reports a phase. Returns whether it was still running. */
  async function killedWhile(phase: string, words = ['move', '--to-folder', moved], env = {}): Promise<boolean> {
    const child: ChildProcess = spawn(process.execPath, [suuqCommand, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...EMBEDDED, ...env, SUUQ_DATA: old },
    });
    child.stderr!.on('data', (text: Buffer) => {
      if (text.toString().includes(phase)) child.kill('SIGKILL');
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal === 'SIGKILL';
  }

  before(async () => {
    await makeFolder(
      old,
      { events: EVENTS, seed: 'sealed move' },
      { signal: new AbortController().signal, report() {} },
    );
    mkdirSync(join(old, 'files/0a/1b'), { recursive: true });
    writeFileSync(join(old, FILE), 'bytes');
    writeFileSync(headFile, JSON.stringify(await json(old, 'audit', 'head')));
    source = await logOf(old);
    digest = digestOf(join(old, 'events.db'));
  });
  after(() => root.remove());

  it('is complete after two kills during the move, and the old folder is unchanged', async () => {
    expect(phonesIn(source.stored)).to.have.length.greaterThan(10);
    expect([await killedWhile('copying'), await killedWhile('copying')]).to.deep.equal([true, true]);
    const early = await suuq(moved, 'status');
    expect(early.stderr).to.match(/^work_is_missing: .*interrupted/);
    ran = await suuq(old, 'move', '--to-folder', moved);
    expect(ran.status, ran.stderr).to.equal(0);
    expect(ran.stdout)
      .to.contain('sealed; decrypted they are equal to those here')
      .and.to.contain(`SUUQ_DATA=${moved}`);
    expect(digestOf(join(old, 'events.db'))).to.equal(digest);
    expect(readFileSync(join(moved, FILE), 'utf8')).to.equal('bytes');
  });

  it('contains every event in order, without plain-text personal data', async () => {
    const { stored, opened } = await logOf(moved);
    const bare = ({ position: _, ...event }: RecordedEvent) => event;
    expect(opened.map(bare)).to.deep.equal(source.stored.map(bare));
    expect(phonesIn(stored)).to.deep.equal([]);
    const boxes = stored.flatMap(({ data }) => boxesIn(data) ?? []);
    expect(boxes).to.have.length.greaterThan(100);
    expect(boxes.every(([, , , , how]) => how === MOVED)).to.equal(true);
    // One key per person and store, even if several events and streams are about that person.
    expect(new Set(boxes.map(([, person]) => person)).size).to.be.lessThan(boxes.length / 2);
  });

  it('does nothing the second time', async () => {
    const again = await suuq(old, 'move', '--to-folder', moved);
    expect(again.status, again.stderr).to.equal(0);
    const first = (text: string): string => text.split('\n').find((line) => line.includes('root of'))!;
    expect(first(again.stdout)).to.equal(first(ran.stdout));
  });

  interface Audited {
    readonly whole: boolean;
    readonly heads: number;
    readonly faults: readonly { readonly kind: string; readonly what: string }[];
    readonly earlier: readonly { readonly proof: string; readonly heads: number; readonly outsideHeads: number }[];
  }
  const audited = async (...words: string[]): Promise<Audited> =>
    JSON.parse((await suuq(moved, 'audit', 'verify', '--json', ...words)).stdout) as Audited;

  it('can be verified by an auditor, with the old heads, by the statement and disclosed events', async () => {
    const found = await audited('--heads', headFile);
    expect(found.faults).to.deep.equal([]);
    expect([found.whole, found.heads]).to.deep.equal([true, 1]);
    expect(found.earlier).to.have.length(1);
    expect(found.earlier[0]).to.deep.include({ proof: 'opened', heads: 2, outsideHeads: 1 });
    const head = JSON.parse(readFileSync(headFile, 'utf8'));
    const other = join(root.path, 'other.json');
    writeFileSync(
      other,
      JSON.stringify({ ...head, rootHash: head.rootHash.replace(/^./, (c: string) => (c === '0' ? '1' : '0')) }),
    );
    expect((await audited('--heads', other)).faults.map(({ kind }) => kind)).to.deep.equal(['head']);
  });

  it('detects a changed statement', async () => {
    const work = openEmbeddedReadModels(join(moved, 'work.db'), { name: 'work.db' });
    const [retained] = await work.find<{ from: { rootHash: string } }>('proofMoves', { limit: 1 });
    const put = (body: object, revision: number) =>
      work.write({ proofMoves: { put: [{ id: retained!.id, keys: {}, revision, body }] } });
    await put({ ...retained!.body, from: { ...retained!.body.from, rootHash: '0'.repeat(64) } }, 2);
    const { faults } = await audited();
    expect(faults.map(({ kind, what }) => [kind, what.split(' ').slice(0, 3).join(' ')])).to.deep.equal([
      ['moved', 'it is not'],
      ['moved', 'its decrypted events'],
    ]);
    await put(retained!.body, 3);
    await work.close();
    expect((await audited()).whole).to.equal(true);
  });

  it('is served, publishes signed heads, and erases a customer from before', async () => {
    const service = await startService(moved);
    try {
      const answer = await fetch(`${service.baseUrl}/.well-known/suuq-log/moves`);
      const { moves } = (await answer.json()) as { moves: { from: { size: number } }[] };
      expect(moves.map(({ from }) => from.size)).to.deep.equal([source.stored.length]);
      const started = source.stored.find(({ type }) => type === 'ConversationStarted')!;
      const { phone } = (started.data as { customer: { phone: string } }).customer;
      const { persons } = await json<{ persons: string[] }>(moved, 'admin', 'forget', '--phone', phone);
      expect(persons).to.have.length.greaterThan(0);
    } finally {
      await service.stop();
    }
    const found = await audited('--heads', headFile);
    expect([found.whole, found.faults, found.earlier.map(({ proof }) => proof)]).to.deep.equal([
      true,
      [],
      ['forgotten'],
    ]);
  });

  it('is not written to a folder with other content, or to one with its own history', async () => {
    const taken = await suuq(old, 'move', '--to-folder', root.path);
    expect(taken.stderr).to.match(/same_folder: /);
    const other = join(root.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'letter.txt'), 'mine');
    const refused = await suuq(old, 'move', '--to-folder', other);
    expect([refused.status, refused.stdout]).to.deep.equal([1, '']);
    expect(refused.stderr).to.match(/data_folder_not_empty: .*letter\.txt/);
    const gone = await suuq(old, 'move', '--to-folder', moved);
    expect(gone.stderr).to.match(/target_holds_other_events: /);
    const both = await suuq(old, 'move', '--to-folder', other, '--to', 'esdb://127.0.0.1:1');
    expect(both.stderr).to.match(/^wrong_setting: /);
  });

  it('is not encrypted as valid if it does not match its heads', async () => {
    const work = openEmbeddedReadModels(join(old, 'work.db'), { name: 'work.db' });
    const [head] = await work.find<{ rootHash: string }>('proofHeads', { limit: 1 });
    const { id, keys, body } = head!;
    const put = (changed: object, revision: number) =>
      work.write({ proofHeads: { put: [{ id, keys, revision, body: changed }] } });
    await put({ ...body, rootHash: '0'.repeat(64) }, 2);
    const refused = await suuq(old, 'move', '--to-folder', join(root.path, 'third'));
    expect(refused.stderr).to.match(/log_contradicts_head: .*audit verify/);
    await put(body, 3);
    await work.close();
  });

  it('is encrypted on the way to a server as well', async () => {
    const server = await startEndpoint(join(root.path, 'server'));
    const { url } = server;
    try {
      const done = await suuq(old, 'move', '--to', url, '--seal');
      expect(done.status, done.stderr).to.equal(0);
      expect(done.stdout).to.contain('SUUQ_SEAL=on').and.to.contain('delete the old log');
      const key = { EVENTSTORE_URL: url, SUUQ_MASTER_KEY_FILE: join(old, 'master.key') };
      const audit = await suuqConcurrently(old, ['audit', 'verify', '--json'], key);
      expect(audit.stderr).to.not.contain('wrong_setting');
      const { whole, earlier } = JSON.parse(audit.stdout) as Audited;
      expect([whole, earlier.map(({ proof }) => proof)]).to.deep.equal([true, ['opened']]);
    } finally {
      await server.stop();
    }
    const store = await openEmbeddedEventStore(join(root.path, 'server'));
    const events = await allOf(store);
    await store.close();
    expect(events).to.have.length.greaterThan(100);
    expect(phonesIn(events)).to.deep.equal([]);
  });

  it('is encrypted with its keys and work on MongoDB as well, and continues after a kill', async function () {
    if (emulator.missing !== undefined) return this.skip();
    // Each person needs one or two round trips.
    this.timeout(400_000);
    const at = join(root.path, 'beside mongo');
    const server = await startEndpoint(at);
    const database = await testDatabase(emulator);
    const engines = { EVENTSTORE_URL: server.url, MONGODB_URL: database.url };
    const words = ['move', '--to', server.url, '--seal'];
    try {
      expect(await killedWhile('copying', words, engines)).to.equal(true);
      const done = await suuqConcurrently(old, words, engines);
      expect(done.status, done.stderr).to.equal(0);
      const key = { ...engines, SUUQ_MASTER_KEY_FILE: join(old, 'master.key') };
      const audit = await suuqConcurrently(old, ['audit', 'verify', '--json'], key);
      const { whole, faults, earlier } = JSON.parse(audit.stdout) as Audited;
      expect([whole, faults, earlier.map(({ proof }) => proof)]).to.deep.equal([true, [], ['opened']]);
      await server.stop();
      const store = await openEmbeddedEventStore(at);
      const access = accessOf({ eventStoreUrl: server.url, mongoUrl: database.url }, old) as VaultAccess;
      const reads = await openedBy(store, access);
      const bare = ({ position: _, ...event }: RecordedEvent) => event;
      expect(phonesIn(await allOf(store))).to.deep.equal([]);
      expect((await allOf(reads)).map(bare)).to.deep.equal(source.stored.map(bare));
      await reads.close();
    } finally {
      await server.stop();
      await database.close();
    }
  });
});
