/** The worlds of parts, by name. */
import type { Outcome } from '../run.js';
import { buildRates, liveBuilds } from './builds.js';
import { runPart } from './part.js';
import { liveTasks, taskRates } from './tasks.js';

const WORLDS = { builds: { rates: buildRates, live: liveBuilds }, tasks: { rates: taskRates, live: liveTasks } };

export type Part = keyof typeof WORLDS;
export const PARTS = Object.keys(WORLDS) as readonly Part[];
export const isPart = (name: string | undefined): name is Part => name !== undefined && name in WORLDS;

/** Runs a part's world from a seed. `print` receives each step. */
export async function runPartOf(part: Part, seed: number, print?: (line: string) => void): Promise<Outcome> {
  const { rates, live } = WORLDS[part];
  const outcome = await runPart(part, seed, rates, live, print);
  return { seed, kind: part, ...outcome, instances: 0, shared: true, faults: [] };
}
