/** Responses of /readyz while engines are unavailable or files are damaged. */
import { expect } from 'chai';
import { readiness } from '../../api/server/health.js';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import type { ProcessorStatus } from '../../engine/processors/processor.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { readinessChecks } from '../../service/composition/readinessChecks.js';
import { damageOf } from '../../service/folder/damagedFiles.js';

const view = (name: string, more: Partial<ProjectionStatus> = {}): ProjectionStatus =>
  ({
    ...{ name, version: 1, state: 'live', position: 4, head: 4, lag: 0, eventsPerSecond: 0, served: 4 },
    ...more,
  }) as ProjectionStatus;
const worker = (name: string, more: Partial<ProcessorStatus> = {}): ProcessorStatus =>
  ({ ...{ name, state: 'running', position: 4 }, ...more }) as ProcessorStatus;
const trouble = { error: 'MongoDB does not answer', since: '2026-11-28T10:00:00.000Z', attempts: 7 };

describe('readiness of a service', () => {
  async function named(
    views: readonly ProjectionStatus[],
    workers: readonly ProcessorStatus[],
    damaged: readonly FileDamaged[] = [],
  ) {
    const answers = async () => 4;
    const instance = {
      engines: {
        events: { name: 'EventStoreDB', store: { head: answers } },
        documents: { name: 'MongoDB', work: { checkpoint: answers } },
      },
      services: { clock: {} },
      projections: { status: async () => views },
      people: { lost: async () => ({ events: [] }) },
      damage: { now: () => damaged.map(damageOf) },
    };
    const checks = readinessChecks(instance as never, { status: () => workers } as never);
    const { status, checks: outcomes } = await readiness('ready', checks);
    return [
      status,
      ...outcomes.filter(({ detail }) => detail !== undefined).map(({ name, detail }) => `${name}: ${detail}`),
    ];
  }

  it('reports read models and processors that wait for a store, with the reason', async () => {
    const waitingSince = Date.now() - 60_000;
    expect(
      await named(
        [view('orders', { trouble }), view('stores'), view('products', { trouble, owner: 'another instance' })],
        [worker('webhooks', { waitingSince }), worker('outbox', { waitingSince: Date.now() }), worker('media')],
      ),
    ).to.deep.equal([
      'not_ready',
      'projections: waiting for an unavailable store: orders: MongoDB does not answer',
      'processors: waiting for an unavailable store: webhooks',
    ]);
    expect(await named([view('orders')], [worker('webhooks')])).to.deep.equal(['ready']);
  });

  it('reports partitioned read models of several instances if its own shards are stopped or waiting', async () => {
    const shared = { owner: 'one, two', shards: 64, differing: 2 } as const;
    const live = { shards: 32, state: 'live' } as const;
    const stopped = view('orders', { ...shared, state: 'stopped', here: { ...live, state: 'stopped' } });
    expect(await named([stopped, view('stores')], [])).to.deep.equal(['not_ready', 'projections: stopped: orders']);
    const waiting = view('orders', { ...shared, trouble, here: { ...live, trouble } });
    expect(await named([waiting], [])).to.deep.equal([
      'not_ready',
      'projections: waiting for an unavailable store: orders: MongoDB does not answer',
    ]);
    // Shards of the other instance are stopped.
    const elsewhere = view('orders', { ...shared, state: 'stopped', trouble, here: live });
    expect(await named([elsewhere], [])).to.deep.equal([
      'ready',
      "projections: documents differ from the log: orders (2); run 'suuq verify', then 'suuq projections rebuild'",
    ]);
  });

  it('reports an unreadable event if a reader is stuck at it, and reads nothing for one that advances', async () => {
    let position = 1;
    const polls: number[] = [];
    const lost = { stream: 'order-1', revision: 0, type: 'OrderPlaced', position: 2 };
    const instance = {
      engines: { events: { store: { head: async () => 9 } }, documents: { work: { checkpoint: async () => 9 } } },
      services: { clock: {} },
      projections: { status: async () => [view('orders', { position: 9, head: 9 })] },
      people: {
        async lost(after: number) {
          polls.push(after);
          return { events: [lost] };
        },
      },
      damage: { now: () => [] },
    };
    const checks = readinessChecks(instance as never, { status: () => [worker('webhooks', { position })] } as never);
    const check = async () => (await readiness('ready', checks)).checks.find(({ name }) => name === 'keys')!.detail;
    for (position = 1; position < 4; position += 1) expect(await check()).to.equal(undefined);
    position = 3;
    expect(polls).to.deep.equal([]);
    expect(await check()).to.match(/the vault lacks the key of .*order-1/);
    expect(polls).to.deep.equal([3]);
  });

  it('lists read models whose documents differ from the log', async () => {
    const views = [view('orders', { differing: 2 }), view('stores'), view('plans', { differing: 1, owner: 'another' })];
    expect(await named(views, [])).to.deep.equal([
      'ready',
      "projections: documents differ from the log: orders (2); run 'suuq verify', then 'suuq projections rebuild'",
    ]);
  });

  it('fails for a damaged database, and only notes other files', async () => {
    const demo = new FileDamaged('demo.json', 'it is empty');
    const [status, note] = await named([], [], [demo]);
    expect([status, note]).to.deep.equal([
      'ready',
      `files: demo_damaged: demo.json is damaged (it is empty). ${damageOf(demo).remedy}`,
    ]);
    const [failed, detail] = await named([], [], [demo, new FileDamaged('work.db', 'malformed')]);
    expect(failed).to.equal('not_ready');
    expect(detail).to.match(/demo_damaged: .* work_damaged: work\.db is damaged \(malformed\)\./);
  });
});
