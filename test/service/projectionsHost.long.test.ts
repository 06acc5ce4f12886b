import { join } from 'node:path';
import { expect } from 'chai';
import { ViewChanges } from '../../engine/projections/viewChanges.js';
import type { EmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type ProjectionsThread, startProjectionsThread } from '../../service/composition/threads/projectionsHost.js';
import { added, eventually, type Stage, stage } from '../support/stages/projectionStage.js';

describe('projections in a thread', () => {
  let w: Stage;
  let host: ProjectionsThread;
  async function start(more: { readonly evolved?: string; readonly changes?: ViewChanges } = {}): Promise<void> {
    const store = w.store as EmbeddedEventStore;
    const projections = new URL('../support/threads/projectionList.js', import.meta.url).href;
    const events = () => ({ folder: w.folder, notices: store.connectReader() });
    host = await startProjectionsThread({ events, views: { file: join(w.folder, 'views.db') }, projections, ...more });
  }
  beforeEach(async () => {
    w = await stage();
    await start();
  });
  afterEach(async () => {
    await host.stop();
    await w.close();
  });

  it('show an event on another connection as soon as a wait for it ends', async () => {
    const reader = openEmbeddedReadModels(join(w.folder, 'views.db'), { readonly: true });
    for (let i = 1; i <= 50; i++) {
      const position = await w.append('b1', added(['tea', 1]));
      expect(await host.waitFor(['baskets', 'stock'], position, 2000)).to.equal(true);
      expect((await reader.get<{ taken: number }>('stock', 'tea'))!.body.taken).to.equal(i);
    }
    await reader.close();
  });

  it('report what they have written before a wait for it ends, and when a projection is rebuilt', async () => {
    await host.stop();
    const changes = new ViewChanges(() => ['basket']);
    await start({ changes });
    const before = changes.now;
    await host.waitFor(['stock'], await w.append('b1', added(['tea', 1])), 2000);
    expect(changes.since(before, 'stock')).to.equal(true);
    const written = changes.now;
    await host.rebuild('stock');
    await eventually(async () => changes.since(written, 'stock'));
    expect(changes.since(written, 'baskets')).to.equal(false);
    const rebuilt = changes.now;
    await host.worker.terminate();
    // The worker may have written changes before it died without reporting them.
    await eventually(async () => changes.since(rebuilt, 'baskets'));
  });

  it('report status, rebuild, and reject an unknown name', async () => {
    await host.waitFor(['stock'], await w.append('b1', added(['tea', 1])), 2000);
    expect((await host.status()).map(({ name, state, lag }) => ({ name, state, lag }))).to.deep.equal([
      { name: 'baskets', state: 'live', lag: 0 },
      { name: 'stock', state: 'live', lag: 0 },
    ]);
    await host.rebuild('stock');
    await eventually(async () => (await host.status()).every(({ state }) => state === 'live'));
    expect(await host.rebuild('nothing').catch((error: Error) => error.message)).to.include("'nothing'");
  });

  it('restart when their thread dies, and miss nothing', async () => {
    await host.waitFor(['stock'], await w.append('b1', added(['tea', 1])), 2000);
    await host.worker.terminate();
    expect(await host.status().catch((error: Error) => error.message)).to.include('are restarting');
    const position = await w.append('b1', added(['tea', 2]));
    expect(await host.waitFor(['stock'], position, 5000)).to.equal(true);
    expect((await w.models.get<{ taken: number }>('stock', 'tea'))!.body.taken).to.equal(3);
  });

  it('apply events of an older shape in the newest one', async () => {
    await host.stop();
    await start({ evolved: new URL('../support/threads/evolvedList.js', import.meta.url).href });
    await host.waitFor(['stock'], await w.append('b1', added(['tea', 2])), 5000);
    expect((await w.models.get<{ taken: number }>('stock', 'tea'))!.body.taken).to.equal(20);
  });
});
