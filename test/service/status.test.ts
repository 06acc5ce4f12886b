/** `suuq status`: a summary of everything that runs. */
import { join } from 'node:path';
import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import { silentLog } from '../../engine/ports/log.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { adminCommands, executeAdmin } from '../../service/admin/adminCommands.js';
import type { AdminContext } from '../../service/admin/context.js';
import { written } from '../../service/admin/layout.js';
import { announcePresence, type InstanceFacts, presentNow } from '../../service/composition/presence.js';
import { damageOf } from '../../service/folder/damagedFiles.js';
import { fakeClock } from '../support/doubles/fakeClock.js';

const facts = (name: string, startedAt = 1_000): InstanceFacts => ({
  name,
  version: '0.1.0',
  startedAt,
  roles: ['api'],
  address: `http://${name}:3000`,
});

describe('suuq status', () => {
  const trouble = { error: 'MongoDB does not answer', since: '2026-11-28T09:59:00.000Z', attempts: 7 };
  const view = (name: string, lag: number, state = 'live') => ({
    ...(name === 'orders' && { trouble }),
    name,
    version: 1,
    position: 0,
    head: lag,
    lag,
    state,
  });
  const worker = (name: string, pending: number, firstDueAt?: number) => ({
    name,
    state: 'running',
    position: 0,
    head: 0,
    owed: pending,
    skipped: 0,
    ...(firstDueAt === undefined ? {} : { firstDueAt }),
  });
  const late = Date.now() - 300_000;
  const context = {
    installation: {
      instances: async () => [facts('shop-1', Date.now() - 93_784_500)],
      engines: async () => [
        { name: 'event store', engine: 'EventStoreDB at log-1:2113', ok: false, detail: 'does not answer' },
      ],
      processors: async () =>
        new Map([
          [
            'webhooks',
            { effectsPerSecond: 0, trouble: { error: 'MongoDB does not answer', since: '2026-11-28T10:00:00.000Z' } },
          ],
          ['outbox', { effectsPerSecond: 0 }],
        ]),
      damaged: () => [damageOf(new FileDamaged('vault.db', 'database disk image is malformed'))],
      disks: async () => [{ name: 'data', free: 1_000_000_000, total: 4_000_000_000 }, { name: 'files' }],
    },
    projections: { status: async () => [view('orders', 0), view('products', 5_000), view('stores', 7, 'stopped')] },
    processors: async () => [worker('webhooks', 3, late), worker('outbox', 0)],
    reads: { get: async () => ({ body: { bytes: 48_213_771, items: 312 } }) },
  } as unknown as AdminContext;

  it('shows instances and their start, lag, stopped and late parts, and free space', async () => {
    const status = (await executeAdmin(context, 'status', {})) as Record<string, unknown>;
    expect(status.running).to.equal(true);
    expect((status.instances as { uptimeSeconds: number }[])[0]!.uptimeSeconds).to.be.within(93_784, 93_790);
    expect(status.projections).to.deep.equal({
      count: 3,
      lag: 5_000,
      behind: ['products'],
      rebuilding: [],
      stopped: ['stores'],
      waiting: [{ name: 'orders', error: 'MongoDB does not answer', since: '2026-11-28T09:59:00.000Z' }],
    });
    expect(status.processors).to.deep.equal({
      count: 2,
      owed: 3,
      firstDueAt: new Date(late).toISOString(),
      late: ['webhooks'],
      stopped: [],
      waiting: [{ name: 'webhooks', error: 'MongoDB does not answer', since: '2026-11-28T10:00:00.000Z' }],
    });
  });

  it('shows the same as text', async () => {
    const { text } = adminCommands.find(({ name }) => name === 'status')!;
    const message = written(text((await executeAdmin(context, 'status', {})) as never));
    expect(message).to.match(/^shop-1 +0\.1\.0 +1 d 2 h +http:\/\/shop-1:3000 +api$/m);
    expect(message).to.match(/^Event store: +EventStoreDB at log-1:2113: does not answer$/m);
    expect(message).to.match(/^Projections: +3, 5\.0k events behind at most; stopped: stores$/m);
    expect(message).to.match(/^Processors: +2, 3 effects pending, the next due at .*; late: webhooks$/m);
    expect(message).to.include(
      'Waiting for an unavailable store, retrying:\n  orders, webhooks: MongoDB does not answer (since 2026-11-28T09:59:00.000Z)\n',
    );
    expect(message).to.match(/^Damaged files:\n +vault_damaged: .* Restore it from your newest backup\.$/m);
    expect(message).to.match(/^Storage: +48\.2 MB in 312 files and recordings$/m);
    expect(message).to.match(/^Disk of data: +1\.0 GB of 4\.0 GB free$/m);
    expect(message).to.not.include('Disk of files');
  });

  it('shows what waits for the store while the store itself is unavailable', async () => {
    const away = async () => {
      throw new StoreUnavailable('MongoDB does not answer');
    };
    const { text } = adminCommands.find(({ name }) => name === 'status')!;
    const shown = written(text((await executeAdmin({ ...context, processors: away }, 'status', {})) as never));
    expect(shown).to.match(/^Processors: +2, backlog unknown$/m);
    expect(shown).to.match(/^ +orders, webhooks: MongoDB does not answer/m);
  });
});

describe('reported instances', () => {
  const folder = temporaryFolder('suuq-presence-');
  after(() => folder.remove());

  it('are known while they run, not after they stop, and for half a minute after a kill', async () => {
    const clock = fakeClock(1_000_000);
    const work = openEmbeddedReadModels(join(folder.path, 'work.db'));
    const known = async () => (await presentNow(work, clock)).map(({ name, startedAt }) => [name, startedAt]);
    expect(await known()).to.deep.equal([]);
    const endFirst = announcePresence(work, clock, () => facts('b'), silentLog);
    const killed = { put: [{ id: 'x', keys: { expiresAt: clock.now() + 30_000 }, revision: 1, body: facts('a', 1) }] };
    await new Promise((resolve) => setImmediate(resolve));
    await work.write({ instances: killed });
    const again = announcePresence(work, clock, () => facts('a', 2), silentLog);
    await new Promise((resolve) => setImmediate(resolve));
    // An instance that restarts under the same name is listed once.
    expect(await known()).to.deep.equal([
      ['a', 2],
      ['b', 1_000],
    ]);
    await again();
    expect(await known()).to.deep.equal([
      ['a', 1],
      ['b', 1_000],
    ]);
    for (let second = 0; second < 31; second++) await clock.advance(1_000);
    expect(await known()).to.deep.equal([['b', 1_000]]);
    await endFirst();
    expect(await known()).to.deep.equal([]);
    await work.close();
  });
});
