/** Parts of an instance, each opened with what it needs. */

import { createAccessDirectory } from '../../application/access/directory.js';
import { createFiles } from '../../application/files/files.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import type { SoundTools } from '../../application/recordings/recordingUploads.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { SnapshotStore } from '../../engine/ports/snapshots.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import { createReads } from '../../engine/projections/documentReads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { settledReads } from '../../engine/projections/settledReads.js';
import { watchViews } from '../../engine/projections/viewWatch.js';
import { SHARDS } from '../../engine/shards.js';
import { createAudioReader } from '../../infrastructure/audio/audioReader.js';
import { logOpenness } from '../../infrastructure/files/privateFolder.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import {
  type DocumentEngine,
  type EventEngine,
  firstFile,
  homeOf,
  isShared,
  openFileStore,
  openHistoryIndex,
  treePlaces,
  viewsPlace,
  warnOfOwnFolder,
} from '../engines/engines.js';
import {
  type ChannelKeys,
  channelKeys,
  type DataFolder,
  requireInstallation,
  takeDataFolder,
  visitDataFolder,
} from '../folder/dataFolder.js';
import { TreeHost } from '../proofs/treeHost.js';
import type { Settings } from '../settings/settings.js';
import type { Undo } from '../shutdown.js';
import { startCheckpointing } from './checkpointing.js';
import { evolvedEvents } from './events.js';
import { indexedPeople, type sealingOf, vaultPlace } from './privacy/vaults.js';
import { pageThreads } from './threads/pageThreads.js';
import { acknowledgedOf, viewProgress } from './threads/projectionsStart.js';
import { tracedStore } from './tracing.js';
import { unwatched, watchBuilding } from './viewsBuilding.js';

export interface FolderOptions {
  /** For one command, without a service: it founds nothing, and see the projection runtime's option. */
  readonly unattended?: boolean;
  /** Called as soon as the folder is locked, for parts that can start concurrently with the engines. */
  taken?(early: { readonly settings: Settings; readonly folder: DataFolder; readonly channel: ChannelKeys }): void;
}

/** Takes the data folder, with its keys, snapshots and files. */
export async function openBase(settings: Settings, log: Log, { unattended = false, taken }: FolderOptions, undo: Undo) {
  const shared = isShared(settings);
  // On shared engines the installation is there, and the folder holds nothing of it.
  if (unattended && !shared) requireInstallation(settings.data, firstFile(settings));
  // A command next to a running service of the same folder leaves the files to the service.
  const folder = shared && unattended ? visitDataFolder(settings.data) : takeDataFolder(settings.data);
  undo.guard('data folder', () => folder.release());
  logOpenness(folder, log);
  const channel = channelKeys(settings, folder);
  taken?.({ settings, folder, channel });
  const masterKeys = loadMasterKeys(folder.path, settings.masterKeys);
  const secretBox = createSecretBox(...masterKeys);
  const access = { place: vaultPlace(settings, folder.path), masterKeys };
  const snapshots = shared && unattended ? noSnapshots : await openSnapshotFiles(homeOf(settings, folder));
  const fileStore = await openFileStore(settings, !shared);
  undo.add('file store', () => fileStore.close());
  if (shared && !unattended) warnOfOwnFolder(settings, log);
  return { folder, channel, masterKeys, secretBox, access, snapshots, fileStore };
}

interface EnginePlaces {
  readonly settings: Settings;
  readonly folder: DataFolder;
  readonly events: EventEngine;
  readonly documents: DocumentEngine;
  readonly vaultPlace: ReturnType<typeof vaultPlace>;
}

/** Opens the proof tree and the history index, and starts checkpointing. */
export function openTree(places: EnginePlaces, sealing: ReturnType<typeof sealingOf>, log: Log, undo: Undo) {
  const { settings, folder, events, documents, vaultPlace: vault } = places;
  const treePlace = treePlaces(settings, folder);
  const checkpointing = startCheckpointing({ events, documents, vault, tree: treePlace }, log);
  undo.add('checkpointer', () => checkpointing?.stop());
  const indexed = indexedPeople(sealing);
  const tree = new TreeHost(treePlace, indexed.secret);
  undo.add('proof tree', () => tree.close());
  const historyIndex = openHistoryIndex(settings, folder, indexed);
  undo.add('history index', () => historyIndex?.close());
  return { tree, historyIndex };
}

interface ViewParts {
  readonly settings: Settings;
  readonly folder: DataFolder;
  readonly unattended: boolean;
  readonly documents: DocumentEngine;
  readonly projections: ProjectionHost;
  readonly masterKeys: ReturnType<typeof loadMasterKeys>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the reads of views, with the threads that make pages of them. */
export function openViews(parts: ViewParts, undo: Undo) {
  const { settings, folder, unattended, documents, projections, masterKeys, clock, log } = parts;
  const building = unattended ? unwatched : watchBuilding({ projections, clock: clock.steady, log });
  undo.add('read model build watch', () => building.stop());
  const acknowledged = acknowledgedOf(projections, building);
  const stored = createReads(documents.views, (name) => building.percentOf(name));
  const reads = acknowledged === undefined ? stored : settledReads(stored, acknowledged);
  const pageMakers = pageThreads({
    settings,
    unattended,
    place: viewsPlace(settings, folder),
    masterKeys,
    clock: clock.steady,
    log,
  });
  undo.add('page threads', () => pageMakers?.stop());
  const { changes } = projections;
  const watch = changes && acknowledged && watchViews(changes, acknowledged);
  const directory = createAccessDirectory({ reads, clock, watch });
  const progress = {
    ...viewProgress(projections, isShared(settings) ? SHARDS : undefined),
    building: () => building.now(),
  };
  return { building, acknowledged, reads, pageMakers, directory, progress };
}

export function openFiles(fileStore: FileStore, commands: CommandHandler, log: Log, undo: Undo) {
  const files = createFiles({
    store: fileStore,
    commands,
    trouble: (error) => log.error({ err: error }, 'file store failed'),
  });
  const audio = createAudioReader();
  undo.add('audio reader', () => audio.close());
  const sounds: SoundTools = { fileStore, audio, trouble: (error) => log.error({ err: error }, 'recording failed') };
  return { files, sounds };
}

interface CommandParts {
  readonly settings: Settings;
  readonly log: Log;
  readonly events: EventEngine;
  readonly eventStore: EventStore;
  readonly snapshots: SnapshotStore;
  readonly clock: Clock;
  readonly tracing: Tracing | undefined;
}

export async function openCommands({ settings, log, events, eventStore, snapshots, clock, tracing }: CommandParts) {
  const traced = await tracedStore(tracing);
  const plain = createCommandHandler({
    eventStore: traced.appends(eventStore, events.embedded ? 'sqlite' : 'eventstoredb'),
    snapshots,
    clock,
    evolved: evolvedEvents,
    // Clients of the endpoint may write too, where it takes writes.
    sharedStore: settings.eventStoreUrl !== undefined || settings.endpoint?.writes === true,
    observer: {
      snapshotFailed: (stream, error) => log.warn({ stream, err: error }, 'snapshot write failed'),
    },
  });
  return traced.commands(plain);
}

/** For a single command next to a service that owns the snapshots. */
const noSnapshots: SnapshotStore = { load: async () => undefined, save: async () => {} };
