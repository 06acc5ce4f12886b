/** Planned outages of single engines in a world without other faults. */
import { type Agenda, OUTSIDE } from './world/agenda.js';
import type { Chance } from './world/chance.js';
import type { Storm } from './world/storm.js';
import type { Fate } from './world/wire.js';

export interface Outage {
  readonly engine: 'log' | 'views' | 'work';
  /** `refused`: each call is refused at once. `lost`: no call is answered. */
  readonly fate: Extract<Fate, 'refused' | 'lost'>;
  /** Start and duration, in ms. */
  readonly at: number;
  readonly ms: number;
}

/** Pause between two outages, in ms: longer than the longest back-off. */
const CALM_MS = 75_000;
const FIRST_AT_MS = 10_000;

/** Returns one outage per engine, kind and duration, one after another. */
export function everyOutage(
  engines: readonly Outage['engine'][],
  durations: Readonly<Partial<Record<Outage['fate'], readonly number[]>>>,
): readonly Outage[] {
  const all: Outage[] = [];
  let at = FIRST_AT_MS;
  for (const fate of ['refused', 'lost'] as const)
    for (const ms of durations[fate] ?? [])
      for (const engine of engines) {
        all.push({ engine, fate, at, ms });
        at += ms + CALM_MS;
      }
  return all;
}

export const endOf = (outages: readonly Outage[]): number =>
  Math.max(...outages.map(({ at, ms }) => at + ms)) + CALM_MS;

/** Schedules the outages. */
export function plan(agenda: Agenda, storm: Storm, outages: readonly Outage[]): void {
  for (const { engine, fate, at, ms } of outages)
    agenda.add(at, OUTSIDE, `${engine} ${fate} for ${ms} ms`, () => storm.outage(engine, fate, ms));
}

/** Maximum lead of most carts over an outage, in ms. The outage then meets any step of the journey. */
const JOURNEY_MS = 15_000;

/** Returns a function that draws a time for a cart: shortly before or during an outage. */
export const cartAround =
  (outages: readonly Outage[], random: Chance): (() => number) =>
  () => {
    const { at, ms } = outages[random.below(outages.length)]!;
    return at + (random.happens(0.8) ? -random.between(0, Math.min(at, JOURNEY_MS)) : random.between(0, ms));
  };
