/** 32 instances that own the 64 shards of all processors, or of all read models, with deaths, joins, freezes and partitions, on simulated time. */
import { expect } from 'chai';
import { SHARDS, shardName } from '../../engine/processors/shards.js';
import { type Fleet, type FleetInstance, fleet } from '../support/stages/fleet.js';

const namesOf = (kind: string): string[] => Array.from({ length: SHARDS }, (_, shard) => `${kind}:${shardName(shard)}`);
const NAMES = namesOf('shard');
const INSTANCES = 32;

/** Numbers in [0, 1) that are the same each time. */
function drawn(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const even = (all: Fleet, count: number) => () =>
  all.shares().length === count &&
  all.shares().every((share) => share >= Math.floor(SHARDS / count) && share <= Math.ceil(SHARDS / count));

interface Mending {
  readonly at: number;
  run(): void;
}

/** One dies for good and a new one comes; or it is cut off from the store, or frozen, for up to 20 s. */
async function trouble(all: Fleet, one: FleetInstance, random: () => number): Promise<Mending[]> {
  const what = random();
  const at = all.now() + 1000 + random() * 20_000;
  if (what < 0.4) {
    one.state = 'dead';
    await all.join(`i${all.instances.length}`);
    return [];
  }
  if (what < 0.75) {
    one.cut = true;
    return [{ at, run: () => Object.assign(one, { cut: false }) }];
  }
  all.freeze(one);
  return [{ at, run: () => all.wake(one) }];
}

/** Something happens to one of them every 2 s or so; half of them are well, since nobody owns what nobody reaches. */
async function storm(all: Fleet, random: () => number, ms: number): Promise<void> {
  let mending: Mending[] = [];
  const end = all.now() + ms;
  for (let next = all.now(); all.now() < end; await all.pass(100)) {
    const due = mending.filter(({ at }) => at <= all.now());
    mending = mending.filter((one) => !due.includes(one));
    for (const { run } of due) run();
    const well = all.instances.filter(({ state, cut }) => state === 'running' && !cut);
    if (all.now() < next || well.length <= INSTANCES / 2) continue;
    next = all.now() + random() * 4000;
    mending.push(...(await trouble(all, well[Math.floor(random() * well.length)]!, random)));
  }
  for (const { run } of mending) run();
}

describe('a fleet of 32 instances', () => {
  it('shares 64 shards evenly within seconds, as it grows and shrinks', async () => {
    const all = fleet(NAMES);
    await all.join('i0');
    await all.passUntil('one owns all', even(all, 1), 3000);
    all.begin();
    const took: Record<string, number> = {};
    for (const count of [2, 4, 8, 16, 32]) {
      while (all.instances.length < count) await all.join(`i${all.instances.length}`);
      took[`to ${count}`] = await all.passUntil(`${count} share`, even(all, count), 15_000);
    }
    for (const one of all.instances.slice(8)) await one.leases.stop().then(() => Object.assign(one, { state: 'dead' }));
    took['back to 8'] = await all.passUntil('8 share', even(all, 8), 15_000);
    expect(Math.max(...Object.values(took)), JSON.stringify(took)).to.be.at.most(10_000);
    expect(all.longest, 'no shard without an owner meanwhile').to.be.at.most(5000);
  });

  for (const [seed, kind] of [
    [1, 'shard'],
    [2, 'shard'],
    [3, 'views'],
  ] as const)
    it(`has no shard twice, and none without an owner for 10 s, whichever instances die, start and are cut off (${seed}, ${kind})`, async () => {
      const all = fleet(namesOf(kind));
      for (let i = 0; i < INSTANCES; i++) await all.join(`i${i}`);
      await all.passUntil('they share', even(all, INSTANCES), 20_000);
      all.begin();
      await storm(all, drawn(seed), 120_000);
      expect(all.longest, journalOf(all)).to.be.at.most(10_000);
      const left = all.instances.filter(({ state }) => state === 'running').length;
      await all.passUntil('all that are left share', even(all, left), 40_000);
      expect(all.journal.length, 'it was a storm').to.be.greaterThan(200);
    }).timeout(180_000);
});

/** The names that had no owner for longest, and who had them before and after. */
const journalOf = ({ journal }: Fleet): string =>
  journal
    .filter(({ owner }) => owner === undefined)
    .slice(-20)
    .map(({ name, from }) => `${name} had no owner from ${from} ms`)
    .join('; ');
