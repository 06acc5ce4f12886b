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
}

/** Each world has weather of its own: in some calls fail often, in others hardly ever. */
function ratesOf(random: Chance, shared: boolean, failing: boolean): Rates {
  const some = (most: number): number => (failing && random.happens(0.5) ? random.between(0, most) : 0);
  const slow = { slow: some(0.1), slowMs: shared ? 3_000 : 200, quickMs: shared ? 4 : 1 };
  if (!shared) return { refused: some(0.02), lost: 0, unanswered: 0, late: 0, partly: 0, ...slow };
  const changes = { unanswered: some(0.03), late: some(0.01), partly: some(0.03) };
  return { refused: some(0.03), lost: some(0.02), ...changes, ...slow };
}

export function shapeOf(random: Chance): Shape {
  const shared = random.happens(0.7);
  const failing = random.happens(0.7);
  return {
    instances: shared ? 1 + random.below(3) : 1,
    shared,
    failing,
    faults: 3 + random.below(6),
    rates: ratesOf(random, shared, failing),
  };
}
