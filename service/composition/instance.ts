/** The engines and everything built on them except HTTP: the base of the service, and of single commands. */

import { resolve } from 'node:path';
import type { Services, ViewProgress } from '../../api/contract/services.js';
import type { PageMakers } from '../../api/http/pageMakers.js';
import { createAccessDirectory } from '../../application/access/directory.js';
import { createFiles, type Files } from '../../application/files/files.js';
import { orderHistories } from '../../application/orders/orderHistory.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import type { PersonKeys } from '../../application/ports/personKeys.js';
import type { PersonTexts } from '../../application/ports/personTexts.js';
import { Forgetting } from '../../application/privacy/forgetting.js';
import { Retaining } from '../../application/privacy/retentionWalks.js';
import { Proofs } from '../../application/proofs/proofs.js';
import type { SoundTools } from '../../application/recordings/recordingUploads.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { systemClock } from '../../engine/ports/clock.js';
import { LogDamaged } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { SnapshotStore } from '../../engine/ports/snapshots.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import { processorsAtRest } from '../../engine/processors/processorStops.js';
import { bringForward, waitingTasks } from '../../engine/processors/retries.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import { createReads } from '../../engine/projections/documentReads.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { settledReads } from '../../engine/projections/settledReads.js';
import { watchViews } from '../../engine/projections/viewWatch.js';
import { SHARDS } from '../../engine/shards.js';
import { upcasting } from '../../engine/upcasting.js';
import { createAudioReader } from '../../infrastructure/audio/audioReader.js';
import { localFiles } from '../../infrastructure/files/localFiles.js';
import { logOpenness } from '../../infrastructure/files/privateFolder.js';
import { createAuthenticator } from '../../infrastructure/secrets/authenticator.js';
import { loadMasterKeys } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import { foldOrder } from '../../projections/orders.js';
import type { AdminContext } from '../admin/context.js';
import {
  checkMark,
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
import { noteFormat } from '../folder/folderFormat.js';
import { TreeHost } from '../proofs/treeHost.js';
import { release } from '../release.js';
import { instanceName, type Settings } from '../settings/settings.js';
import { Undo } from '../shutdown.js';
import { startCheckpointing } from './checkpointing.js';
import { confirmedClock } from './confirmedClock.js';
import { DamageWatch } from './damageWatch.js';
import { evolvedEvents, storedEvents } from './events.js';
import { installationOf } from './installation.js';
import { type Engines, openEngines } from './openEngines.js';
import type { InstanceFacts } from './presence.js';
import { commandsOf, namesOfCustomers, namesOfStaff } from './privacy/erasureWatch.js';
import { personKeys } from './privacy/personKeys.js';
import { personTexts } from './privacy/personTexts.js';
import { FORGOTTEN_WITHIN_MS, indexedPeople, sealingAs, sealingOf, vaultPlace } from './privacy/vaults.js';
import { pageThreads } from './threads/pageThreads.js';
import { acknowledgedOf, viewProgress } from './threads/projectionsStart.js';
import { tracedStore } from './tracing.js';
import { unwatched, type ViewsBuilding, watchBuilding } from './viewsBuilding.js';

export interface Instance {
  readonly settings: Settings;
  readonly folder: DataFolder;
  /** Dependencies by name: the event store, the commands, the views, the files and more. */
  readonly services: Services & { readonly files: Files };
  readonly engines: { readonly events: EventEngine; readonly documents: DocumentEngine };
  /** Does a step of the start, which must bear being done twice, again while a server is away. Rejects with StoreUnavailable after a minute. */
  readonly patient: Engines['patient'];
  readonly fileStore: FileStore;
  /** Reads and keeps recordings. */
  readonly sounds: SoundTools;
  /** Name of this process in logs and leases. */
  readonly name: string;
  /** True if other instances may work on the same data. */
  readonly shared: boolean;
  /** Number of shards for the work of processors if it is shared. Default: `SHARDS`. */
  readonly shards?: number;
  readonly projections: ProjectionHost;
  /** Keys of customers, texts under them, and who has customers forgotten. */
  readonly people: PersonKeys;
  readonly personTexts: PersonTexts;
  readonly forgetting: Forgetting;
  readonly retaining: Retaining;
  readonly damage: DamageWatch;
  /** Read models that nobody can read yet. */
  readonly building: ViewsBuilding;
  readonly progress: ViewProgress;
  /** Changes that reads wait for; absent if other instances accept commands too, and each waits for the views itself. */
  readonly acknowledged: Acknowledged | undefined;
  /** Threads that make pages of lists; absent where this one makes them all. */
  readonly pageMakers: PageMakers | undefined;
  readonly channel: ChannelKeys;
  readonly histories: AdminContext['histories'];
  /** The tree over the log, in a thread that starts on first use, with its signatures and proofs. */
  readonly tree: TreeHost;
  readonly proofs: Proofs;
  /** For the operator's commands; `webhookUrl`: where the channel reaches this installation; `self`: the service here. */
  admin(webhookUrl: string, self?: () => InstanceFacts): AdminContext;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** For one command, without a service: it founds nothing, and see the projection runtime's option. */
  readonly unattended?: boolean;
  /** Commands and appends are spans; absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
  /** Called as soon as the folder is locked, for parts that can start concurrently with the engines. */
  taken?(early: Pick<Instance, 'settings' | 'folder' | 'channel'>): void;
}

/** Locks the data folder and opens everything on it. Rejects with FolderInUse, NoInstallation, or an engine's error. */
export async function openInstance(settings: Settings, log: Log, options: InstanceOptions = {}): Promise<Instance> {
  const undo = new Undo();
  const damage = new DamageWatch(resolve(settings.data), log);
  undo.add('damaged file watch', () => damage.stop());
  try {
    return await opened(settings, log, { ...options, damage }, undo);
  } catch (error) {
    const damaged = await damage.endOfStart();
    await undo.run(log);
    throw damaged === undefined || error instanceof LogDamaged ? error : damaged;
  }
}

async function opened(
  settings: Settings,
  log: Log,
  options: InstanceOptions & { readonly damage: DamageWatch },
  undo: Undo,
): Promise<Instance> {
  const { unattended = false, damage } = options;
  const shared = isShared(settings);
  const name = instanceName(settings);
  // On shared engines the installation is there, and the folder holds nothing of it.
  if (unattended && !shared) requireInstallation(settings.data, firstFile(settings));
  // A command next to a running service of the same folder leaves the files to the service.
  const folder = shared && unattended ? visitDataFolder(settings.data) : takeDataFolder(settings.data);
  undo.guard('data folder', () => folder.release());
  logOpenness(folder, log);
  const channel = channelKeys(settings, folder);
  options.taken?.({ settings, folder, channel });
  const masterKeys = loadMasterKeys(folder.path, settings.masterKeys);
  const secretBox = createSecretBox(...masterKeys);
  const cursors = createAuthenticator(masterKeys, 'cursors');
  const access = { place: vaultPlace(settings, folder.path), masterKeys };
  const snapshots = shared && unattended ? noSnapshots : await openSnapshotFiles(homeOf(settings, folder));
  const fileStore = await openFileStore(settings, !shared);
  undo.add('file store', () => fileStore.close());
  if (shared && !unattended) warnOfOwnFolder(settings, log);
  const { events, documents, projections, vault, patient } = await openEngines(
    { settings, folder, name, log, unattended, vault: access },
    undo,
  );
  checkMark(events, folder);
  // Once it is known that this release can work on it.
  if (!unattended && !shared) noteFormat(folder.path, release.version, new Date(systemClock.now()).toISOString());
  const parts = sealingOf(vault, secretBox, access.place, storedEvents);
  const eventStore = upcasting(sealingAs(settings, events.store, parts), evolvedEvents);
  const { views, work } = documents;
  const clock = unattended ? systemClock : await confirmedClock({ log: events.store, work }, log, patient);
  const treePlace = treePlaces(settings, folder);
  const checkpointing = startCheckpointing({ events, documents, vault: access.place, tree: treePlace }, log);
  undo.add('checkpointer', () => checkpointing?.stop());
  const indexed = indexedPeople(parts);
  const tree = new TreeHost(treePlace, indexed.secret);
  undo.add('proof tree', () => tree.close());
  const historyIndex = openHistoryIndex(settings, folder, indexed);
  undo.add('history index', () => historyIndex?.close());
  const proofs = new Proofs({ work, secretBox, sealingKeys: secretBox, clock, tree });
  const building = unattended ? unwatched : watchBuilding({ projections, clock: clock.steady, log });
  undo.add('read model build watch', () => building.stop());
  const acknowledged = acknowledgedOf(projections, building);
  const stored = createReads(views, (name) => building.percentOf(name));
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
  const traced = await tracedStore(options.tracing);
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
  const commands = traced.commands(plain);
  undo.add('commands', () => commands.idle());
  const storedFiles = createFiles({
    store: fileStore,
    commands,
    trouble: (error) => log.error({ err: error }, 'file store failed'),
  });
  const audio = createAudioReader();
  undo.add('audio reader', () => audio.close());
  const sounds: SoundTools = { fileStore, audio, trouble: (error) => log.error({ err: error }, 'recording failed') };
  const people = personKeys({
    ...{ log: events.store, vault, box: secretBox, sealing: parts, work, snapshots, commands, clock },
    othersWithinMs: shared ? 2 * FORGOTTEN_WITHIN_MS : 0,
  });
  const texts = personTexts({
    ...{ log: events.store, sealing: parts, projections },
    forgetting: () => forgetting.isUnderWay(),
  });
  const forgetting = new Forgetting({
    ...{ people, reads, work, secretBox, clock, projections, log: eventStore, alone: !shared },
    isForgotten: texts.isForgotten,
    names: namesOfCustomers(people),
    staffNames: namesOfStaff(people),
    commands: commandsOf(commands),
  });
  const retaining = new Retaining({ reads, commands, people, forgetting, work, clock });
  const { changes } = projections;
  const watch = changes && acknowledged && watchViews(changes, acknowledged);
  const directory = createAccessDirectory({ reads, clock, watch });
  const progress = { ...viewProgress(projections, shared ? SHARDS : undefined), building: () => building.now() };
  const histories = orderHistories(eventStore, foldOrder);
  return {
    settings,
    folder,
    name,
    shared,
    services: {
      clock,
      eventStore,
      historyIndex,
      commandHandler: commands,
      reads,
      work,
      directory,
      secretBox,
      cursors,
      files: storedFiles,
    },
    engines: { events, documents },
    patient,
    fileStore,
    sounds,
    projections,
    people,
    personTexts: texts,
    forgetting,
    retaining,
    damage,
    building,
    progress,
    acknowledged,
    pageMakers,
    channel,
    histories,
    tree,
    proofs,
    admin: (webhookUrl, self) => ({
      commandHandler: commands,
      reads,
      secretBox,
      sealingKeys: secretBox,
      eventLog: eventStore,
      historyIndex,
      eventTypes: Object.keys(storedEvents),
      storedLog: events.store,
      people,
      forgetting,
      retaining,
      directory,
      waitFor: progress.waitFor,
      projections,
      processors: () => processorsAtRest(eventStore, work),
      tasks: {
        waiting: (processor, most) => waitingTasks(work, processor, most),
        bringForward: (requested) => bringForward(work, requested),
      },
      histories,
      proofs,
      sounds,
      localFiles,
      files: storedFiles,
      deliveryLog: work,
      installation: installationOf({ settings, engines: { events, documents }, fileStore, damage }, self),
      channel: { webhookUrl, verifyToken: channel.verifyToken, appSecret: channel.appSecret },
    }),
    close: () => undo.run(log),
  };
}

/** For a single command next to a service that owns the snapshots. */
const noSnapshots: SnapshotStore = { load: async () => undefined, save: async () => {} };
