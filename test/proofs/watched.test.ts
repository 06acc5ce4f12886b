/** Monitoring of the proofs: the gauges of the instance that maintains the tree, and the findings of the doctor. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { silentLog } from '../../engine/ports/log.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { proofGauges } from '../../service/composition/metrics/proofMetrics.js';
import { maintainTree } from '../../service/proofs/treeMaintainer.js';
import { proofsCheck } from '../../upkeep/doctor/proofsCheck.js';
import type { Running } from '../../upkeep/doctor/runningService.js';
import { openStored } from '../../upkeep/verify/storedData.js';
import { appendOrders, openProofs, type ProofsStage, proofsStage, uuidOf } from '../support/stages/proofsStage.js';
import { until } from '../support/tools/until.js';

const KEY = Buffer.alloc(32, 7);
const SECONDS = 1_000;
const TILES = ['proofs.db', 'proofs.db-wal', 'proofs.db-shm'];

describe('metrics of the proofs', () => {
  it('show how long the tree is behind the log, and how long events wait for a head', async () => {
    const folder = temporaryFolder('suuq-gauges-');
    const store = await openEmbeddedEventStore(folder.path);
    const { proofs, clock, tree, close } = await openProofs(folder.path);
    let fails = false;
    const failing = (): never => {
      throw new Error('the disk is away');
    };
    const parts = {
      settings: { roles: ['processors'] },
      services: { eventStore: store, clock },
      tree: {
        running: true,
        advance: async () => (fails ? failing() : tree.advance()),
        index: async () => {},
      },
      proofs: {
        latest: () => proofs.latest(),
        signAt: async (size: number) => (fails ? failing() : proofs.signAt(size)),
      },
    };
    const maintainer = maintainTree(parts, silentLog);
    const registry = new Registry();
    proofGauges(registry, { maintainer, eventStore: store, clock });
    const notify = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await registry.getMetricsAsJSON()).map(({ name, values }) => [name, values[0]!.value]));
    const scannedUntil = (what: string, events: number): Promise<void> =>
      until(what, async () => {
        await clock.advance(0);
        return (await notify()).suuq_proofs_events === events;
      });
    try {
      await appendOrders(store, 0, 2);
      expect(await notify()).to.deep.equal({
        ...{ suuq_proofs_events: 0, suuq_proofs_behind_seconds: 0, suuq_proofs_unsigned_seconds: 0 },
      });
      await clock.advance(5 * SECONDS);
      await scannedUntil('the first look', 6);
      expect(await notify()).to.include({ suuq_proofs_behind_seconds: 0 });
      await until('the first head', async () => (await proofs.latest())?.size === 6);

      await appendOrders(store, 2, 1);
      await clock.advance(5 * SECONDS);
      await scannedUntil('the second look', 9);
      fails = true;
      await appendOrders(store, 3, 1);
      for (let polls = 0; polls < 20; polls += 1) await clock.advance(5 * SECONDS);
      expect(await notify()).to.deep.equal({
        ...{ suuq_proofs_events: 9, suuq_proofs_behind_seconds: 100, suuq_proofs_unsigned_seconds: 100 },
      });

      fails = false;
      await clock.advance(5 * SECONDS);
      await scannedUntil('a look after that', 12);
      await until('a later head', async () => (await notify()).suuq_proofs_unsigned_seconds === 0);
      expect(await notify()).to.include({ suuq_proofs_behind_seconds: 0 });
    } finally {
      await maintainer.stop();
      await close();
      await store.close();
      folder.remove();
    }
  });

  it('are left out if another instance maintains the tree', () => {
    const registry = new Registry();
    const eventStore = { head: async () => 0 };
    proofGauges(registry, { maintainer: { state: () => undefined }, eventStore, clock: { now: () => 0 } });
    expect(registry.getMetricsAsArray()).to.deep.equal([]);
  });
});

describe('doctor: proofs', () => {
  let stage: ProofsStage;
  before(async () => {
    stage = await proofsStage(4, 2);
  });
  after(() => stage.remove());

  const AT_REST: Running = { state: 'none' };
  const RUNNING = { state: 'running', card: { socket: '' } } as Running;

  async function found(folder: string, { key = KEY, running = AT_REST } = {}): Promise<string[]> {
    const stored = await openStored({}, folder, silentLog);
    try {
      const settings = { mongoUrl: undefined, masterKeys: [key] as const };
      const check = proofsCheck(async () => stored, running, { settings, folder });
      return (await check.run(new AbortController().signal)).map(({ level, code }) => `${level} ${code}`);
    } finally {
      await stored.close();
    }
  }
  const changed = (sql: string): string => {
    const folder = stage.copy();
    const db = openDatabase(join(folder, 'work.db'));
    db.exec(sql);
    db.close();
    return folder;
  };
  const documents = (folder: string, database: string, name: string): string => {
    const db = openDatabase(join(folder, database), { readonly: true });
    try {
      const tables = db.prepare<[string]>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      return tables.map(([table]) => table).find((table) => table.includes(name))!;
    } finally {
      db.close();
    }
  };

  it('reports no problem with a signed head, and a note without one', async () => {
    expect(await found(stage.folder)).to.deep.equal(['ok proofs_right']);
    const folder = temporaryFolder('suuq-doctor-proofs-');
    const store = await openEmbeddedEventStore(folder.path);
    await store.close();
    expect(await found(folder.path)).to.deep.equal(['ok proofs_not_begun']);
    folder.remove();
  });

  it('reports a key that no master key opens', async () => {
    expect(await found(stage.folder, { key: Buffer.alloc(32, 8) })).to.deep.equal(['problem key_unreadable']);
  });

  it('reports a head that its key did not sign', async () => {
    const heads = documents(stage.folder, 'work.db', 'proofHeads');
    const folder = changed(`UPDATE "${heads}" SET body = replace(body, '"size":12', '"size":13')`);
    expect(await found(folder)).to.deep.equal(['problem tree_is_shorter', 'problem head_not_signed']);
  });

  it('reports a missing or outdated tree', async () => {
    const without = stage.copy();
    for (const name of TILES) rmSync(join(without, name), { force: true });
    expect(await found(without)).to.deep.equal(['warning tree_missing']);
    const shorter = await proofsStage(1);
    const folder = stage.copy();
    for (const name of TILES) {
      rmSync(join(folder, name), { force: true });
      if (existsSync(join(shorter.folder, name))) cpSync(join(shorter.folder, name), join(folder, name));
    }
    shorter.remove();
    expect(await found(folder)).to.deep.equal(['problem tree_is_shorter']);
  });

  it('reports an inconsistent tree, only next to a running service', async () => {
    const folder = stage.copy();
    const store = await openEmbeddedEventStore(folder);
    const event = (n: number) => ({
      id: uuidOf(`behind ${n}`),
      type: 'Tick',
      data: {},
      meta: { at: '2026-03-02T00:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' },
    });
    for (let part = 0; part < 21; part += 1)
      await store.append(
        'clock-1',
        'any',
        Array.from({ length: 500 }, (_, n) => event(part * 500 + n)),
      );
    await store.close();
    expect(await found(folder)).to.deep.equal(['ok proofs_right']);
    expect(await found(folder, { running: RUNNING })).to.deep.equal(['warning tree_behind']);
  });
});
