/** Read models that are rebuilt, replaced and handed over all the time, while their stores answer late and in any order. */
import { derivedId } from '../../../domain/ids.js';
import { createLeases } from '../../../engine/ownership/leases.js';
import { steadyClock } from '../../../engine/ports/clock.js';
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { type BasketEvent, baskets, stock } from '../../support/stages/projectionStage.js';
import { differences } from '../invariants/readModels.js';
import { restless } from '../mending.js';
import type { Chance } from '../world/chance.js';
import { BEGINNING } from '../world/clocks.js';
import type { Connected } from '../world/engines.js';
import type { Rates } from '../world/storm.js';
import type { Component, PartWorld, Processes } from './part.js';

const FOR_MS = 40_000;
/** Maximum time after the storm until all builds serve, in ms. */
const ENDED_MS = 10 * 60_000;
const LOOK_MS = 1_000;
const SHARDS = 2;
const GRACE_MS = 200;
/** Share of worlds with a category of more than `WIDE` streams. */
const WIDE_SHARE = 0.2;
const WIDE = 1_700;
/** Maximum calls to one engine while nothing is left to do. */
const MOST_CALLS = 500;

/** Views or the log are slow. In some worlds changes of the views are also refused, or seem to fail. */
export function buildRates(random: Chance): Partial<Rates> {
  const engines = random.one([['views'], ['log'], ['log', 'views']]);
  const drag = { engines, share: random.one([0.2, 1]), mostMs: random.one([100, 600, 3_000]) };
  if (random.happens(0.4)) return { drag };
  const rate = random.one([0.03, 0.2]);
  return { drag, failed: rate, refused: rate, engines: ['views'] };
}

interface Runtime extends Component {
  readonly runtime: ProjectionRuntime;
}

const whole = (name: string, category: string): AnyProjection => ({ ...baskets(), name, categories: [category] });
const PROJECTIONS: readonly AnyProjection[] = [
  whole('first', 'basket'),
  { ...whole('second', 'basket'), partitionedBy: 'store' },
  stock,
  whole('plans', 'plan'),
  { ...whole('visits', 'visit'), partitionedBy: 'store' },
];

/** Appends a history, and more events during the storm. Events of one category are sparse. */
function appending({ agenda, random, data, later }: PartWorld): void {
  let count = 0;
  const skus = ['tea', 'rice', 'salt'];
  const append = (most: number, named?: string): void => {
    const category = random.one(['basket', 'basket', 'basket', 'visit', 'plan']);
    const store = random.below(4);
    const stream = named ?? `${category}-${store}-${random.below(6)}`;
    const events = Array.from(
      { length: 1 + random.below(most) },
      (): BasketEvent =>
        random.happens(0.7)
          ? { type: 'ItemsAdded', data: { items: [{ sku: random.one(skus), quantity: 1 + random.below(9) }] } }
          : random.happens(0.8)
            ? { type: 'BasketNamed', data: { name: `name ${count}` } }
            : { type: 'BasketClosed', data: {} },
    );
    const at = new Date(BEGINNING + agenda.now).toISOString();
    const meta = {
      at,
      actor: { type: 'system' as const },
      correlationId: 'part',
      workspaceId: `store${named === undefined ? store : stream.split('-')[1]}`,
    };
    data.log.append(
      stream,
      'any',
      events.map((event) => ({ ...event, id: derivedId('part', count++), meta })),
    );
  };
  const history = 20 + random.below(200);
  for (let i = 0; i < history; i++) append(8);
  // In some worlds a read model has more documents than one write takes.
  const wide = random.happens(WIDE_SHARE) ? WIDE : 0;
  for (let i = 0; i < wide; i++) append(1, `basket-${i % 4}-wide${i}`);
  const further = 40 + random.below(80);
  for (let i = 0; i < further; i++) later(random.between(0, FOR_MS), 'an append', () => append(3));
}

/** Rebuilds, stops, kills and freezes at random times. Returns the names whose rebuild was refused by the store. */
function disturbing({ random, later }: PartWorld, nodes: readonly string[], all: Processes<Runtime>): Set<string> {
  const refused = new Set<string>();
  const few = [random.one(PROJECTIONS).name, random.one(PROJECTIONS).name];
  const rebuild = (name: string, isRestart: boolean): void => {
    const begin = ({ runtime }: Runtime): Promise<void> =>
      runtime.rebuild(name, isRestart).catch((error: unknown) => {
        // The operator gets an error, and repeats it. A restart removes what was begun.
        if (error instanceof StoreUnavailable) refused.add(name);
      });
    for (const node of nodes) all.within(node, `rebuild ${name}`, begin);
  };
  // Several at a time, so that builds join others that read, and are replaced while they are written.
  const rounds = 2 + random.below(6);
  for (let i = 0; i < rounds; i++) {
    const at = random.between(0, FOR_MS);
    for (const name of [...few, ...few]) {
      const isRestart = random.happens(0.5);
      later(at + random.between(0, 1_500), 'rebuild', () => rebuild(name, isRestart));
    }
  }
  const faults = random.below(6);
  for (let i = 0; i < faults; i++) {
    const node = random.one(nodes);
    const at = random.between(0, FOR_MS);
    if (random.happens(0.4)) {
      later(at, 'freeze', () => all.freeze(node, random.between(1_000, 12_000)));
      continue;
    }
    const isKill = random.happens(0.4);
    later(at, 'end', () => (isKill ? all.kill(node) : all.stop(node)));
    later(at + random.between(3_000, 12_000), 'start', () => {
      if (!all.running.has(node)) all.start(node);
    });
  }
  return refused;
}

/** Runs the world of builds. */
export async function liveBuilds(world: PartWorld): Promise<void> {
  const { agenda, random, data, storm, wrong } = world;
  const nodes = ['n1', 'n2', 'n3'].slice(0, 1 + random.below(3));
  const releasedAt = random.happens(0.3) ? random.between(0, FOR_MS) : Number.POSITIVE_INFINITY;
  const current = (): readonly AnyProjection[] =>
    agenda.now < releasedAt ? PROJECTIONS : PROJECTIONS.map((one) => ({ ...one, version: 2 }));
  async function begin(engines: Connected, instance: string): Promise<Runtime> {
    const leases = createLeases({ work: engines.work, clock: steadyClock, instance, log: silentLog });
    const runtime = createProjectionRuntime({
      ...{ eventStore: engines.eventStore, readModels: engines.views, projections: current() },
      ...{ leases, shards: SHARDS, graceMs: GRACE_MS },
    });
    await runtime.start();
    await leases.start();
    return {
      runtime,
      async stop() {
        await leases.stop();
        await runtime.stop();
      },
    };
  }
  appending(world);
  const all = world.processes(begin);
  for (const name of nodes) all.start(name);
  storm.begin();
  const refused = disturbing(world, nodes, all);
  if (releasedAt < FOR_MS)
    nodes.forEach((node, i) => {
      const at = releasedAt + i * random.between(500, 6_000);
      world.later(at, 'upgrade', () => all.stop(node));
      world.later(at + 8_000, 'upgraded', () => all.start(node));
    });
  await agenda.until(() => agenda.now > FOR_MS + 20_000);
  storm.end();
  for (const node of nodes) if (!all.running.has(node)) all.start(node);
  wrong.push(...(await unfinished(world, current(), refused)));
  for (const one of current()) wrong.push(...differences(one, data).slice(0, 3));
  wrong.push(...(await restless(agenda, storm, MOST_CALLS)), ...(await stoppedIn(world, nodes, all)));
}

/** Waits until each read model has one build that has reached the head. */
async function unfinished(
  { agenda, data: { views, log } }: PartWorld,
  all: readonly AnyProjection[],
  refused: ReadonlySet<string>,
): Promise<string[]> {
  const end = agenda.now + ENDED_MS;
  let checkedAt = agenda.now;
  const left = (): string[] =>
    all.flatMap((one) => {
      const own = views.list().filter((name) => name.startsWith(`${one.name}_v`));
      const served = views.resolve(one.name);
      const isOne = own.length === 1 || refused.has(one.name);
      if (!isOne || !own.includes(served)) return [`${one.name} is served by ${served}, of ${own.join(', ')}`];
      if (!served.startsWith(`${one.name}_v${one.version}`)) return [`${one.name} is served by ${served}`];
      return differences(one, { views, log }).length > 0 ? [`${one.name} differs`] : [];
    });
  await agenda.until(() => {
    if (agenda.now - checkedAt < LOOK_MS) return false;
    checkedAt = agenda.now;
    return agenda.now > end || left().length === 0;
  });
  return left();
}

/** Lists read models that an instance reports as stopped, or different from a fold. */
async function stoppedIn({ agenda }: PartWorld, nodes: readonly string[], all: Processes<Runtime>): Promise<string[]> {
  const found: string[] = [];
  let pending = 0;
  for (const node of nodes) {
    if (!all.running.has(node)) found.push(`${node} is not running`);
    else pending += 1;
    all.within(node, 'status', async ({ runtime }) => {
      const states = await runtime.status();
      found.push(...states.filter(({ state }) => state === 'stopped').map((one) => `${node}: ${JSON.stringify(one)}`));
      pending -= 1;
    });
  }
  await agenda.until(() => pending === 0);
  return found;
}
