/** Shape of a seed's world: number of instances, engines and faults. */
import { drawn, type Kind, kindOf, type Shape } from './kinds.js';
import { type Chance, chance } from './world/chance.js';
import type { Rates } from './world/storm.js';

const STORM_MS = 25_000;
const PATIENCE_MS = 12_000;
/** Maximum duration of a call of a slow store, in ms. */
const DRAG_MS = 5_000;
/** Share of worlds in which stores are slow. */
const SLOW_SHARE = 0.2;

/** Returns stores whose calls are slow and answered in any order; undefined in most worlds. */
function dragOf(random: Chance): Rates['drag'] {
  if (!random.happens(SLOW_SHARE)) return undefined;
  const engines = ['log', 'views', 'work', 'vault'].filter(() => random.happens(0.5));
  const share = random.one([0.1, 0.4, 1]);
  return { engines: engines.length === 0 ? ['log'] : engines, share, mostMs: DRAG_MS };
}

/** Draws the fault rates of a world. In some worlds calls fail often, in others hardly ever. */
function ratesOf(random: Chance, shared: boolean, failing: boolean): Rates {
  const some = (most: number): number => (failing && random.happens(0.5) ? random.between(0, most) : 0);
  const slow = { slow: some(0.1), slowMs: shared ? 3_000 : 200, quickMs: shared ? 4 : 1 };
  if (!shared) return { refused: some(0.02), lost: 0, unanswered: 0, late: 0, partly: 0, failed: 0, ...slow };
  const changes = { unanswered: some(0.03), late: some(0.01), partly: some(0.03), failed: some(0.03) };
  return { refused: some(0.03), lost: some(0.02), ...changes, ...slow };
}

function shapeOf(random: Chance, kind: Kind): Shape {
  if (kind !== 'ordinary') return { kind, ...drawn(kind, random.fork(kind)) };
  const shared = random.happens(0.7);
  const failing = random.happens(0.7);
  const instances = shared ? 1 + random.below(3) : 1;
  const faults = 3 + random.below(6);
  const rates = ratesOf(random, shared, failing);
  const drag = shared ? dragOf(random.fork('drag')) : undefined;
  return {
    ...{ kind, instances, shared, failing, faults },
    rates: { ...rates, ...(drag && { drag }) },
    stormMs: drag ? 2 * STORM_MS : STORM_MS,
    patienceMs: drag ? 5 * PATIENCE_MS : PATIENCE_MS,
  };
}

/** Returns the random numbers of a seed. */
export const chanceOf = (seed: number): Chance => chance(`seed ${seed}`);

/** Returns the shape of a seed's world. `kind`: the kind of the world; otherwise the seed draws it. */
export function shapeOfSeed(seed: number, kind?: Kind): Shape {
  const random = chanceOf(seed).fork('shape');
  return shapeOf(random, kind ?? kindOf(random.fork('kind')));
}
