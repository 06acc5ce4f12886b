/** What kind of world a seed is: how many instances, on which engines, and what fails in it. */
import type { Chance } from './world/chance.js';
import type { Rates } from './world/storm.js';

export interface Shape {
  readonly instances: number;
  /** On servers that several instances share; else on engines within the one that there is. */
  readonly shared: boolean;
  /** Whether engines fail; else only processes end, freeze and lose the clock. */
  readonly failing: boolean;
  readonly faults: number;
  readonly rates: Rates;
  /** How long it lasts that everything goes wrong, in ms. */
  readonly stormMs: number;
  /** How long a caller waits for an answer, in ms. */
  readonly patienceMs: number;
}

const STORM_MS = 25_000;
const PATIENCE_MS = 12_000;
/** Calls of slow stores take up to so long, in ms. */
const DRAG_MS = 5_000;
/** Share of worlds in which stores are slow. */
const SLOW_SHARE = 0.2;

/** Stores whose calls answer late and in any order; undefined in most worlds. */
function dragOf(random: Chance): Rates['drag'] {
  if (!random.happens(SLOW_SHARE)) return undefined;
  const engines = ['log', 'views', 'work', 'vault'].filter(() => random.happens(0.5));
  const share = random.one([0.1, 0.4, 1]);
  return { engines: engines.length === 0 ? ['log'] : engines, share, mostMs: DRAG_MS };
}

/** Each world has weather of its own: in some calls fail often, in others hardly ever. */
function ratesOf(random: Chance, shared: boolean, failing: boolean): Rates {
  const some = (most: number): number => (failing && random.happens(0.5) ? random.between(0, most) : 0);
  const slow = { slow: some(0.1), slowMs: shared ? 3_000 : 200, quickMs: shared ? 4 : 1 };
  if (!shared) return { refused: some(0.02), lost: 0, unanswered: 0, late: 0, partly: 0, failed: 0, ...slow };
  const changes = { unanswered: some(0.03), late: some(0.01), partly: some(0.03), failed: some(0.03) };
  return { refused: some(0.03), lost: some(0.02), ...changes, ...slow };
}

export function shapeOf(random: Chance): Shape {
  const shared = random.happens(0.7);
  const failing = random.happens(0.7);
  const instances = shared ? 1 + random.below(3) : 1;
  const faults = 3 + random.below(6);
  const rates = ratesOf(random, shared, failing);
  const drag = shared ? dragOf(random.fork('drag')) : undefined;
  return {
    ...{ instances, shared, failing, faults },
    rates: { ...rates, ...(drag && { drag }) },
    stormMs: drag ? 2 * STORM_MS : STORM_MS,
    patienceMs: drag ? 5 * PATIENCE_MS : PATIENCE_MS,
  };
}
