/**
 * Real threads that fill real files. The tests do not terminate them midway, because the SQLite driver ends the process
 * if a thread ends during an answer. filling.long.test.ts covers threads that die.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { createProjectionRuntime } from '../../engine/projections/runtime.js';
import { startEventStoreEndpoint } from '../../infrastructure/eventstoreEndpoint/endpoint.js';
import type { EmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { type ProjectionsThread, startProjectionsThread } from '../../service/composition/threads/projectionsHost.js';
import type { EventSource } from '../../service/composition/threads/projectionsThread.js';
import { added, closed, eventually, everything, named, type Stage, stage } from '../support/stages/projectionStage.js';
import { projections } from '../support/threads/fillingList.js';

const NAMES = ['baskets', 'stock', 'held'];
/** More changed documents than one write holds. */
const ITEMS = 9_000;

describe('threads that build projections', () => {
  let w: Stage;
  let host: ProjectionsThread;
  let warnings: string[];

  beforeEach(async () => {
    warnings = [];
    w = await stage();
    for (let from = 0; from < ITEMS; from += 450) {
      const events = Array.from({ length: 450 }, (_, i) => added([`item${from + i}`, 1]));
      await w.append(`b${from % 1350}`, ...events);
    }
    await w.append('b450', closed);
  });
  afterEach(async () => {
    await host.stop();
    await w.close();
  });

  async function start(events: () => EventSource = embedded): Promise<void> {
    const warn = (_: object, message: string) => void warnings.push(message);
    host = await startProjectionsThread({
      events,
      views: { file: join(w.folder, 'views.db') },
      projections: new URL('../support/threads/fillingList.js', import.meta.url).href,
      filling: { threads: 2, from: 100 },
      log: { debug: () => undefined, info: () => undefined, warn, error: warn, isLevelEnabled: () => true },
    });
  }

  const embedded = (): EventSource => ({
    folder: w.folder,
    notices: (w.store as EmbeddedEventStore).connectReader(),
  });

  const built = async (): Promise<boolean> => host.waitFor(NAMES, await w.store.head(), 15_000);

  /** Reads documents without revisions, because positions differ between logs. */
  async function documents(models: DocumentStore, name: string): Promise<unknown> {
    const all = Object.entries(await everything(models, name)) as [string, { keys: unknown; body: unknown }][];
    return all.map(([id, { keys, body }]) => [id, keys, body]).sort();
  }

  async function expectTheSame(): Promise<void> {
    const other = await stage();
    const runtime = createProjectionRuntime({ eventStore: w.store, readModels: other.models, projections });
    await runtime.start();
    expect(await runtime.waitFor(NAMES, await w.store.head(), 10_000)).to.equal(true);
    for (const name of NAMES)
      expect(await documents(w.models, name)).to.deep.equal(await documents(other.models, name));
    await runtime.stop();
    await other.close();
  }

  it('build the same as one thread, while events arrive', async () => {
    await start();
    for (let i = 0; i < 50; i++) await w.append(`late${i}`, added(['tea', i]));
    expect(await built()).to.equal(true);
    await expectTheSame();
    for (const name of NAMES) await host.rebuild(name);
    for (let i = 0; i < 50; i++)
      expect(await host.waitFor(NAMES, await w.append(`later${i}`, added(['tea', i])), 5000)).to.equal(true);
    await eventually(async () => (await host.status()).every(({ state }) => state === 'live'));
    await expectTheSame();
    expect(warnings).to.deep.equal([]);
  });

  it('report an event that one cannot apply, and stop only that one', async () => {
    await w.append('bad', named('poison'));
    const after = await w.append('after', added(['tea', 1]));
    await start();
    expect(await host.waitFor(['stock', 'held'], after, 15_000)).to.equal(true);
    await eventually(async () => (await host.status())[0]!.state === 'stopped');
    expect((await host.status())[0]!.poison).to.include({ stream: 'basket-bad', error: 'cannot read this name' });
  });

  it('read EventStoreDB through their own connections', async () => {
    const store = w.store as EmbeddedEventStore;
    const endpoint = await startEventStoreEndpoint({
      host: '127.0.0.1',
      port: 0,
      writes: true,
      store,
      folder: w.folder,
    });
    try {
      await start(() => ({ url: `esdb://${endpoint.address}?tls=false` }));
      await eventually(async () => (await host.status()).every(({ state }) => state === 'live'));
      await expectTheSame();
      expect(warnings).to.deep.equal([]);
    } finally {
      await host.stop();
      await endpoint.close();
    }
  });
});
