/** Instances that share the documents of read models by shards. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { isElsewhere } from '../../engine/projections/ownerErrors.js';
import type { AnyProjection, Evolve, View } from '../../engine/projections/projection.js';
import { shardCheckpoint, shardKey } from '../../engine/projections/sharded/names.js';
import { createSharedProgress, type SharedProgress } from '../../engine/projections/sharedProgress.js';
import { shardOf } from '../../engine/shards.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import {
  added,
  baskets,
  closed,
  everything,
  named,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';
import {
  type Engines,
  type SharedInstance,
  type SharedInstances,
  sharedInstances,
} from '../support/stages/sharedInstances.js';
import { skipStage } from '../support/stages/skipStage.js';

const SHARDS = 8;
/** Stream ids that serve as store ids, one per shard. */
const STORES = Array.from({ length: SHARDS }, (_, shard) => {
  for (let i = 0; ; i++) if (shardOf(`s${i}`, SHARDS) === shard) return `s${i}`;
});

const partitioned = (version = 1, poisoned?: () => boolean): AnyProjection => ({
  ...baskets(version, poisoned),
  partitionedBy: 'store',
});

describe('read models shared by shards', () => {
  let w: Stage;
  let all: SharedInstances;
  let progress: SharedProgress;
  let views: DocumentStore;
  let poisoned = false;
  let folded = 0;
  const opened: DocumentStore[] = [];
  const others: SharedInstances[] = [];
  const open = (file: string): DocumentStore => {
    const models = openEmbeddedReadModels(join(w.folder, file));
    opened.push(models);
    return models;
  };
  const engines = (): Engines => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });
  /** Instances of one release. */
  const release = (projections: readonly AnyProjection[], shards?: number): SharedInstances => {
    const made = sharedInstances(engines, projections, [], 'test', shards);
    others.push(made);
    return made;
  };
  const counting = (version = 1): AnyProjection => {
    const plain = partitioned(version, () => poisoned);
    const on: AnyProjection['on'] = Object.fromEntries(
      Object.entries(plain.on as Record<string, Evolve<unknown, never>>).map(([type, evolve]) => [
        type,
        (view: View<unknown> | undefined, event: unknown, id: string) => {
          folded += 1;
          return evolve(view, event as never, id, undefined);
        },
      ]),
    );
    return { ...plain, on };
  };

  beforeEach(async () => {
    w = await stage();
    poisoned = false;
    folded = 0;
    views = open('views.db');
    all = release([counting(), stock], SHARDS);
    const clock = { isSteady: true as const, now: () => performance.now(), at: systemTimer };
    const has = (name: string): boolean => name === 'baskets';
    progress = createSharedProgress({ views: open('views.db'), clock, sharded: { shards: SHARDS, has } });
  });
  afterEach(async () => {
    progress.close();
    for (const one of others.splice(0)) await one.close();
    for (const models of opened.splice(0)) await models.close();
    await w.close();
  });

  let count = 0;
  /** Appends an event for each store. Returns the last position of each. */
  const fill = async (): Promise<number[]> => {
    count += 1;
    const positions: number[] = [];
    for (const store of STORES)
      positions.push(await w.append(store, added([`sku${count}`, count]), named(`n${count}`)));
    return positions;
  };
  /** Documents that a fresh build of the whole log produces. */
  const expected = async (): Promise<Record<string, unknown>> => {
    const fresh = openEmbeddedReadModels(join(w.folder, `fresh${Math.random()}.db`));
    const runtime = await w.start([baskets()], fresh);
    await runtime.waitFor(['baskets'], await w.store.head(), 5000);
    const found = await everything(fresh, 'baskets');
    await runtime.stop();
    await fresh.close();
    return found;
  };
  const stored = async (): Promise<Record<string, unknown>> => everything(views, 'baskets');
  const sameAsFresh = async (): Promise<boolean> => {
    const found = await stored().catch(() => undefined);
    return JSON.stringify(sorted(found ?? {})) === JSON.stringify(sorted(await expected()));
  };
  const shows = (of = all) => of.passUntil('documents are those of a fresh fold', sameAsFresh, 20_000);
  const status = async ({ projections }: SharedInstance) =>
    (await projections.status()).find(({ name }) => name === 'baskets')!;
  const owns = async (one: SharedInstance): Promise<number> => (await status(one)).shards ?? 0;
  const isLive = async (one: SharedInstance): Promise<boolean> => (await status(one)).state === 'live';
  const shared = (of: SharedInstances, ...these: SharedInstance[]) =>
    of.passUntil(
      'they share',
      async () => {
        for (const one of these) if ((await owns(one)) !== SHARDS / these.length || !(await isLive(one))) return false;
        return true;
      },
      20_000,
    );

  it('run on a single instance, and equal a newly built model', async () => {
    const a = await all.add('a');
    await shared(all, a);
    await fill();
    await w.append(STORES[2]!, closed);
    await fill();
    await shows();
    expect((await status(a)).version).to.equal(1);
  });

  it('are owned evenly, each store by one instance, while instances start and stop', async () => {
    const a = await all.add('a');
    await shared(all, a);
    await fill();
    const b = await all.add('b');
    expect(await shared(all, a, b), 'shards move within seconds').to.be.at.most(6000);
    await fill();
    await shows();
    const before = folded;
    await fill();
    await shows();
    expect(folded - before, 'each event is folded by one of them').to.equal(2 * SHARDS);
    await a.leases.stop();
    await fill();
    await shared(all, b);
    await fill();
    await shows();
  });

  it('continue within 10 s when an instance dies, which changes nothing when it resumes', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(all, a, b);
    await fill();
    a.freeze();
    await fill();
    const took = await all.passUntil('b owns all', async () => (await owns(b)) === SHARDS, 10_000);
    expect(took).to.be.at.least(4000);
    await fill();
    await shows();
    a.wake(0);
    await shared(all, a, b);
    await fill();
    await shows();
  });

  it('show a store its own writes while the owner of another store is frozen', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(all, a, b);
    await fill();
    await shows();
    const ofB = new Set([...(await shardsOf(b))]);
    a.freeze();
    const mine = STORES.findIndex((_, shard) => ofB.has(shard));
    const theirs = STORES.findIndex((_, shard) => !ofB.has(shard));
    await w.append(STORES[theirs]!, named('late'));
    const position = await w.append(STORES[mine]!, named('soon'));
    expect(await progress.waitFor([shardKey('baskets', mine)], position, 2000), 'its own').to.equal(true);
    expect(await progress.waitFor([shardKey('baskets', theirs)], position, 300), "another's").to.equal(false);
    expect(await progress.waitFor(['baskets'], position, 300), 'all').to.equal(false);
    a.wake(0);
    const whole = progress.waitFor(['baskets'], position, 5000);
    let shown = false;
    void whole.then((answer) => {
      shown = answer;
    });
    await all.passUntil('all is shown', () => shown, 10_000);
  });

  /** Shards whose progress an instance reports. */
  async function shardsOf(one: SharedInstance): Promise<number[]> {
    const reported = new Set<number>();
    const end = one.projections.onProgress((positions) => {
      for (const key of Object.keys(positions)) if (key.includes('/')) reported.add(Number(key.split('/')[1]));
    });
    await fill();
    const half = async () => reported.size === (await owns(one));
    await all.passUntil('it has told of all its shards', half, 5000);
    end();
    return [...reported];
  }

  it('stop only the shard of an event that cannot be applied, until it is skipped', async () => {
    poisoned = true;
    const a = await all.add('a');
    await shared(all, a);
    await fill();
    await w.append(STORES[3]!, named('poison'));
    const positions = await fill();
    await all.passUntil('it has stopped', async () => (await status(a)).state === 'stopped', 5000);
    for (const [shard] of STORES.entries())
      expect(await progress.waitFor([shardKey('baskets', shard)], positions[shard]!, 500), `shard ${shard}`).to.equal(
        shard !== 3,
      );
    const { poison, shards } = await status(a);
    expect(poison).to.include({ stream: `basket-${STORES[3]}`, type: 'BasketNamed' });
    expect(shards).to.equal(SHARDS);
    await skipStage(w.store).projection(a.projections, 'baskets');
    await all.passUntil('it goes on', async () => (await status(a)).state === 'live', 10_000);
    await fill();
    await all.passUntil(
      'it shows what came since',
      async () => {
        const found = (await stored())[STORES[3]!] as { body: { name: string } } | undefined;
        return found?.body.name === `n${count}`;
      },
      5000,
    );
  });

  it('are rebuilt by all instances at once, and switch when all shards are ready', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(all, a, b);
    await fill();
    await shows();
    const before = await views.resolve('baskets');
    const holder = (await status(a)).keepsBuilds ? a : b;
    const other = holder === a ? b : a;
    expect(isElsewhere(await other.projections.rebuild('baskets').catch((error: unknown) => error))).to.equal(true);
    other.freeze();
    await holder.projections.rebuild('baskets');
    expect(await status(holder)).to.include({ state: 'rebuilding' });
    await fill();
    let steps = 0;
    await all.passUntil('a second', () => steps++ === 10, 5000);
    expect(await views.resolve('baskets'), 'not while shards are missing').to.equal(before);
    other.wake(0);
    await all.passUntil('it serves', async () => (await views.resolve('baskets')) !== before, 20_000);
    await shared(all, a, b);
    await fill();
    await shows();
    const physical = await views.resolve('baskets');
    const names = STORES.map((_, shard) => shardCheckpoint(physical, shard));
    expect([...(await views.checkpoints(names)).values()].every((position) => position > 0)).to.equal(true);
    await all.passUntil('the old one is gone', async () => !(await views.list()).includes(before), 10_000);
  });

  it('build a new version next to the one that serves', async () => {
    const a = await all.add('a');
    await shared(all, a);
    await fill();
    await shows();
    await a.leases.stop();
    const next = release([counting(2), stock], SHARDS);
    const c = await next.add('c');
    await next.passUntil(
      'the new version serves',
      async () => (await views.resolve('baskets')).startsWith('baskets_v2'),
      20_000,
    );
    await shared(next, c);
    await fill();
    await shows(next);
  });
});

const systemTimer = (time: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, Math.max(0, time - performance.now()));
  return () => clearTimeout(timer);
};

const sorted = (found: Record<string, unknown>): [string, unknown][] => Object.entries(found).sort();
