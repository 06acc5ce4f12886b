/** The engines and what stands on them, without HTTP: what the service runs on, and what a command uses on its own. */
import { createAccessDirectory } from '../../application/access/directory.js';
import type { AdminContext } from '../../application/admin/context.js';
import { createCommandHandler, type RunningCommandHandler } from '../../application/commandHandler/commandHandler.js';
import { orderHistories } from '../../application/history/orderHistory.js';
import { systemClock } from '../../application/ports/clock.js';
import type { EventStore } from '../../application/ports/eventStore.js';
import { createReads } from '../../application/readModelReads.js';
import { loadMasterKey } from '../../infrastructure/secrets/masterKey.js';
import { createSecretBox } from '../../infrastructure/secrets/secretBox.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import { startCheckpointer } from '../../infrastructure/sqlite/checkpointer.js';
import { foldOrder } from '../../projections/orders.js';
import type { Log } from '../log.js';
import type { Services, ViewProgress } from '../services.js';
import type { Settings } from '../settings.js';
import { type ChannelKeys, channelKeys } from './channelKeys.js';
import { type DataFolder, takeDataFolder } from './dataFolder.js';
import { type DocumentEngine, type EventEngine, openDocumentEngine, openEventEngine } from './engines.js';
import { type ProjectionsThread, startProjectionsThread } from './projectionsHost.js';
import { Undo } from './undo.js';
import { viewProgress } from './viewProgress.js';

export interface Instance {
  readonly settings: Settings;
  readonly folder: DataFolder;
  readonly services: Services;
  readonly engines: { readonly events: EventEngine; readonly documents: DocumentEngine };
  readonly eventStore: EventStore;
  readonly projections: ProjectionsThread;
  readonly commands: RunningCommandHandler;
  readonly progress: ViewProgress;
  readonly channel: ChannelKeys;
  readonly histories: AdminContext['histories'];
  /** For the operator's commands; `webhookUrl`: where the channel reaches this installation. */
  admin(webhookUrl: string): AdminContext;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** For one command, without a service: see the projection runtime's option. */
  readonly unattended?: boolean;
  /** Told as soon as the folder is taken, for what can start beside the engines. */
  taken?(early: Pick<Instance, 'settings' | 'folder' | 'channel'>): void;
}

/** Takes the data folder and opens everything on it. Rejects with FolderInUse, or what kept an engine from opening. */
export async function openInstance(settings: Settings, log: Log, options: InstanceOptions = {}): Promise<Instance> {
  const undo = new Undo();
  try {
    return await opened(settings, log, options, undo);
  } catch (error) {
    await undo.run(log);
    throw error;
  }
}

async function opened(settings: Settings, log: Log, options: InstanceOptions, undo: Undo): Promise<Instance> {
  const folder = takeDataFolder(settings.data);
  undo.add(() => folder.release());
  const channel = channelKeys(settings, folder);
  options.taken?.({ settings, folder, channel });
  const clock = systemClock;
  const secretBox = createSecretBox(loadMasterKey(folder.path, settings.masterKey));
  const snapshots = await openSnapshotFiles(folder.path);
  const events = await openEventEngine(settings, folder, log);
  undo.add(() => events.close());
  const { store: eventStore, embedded } = events;
  const host = await startProjectionsThread({
    folder: folder.path,
    connectReader: () => embedded!.connectReader(),
    log,
    ...(options.unattended === undefined ? {} : { unattended: options.unattended }),
  });
  undo.add(() => host.stop());
  const documents = await openDocumentEngine(settings, folder, log);
  undo.add(() => documents.close());
  const { views, work } = documents;
  const files = [...events.files, ...documents.files];
  const checkpointer = startCheckpointer(files, (error) =>
    log.warn({ err: error }, 'the checkpointer has ended; commits move their logs themselves'),
  );
  undo.add(() => checkpointer.stop());
  const reads = createReads(views);
  const commands = createCommandHandler({
    eventStore,
    snapshots,
    clock,
    observer: {
      snapshotFailed: (stream, error) => log.warn({ stream, err: error }, 'a snapshot could not be written'),
    },
  });
  undo.add(() => commands.idle());
  const directory = createAccessDirectory({ reads, clock });
  const progress = viewProgress(host);
  const histories = orderHistories(eventStore, foldOrder);
  return {
    settings,
    folder,
    services: { clock, eventStore, commandHandler: commands, reads, work, directory, secretBox },
    engines: { events, documents },
    eventStore,
    projections: host,
    commands,
    progress,
    channel,
    histories,
    admin: (webhookUrl) => ({
      commandHandler: commands,
      reads,
      secretBox,
      directory,
      waitFor: progress.waitFor,
      projections: host,
      histories,
      channel: { webhookUrl, verifyToken: channel.verifyToken, appSecret: channel.appSecret },
    }),
    close: () => undo.run(log),
  };
}
