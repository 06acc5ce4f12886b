/** Locations of the log and the tree over it; both can be sent to another thread. Servers' drivers are loaded on use. */
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { StoredLog } from '../../engine/ports/storedLog.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import {
  openEmbeddedReadModels,
  openEmbeddedReadModelsIfMade,
} from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';

export interface TreePlaces {
  /** `folder`: with events.db. */
  readonly log: { readonly folder: string } | { readonly url: string };
  readonly tiles: TilesPlace;
  /** File of the history index; absent if there is none. */
  readonly index?: string;
}

export type TilesPlace = { readonly file: string } | { readonly url: string };

/** Tiles of the embedded log, next to other files built from it; may be removed while no service runs, and is rebuilt. */
export const TILES = 'proofs.db';
/** Longest wait for one call of a server, in ms. */
const CALL_MS = 5_000;
/** Cache of the tiles' file, in KiB: few tiles are read twice. */
const CACHE_KB = 2_048;

/** The log as it is stored. Rejects with LogDamaged, StoreUnavailable. */
export async function openStoredEvents(log: TreePlaces['log']): Promise<StoredLog> {
  if ('folder' in log) return openStoredRows(log.folder);
  const adapter = await import('../../infrastructure/eventstoredb/eventStoreDb.js');
  return adapter.openStoredEventStoreDb(log.url, { timeoutMs: CALL_MS });
}

async function openMongo(url: string): Promise<DocumentStore> {
  const adapter = await import('../../infrastructure/mongodb/mongoReadModels.js');
  return adapter.openMongoReadModels(url, { prefix: 'work', timeoutMs: CALL_MS });
}

/** For writing. */
export const openTiles = async (tiles: TilesPlace): Promise<DocumentStore> =>
  'url' in tiles ? openMongo(tiles.url) : openEmbeddedReadModels(tiles.file, { name: TILES, cacheKb: CACHE_KB });

/** For reading concurrently with a writer; undefined: there are none yet. */
export async function openTilesForReading(tiles: TilesPlace): Promise<DocumentStore | undefined> {
  if ('url' in tiles) return openMongo(tiles.url);
  return openEmbeddedReadModelsIfMade(tiles.file, { name: TILES });
}
