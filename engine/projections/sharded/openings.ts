/** Opens shards of read models that this instance owns. Builds are looked up only after they have changed. */
import type { Lease } from '../../ownership/lease.js';
import type { DocumentStore } from '../../ports/documents.js';
import type { EventStore, Position } from '../../ports/eventStore.js';
import { findBuilds } from '../builds.js';
import type { ReadModel } from '../readModel.js';
import { skippedNow } from '../skipWatch.js';
import type { Turns } from '../turns.js';
import { buildsCount } from './names.js';
import type { Opened, OwnedParts } from './ownedParts.js';
import { placesInLog, shardPlaces } from './places.js';

interface Parts {
  readonly readModels: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>;
  readonly turns: Turns;
  /** Shards of this instance. */
  readonly mine: ReadonlyMap<number, Lease>;
  readonly models: ReadonlyMap<string, ReadModel>;
  readonly owned: OwnedParts;
}

/**
 * Begins owned shards that have not begun, and ends parts of builds that no longer exist. If it rejects, the shards
 * that could be opened continue anyway.
 */
export async function refreshBuilds(parts: Parts): Promise<void> {
  const { readModels, eventStore, turns, mine, models, owned } = parts;
  if (mine.size === 0) return;
  const all = [...models.values()];
  const changes = await readModels.checkpoints(all.map(({ projection }) => buildsCount(projection.name)));
  const due = all.filter((one) => one.stale || changes.get(buildsCount(one.projection.name)) !== one.changes);
  if (due.length === 0) return;
  const [collections, head]: [string[], Position] = await Promise.all([readModels.list(), eventStore.head()]);
  const troubles: unknown[] = [];
  const opened = await Promise.all(
    due.map(async (one) => {
      one.stale = false;
      try {
        const begins = await open(parts, one, collections);
        one.changes = changes.get(buildsCount(one.projection.name))!;
        return begins;
      } catch (error) {
        one.stale = true;
        troubles.push(error);
        return [];
      }
    }),
  );
  await turns.run(() => owned.begin(opened.flat(), head));
  // The others are retried.
  if (troubles.length > 0) throw troubles[0];
}

async function open(parts: Parts, one: ReadModel, collections: readonly string[]): Promise<Opened[]> {
  const { readModels, eventStore, turns, mine, owned } = parts;
  const { projection } = one;
  const { served, filling } = await findBuilds(readModels, projection, collections);
  for (const id of await skippedNow(eventStore, projection)) one.skipped.add(id);
  const frozen = served !== undefined && served.version !== projection.version;
  const current = [frozen ? undefined : served?.physical, filling?.physical].filter((name) => name !== undefined);
  await turns.run(() => {
    owned.published.changed();
    one.served = served?.physical;
    one.filling = filling?.physical;
    one.frozen = frozen;
    for (const part of [...one.parts]) if (!current.includes(part.physical)) owned.end(part);
  });
  return Promise.all(
    current.map(async (physical) => {
      const here = one.shardsOf(physical);
      const missing = [...mine].filter(([shard]) => !here.has(shard));
      const names = missing.map(([shard]) => shard);
      const places = await shardPlaces(readModels, physical, names);
      const inLog = await placesInLog(eventStore, places);
      // The build is of another log: the instance that manages the builds begins another one.
      if (inLog.size < places.size) one.stale = true;
      const shards = missing.flatMap(([shard, lease]) => {
        const place = inLog.get(shard);
        return place === undefined ? [] : [{ shard, lease, place }];
      });
      return { one, physical, shards };
    }),
  );
}
