/** The engines that the settings name: embedded ones in the data folder, or shared servers; and the file store. */
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import type { FileStore } from '../../application/ports/fileStore.js';
import type { IndexedPeople, SearchedIndex } from '../../application/ports/historyIndex.js';
import { defined } from '../../domain/defined.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { type EventStore, LogDamaged } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { asPort } from '../../engine/ports/storeErrors.js';
import type { EventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { HEAD_MARK, readHeadMark } from '../../infrastructure/sqlite/eventStore/headMark.js';
import { logFacts } from '../../infrastructure/sqlite/eventStore/logFile.js';
import { HISTORY_INDEX, historyIndexIn } from '../../infrastructure/sqlite/historyIndex.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import type { DataFolder } from '../folder/dataFolder.js';
import { TILES, type TreePlaces } from '../proofs/treePlaces.js';
import { hostsOf } from '../settings/engineSettings.js';
import type { Settings } from '../settings/settings.js';
import { narrowAppends } from './appendRoom.js';
import { type EngineWait, patiently } from './engineChecks.js';

export interface EventEngine {
  readonly store: EventStore;
  /** The same, where it is the embedded one: only that has readers in other threads and can be served to others. */
  readonly embedded?: EmbeddedEventStore;
  /** For people, without credentials. */
  readonly name: string;
  /** Databases of the data folder. */
  readonly files: readonly string[];
  /** Warning for an operator: a full batch of products does not fit in one append. */
  readonly narrow?: string;
}

export interface DocumentEngine {
  readonly views: DocumentStore;
  /** Tasks, keys of requests, leases. */
  readonly work: DocumentStore;
  readonly name: string;
  /** Databases of the data folder. */
  readonly files: readonly string[];
  close(): Promise<void>;
}

type Folder = Pick<DataFolder, 'file' | 'path'>;

/** True if other instances may work on the same data: only if none of it is in a data folder. */
export const isShared = ({ eventStoreUrl, mongoUrl }: Pick<Settings, 'eventStoreUrl' | 'mongoUrl'>): boolean =>
  eventStoreUrl !== undefined && mongoUrl !== undefined;

/** For people: the file, or the server without credentials. */
export const logName = ({ embedded, name }: Pick<EventEngine, 'embedded' | 'name'>): string =>
  embedded === undefined ? name : 'events.db';

/** Room for the largest body (8 MB) as events: a batch of 500 products with all their texts is one append. */
export const MOST_BYTES = 16 * 1024 * 1024;

const OF_SHARED_LOG = 'eventstoredb';

/** File that exists in the data folder from the first start on, unless the installation is only on shared engines. */
export const firstFile = ({ eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>): string =>
  eventStoreUrl === undefined ? 'events.db' : join(OF_SHARED_LOG, 'work.db');

/**
 * Folder of the embedded documents and snapshots. Positions of one log mean nothing in another, so data built from an EventStoreDB has its
 * own folder, separate from data built from events.db.
 */
export function homeOf({ eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>, folder: Folder): string {
  if (eventStoreUrl === undefined) return folder.path;
  const home = folder.file(OF_SHARED_LOG);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return home;
}

export const viewsPlace = (settings: Pick<Settings, 'eventStoreUrl' | 'mongoUrl'>, folder: Folder): ViewsPlace =>
  settings.mongoUrl === undefined ? { file: join(homeOf(settings, folder), 'views.db') } : { url: settings.mongoUrl };

/** Only for the embedded log, whose positions can be read individually. */
const indexPlace = (settings: Pick<Settings, 'eventStoreUrl'>, folder: Folder): string | undefined =>
  settings.eventStoreUrl === undefined ? join(folder.path, HISTORY_INDEX) : undefined;

/** For reading; undefined if there is none. */
export function openHistoryIndex(
  settings: Pick<Settings, 'eventStoreUrl'>,
  folder: Folder,
  people: IndexedPeople,
): (SearchedIndex & { close(): void }) | undefined {
  const file = indexPlace(settings, folder);
  if (file === undefined) return undefined;
  const index = historyIndexIn(file);
  return { index, people, close: () => index.close() };
}

/** The tree over the log is stored with the documents, for the next owner. */
export const treePlaces = (settings: Pick<Settings, 'eventStoreUrl' | 'mongoUrl'>, folder: Folder): TreePlaces => ({
  ...defined({ index: indexPlace(settings, folder) }),
  log: settings.eventStoreUrl === undefined ? { folder: folder.path } : { url: settings.eventStoreUrl },
  tiles: settings.mongoUrl === undefined ? { file: join(homeOf(settings, folder), TILES) } : { url: settings.mongoUrl },
});

/**
 * Throws LogDamaged if acknowledged events are missing at the end of the embedded log. Checked last: if documents refer to those events
 * too, the error about them is more specific.
 */
export function checkMark({ embedded }: { readonly embedded?: unknown }, { path: folder }: Pick<Folder, 'path'>): void {
  if (embedded === undefined) return;
  const mark = readHeadMark(folder);
  const log = join(folder, 'events.db');
  if (mark === undefined) return;
  const { head, ids } = existsSync(log) ? logFacts(log, [mark.position]) : { head: -1, ids: [] };
  const short = `events.db ends at position ${head}, but an event at ${mark.position} was acknowledged: its write-ahead log (events.db-wal) is lost or damaged, or events.db was replaced by an older copy`;
  const other = `events.db has a different event at position ${mark.position} than the acknowledged one: it was replaced`;
  if (head < mark.position || ids[0] !== mark.id)
    throw new LogDamaged(
      `${head < mark.position ? short : other}. Restore the right file. If this is the right one, remove ${HEAD_MARK} from the data folder`,
    );
}

/**
 * The event store; waits for a server that is away. `unattended`: for one command, which appends little. Rejects with
 * StoreUnavailable and LogDamaged.
 */
export async function openEventEngine(
  settings: Pick<Settings, 'eventStoreUrl' | 'maxAppendSize'>,
  folder: Folder,
  wait: EngineWait,
  unattended: boolean,
): Promise<EventEngine> {
  const { eventStoreUrl: url, maxAppendSize } = settings;
  if (url !== undefined) {
    const name = `EventStoreDB at ${hostsOf(url)}`;
    const store = await patiently(name, wait, () => openEventStoreDb(url, maxAppendSize, wait.log));
    return { store, name, files: [], ...defined({ narrow: narrowAppends(store.limit, maxAppendSize) }) };
  }
  const embedded = await openEmbeddedEventStore(folder.path, { mostBytes: MOST_BYTES, writesHere: unattended });
  return {
    store: asPort(embedded, 'events.db'),
    embedded,
    name: 'SQLite, events.db',
    files: [folder.file('events.db')],
  };
}

/** Views and work on a server, which is waited for while it is away. Rejects with StoreUnavailable. */
export async function openSharedDocuments(url: string, wait: EngineWait): Promise<DocumentEngine> {
  const name = `MongoDB at ${hostsOf(url)}`;
  const open = (prefix: 'views' | 'work') => patiently(name, wait, () => openMongo(url, prefix, wait.log));
  const views = await open('views');
  const work = await open('work');
  return { views, work, name, files: [], close: async () => void (await Promise.all([work.close(), views.close()])) };
}

/** Tasks, keys of requests and the like, in a file. */
export const openEmbeddedWork = (settings: Pick<Settings, 'eventStoreUrl'>, folder: Folder): DocumentStore =>
  openEmbeddedReadModels(join(homeOf(settings, folder), 'work.db'), { name: 'work.db' });

/** Views in a file next to the work. The projections' thread must have created `views.db`. */
export async function openEmbeddedDocuments(
  settings: Settings,
  folder: Folder,
  work: DocumentStore,
): Promise<DocumentEngine> {
  const home = homeOf(settings, folder);
  const views = await openViews(viewsPlace(settings, folder));
  return {
    views,
    work,
    name: 'SQLite, views.db',
    files: ['views.db', 'work.db'].map((file) => join(home, file)),
    close: async () => void (await Promise.all([work.close(), views.close()])),
  };
}

/** Location of the read models: a file of the data folder, or a server. Can be sent to another thread. */
export type ViewsPlace = { readonly file: string } | { readonly url: string };

/** Opens the read models for reading, concurrently with their writer. Rejects with StoreUnavailable if the server is down. */
export async function openViews(place: ViewsPlace): Promise<DocumentStore> {
  if ('file' in place) return openEmbeddedReadModels(place.file, { readonly: true, name: 'views.db' });
  return openMongo(place.url, 'views');
}

/** `alone`: no other process uses the data folder. Rejects with what keeps the folder of files from being made. */
export async function openFileStore(
  settings: Pick<Settings, 'files' | 'data' | 'freeSpace'>,
  alone: boolean,
): Promise<FileStore> {
  const { files, data, freeSpace: floor } = settings;
  if ('folder' in files) {
    // A folder elsewhere may be shared by mistake: what others write there is left alone.
    const isOurs = resolve(files.folder).startsWith(resolve(data) + sep);
    return openFolderFiles({ folder: files.folder, alone: alone && isOurs, ...defined({ floor }) });
  }
  // The SDK is loaded only where it is used: it takes a tenth of a second.
  const { openS3Files } = await import('../../infrastructure/files/s3Files.js');
  return openS3Files(files);
}

/** Folders of this machine that are written to, by what is in them. */
export const foldersOf = ({ data, files }: Pick<Settings, 'data' | 'files'>): Readonly<Record<string, string>> => ({
  data,
  ...('folder' in files ? { files: files.folder } : {}),
});

/** For people, without anything secret and without the paths of this machine. */
export const fileStoreName = ({ files }: Pick<Settings, 'files'>): string =>
  'folder' in files ? `folder ${basename(resolve(files.folder))}` : `bucket ${files.bucket}`;

/** Files that one instance stores are read by the others. */
export function warnOfOwnFolder({ files }: Pick<Settings, 'files'>, log: Log): void {
  if ('folder' in files)
    log.warn(
      { folder: resolve(files.folder) },
      'files are stored in a folder that all instances must share; set SUUQ_FILES to a bucket otherwise',
    );
}

// Shared servers: their drivers are loaded only where one is used, since most starts need none -------------------------
/** Longest wait for one call of a server, in ms. */
const CALL_MS = 5000;

const logged = (log: Log | undefined) => defined({ log });

/**
 * Opens one per thread; `maxAppendSize`: maximum bytes of one append, default: the server's; `timeoutMs`: longest wait for one call once it
 * is open. Rejects with StoreUnavailable if the server is down.
 */
export async function openEventStoreDb(
  url: string,
  maxAppendSize: number | undefined,
  log?: Log,
  timeoutMs = CALL_MS,
): Promise<EventStoreDb> {
  const adapter = await import('../../infrastructure/eventstoredb/eventStoreDb.js');
  const limit = defined({ mostBytes: maxAppendSize });
  const options = { ...limit, timeoutMs, openingMs: CALL_MS, ...logged(log) };
  return asPort(await adapter.openEventStoreDb(url, options), 'EventStoreDB');
}

/** Rejects with StoreUnavailable when the server is away. */
export async function openMongo(url: string, prefix: 'views' | 'work', log?: Log): Promise<DocumentStore> {
  const adapter = await import('../../infrastructure/mongodb/mongoReadModels.js');
  const options = { prefix, timeoutMs: CALL_MS, ...logged(log) };
  return asPort(await adapter.openMongoReadModels(url, options), 'MongoDB');
}
