/** Manifest of a backup. It is written last: if it exists, the backup is complete. */
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { refuse } from '../../domain/decider.js';
import { isFileName } from '../../infrastructure/files/fileNames.js';

export const MANIFEST = 'manifest.json';
/** One line of JSON for each file of the file store: `PartOfBackup`. */
export const FILE_LIST = 'files.jsonl';
/** Below it, the files of the file store. */
export const FILES = 'files';

/** Format version of a backup's layout. A change that older releases cannot restore needs a new number. */
const FORMAT = 1;
const MOST_BYTES = 1024 * 1024;

/** `size` in bytes, `sha256` in hex. */
export interface PartOfBackup {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  /** Version of the release that made it. */
  readonly version: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** `head`: position of the newest event in it, -1 without any; `id`: of that event. `layout`: of events.db. */
  readonly log: { readonly head: number; readonly id?: string; readonly events: number; readonly layout: number };
  /** `mark` identifies the key that encrypted the stored secrets, and reveals nothing else. */
  readonly masterKey: { readonly included: boolean; readonly mark?: string };
  /** Contents of the file store. `left`: number of foreign names. `elsewhere`: location of files that were not copied. */
  readonly files:
    | { readonly count: number; readonly bytes: number; readonly left: number }
    | { readonly elsewhere: string };
  readonly parts: readonly PartOfBackup[];
}

export const manifestOf = (of: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...of });

export const isPart = (one: unknown): one is PartOfBackup => {
  const { name, size, sha256 } = (one ?? {}) as Partial<PartOfBackup>;
  return (
    typeof name === 'string' &&
    isFileName(name) &&
    Number.isSafeInteger(size) &&
    size! >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  );
};

/** Refuses `backup_newer` and `backup_damaged`. */
export function parseManifest(text: string, newestLayout: number): Manifest {
  let found: Partial<Manifest>;
  try {
    found = JSON.parse(text) as Partial<Manifest>;
  } catch {
    return damaged(`${MANIFEST} is not JSON`);
  }
  if (typeof found !== 'object' || found === null || !Number.isInteger(found.format))
    return damaged(`${MANIFEST} is not the manifest of a backup`);
  if (found.format! > FORMAT || (found.log?.layout ?? 0) > newestLayout)
    refuse(
      'backup_newer',
      `The backup was made by a newer release (${found.version}). Restore it with that release or a newer one.`,
    );
  const { log, masterKey, files, parts } = found;
  const whole =
    Number.isInteger(log?.head) && Number.isInteger(log?.events) && masterKey !== undefined && files !== undefined;
  if (!whole || !Array.isArray(parts) || !parts.every(isPart)) return damaged(`${MANIFEST} is incomplete`);
  return found as Manifest;
}

export const damaged = (what: string): never =>
  refuse('backup_damaged', `The backup is damaged: ${what}. Use another backup.`);

/** The text of a stream that ought to be small. */
export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return damaged(`${MANIFEST} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The keys in use, the one that seals first: the setting, or the file. None: neither is there. */
export function keysIn(file: string, setting: readonly Uint8Array[] | undefined): readonly Uint8Array[] {
  if (setting !== undefined) return setting;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split(/\s+/);
  return lines.map((line) => Buffer.from(line, 'hex'));
}

/** Mark of a random key of 32 bytes: it does not reveal the key. */
export const keyMark = (key: Uint8Array): string =>
  createHmac('sha256', key).update('the master key of a backup').digest('hex').slice(0, 16);
