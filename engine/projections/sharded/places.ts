/** How far builds are that are parted into shards. */
import { placeInLog, REPLICA_MS } from '../../logPlaces.js';
import type { Checkpoints } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../../ports/eventStore.js';
import { shardCheckpoint, shardPassed } from './names.js';

type Log = Pick<EventStore, 'readStream' | 'head' | 'exact'>;

const range = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard);

async function placesOf(readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>, names: readonly string[]): Promise<(name: string) => LogPlace> {
  const [positions, marks] = await Promise.all([readModels.checkpoints(names), readModels.marks(names)]);
  return (name) => ({ position: positions.get(name) ?? BEFORE_ALL, mark: marks.get(name) });
}

/** Of each of these shards: its own place, or that of the build from when it was whole. */
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

/** Places that the log holds, each where to go on from; those of another log are not in the answer. */
export async function placesInLog(
  log: Log,
  places: ReadonlyMap<number, LogPlace>,
  waitMs = REPLICA_MS,
): Promise<Map<number, LogPlace>> {
  const asked = new Map<string, ReturnType<typeof placeInLog>>();
  const ask = (place: LogPlace) => {
    const key = `${place.position} ${place.mark?.id}`;
    const answer = asked.get(key) ?? placeInLog(log, place, waitMs);
    asked.set(key, answer);
    return answer;
  };
  const found = await Promise.all([...places].map(async ([shard, place]) => [shard, await ask(place)] as const));
  return new Map(found.flatMap(([shard, one]) => (one.holds ? [[shard, one.from] as const] : [])));
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

/** Of each of these builds the places that its shards have, in two queries. */
export async function partedPlaces(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks'>,
  builds: readonly string[],
  count: number,
): Promise<Map<string, LogPlace[]>> {
  const namesOf = (physical: string): string[] => range(count).map((shard) => shardCheckpoint(physical, shard));
  const placeOf = await placesOf(readModels, builds.flatMap(namesOf));
  const own = (physical: string): LogPlace[] => namesOf(physical).map(placeOf).filter(({ position }) => position !== BEFORE_ALL);
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
export const wholePosition = (
  physical: string,
  count: number,
  positions: ReadonlyMap<string, Position>,
): Position => leastOf(physical, count, (name) => ({ position: positions.get(name) ?? BEFORE_ALL })).position;

/** Before anybody reads: what owners said of another log than there is now, such as of a newer one than was restored. */
export async function dropStrangePassed(
  readModels: Pick<Checkpoints, 'checkpoints' | 'marks' | 'dropCheckpoint'>,
  log: Log,
  count: number,
): Promise<void> {
  const placeOf = await placesOf(readModels, range(count).map(shardPassed));
  const places = new Map(range(count).map((shard) => [shard, placeOf(shardPassed(shard))]));
  const held = await placesInLog(log, places, 0);
  for (const shard of places.keys()) if (!held.has(shard)) await readModels.dropCheckpoint(shardPassed(shard));
}
