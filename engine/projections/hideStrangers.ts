import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../ports/eventStore.js';
import type { AnyProjection } from './projection.js';

/**
 * Where other instances share the read models, before this one answers anything: nobody reads what another log led to. Whoever
 * owns the projection builds it from this one.
 */
export async function hideStrangers(
  readModels: Pick<DocumentStore, 'resolve' | 'checkpoints' | 'marks' | 'dropAlias'>,
  eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>,
  projections: readonly Pick<AnyProjection, 'name'>[],
): Promise<void> {
  const physical = await Promise.all(projections.map(({ name }) => readModels.resolve(name)));
  const [positions, marks] = await Promise.all([readModels.checkpoints(physical), readModels.marks(physical)]);
  let waitMs = REPLICA_MS;
  for (const [i, { name }] of projections.entries()) {
    const collection = physical[i]!;
    const place = { position: positions.get(collection) ?? BEFORE_ALL, mark: marks.get(collection) };
    if (collection === name || (await placeInLog(eventStore, place, waitMs)).holds) continue;
    waitMs = 0;
    await readModels.dropAlias(name, collection);
  }
}
