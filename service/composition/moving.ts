/** `suuq move`: a whole embedded history into an EventStoreDB, with what is owed by it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { idempotencyKeys } from '../../api/idempotency.js';
import { usedTokens } from '../../application/access/usedTokens.js';
import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { refuse } from '../../domain/decider.js';
import { type MoveProgress, moveHistory } from '../../engine/moving/moveHistory.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { hostsOf } from '../settings/engineSettings.js';
import type { MoveSettings } from '../settings/moveSettings.js';
import { carryWork } from './carriedWork.js';
import { type DataFolder, takeDataFolder } from './dataFolder.js';
import { homeOf } from './engines.js';
import { checkLog } from './logMark.js';
import { mostBytesOf, openEventStoreDb, openMongo } from './servers.js';
import { Undo } from './undo.js';

export interface MoveResult {
  /** Events that both hold now. */
  readonly events: number;
  /** SHA-256 over all of them, in order. */
  readonly digest: string;
  /** Owed tasks, attempts of deliveries and keys of requests that were carried over. */
  readonly documents: number;
  /** Where they are now, without credentials. */
  readonly to: string;
  readonly documentsTo: string;
  /** The key that sealed the secrets in it, where it lies in the data folder. */
  readonly masterKeyFile?: string;
}

const TELL_MS = 1000;
const CARRIED = [...webhookCollections, idempotencyKeys, usedTokens];

/** A line when a phase begins or ends, and at most one a second between. */
function teller(tell: (line: string) => void): (now: MoveProgress) => void {
  let phase = '';
  let toldAt = Number.NEGATIVE_INFINITY;
  return (now) => {
    const at = performance.now();
    if (now.phase === phase && at - toldAt < TELL_MS && now.share < 1) return;
    phase = now.phase;
    toldAt = at;
    tell(`${phase}: ${now.events.toLocaleString('en')} events, ${Math.floor(now.share * 100)} %`);
  };
}

/**
 * Works only while no service has the data folder; changes nothing in it. Can be stopped at any instant and called again.
 * Rejects with FolderInUse, MoveError, StoreUnavailable, or the signal's reason.
 */
export async function move(
  settings: MoveSettings,
  log: Log,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<MoveResult> {
  const undo = new Undo();
  try {
    const folder = takeDataFolder(settings.data);
    undo.add(() => folder.release());
    if (!existsSync(folder.file('events.db')))
      refuse('nothing_to_move', `There is no events.db in ${folder.path}. Set SUUQ_DATA to the folder of the history.`);
    const source = await openEmbeddedEventStore(folder.path);
    undo.add(() => source.close());
    const target = await openEventStoreDb(settings.to, settings.maxAppendSize, log);
    undo.add(() => target.close());
    const mostBytes = mostBytesOf(settings.maxAppendSize);
    const moved = await moveHistory({ source, target, mostBytes, progress: teller(tell), signal });
    const { documents, documentsTo } = await carried(settings, folder, { source, target }, log, undo);
    const masterKeyFile = folder.file('master.key');
    return {
      ...moved,
      documents,
      to: `EventStoreDB at ${hostsOf(settings.to)}`,
      documentsTo,
      ...(existsSync(masterKeyFile) ? { masterKeyFile } : {}),
    };
  } finally {
    await undo.run(log);
  }
}

async function carried(
  settings: MoveSettings,
  folder: DataFolder,
  { source, target }: { readonly source: EventStore; readonly target: EventStore },
  log: Log,
  undo: Undo,
): Promise<Pick<MoveResult, 'documents' | 'documentsTo'>> {
  const { work, name } = await targetWork(settings, folder, log);
  undo.add(() => work.close());
  await checkLog({ store: target, name: `EventStoreDB at ${hostsOf(settings.to)}` }, { work, name });
  const file = folder.file('work.db');
  if (!existsSync(file)) return { documents: 0, documentsTo: name };
  const before = openEmbeddedReadModels(file, { readonly: true, name: 'work.db' });
  undo.add(() => before.close());
  const { documents } = await carryWork({ log: source, work: before }, { log: target, work }, CARRIED);
  return { documents, documentsTo: name };
}

async function targetWork(
  { mongoUrl, to }: MoveSettings,
  folder: DataFolder,
  log: Log,
): Promise<{ work: DocumentStore; name: string }> {
  if (mongoUrl !== undefined)
    return { work: await openMongo(mongoUrl, 'work', log), name: `MongoDB at ${hostsOf(mongoUrl)}` };
  const file = join(homeOf({ eventStoreUrl: to }, folder), 'work.db');
  return { work: openEmbeddedReadModels(file, { name: 'work.db' }), name: file };
}
