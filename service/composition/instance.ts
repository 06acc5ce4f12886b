/** The engines and everything built on them except HTTP: the base of the service, and of single commands. */

import { resolve } from 'node:path';
import type { Services, ViewProgress } from '../../api/contract/services.js';
import type { PageMakers } from '../../api/http/pageMakers.js';
import type { Files } from '../../application/files/files.js';
import { orderHistories } from '../../application/orders/orderHistory.js';
import type { FileStore } from '../../application/ports/fileStore.js';
import type { SealingKeys } from '../../application/ports/sealingKeys.js';
import { Proofs } from '../../application/proofs/proofs.js';
import type { SoundTools } from '../../application/recordings/recordingUploads.js';
import { systemClock } from '../../engine/ports/clock.js';
import { LogDamaged } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { Tracing } from '../../engine/ports/tracing.js';
import { processorsAtRest } from '../../engine/processors/processorStops.js';
import { bringForward, waitingTasks } from '../../engine/processors/retries.js';
import type { Acknowledged } from '../../engine/projections/acknowledged.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { upcasting } from '../../engine/upcasting.js';
import { localFiles } from '../../infrastructure/files/localFiles.js';
import { createAuthenticator } from '../../infrastructure/secrets/authenticator.js';
import { foldOrder } from '../../projections/orders.js';
import type { AdminContext } from '../admin/context.js';
import { checkMark, type DocumentEngine, type EventEngine, isShared } from '../engines/engines.js';
import type { ChannelKeys, DataFolder } from '../folder/dataFolder.js';
import { noteFormat } from '../folder/folderFormat.js';
import type { TreeHost } from '../proofs/treeHost.js';
import { release } from '../release.js';
import { instanceName, type Settings } from '../settings/settings.js';
import { Undo } from '../shutdown.js';
import { confirmedClock } from './confirmedClock.js';
import { DamageWatch } from './damageWatch.js';
import { evolvedEvents, storedEvents } from './events.js';
import { installationOf } from './installation.js';
import { type FolderOptions, openBase, openCommands, openFiles, openTree, openViews } from './instanceParts.js';
import { type Engines, openEngines } from './openEngines.js';
import type { InstanceFacts } from './presence.js';
import { openPrivacy, type Privacy } from './privacy/openPrivacy.js';
import { sealingAs, sealingOf } from './privacy/vaults.js';
import type { ViewsBuilding } from './viewsBuilding.js';

export interface Instance extends Privacy {
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

export interface InstanceOptions extends FolderOptions {
  /** Commands and appends are spans; absent where no traces are written. */
  readonly tracing?: Tracing | undefined;
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
  const base = await openBase(settings, log, options, undo);
  const { folder, channel, masterKeys, secretBox, access, snapshots, fileStore } = base;
  const { events, documents, projections, vault, patient } = await openEngines(
    { settings, folder, name, log, unattended, vault: access },
    undo,
  );
  checkMark(events, folder);
  // Once it is known that this release can work on it.
  if (!unattended && !shared) noteFormat(folder.path, release.version, new Date(systemClock.now()).toISOString());
  const parts = sealingOf(vault, secretBox, access.place, storedEvents);
  const eventStore = upcasting(sealingAs(settings, events.store, parts), evolvedEvents);
  const { work } = documents;
  const clock = unattended ? systemClock : await confirmedClock({ log: events.store, work }, log, patient);
  const place = { settings, folder, events, documents, vaultPlace: access.place };
  const { tree, historyIndex } = openTree(place, parts, log, undo);
  const proofs = new Proofs({ work, secretBox, sealingKeys: secretBox, clock, tree });
  const views = openViews({ settings, folder, unattended, documents, projections, masterKeys, clock, log }, undo);
  const { reads } = views;
  const commands = await openCommands({
    settings,
    log,
    events,
    eventStore,
    snapshots,
    clock,
    tracing: options.tracing,
  });
  undo.add('commands', () => commands.idle());
  const { files, sounds } = openFiles(fileStore, commands, log, undo);
  const privacy = openPrivacy({
    ...{ storedLog: events.store, log: eventStore, vault, secretBox, sealing: parts, snapshots },
    ...{ reads, work, projections, commands, clock, shared },
  });
  const instance: Omit<Instance, 'admin' | 'close'> = {
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
      directory: views.directory,
      secretBox,
      cursors: createAuthenticator(masterKeys, 'cursors'),
      files,
    },
    engines: { events, documents },
    patient,
    fileStore,
    sounds,
    projections,
    ...privacy,
    damage,
    building: views.building,
    progress: views.progress,
    acknowledged: views.acknowledged,
    pageMakers: views.pageMakers,
    channel,
    histories: orderHistories(eventStore, foldOrder),
    tree,
    proofs,
  };
  return {
    ...instance,
    admin: (webhookUrl, self) => adminContext(instance, secretBox, webhookUrl, self),
    close: () => undo.run(log),
  };
}

function adminContext(
  instance: Omit<Instance, 'admin' | 'close'>,
  sealingKeys: SealingKeys,
  webhookUrl: string,
  self?: () => InstanceFacts,
): AdminContext {
  const { services, engines, people, forgetting, retaining, progress, projections } = instance;
  const { histories, proofs, sounds, channel, settings, fileStore, damage } = instance;
  const { commandHandler, reads, secretBox, work, historyIndex, eventStore, directory, files } = services;
  return {
    commandHandler,
    reads,
    secretBox,
    sealingKeys,
    eventLog: eventStore,
    historyIndex,
    eventTypes: Object.keys(storedEvents),
    storedLog: engines.events.store,
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
    files,
    deliveryLog: work,
    installation: installationOf({ settings, engines, fileStore, damage }, self),
    channel: { webhookUrl, verifyToken: channel.verifyToken, appSecret: channel.appSecret },
  };
}
