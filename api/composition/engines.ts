/** The engines that the settings name: embedded ones in the data folder, or shared servers. */
import { join } from 'node:path';
import type { EventStore } from '../../application/ports/eventStore.js';
import type { ReadModels } from '../../application/ports/readModels.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import type { Log } from '../log.js';
import type { Settings } from '../settings.js';
import type { DataFolder } from './dataFolder.js';
import { openViews, type ViewsPlace } from './viewsReader.js';

export interface EventEngine {
  readonly store: EventStore;
  /** The same, where it is the embedded one: only that has readers in other threads and can be served to others. */
  readonly embedded?: EmbeddedEventStore;
  /** For people, without credentials. */
  readonly name: string;
  /** Databases of the data folder. */
  readonly files: readonly string[];
  close(): Promise<void>;
}

export interface DocumentEngine {
  readonly views: ReadModels;
  /** Tasks, keys of requests, leases. */
  readonly work: ReadModels;
  readonly name: string;
  /** Databases of the data folder. */
  readonly files: readonly string[];
  close(): Promise<void>;
}

/** Whether other instances may work on the same data: only where nothing of it lies in one data folder. */
export const isShared = ({ eventStoreUrl, mongoUrl }: Pick<Settings, 'eventStoreUrl' | 'mongoUrl'>): boolean =>
  eventStoreUrl !== undefined && mongoUrl !== undefined;

/**
 * Folder of the embedded documents and snapshots. Positions of one log mean nothing in another, so what was made from an
 * EventStoreDB has a place of its own beside what was made from events.db.
 */
export const homeOf = (
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
  folder: Pick<DataFolder, 'file' | 'path'>,
): string => (eventStoreUrl === undefined ? folder.path : folder.file('eventstoredb'));

export const viewsPlace = (settings: Settings, folder: Pick<DataFolder, 'file' | 'path'>): ViewsPlace =>
  settings.mongoUrl === undefined ? { file: join(homeOf(settings, folder), 'views.db') } : { url: settings.mongoUrl };

/** Room for the largest body (8 MB) as events: a batch of 500 products with all their texts is one append. */
const MOST_BYTES = 16 * 1024 * 1024;

export async function openEventEngine(_settings: Settings, folder: DataFolder, _log: Log): Promise<EventEngine> {
  const embedded = await openEmbeddedEventStore(folder.path, { mostBytes: MOST_BYTES });
  const files = [folder.file('events.db')];
  return { store: embedded, embedded, name: 'SQLite, events.db', files, close: () => embedded.close() };
}

/** `views.db` must stand already: the projections' thread makes it. */
export async function openDocumentEngine(settings: Settings, folder: DataFolder, _log: Log): Promise<DocumentEngine> {
  const home = homeOf(settings, folder);
  const views = await openViews(viewsPlace(settings, folder));
  const work = openEmbeddedReadModels(join(home, 'work.db'), { name: 'work.db' });
  return {
    views,
    work,
    name: 'SQLite, views.db',
    files: ['views.db', 'work.db'].map((file) => join(home, file)),
    close: async () => void (await Promise.all([work.close(), views.close()])),
  };
}
