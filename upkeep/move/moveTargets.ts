/** Targets of `suuq move`: an EventStoreDB, or another data folder. */
import { readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { refuse } from '../../domain/decider.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { StoredLog } from '../../engine/ports/storedLog.js';
import { readOrigin } from '../../engine/processors/tasks/workOrigin.js';
import { BadEngineUrl } from '../../infrastructure/engineUrl.js';
import { MESSAGE_BYTES } from '../../infrastructure/eventstoredb/appendLimit.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { type VaultPlace, vaultPlace } from '../../service/composition/privacy/vaults.js';
import { homeOf, MOST_BYTES, openEventStoreDb, openMongo } from '../../service/engines/engines.js';
import { type DataFolder, takeDataFolder } from '../../service/folder/dataFolder.js';
import { openStoredEvents } from '../../service/proofs/treePlaces.js';
import { hostsOf } from '../../service/settings/engineSettings.js';
import type { MoveSettings } from '../../service/settings/moveSettings.js';
import type { Undo } from '../../service/shutdown.js';
import { fillFolder, takeKeyAlong } from './movedFiles.js';
import { beginWork } from './movedWork.js';

export interface MoveTarget {
  readonly log: EventStore;
  /** For people, without credentials. */
  readonly name: string;
  /** Bytes of one append. */
  readonly mostBytes: number;
  readonly work: DocumentStore;
  readonly workName: string;
  readonly vault: VaultPlace;
  /** The log as it is stored, on a connection of its own. */
  stored(): Promise<StoredLog>;
  /** Only for another data folder: puts the master key there, so that a start on an incomplete folder reports it. */
  readonly begin?: () => Promise<void>;
  /** Likewise: puts what else belongs to an installation there; answers how many files that are. */
  readonly fill?: () => Promise<number>;
}

interface From {
  readonly source: EventStore;
  readonly folder: DataFolder;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** How long a target may be away in the middle of a move, in ms: what is under way waits for it, in its order. */
const AWAY_MS = 180_000;

/** Refuses `same_folder`, `data_folder_not_empty`; rejects with FolderInUse, StoreUnavailable. */
export const openTarget = (settings: MoveSettings, from: From, undo: Undo): Promise<MoveTarget> =>
  'folder' in settings.to
    ? folderTarget(settings.to.folder, from, undo)
    : serverTarget(settings, settings.to.url, from, undo);

async function serverTarget(
  settings: MoveSettings,
  url: string,
  { folder, log }: From,
  undo: Undo,
): Promise<MoveTarget> {
  const store = await openEventStoreDb(url, settings.maxAppendSize, log, AWAY_MS).catch((error: unknown) => {
    throw error instanceof BadEngineUrl ? error.of('--to') : error;
  });
  undo.add('target', () => store.close());
  const { work, name } = await serverWork(settings, url, folder, log);
  undo.add('work', () => work.close());
  return {
    log: store,
    name: `EventStoreDB at ${hostsOf(url)}`,
    mostBytes: Math.min(store.limit.bytes, MESSAGE_BYTES),
    work,
    workName: name,
    vault: vaultPlace({ eventStoreUrl: url, ...(settings.mongoUrl && { mongoUrl: settings.mongoUrl }) }, folder.path),
    stored: () => openStoredEvents({ url }),
  };
}

async function serverWork({ mongoUrl }: MoveSettings, url: string, folder: DataFolder, log: Log) {
  if (mongoUrl !== undefined)
    return { work: await openMongo(mongoUrl, 'work', log), name: `MongoDB at ${hostsOf(mongoUrl)}` };
  const name = join(homeOf({ eventStoreUrl: url }, folder), 'work.db');
  return { work: openEmbeddedReadModels(name, { name: 'work.db' }), name };
}

async function folderTarget(to: string, { source, folder, signal }: From, undo: Undo): Promise<MoveTarget> {
  const path = resolve(to);
  const isIn = (one: string, other: string): boolean => one === other || one.startsWith(other + sep);
  if (isIn(path, folder.path) || isIn(folder.path, path))
    refuse('same_folder', `${path} and ${folder.path} overlap. Name a separate folder.`);
  const taken = takeDataFolder(path);
  undo.guard('new data folder', () => taken.release());
  const name = taken.file('work.db');
  const names = readdirSync(path).filter((one) => !HARMLESS.test(one));
  if (!names.includes('work.db') && names.length > 0) occupied(path, names);
  const work = openEmbeddedReadModels(name, { name: 'work.db' });
  undo.add('work', () => work.close());
  const origin = await readOrigin(work);
  const isStarted = origin?.kind === 'unfinished' || origin?.kind === 'carried';
  if (!isStarted && names.some((one) => !one.startsWith('work.db'))) occupied(path, names);
  // First of all: an interrupted move recognises its own target by it.
  await beginWork(work);
  const log = await openEmbeddedEventStore(path, { mostBytes: MOST_BYTES });
  undo.add('target', () => log.close());
  const [own, theirs] = await Promise.all([firstOf(log), firstOf(source)]);
  if (own !== undefined && own !== theirs) occupied(path, names);
  return {
    log,
    name: path,
    mostBytes: MOST_BYTES,
    work,
    workName: name,
    vault: vaultPlace({}, path),
    stored: () => openStoredEvents({ folder: path }),
    begin: () => takeKeyAlong(folder.path, path),
    fill: () => fillFolder(folder.path, path, signal),
  };
}

/** Names in an otherwise empty folder: the lock and the card, and entries at the top of some file systems. */
const HARMLESS = /^(?:lock\.db(?:-wal|-shm|-journal)?|service\.json|lost\+found)$/;

const occupied = (path: string, names: readonly string[]): never =>
  refuse(
    'data_folder_not_empty',
    `${path} contains files from other sources, such as ${names[0]}. Name an empty or new folder.`,
  );

const firstOf = async (log: EventStore): Promise<string | undefined> =>
  (await log.readAll(BEFORE_ALL, { limit: 1 })).events[0]?.id;
