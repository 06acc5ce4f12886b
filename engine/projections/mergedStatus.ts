/** Merges the reports of several instances on a partitioned read model. */
import { defined } from '../../domain/defined.js';
import type { ProjectionStatus } from './status.js';

/** States by severity. The first one that any instance reports is the state of all. */
const STATES: readonly ProjectionStatus['state'][] = ['stopped', 'rebuilding', 'catching_up', 'live', 'elsewhere'];

export function byName(all: readonly ProjectionStatus[]): Map<string, ProjectionStatus[]> {
  const found = new Map<string, ProjectionStatus[]>();
  for (const one of all) found.set(one.name, [...(found.get(one.name) ?? []), one]);
  return found;
}

const least = (numbers: readonly (number | undefined)[]): number | undefined => {
  const known = numbers.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/**
 * Returns the last report of a whole read model. Merges the shards of a partitioned one: greatest lag, sum of speeds.
 */
export function mergedStatus(all: readonly ProjectionStatus[]): ProjectionStatus | undefined {
  const partitioned = all.filter(({ shards }) => shards !== undefined);
  const last = all.at(-1);
  if (partitioned.length < all.length || last === undefined || all.length === 1) return last;
  // During an upgrade, some instances build the next version while others still serve this one.
  const version = Math.max(...partitioned.map((one) => one.version));
  const own = partitioned.filter((one) => one.version === version);
  const head = Math.max(...own.map((one) => one.head));
  const position = Math.min(...own.map((one) => one.position));
  const owners = own.flatMap(({ owner }) => owner ?? []).sort();
  const etas = own.flatMap(({ etaMs }) => etaMs ?? []);
  return {
    name: last.name,
    version,
    position,
    head,
    eventsPerSecond: own.reduce((sum, one) => sum + one.eventsPerSecond, 0),
    state: STATES.find((state) => own.some((one) => one.state === state))!,
    lag: Math.max(0, head - position),
    shards: own.reduce((sum, one) => sum + one.shards!, 0),
    ...defined({
      served: least(own.map((one) => one.served)),
      owner: owners.length === 0 ? undefined : owners.join(', '),
      etaMs: etas.length === 0 ? undefined : Math.max(...etas),
      poison: own.find(({ poison }) => poison !== undefined)?.poison,
      trouble: own.find(({ trouble }) => trouble !== undefined)?.trouble,
      skipped: own[0]!.skipped,
      keepsBuilds: own.some(({ keepsBuilds }) => keepsBuilds) ? (true as const) : undefined,
      differing: own.find(({ differing }) => differing !== undefined)?.differing,
      handlersChanged: own.some(({ handlersChanged }) => handlersChanged) ? (true as const) : undefined,
    }),
  };
}
