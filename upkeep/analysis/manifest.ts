/** Manifest of an export: `manifest.json` in its folder, written after each part, so that it only names complete files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../../domain/decider.js';
import type { EventMark, Position } from '../../engine/ports/eventStore.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';

export const FORMATS = ['parquet', 'csv', 'jsonl'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ExportFile {
  /** Below the folder, with '/' between. */
  readonly path: string;
  /** Type of all its events; absent: several types. */
  readonly type?: string;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Which events an export holds, all where a member is absent, and how they are written. */
export interface ExportChoice {
  readonly types?: readonly string[];
  /** Workspace id. */
  readonly store?: string;
  /** RFC 3339; `to` itself is left out. */
  readonly from?: string;
  readonly to?: string;
  /** CSV: text that a spreadsheet would compute has an apostrophe in front. */
  readonly escapeFormulas?: true;
}

export interface ExportManifest {
  readonly layout: 1;
  readonly format: ExportFormat;
  readonly choice: ExportChoice;
  /** All events of the log up to here are in it that were chosen. */
  readonly position: Position;
  /** Mark of its newest event: it distinguishes this log from others. */
  readonly newest?: EventMark;
  readonly events: number;
  /** Size of the whole export. */
  readonly bytes: number;
  readonly files: readonly ExportFile[];
}

export const MANIFEST = 'manifest.json';
const MANY = 3;

/** Undefined: there is none. Refuses `export_damaged`. */
export function readManifest(folder: string): ExportManifest | undefined {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return undefined;
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as ExportManifest;
    if (read.layout === 1 && FORMATS.includes(read.format) && Array.isArray(read.files)) return read;
  } catch {
    // An invalid manifest counts as empty.
  }
  return refuse(
    'export_damaged',
    `${path} is not an export manifest that this release supports. Export into another folder.`,
  );
}

/** Checks by their size that all files of the manifest exist. Refuses `export_damaged`, with the files. */
export function checkFiles(folder: string, { files }: ExportManifest): void {
  const wrong = files.filter(
    ({ path, bytes }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size !== bytes,
  );
  if (wrong.length === 0) return;
  const names = wrong.slice(0, MANY).map(({ path }) => path);
  const more = wrong.length > MANY ? ` and ${wrong.length - MANY} more` : '';
  refuse(
    'export_damaged',
    `${wrong.length} files of the export in ${folder} are missing or differ in size from its manifest: ${names.join(', ')}${more}. Restore them, or export into another folder.`,
  );
}

/** Writes atomically. */
export async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  const draft = join(folder, `${MANIFEST}.part`);
  const file = await open(draft, 'w');
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, MANIFEST));
  await flushFolder(folder);
}
