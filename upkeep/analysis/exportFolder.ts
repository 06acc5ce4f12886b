/** The folder of an export: whether it may be written into, what it holds already, and what a run that was ended left in it. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SpannedLog } from '../../application/timeSpans.js';
import { refuse } from '../../domain/decider.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';
import type { LogRange } from '../logRanges/rangeThreads.js';
import type { Chunk, ChunkRequest } from './chunks.js';
import type { EventTexts } from './eventTexts.js';
import {
  checkFiles,
  type ExportChoice,
  type ExportFormat,
  type ExportManifest,
  MANIFEST,
  readManifest,
} from './manifest.js';

export interface ExportRequest {
  readonly folder: string;
  readonly format: ExportFormat;
  readonly choice: ExportChoice;
  readonly memoryMb: number;
}

export interface ExportSource {
  readonly texts: EventTexts;
  readonly log: Pick<EventStore, 'readAll' | 'readStream' | 'head'> & Pick<SpannedLog, 'index'>;
  /** As `chunksOf` makes them of `texts`, where that is faster otherwise. */
  readonly chunks?: (range: LogRange, requested: ChunkRequest) => AsyncIterable<Chunk>;
}

/** Below the folder: what is exported; what is gathered for it; the lock. */
export const EVENTS = 'events';
export const GATHERED = '.gathered';
export const LOCK = '.lock';
const OWN = [LOCK, GATHERED, `${MANIFEST}.part`];
const OWN_FILE = /^\d{16}-\d{16}\.(?:parquet|csv|jsonl)(?:\.part)?$/;

const emptyManifest = ({ format, choice }: ExportRequest): ExportManifest => ({
  layout: 1,
  format,
  choice,
  position: BEFORE_ALL,
  events: 0,
  bytes: 0,
  files: [],
});

/** Manifest of the folder's export so far. Refuses `not_an_export`, `export_differs`, `export_damaged`. */
export function startedExport(requested: ExportRequest): ExportManifest {
  const { folder, format, choice } = requested;
  const manifest = readManifest(folder);
  if (manifest === undefined) {
    const others = readdirSync(folder).filter((name) => !OWN.includes(name));
    if (others.length > 0)
      refuse('not_an_export', `${folder} contains ${others[0]} but no ${MANIFEST}. Export into an empty folder.`);
    return emptyManifest(requested);
  }
  if (manifest.format !== format || JSON.stringify(manifest.choice) !== JSON.stringify(choice))
    refuse(
      'export_differs',
      `${folder} holds an export with --format ${manifest.format} of ${JSON.stringify(manifest.choice)}. Repeat the same options, or name another folder.`,
    );
  checkFiles(folder, manifest);
  return manifest;
}

/** Removes what a run that was ended has written and no manifest names. */
export function removeUnfinished(folder: string, { files }: ExportManifest): void {
  rmSync(join(folder, GATHERED), { recursive: true, force: true });
  const retained = new Set(files.map(({ path }) => path));
  const all = existsSync(join(folder, EVENTS))
    ? readdirSync(join(folder, EVENTS), { recursive: true, encoding: 'utf8' })
    : [];
  for (const below of all) {
    const path = `${EVENTS}/${below.replaceAll('\\', '/')}`;
    if (OWN_FILE.test(path.slice(path.lastIndexOf('/') + 1)) && !retained.has(path)) rmSync(join(folder, path));
  }
}

/** Refuses `other_log` where the log is not the one that the export was made of. */
export async function checkLog(
  { texts, log }: ExportSource,
  folder: string,
  { newest, position }: ExportManifest,
): Promise<void> {
  const head = await texts.head();
  const [found] = newest === undefined ? [] : await log.readStream(newest.stream, { from: newest.revision, limit: 1 });
  if (position <= head && found?.id === newest?.id) return;
  refuse('other_log', `${folder} was exported from another log. Export into another folder.`);
}

/** Suuq's own types, and what may name a folder on any system. */
const PLAIN = /^\w[\w.-]{0,99}$/;

/** Folder of a type's files. Other programs name their types as they like: what names no folder goes by its hash. */
export const folderOf = (type: string): string =>
  PLAIN.test(type) ? type : `_${createHash('sha256').update(type).digest('hex').slice(0, 32)}`;
