import { expect } from 'chai';
import type { Checkpoints } from '../../engine/ports/documents.js';
import { mergedStatus } from '../../engine/projections/mergedStatus.js';
import { parsedKey, shardCheckpoint, shardKey, shardProgress } from '../../engine/projections/sharded/names.js';
import { shardPlaces, wholePlaces } from '../../engine/projections/sharded/places.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';

const COUNT = 4;

/** Stored checkpoints at these positions. */
const checkpointsAt = (positions: Readonly<Record<string, number>>): Checkpoints =>
  ({
    checkpoints: async (names: readonly string[]) => new Map(names.map((name) => [name, positions[name] ?? -1])),
    marks: async () => new Map(),
  }) as unknown as Checkpoints;

const each = (build: string, ...positions: number[]): Record<string, number> =>
  Object.fromEntries(positions.map((position, shard) => [shardCheckpoint(build, shard), position]));
const passed = (...positions: number[]): Record<string, number> =>
  Object.fromEntries(positions.map((position, shard) => [shardProgress(shard), position]));
const whole = async (positions: Record<string, number>): Promise<number> =>
  (await wholePlaces(checkpointsAt(positions), ['orders_v3'], COUNT)).get('orders_v3')!.position;

describe('positions of a partitioned read model', () => {
  it('are those of the build if greater, as in an abandoned one', async () => {
    const places = await shardPlaces(checkpointsAt({ orders_v3: 70, ...each('orders_v3', 90) }), 'orders_v3', [0, 1]);
    expect([...places.values()].map(({ position }) => position)).to.deep.equal([90, 70]);
  });
  it('are the lowest of the shards for the whole', async () => {
    expect(await whole(each('orders_v3', 50, 40, 60, 70))).to.equal(40);
  });
  it('include the reported progress of owners, for started shards', async () => {
    expect(await whole({ ...each('orders_v3', 50, 40, 60, 70), ...passed(80, 80, 80, 80) })).to.equal(80);
    expect(await whole({ orders_v3: 30, ...each('orders_v3', 50, 40, 60), ...passed(80, 80, 80, 80) })).to.equal(30);
  });
});

describe('the name of an awaited shard', () => {
  it('contains the read model and the shard', () => {
    expect(shardKey('orders', 7)).to.equal('orders/07');
    expect(parsedKey('orders/07')).to.deep.equal({ projection: 'orders', shard: 7 });
    expect(parsedKey('plans')).to.deep.equal({ projection: 'plans' });
  });
});

describe('the merged status of a read model', () => {
  const reported = (owner: string, more: Partial<ProjectionStatus>): ProjectionStatus => ({
    ...{ name: 'orders', version: 3, position: 90, head: 100, eventsPerSecond: 10, state: 'live', lag: 10, owner },
    shards: 32,
    ...more,
  });
  it('has the largest lag, the sum of shards and speeds, and all owners', () => {
    const a = reported('a', { position: 60, served: 60, state: 'rebuilding' });
    const b = reported('b', { served: 80, keepsBuilds: true });
    expect(mergedStatus([b, a])).to.deep.equal({
      ...{ name: 'orders', version: 3, position: 60, head: 100, eventsPerSecond: 20, state: 'rebuilding', lag: 40 },
      ...{ served: 60, owner: 'a, b', shards: 64, keepsBuilds: true },
    });
  });
  it('is stopped if a shard of any instance is', () => {
    const poison = { position: 70, error: 'cannot be read' };
    expect(mergedStatus([reported('a', {}), reported('b', { state: 'stopped', poison })])).to.include({
      state: 'stopped',
      poison,
    });
  });
  it('is the last report of its owner if it is not partitioned', () => {
    const { shards: _, ...plain } = reported('a', {});
    expect(mergedStatus([{ ...plain, owner: 'b' }, plain])).to.deep.equal(plain);
  });
});
