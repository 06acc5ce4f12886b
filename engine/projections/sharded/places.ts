/** Progress of builds that are partitioned into shards. */
import { placeInLog, REPLICA_MS } from '../../logPlaces.js';
import type { Checkpoints } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../../ports/eventStore.js';
import { shardCheckpoint, shardProgress } from './names.js';

type Log = Pick<EventStore, 'readStream' | 'head' | 'exact'>;

const range = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard);

export async function placesOf(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  names: readonly string[],
): Promise<(name: string) => LogPlace> {
  const [positions, marks] = await Promise.all([readModels.checkpoints(names), readModels.marks(names)]);
  return (name) => ({ position: positions.get(name) ?? BEFORE_ALL, mark: marks.get(name) });
}

/**
 * Returns the place of each of these shards: its own or the whole build's, whichever is greater (see hideStrangers.ts).
 */
export async function shardPlaces(
  readModels: Checkpoints,
  physical: string,
  shards: readonly number[],
): Promise<Map<number, LogPlace>> {
  const names = shards.map((shard) => shardCheckpoint(physical, shard));
  const placeOf = await placesOf(readModels, [physical, ...names]);
  const whole = placeOf(physical);
  return new Map(
    shards.map((shard, i) => {
      const own = placeOf(names[i]!);
      return [shard, own.position >= whole.position ? own : whole] as const;
    }),
  );
}

const newestOf = (places: Iterable<LogPlace>): LogPlace =>
  [...places].reduce<LogPlace>(
    (last, one) => ((one.mark?.position ?? one.position) > (last.mark?.position ?? last.position) ? one : last),
    { position: BEFORE_ALL },
  );

/**
 * Returns the places from which to continue in the log. Returns none if they are of another log. The newest place
 * decides: every log that has it also has the same events before it.
 */
export async function placesInLog(
  log: Log,
  places: ReadonlyMap<number, LogPlace>,
  waitMs = REPLICA_MS,
): Promise<Map<number, LogPlace>> {
  const newest = newestOf(places.values());
  const found = await placeInLog(log, newest, waitMs);
  if (!found.isValid) return new Map();
  // No event between a mark and its place was of interest to the build.
  const from = ({ position, mark }: LogPlace): LogPlace =>
    mark === undefined ? { position: Math.min(position, found.from.position) } : { position: mark.position, mark };
  return new Map([...places].map(([shard, place]) => [shard, from(place)]));
}

/**
 * Returns the lowest place of a build's shards, including the places that their owners published as passed. Returns the
 * place of the whole build if it is not partitioned yet.
 */
function leastOf(physical: string, count: number, placeOf: (name: string) => LogPlace): LogPlace {
  const whole = placeOf(physical);
  let least: LogPlace | undefined;
  for (let shard = 0; shard < count; shard++) {
    const own = placeOf(shardCheckpoint(physical, shard));
    if (own.position === BEFORE_ALL) return whole;
    const passed = placeOf(shardProgress(shard));
    const place = passed.position > own.position ? passed : own;
    if (least === undefined || place.position < least.position) least = place;
  }
  return least !== undefined && least.position > whole.position ? least : whole;
}

/** Returns the names of all places that show the progress of these builds, each as a whole. */
export const wholeNames = (builds: readonly string[], count: number): string[] => [
  ...builds.flatMap((physical) => [physical, ...range(count).map((shard) => shardCheckpoint(physical, shard))]),
  ...range(count).map(shardProgress),
];

/**
 * Variant for repeated queries. If every shard of a build has a checkpoint, the places that owners published as passed
 * are enough. Other builds are read in full, and all builds on request.
 */
export class KnownPlaces {
  readonly #count: number;
  readonly #started = new Set<string>();

  constructor(count: number) {
    this.#count = count;
  }

  names(builds: readonly string[], full: boolean): string[] {
    const parts = builds.filter((physical) => full || !this.#started.has(physical));
    return [...new Set([...builds, ...range(this.#count).map(shardProgress), ...wholeNames(parts, this.#count)])];
  }

  /** Returns the place of a build from places of these names. `full`: as in `names`. */
  placeOf(physical: string, placeOf: (name: string) => LogPlace, full: boolean): LogPlace {
    if (full || !this.#started.has(physical)) {
      const shards = range(this.#count).map((shard) => placeOf(shardCheckpoint(physical, shard)));
      if (shards.every(({ position }) => position !== BEFORE_ALL)) this.#started.add(physical);
      return leastOf(physical, this.#count, placeOf);
    }
    const whole = placeOf(physical);
    const passed = range(this.#count).map((shard) => placeOf(shardProgress(shard)));
    const least = passed.reduce((one, other) => (other.position < one.position ? other : one));
    return least.position > whole.position ? least : whole;
  }
}

/** Returns the places of the shards of each build, in two queries. */
export async function placesOfShards(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  builds: readonly string[],
  count: number,
): Promise<Map<string, LogPlace[]>> {
  const namesOf = (physical: string): string[] => range(count).map((shard) => shardCheckpoint(physical, shard));
  const placeOf = await placesOf(readModels, builds.flatMap(namesOf));
  const own = (physical: string): LogPlace[] =>
    namesOf(physical)
      .map(placeOf)
      .filter(({ position }) => position !== BEFORE_ALL);
  return new Map(builds.map((physical) => [physical, own(physical)]));
}

/**
 * Returns the places up to which queries on these builds show everything, in one or two queries. The builds may be
 * partitioned or not.
 */
export async function wholePlaces(
  readModels: Checkpoints,
  builds: readonly string[],
  count: number,
): Promise<Map<string, LogPlace>> {
  if (builds.length === 0) return new Map();
  const placeOf = await placesOf(readModels, wholeNames(builds, count));
  return new Map(builds.map((physical) => [physical, leastOf(physical, count, placeOf)]));
}

/** Returns the position of a whole build from positions that were read together. */
export const wholePosition = (physical: string, count: number, positions: ReadonlyMap<string, Position>): Position =>
  leastOf(physical, count, (name) => ({ position: positions.get(name) ?? BEFORE_ALL })).position;

/**
 * Returns the newest place that owners published as passed, if it is of another log, such as one from before a restore.
 * Returns undefined if it is of this log.
 */
export async function foreignProgress(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  log: Log,
  count: number,
): Promise<LogPlace | undefined> {
  const placeOf = await placesOf(readModels, range(count).map(shardProgress));
  const newest = newestOf(range(count).map((shard) => placeOf(shardProgress(shard))));
  return (await placeInLog(log, newest, REPLICA_MS)).isValid ? undefined : newest;
}

/** Drops the places that owners published as passed. They hold for every build, of whichever log. */
export async function dropProgress(readModels: Pick<Checkpoints, 'dropCheckpoint'>, count: number): Promise<void> {
  for (const shard of range(count)) await readModels.dropCheckpoint(shardProgress(shard));
}
