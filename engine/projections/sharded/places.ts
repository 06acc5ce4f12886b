/** How far builds are that are parted into shards. */
import { placeInLog, REPLICA_MS } from '../../logPlaces.js';
import type { Checkpoints } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../../ports/eventStore.js';
import { shardCheckpoint, shardPassed } from './names.js';

type Log = Pick<EventStore, 'readStream' | 'head' | 'exact'>;

const range = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard);

export async function placesOf(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  names: readonly string[],
): Promise<(name: string) => LogPlace> {
  const [positions, marks] = await Promise.all([readModels.checkpoints(names), readModels.marks(names)]);
  return (name) => ({ position: positions.get(name) ?? BEFORE_ALL, mark: marks.get(name) });
}

/** Returns the place of each of these shards: its own, or that of the whole build where that is greater (see hideStrangers.ts). */
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
 * Places that the log holds, each where to go on from; none of them where it is another log. The newest tells: what stands before it
 * in one log stands there in every log that has it.
 */
export async function placesInLog(
  log: Log,
  places: ReadonlyMap<number, LogPlace>,
  waitMs = REPLICA_MS,
): Promise<Map<number, LogPlace>> {
  const newest = newestOf(places.values());
  const found = await placeInLog(log, newest, waitMs);
  if (!found.holds) return new Map();
  // What lies between a mark and its place was nobody's.
  const from = ({ position, mark }: LogPlace): LogPlace =>
    mark === undefined ? { position: Math.min(position, found.from.position) } : { position: mark.position, mark };
  return new Map([...places].map(([shard, place]) => [shard, from(place)]));
}

/** The least of a build's shards, with what their owners say they have passed; the whole's where it is not parted yet. */
function leastOf(physical: string, count: number, placeOf: (name: string) => LogPlace): LogPlace {
  const whole = placeOf(physical);
  let least: LogPlace | undefined;
  for (let shard = 0; shard < count; shard++) {
    const own = placeOf(shardCheckpoint(physical, shard));
    if (own.position === BEFORE_ALL) return whole;
    const passed = placeOf(shardPassed(shard));
    const place = passed.position > own.position ? passed : own;
    if (least === undefined || place.position < least.position) least = place;
  }
  return least !== undefined && least.position > whole.position ? least : whole;
}

/** Names of all places that say how far these builds are, each as a whole. */
export const wholeNames = (builds: readonly string[], count: number): string[] => [
  ...builds.flatMap((physical) => [physical, ...range(count).map((shard) => shardCheckpoint(physical, shard))]),
  ...range(count).map(shardPassed),
];

/**
 * The same where it is asked for again and again: of builds of which every shard has a checkpoint, what owners say they have passed
 * is enough. The others, and those of which more is to be known, are read in full.
 */
export class KnownPlaces {
  readonly #count: number;
  readonly #begun = new Set<string>();

  constructor(count: number) {
    this.#count = count;
  }

  names(builds: readonly string[], full: boolean): string[] {
    const parts = builds.filter((physical) => full || !this.#begun.has(physical));
    return [...new Set([...builds, ...range(this.#count).map(shardPassed), ...wholeNames(parts, this.#count)])];
  }

  /** From places of those names; `full` as it was asked there. */
  placeOf(physical: string, placeOf: (name: string) => LogPlace, full: boolean): LogPlace {
    if (full || !this.#begun.has(physical)) {
      const shards = range(this.#count).map((shard) => placeOf(shardCheckpoint(physical, shard)));
      if (shards.every(({ position }) => position !== BEFORE_ALL)) this.#begun.add(physical);
      return leastOf(physical, this.#count, placeOf);
    }
    const whole = placeOf(physical);
    const passed = range(this.#count).map((shard) => placeOf(shardPassed(shard)));
    const least = passed.reduce((one, other) => (other.position < one.position ? other : one));
    return least.position > whole.position ? least : whole;
  }
}

/** Of each of these builds the places that its shards have, in two queries. */
export async function partedPlaces(
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

/** How far queries on these builds show everything, in one or two queries. They may be parted, or not yet. */
export async function wholePlaces(
  readModels: Checkpoints,
  builds: readonly string[],
  count: number,
): Promise<Map<string, LogPlace>> {
  if (builds.length === 0) return new Map();
  const placeOf = await placesOf(readModels, wholeNames(builds, count));
  return new Map(builds.map((physical) => [physical, leastOf(physical, count, placeOf)]));
}

/** The same from positions that were read together. */
export const wholePosition = (physical: string, count: number, positions: ReadonlyMap<string, Position>): Position =>
  leastOf(physical, count, (name) => ({ position: positions.get(name) ?? BEFORE_ALL })).position;

/**
 * The newest place that owners said to have passed, where it is of another log than there is now, such as of a newer one than was restored;
 * undefined: of this one.
 */
export async function strangePassed(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  log: Log,
  count: number,
): Promise<LogPlace | undefined> {
  const placeOf = await placesOf(readModels, range(count).map(shardPassed));
  const newest = newestOf(range(count).map((shard) => placeOf(shardPassed(shard))));
  return (await placeInLog(log, newest, REPLICA_MS)).holds ? undefined : newest;
}

/** Forgets what owners said to have passed: it holds for every build, whatever log that is of. */
export async function dropPassed(readModels: Pick<Checkpoints, 'dropCheckpoint'>, count: number): Promise<void> {
  for (const shard of range(count)) await readModels.dropCheckpoint(shardPassed(shard));
}
