/** Stores that fail in words nobody knows: the event is never at fault, and everything goes on by itself. */
import { expect } from 'chai';
import type { SteadyClock } from '../../engine/ports/clock.js';
import { DocumentRefused, Fenced, ReadModelError } from '../../engine/ports/documents.js';
import { LogDamaged, StorageFull, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { asPort } from '../../engine/ports/storeErrors.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { failing } from '../support/doubles/blockedCalls.js';
import { added, baskets, eventually, everything, type Stage, stage, stock } from '../support/stages/projectionStage.js';

/** Time that goes by faster: pauses of the runtime are short. */
const FASTER = 100;
const clock: SteadyClock = {
  isSteady: true,
  now: () => Date.now() * FASTER,
  at(time, callback) {
    const timer = setTimeout(callback, Math.max(0, (time - clock.now()) / FASTER));
    return () => clearTimeout(timer);
  },
};
/** More than any build was ever given. */
const FAILURES = 8;
/** As a driver throws it, of a code that no adapter knows. */
const unknown = (): Error => Object.assign(new Error('not authorized on suuq to execute command'), { code: 13 });

describe('a store with unknown errors', () => {
  let w: Stage;
  let runtime: ProjectionRuntime;
  let failures: number;
  beforeEach(async () => {
    failures = 0;
    w = await stage();
    await w.append('b1', added(['tea', 1]));
  });
  afterEach(async () => {
    await runtime.stop();
    await w.close();
  });

  async function begin(readModels: Stage['models'], projections: readonly AnyProjection[]): Promise<void> {
    runtime = createProjectionRuntime({ eventStore: w.store, readModels, projections, graceMs: 20, clock });
    await runtime.start();
  }
  const status = async (name = 'baskets') => (await runtime.status()).find((one) => one.name === name)!;
  const isLive = () => eventually(async () => (await status()).state === 'live', 5000);
  const fails = (): Error | undefined => {
    failures -= 1;
    return failures >= 0 ? unknown() : undefined;
  };

  it('stops no build during its fill', async () => {
    failures = FAILURES;
    await begin(failing(w.models, 'write', fails), [baskets(), stock]);
    await isLive();
    expect(failures).to.be.lessThan(0);
    expect(await status()).not.to.have.any.keys('poison', 'trouble');
    expect(Object.keys(await everything(w.models, 'baskets'))).to.deep.equal(['b1']);
  });

  for (const method of ['write', 'getMany'] as const)
    it(`stops no live build when ${method} fails, and the status reports the failure`, async () => {
      await begin(w.models, [baskets()]);
      await isLive();
      await runtime.stop();
      // It does not know its documents any more, and reads them.
      await begin(failing(w.models, method, fails), [baskets()]);
      await isLive();
      failures = Number.POSITIVE_INFINITY;
      const position = await w.append('b1', added(['tea', 1]));
      await eventually(async () => ((await status()).trouble?.attempts ?? 0) >= FAILURES, 5000);
      const { trouble, state, poison } = await status();
      expect(trouble).to.include({ error: 'not authorized on suuq to execute command' });
      expect({ state, poison }).to.deep.equal({ state: 'catching_up', poison: undefined });
      failures = 0;
      expect(await runtime.waitFor(['baskets'], position, 5000)).to.equal(true);
      await isLive();
      expect(await status()).not.to.have.any.keys('trouble');
    });

  it('delays no build whose own writes succeed', async () => {
    const ofStock = (batches: object): Error | undefined => ('stock_v1' in batches ? unknown() : undefined);
    await begin(failing(w.models, 'write', ofStock), [baskets(), stock]);
    await isLive();
    expect(await status('stock'))
      .to.include({ state: 'rebuilding' })
      .and.to.have.property('trouble');
  });

  it('is reported as unavailable whatever its driver throws; rejections of the port stay as they are', async () => {
    await begin(w.models, []);
    const thrown = async (error: Error): Promise<unknown> =>
      asPort({ get: () => Promise.reject(error) }, 'MongoDB')
        .get()
        .catch((caught: unknown) => caught);
    expect(await thrown(unknown()))
      .to.be.instanceOf(StoreUnavailable)
      .and.to.have.property('message', 'MongoDB failed: not authorized on suuq to execute command');
    for (const error of [
      new Fenced('a newer owner'),
      new ReadModelError('no_index', 'no index'),
      new DocumentRefused('document_too_large', 'too large'),
      new StorageFull('full'),
      new LogDamaged('damaged'),
    ])
      expect(await thrown(error)).to.equal(error);
  });
});
