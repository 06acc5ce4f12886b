import { expect } from 'chai';
import { steadyClock } from '../../engine/ports/clock.js';
import { Build } from '../../engine/projections/build.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { ReadModel } from '../../engine/projections/readModel.js';
import { WHOLE } from '../../engine/projections/shardStates.js';
import { statusOf } from '../../engine/projections/status.js';

const things: AnyProjection = { name: 'things', version: 1, categories: ['thing'], keys: {}, indexes: [], on: {} };
const lease = { name: 'l', fence: 1, valid: () => true, isOwned: () => true, fenced: () => undefined };
const poison = { position: 4, error: 'bad event' };
const parts = { readModels: {} as never, eventStore: {} as never, clock: steadyClock };

/** Adds a build with the shards 0 and 1, or a whole one. */
function add(model: ReadModel, physical: string, position: number, isPartitioned: boolean): Build {
  const shards = (isPartitioned ? [0, 1] : [WHOLE]).map((shard) => ({ shard, lease, place: { position } }));
  const build = new Build(parts, { projection: things, physical, shards });
  model.parts.add(build);
  return build;
}

/** Stops a whole build, or one shard of a partitioned one. */
function stop(build: Build): void {
  const shard = build.shards.get(1);
  if (shard === undefined) build.stop(poison);
  else shard.stopped = { poison, before: shard.written };
}

for (const isPartitioned of [false, true])
  describe(`the status of a ${isPartitioned ? 'partitioned' : 'whole'} read model`, () => {
    let model: ReadModel;
    let current: Build;
    let next: Build;
    beforeEach(() => {
      model = new ReadModel(things);
      model.served = 'things_v1';
      model.filling = 'things_v1_r1';
      current = add(model, 'things_v1', 9, isPartitioned);
      next = add(model, 'things_v1_r1', 3, isPartitioned);
    });
    const status = () => statusOf(model, 10, (build) => build === current)!;

    it('is that of the new build during its fill', () => {
      expect(status()).to.include({ state: 'rebuilding', position: 3, served: 9, lag: 7 });
      expect(status().shards).to.equal(isPartitioned ? 2 : undefined);
    });

    it('is that of the previous build if only the new one is stopped, so that a request replaces the new one', () => {
      stop(next);
      expect(status()).to.deep.include({ state: 'live', position: 9, served: 9, poison });
    });

    it('is stopped if no build continues', () => {
      stop(next);
      stop(current);
      expect(status()).to.deep.include({ state: 'stopped', poison });
    });

    it('is stopped if the new build is, and the previous one is of another version', () => {
      model.frozen = true;
      stop(next);
      expect(status()).to.deep.include({ state: 'stopped', position: 3, poison });
    });
  });
