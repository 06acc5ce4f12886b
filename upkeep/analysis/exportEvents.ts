/**
 * `suuq export`: the history as files, for standard tools. Each part of the log writes its files, then the manifest. So an interrupted
 * export leaves a consistent manifest, and the next run continues from there.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { positionBefore } from '../../application/history/historySteps.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type Position } from '../../engine/ports/eventStore.js';
import { lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import type { Run } from '../backup/progress.js';
import { type ChunkRequest, chunksOf } from './chunks.js';
import { type Duck, duckError, openDuck } from './duckDb.js';
import type { EventSelection } from './eventFeeder.js';
import { Exporter } from './exporter.js';
import {
  checkLog,
  type ExportRequest,
  type ExportSource,
  GATHERED,
  LOCK,
  removeUnfinished,
  startedExport,
} from './exportFolder.js';
import { type ExportChoice, type ExportFormat, writeManifest } from './manifest.js';

export type { ExportRequest, ExportSource } from './exportFolder.js';

export interface ExportResult {
  readonly folder: string;
  readonly format: ExportFormat;
  /** How many this run added, and how many there are now. */
  readonly added: number;
  readonly events: number;
  readonly files: number;
  readonly bytes: number;
  readonly position: Position;
}

/** Nobody waits for it longer. */
const LONGEST_MS = 24 * 3_600_000;
/** One keeps up with one reader of the log, whatever else the machine does. */
const DUCK_THREADS = 1;

const selectionOf = ({ types, store, from, to }: ExportChoice): EventSelection =>
  defined({
    types,
    stores: store === undefined ? undefined : [store],
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  });

/**
 * Writes the selected events that are missing. Refuses `not_an_export`, `export_differs`, `export_damaged`, `export_in_use`, `other_log`,
 * `storage_full`, `duckdb_missing`; after an interruption the next run continues behind the last complete part.
 */
export async function exportEvents(source: ExportSource, given: ExportRequest, run: Run): Promise<ExportResult> {
  const requested = { ...given, folder: resolve(given.folder) };
  const { folder, format, choice, memoryMb } = requested;
  mkdirSync(join(folder, LOCK), { recursive: true });
  const lock = lockFolder(join(folder, LOCK));
  if (lock === undefined)
    return refuse('export_in_use', `Another export is writing into ${folder}. Wait for it, or stop it.`);
  let duck: Duck | undefined;
  try {
    const manifest = startedExport(requested);
    await checkLog(source, folder, manifest);
    removeUnfinished(folder, manifest);
    duck = await openDuck(
      { memoryMb, withinMs: LONGEST_MS, signal: run.signal },
      { folder, inOrder: true, threads: DUCK_THREADS },
    );
    if (manifest.position === BEFORE_ALL) await writeManifest(folder, manifest);
    const exporting = new Exporter(duck.connection, requested, source.texts, manifest);
    const byType = format !== 'jsonl';
    await duck.during(() => through(source, exporting, { selection: selectionOf(choice), byType }, run));
    const { events, files, bytes, position } = exporting.manifest;
    return { folder, format, added: exporting.added, events, files: files.length, bytes, position };
  } catch (error) {
    throw duckError(error, requested);
  } finally {
    duck?.close();
    rmSync(join(folder, GATHERED), { recursive: true, force: true });
    lock.release();
  }
}

/** Goes through the log from where the export ends to where the log ends now. */
async function through(
  { texts, log, chunks = (range, requested) => chunksOf(texts, range, requested) }: ExportSource,
  exporting: Exporter,
  request: ChunkRequest,
  { report, signal }: Run,
): Promise<void> {
  const { position } = exporting.manifest;
  const { from } = request.selection;
  const end = await texts.head();
  const first = position === BEFORE_ALL && from !== undefined ? await positionBefore(log, from) : position;
  for await (const chunk of chunks({ after: first, through: end }, request)) {
    signal.throwIfAborted();
    await exporting.add(chunk);
    const share = (chunk.through - first) / Math.max(1, end - first);
    report({ phase: 'export', share, done: `${exporting.added} events` });
    // Where the log is read without a turn of the event loop, the files of the last part would wait for the end of this one.
    await turn();
  }
  if (end > position) await exporting.finishPart(end);
  await exporting.end();
}
