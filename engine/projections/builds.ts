import type { DocumentStore } from '../ports/documents.js';
import type { AnyProjection } from './projection.js';

/** The collection of a build: `orders_v2`, or `orders_v2_r1` when version 2 was rebuilt once. */
export interface BuildName {
  readonly physical: string;
  readonly version: number;
  readonly rebuilt: number;
}

export function buildName(name: string, version: number, rebuilt: number): BuildName {
  return { physical: rebuilt === 0 ? `${name}_v${version}` : `${name}_v${version}_r${rebuilt}`, version, rebuilt };
}

function parse(name: string, physical: string): BuildName | undefined {
  if (!physical.startsWith(`${name}_v`)) return undefined;
  const match = /^(\d+)(?:_r(\d+))?$/.exec(physical.slice(name.length + 2));
  return match === null ? undefined : { physical, version: Number(match[1]), rebuilt: Number(match[2] ?? 0) };
}

/** Builds of a projection in a store. */
export interface Builds {
  /** Build that queries read; none before the first build. */
  readonly served: BuildName | undefined;
  /** Build of this version that was begun and does not serve yet. */
  readonly filling: BuildName | undefined;
  /** Builds that nothing reads or fills. */
  readonly leftovers: readonly string[];
  /** The number of the next rebuild of this version. */
  readonly nextRebuild: number;
}

/** Looks up a projection's builds among all collections. */
export async function findBuilds(
  readModels: Pick<DocumentStore, 'resolve'>,
  { name, version }: Pick<AnyProjection, 'name' | 'version'>,
  collections: readonly string[],
): Promise<Builds> {
  const all = collections.map((physical) => parse(name, physical)).filter((build) => build !== undefined);
  const serving = await readModels.resolve(name);
  const served = all.find((build) => build.physical === serving);
  const newer = served?.version === version ? served.rebuilt + 1 : 0;
  const same = all.filter((build) => build.version === version);
  const filling = same.filter((build) => build.rebuilt >= newer).sort((a, b) => b.rebuilt - a.rebuilt)[0];
  return {
    served,
    filling,
    leftovers: all.filter((build) => build !== served && build !== filling).map((build) => build.physical),
    nextRebuild: same.reduce((next, build) => Math.max(next, build.rebuilt + 1), 0),
  };
}

/**
 * Removes a build and its checkpoint, which has the name of the collection. The checkpoint goes first: a collection
 * without a checkpoint is filled again, but a checkpoint without a collection would leave a gap.
 */
export async function removeBuild(readModels: DocumentStore, physical: string): Promise<void> {
  await readModels.dropCheckpoint(physical);
  await readModels.drop(physical);
}
