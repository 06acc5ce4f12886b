import { REPLICA_MS } from '../logPlaces.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../ports/eventStore.js';
import type { AnyProjection } from './projection.js';
import { dropStrangePassed, partedPlaces, placesInLog } from './sharded/places.js';

/**
 * Where other instances share the read models, before this one answers anything: nobody reads what another log led to. Whoever
 * owns the projection builds it from this one.
 */
export async function hideStrangers(
  readModels: Pick<DocumentStore, 'resolve' | 'checkpoints' | 'marks' | 'dropAlias' | 'dropCheckpoint'>,
  eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>,
  projections: readonly Pick<AnyProjection, 'name' | 'parted'>[],
  shards: number,
): Promise<void> {
  const physical = await Promise.all(projections.map(({ name }) => readModels.resolve(name)));
  await dropStrangePassed(readModels, eventStore, shards);
  const [positions, marks] = await Promise.all([readModels.checkpoints(physical), readModels.marks(physical)]);
  const parted = await partedPlaces(
    readModels,
    physical.filter((_, i) => projections[i]!.parted !== undefined),
    shards,
  );
  let waitMs = REPLICA_MS;
  for (const [i, { name }] of projections.entries()) {
    const collection = physical[i]!;
    if (collection === name) continue;
    const whole = { position: positions.get(collection) ?? BEFORE_ALL, mark: marks.get(collection) };
    const places = new Map([whole, ...(parted.get(collection) ?? [])].entries());
    if ((await placesInLog(eventStore, places, waitMs)).size === places.size) continue;
    waitMs = 0;
    await readModels.dropAlias(name, collection);
  }
}
