/** `suuq move`: moves a whole embedded history into an EventStoreDB or another data folder, with its pending work. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { idempotencyKeys } from '../../api/http/idempotency/idempotency.js';
import { usedTokens } from '../../application/access/usedTokens.js';
import { forgettings } from '../../application/privacy/forgettingNotes.js';
import { earlierHeads, moveStatements } from '../../application/proofs/movedLogs.js';
import { proofKeys } from '../../application/proofs/signingKeys.js';
import { proofHeads } from '../../application/proofs/treeHeads.js';
import { webhookCollections } from '../../application/webhooks/deliveryLog.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { type MoveProgress, moveHistory } from '../../engine/moving/moveHistory.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { judgeWork, type Origin } from '../../engine/processors/tasks/workOrigin.js';
import type { SignedStatement } from '../../engine/proofs/moveStatement.js';
import { logOpenness } from '../../infrastructure/files/privateFolder.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { carryVault } from '../../service/composition/privacy/vaults.js';
import { checkLog } from '../../service/engines/engineChecks.js';
import { requireFit } from '../../service/engines/workChecks.js';
import { type DataFolder, takeDataFolder } from '../../service/folder/dataFolder.js';
import type { MoveSettings } from '../../service/settings/moveSettings.js';
import { Undo } from '../../service/shutdown.js';
import { beginWork, carryDocuments, carryProcessors, finishWork } from './movedWork.js';
import { type MoveTarget, openTarget } from './moveTargets.js';
import { type SealedMove, sealOnTheWay } from './sealedMove.js';

export interface MoveResult {
  /** Events that both hold now. */
  readonly events: number;
  /** SHA-256 over all of them, opened where they are sealed on the way, in order. */
  readonly digest: string;
  /** Number of moved tasks, delivery attempts and request keys. */
  readonly documents: number;
  /** New location, without credentials. */
  readonly to: string;
  readonly documentsTo: string;
  /** The key that sealed the secrets in it, where it lies in the data folder and has to be named from now on. */
  readonly masterKeyFile?: string;
  /** Number of files in the new data folder, with keys and the sandbox's state; absent if there is none. */
  readonly files?: number;
  /** True if personal data were sealed during the move. */
  readonly sealed: boolean;
  /** Signed statement of the move; absent if no leaf has changed, or there was no event. */
  readonly statement?: SignedStatement;
}

const TELL_MS = 1000;
const IDLE_MS = 10_000;
/** The tree itself is rebuilt from the log there. */
const CARRIED = [
  ...webhookCollections,
  idempotencyKeys,
  usedTokens,
  proofKeys,
  moveStatements,
  earlierHeads,
  forgettings,
];

/** A line when a phase begins or ends, at most one a second between, and one every ten seconds in which nothing goes on. */
function teller(report: (line: string) => void, target: string): { progress(now: MoveProgress): void; stop(): void } {
  let phase = '';
  let reportedAt = Number.NEGATIVE_INFINITY;
  const idle = setInterval(() => report(`waiting for ${target}`), IDLE_MS);
  return {
    progress(now) {
      idle.refresh();
      const at = performance.now();
      if (now.phase === phase && at - reportedAt < TELL_MS && now.share < 1) return;
      phase = now.phase;
      reportedAt = at;
      report(`${phase}: ${now.events.toLocaleString('en')} events, ${Math.floor(now.share * 100)} %`);
    },
    stop: () => clearInterval(idle),
  };
}

/**
 * Works only while no service has the data folder; changes nothing in it. Can be stopped at any instant and called again.
 * Refuses `nothing_to_move`, `same_folder`, `data_folder_not_empty`, `log_contradicts_head`; rejects with FolderInUse, WorkRefused,
 * MoveError, StoreUnavailable, VaultIncomplete, or the signal's reason.
 */
export async function move(
  settings: MoveSettings,
  log: Log,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<MoveResult> {
  const undo = new Undo();
  try {
    if (!existsSync(join(settings.data, 'events.db')))
      refuse(
        'nothing_to_move',
        `There is no events.db in ${resolve(settings.data)}. Set SUUQ_DATA to the data folder.`,
      );
    const folder = takeDataFolder(settings.data);
    undo.guard('data folder', () => folder.release());
    logOpenness(folder, log);
    const source = await openEmbeddedEventStore(folder.path);
    undo.add('log', () => source.close());
    const before = await sourceWork(source, folder, undo);
    const target = await openTarget(settings, { source, folder, log, signal }, undo);
    return await moved({ settings, folder, source, before, target, report, signal }, undo);
  } finally {
    await undo.run(log);
  }
}

interface Moving {
  readonly settings: MoveSettings;
  readonly folder: DataFolder;
  readonly source: EventStore;
  readonly before: SourceWork;
  readonly target: MoveTarget;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

async function moved(moving: Moving, undo: Undo): Promise<MoveResult> {
  const { settings, folder, source, before, target, report, signal } = moving;
  const sealed = settings.seal
    ? await sealOnTheWay({ settings, folder, source, target, work: before?.work, report, signal }, undo)
    : undefined;
  const reported = teller(report, target.name);
  undo.add('progress', () => reported.stop());
  const change = defined({ change: sealed?.change });
  const { mostBytes } = target;
  const copied = await moveHistory({
    source,
    target: target.log,
    mostBytes,
    progress: reported.progress,
    signal,
    ...change,
  });
  reported.stop();
  const rest = await carried(moving, sealed);
  const masterKeyFile = folder.file('master.key');
  return {
    ...copied,
    ...rest,
    sealed: settings.seal,
    to: target.name,
    documentsTo: target.workName,
    ...(target.fill === undefined && existsSync(masterKeyFile) ? { masterKeyFile } : {}),
  };
}

async function carried(
  { folder, source, before, target }: Moving,
  sealed: SealedMove | undefined,
): Promise<Pick<MoveResult, 'documents' | 'files' | 'statement'>> {
  const { work } = target;
  if (target.fill === undefined)
    await checkLog({ store: target.log, name: target.name }, { work, name: target.workName });
  if (sealed === undefined) await carryVault(folder.path, target.vault, work);
  const to = { log: target.log, work };
  if (before === undefined) {
    await finishWork({ log: source, work }, to, undefined);
    return { documents: 0 };
  }
  const from = { log: source, work: before.work };
  await beginWork(work);
  let documents = await carryDocuments(from, to, CARRIED);
  const statement = await sealed?.prove();
  // Heads of a log whose leaves have changed are not moved.
  if (statement === undefined) documents += await carryDocuments(from, to, [proofHeads]);
  documents += await carryProcessors(from, to);
  const files = await target.fill?.();
  await finishWork(from, to, before.origin);
  return { documents, ...defined({ files, statement }) };
}

/** Undefined: there was neither a log nor work. */
type SourceWork = { readonly work: DocumentStore; readonly origin: Origin | undefined } | undefined;

/** Opens the pending work, which must exist and belong to this log. Rejects with WorkRefused before anything is copied. */
async function sourceWork(source: EventStore, folder: DataFolder, undo: Undo): Promise<SourceWork> {
  const file = folder.file('work.db');
  const names = [{ name: 'events.db' }, { name: 'work.db' }] as const;
  if (!existsSync(file)) {
    if ((await source.head()) === BEFORE_ALL) return undefined;
    requireFit({ fits: false, code: 'work_is_missing', unfinished: false }, ...names);
  }
  const work = openEmbeddedReadModels(file, { readonly: true, name: 'work.db' });
  undo.add('work', () => work.close());
  const state = await judgeWork(source, work);
  requireFit(state, ...names);
  return { work, origin: state.fits ? state.origin : undefined };
}
