/** All stored data of an installation, opened for reading concurrently with a writer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { Log } from '../../engine/ports/log.js';
import type { ReportLost } from '../../engine/sealing/sealingStore.js';
import type { EventReads } from '../../engine/upcasting.js';
import { openEmbeddedEventStoreReader } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { accessOf, type OpenedLog, openedWith } from '../../service/composition/privacy/vaults.js';
import { openEventStoreDb, openMongo } from '../../service/engines/engines.js';
import type { EngineSettings } from '../../service/settings/engineSettings.js';
import type { Settings } from '../../service/settings/settings.js';
import { Undo } from '../../service/shutdown.js';

export type StoredSettings = Pick<EngineSettings, 'eventStoreUrl' | 'maxAppendSize' | 'mongoUrl'> &
  Pick<Settings, 'masterKeys'>;

export interface Stored {
  readonly log: OpenedLog;
  /** Undefined: there are none yet. */
  readonly views: DocumentStore | undefined;
  readonly work: DocumentStore | undefined;
  /** Folder of what was made from the log, snapshots among it. */
  readonly home: string;
  close(): Promise<void>;
}

/** Folder of derived data in the data folder; nothing is created. */
export const storedHome = ({ eventStoreUrl }: StoredSettings, folder: string): string =>
  eventStoreUrl === undefined ? folder : join(folder, 'eventstoredb');

/**
 * `folder`: the data folder; its events.db must be there unless the log is elsewhere. `report`: of events whose keys are missing, which
 * are then read as erased. Rejects with StoreUnavailable.
 */
export function openStored(settings: StoredSettings, folder: string, log: Log, report?: ReportLost): Promise<Stored> {
  return openedWhole(log, (undo) => opened(settings, folder, log, undo, report));
}

/** The log alone, of the same. */
export function openStoredLog(
  settings: StoredSettings,
  folder: string,
  log: Log,
): Promise<Pick<Stored, 'log' | 'close'>> {
  return openedWhole(log, async (undo) => ({
    log: await openedLog(settings, folder, log, undo),
    close: () => undo.run(log),
  }));
}

/** Closes the opened parts if the rest cannot be opened. */
async function openedWhole<R>(log: Log, open: (undo: Undo) => Promise<R>): Promise<R> {
  const undo = new Undo();
  try {
    return await open(undo);
  } catch (error) {
    await undo.run(log);
    throw error;
  }
}

async function openedLog(
  settings: StoredSettings,
  folder: string,
  log: Log,
  undo: Undo,
  report?: ReportLost,
): Promise<OpenedLog> {
  const { eventStoreUrl, maxAppendSize } = settings;
  const access = accessOf(settings, folder);
  const raw =
    eventStoreUrl === undefined ? embeddedLog(folder, undo) : await openEventStoreDb(eventStoreUrl, maxAppendSize, log);
  const reads = await openedWith(raw, access, report);
  undo.add('log', () => reads.close());
  return reads;
}

async function opened(
  settings: StoredSettings,
  folder: string,
  log: Log,
  undo: Undo,
  report: ReportLost | undefined,
): Promise<Stored> {
  const { mongoUrl } = settings;
  const home = storedHome(settings, folder);
  const raw = await openedLog(settings, folder, log, undo, report);
  const embedded = (name: string): DocumentStore | undefined =>
    existsSync(join(home, name)) ? openEmbeddedReadModels(join(home, name), { readonly: true, name }) : undefined;
  const open = async (prefix: 'views' | 'work'): Promise<DocumentStore | undefined> => {
    const store = mongoUrl === undefined ? embedded(`${prefix}.db`) : await openMongo(mongoUrl, prefix, log);
    undo.add(prefix, () => store?.close());
    return store;
  };
  const views = await open('views');
  const work = await open('work');
  return { log: raw, views, work, home, close: () => undo.run(log) };
}

function embeddedLog(folder: string, undo: Undo): EventReads {
  const { port1, port2 } = new MessageChannel();
  port2.unref();
  undo.add('wakes', () => port2.close());
  return openEmbeddedEventStoreReader(folder, port1);
}
