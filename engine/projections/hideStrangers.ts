import { NO_EVENT, REPLICA_MS } from '../logPlaces.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace } from '../ports/eventStore.js';
import { findBuilds } from './builds.js';
import type { AnyProjection } from './projection.js';
import { dropProgress, foreignProgress, placesInLog, placesOfShards } from './sharded/places.js';

type Named = Pick<AnyProjection, 'name' | 'version' | 'partitionedBy'>;

/**
 * Hides builds of another log, if instances share the read models. Runs before this instance answers anything. The
 * owner of each projection rebuilds it from this log.
 */
export async function hideStrangers(
  readModels: DocumentStore,
  eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>,
  projections: readonly Named[],
  shards: number,
): Promise<void> {
  // Read before the passed places: while those are of another log, nobody has begun a build of this one.
  const collections = await readModels.list();
  const passed = await foreignProgress(readModels, eventStore, shards);
  if (passed !== undefined) await giveUp(readModels, projections, collections, passed);
  const physical = await Promise.all(projections.map(({ name }) => readModels.resolve(name)));
  const [positions, marks] = await Promise.all([readModels.checkpoints(physical), readModels.marks(physical)]);
  const partitioned = await placesOfShards(
    readModels,
    physical.filter((_, i) => projections[i]!.partitionedBy !== undefined),
    shards,
  );
  let waitMs = passed === undefined ? REPLICA_MS : 0;
  for (const [i, { name }] of projections.entries()) {
    const collection = physical[i]!;
    if (collection === name) continue;
    const whole = { position: positions.get(collection) ?? BEFORE_ALL, mark: marks.get(collection) };
    const places = new Map([whole, ...(partitioned.get(collection) ?? [])].entries());
    if ((await placesInLog(eventStore, places, waitMs)).size === places.size) continue;
    waitMs = 0;
    await readModels.dropAlias(name, collection);
  }
  // Last, since another start recognises the other log by these places until then.
  if (passed !== undefined) await dropProgress(readModels, shards);
}

/**
 * Documents of shards are ahead of the shards' own places, which are written every other second. The passed places may
 * be the only sign of another log. Each build gets a place that no log contains, so that no owner continues it,
 * whatever a lagging replica shows.
 */
async function giveUp(
  readModels: DocumentStore,
  projections: readonly Named[],
  collections: readonly string[],
  { mark }: LogPlace,
): Promise<void> {
  const position = Number.MAX_SAFE_INTEGER;
  const place = { position, mark: { stream: NO_EVENT, revision: 0, ...mark, id: NO_EVENT, position } };
  for (const projection of projections) {
    if (projection.partitionedBy === undefined) continue;
    const { served, filling, leftovers } = await findBuilds(readModels, projection, collections);
    for (const physical of [served?.physical, filling?.physical, ...leftovers])
      if (physical !== undefined) await readModels.write({}, { name: physical, ...place });
  }
}
