/** Locations of backups: sub-folders of a folder, or prefixes of a bucket, one per backup, named by the time. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileStore } from '../../application/ports/fileStore.js';
import { refuse } from '../../domain/decider.js';
import { DRAFTS } from '../../infrastructure/files/fileNames.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { openFolderFiles } from '../../infrastructure/files/folderFiles.js';
import type { PlaceSettings } from '../../service/settings/backupSettings.js';
import type { BucketSettings } from '../../service/settings/fileSettings.js';
import { ANY_SIZE } from './copying.js';
import { FILES, MANIFEST } from './manifest.js';

/** A backup in the making. Nothing that looks whole is there before `finish` has resolved. */
export interface NewBackup {
  /** Display name, as in the argument of `suuq restore`. */
  readonly name: string;
  /** Its own parts. */
  readonly parts: FileStore;
  /** Copies of the file store's. */
  readonly files: FileStore;
  /** A folder of this machine for databases in the making. Undefined: there is none at the place itself. */
  readonly folder: string | undefined;
  /** Stores the manifest and gives the backup its name. */
  finish(manifest: string): Promise<void>;
  /** Takes back what was stored, as far as the place allows; never throws. */
  abandon(): Promise<void>;
}

/** An existing backup. */
export interface StoredBackup {
  readonly name: string;
  readonly parts: FileStore;
  readonly files: FileStore;
  close(): Promise<void>;
}

/** Behind the name of a backup in the making. */
const UNFINISHED = '.unfinished';
/** Part size of a large object, of which there can be 10,000: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

/** `2026-11-22T17-30-01-123Z`: sorts by time, and is a name everywhere. */
const nameAt = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-');

const NAMED_BY_TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** A prefix below another; either may be empty. */
const below = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');

/** A backup at a prefix of a bucket: its own parts, and its copies of files. */
async function inBucket(place: BucketSettings, prefix: string): Promise<Omit<StoredBackup, 'name'>> {
  // The SDK is loaded only where it is used: it takes a tenth of a second.
  const { openS3Files } = await import('../../infrastructure/files/s3Files.js');
  const parts = openS3Files({ ...place, prefix, partBytes: PART_BYTES });
  const files = openS3Files({ ...place, prefix: below(prefix, FILES), partBytes: PART_BYTES });
  return { parts, files, close: async () => void (await Promise.all([parts.close(), files.close()])) };
}

/** Starts a backup named by the time. Refuses `backup_exists`; rejects with an error of the location. */
export async function newBackup(place: PlaceSettings, ms: number): Promise<NewBackup> {
  return 'folder' in place ? newInFolder(place.folder, nameAt(ms)) : newInBucket(place, nameAt(ms));
}

async function newInFolder(folder: string, name: string): Promise<NewBackup> {
  const [path, draft] = [join(folder, name), join(folder, `${name}${UNFINISHED}`)];
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) refuse('backup_exists', `${path} already exists.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(draft, { mode: 0o700 });
  const parts = await openFolderFiles({ folder: draft, alone: true });
  const files = await openFolderFiles({ folder: join(draft, FILES), alone: true });
  return {
    name: path,
    parts,
    files,
    folder: draft,
    async finish(manifest) {
      await parts.put(MANIFEST, Readable.from([Buffer.from(manifest)]), { mostBytes: ANY_SIZE });
      for (const each of [draft, join(draft, FILES)]) rmSync(join(each, DRAFTS), { recursive: true, force: true });
      await flushFolder(draft);
      renameSync(draft, path);
      await flushFolder(folder);
    },
    async abandon() {
      rmSync(draft, { recursive: true, force: true });
    },
  };
}

async function newInBucket(place: BucketSettings, name: string): Promise<NewBackup> {
  const prefix = below(place.prefix, name);
  const { parts, files, close } = await inBucket(place, prefix);
  const trouble = await parts.check();
  if (trouble !== undefined) {
    await close();
    refuse('place_unusable', `s3://${place.bucket}: ${trouble}.`);
  }
  return {
    name: `s3://${place.bucket}/${prefix}`,
    parts,
    files,
    folder: undefined,
    async finish(manifest) {
      await parts.put(MANIFEST, Readable.from([Buffer.from(manifest)]), { mostBytes: ANY_SIZE });
      await close();
    },
    abandon: close,
  };
}

/** Names that look like backups in a folder, the newest first. */
const backupsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAMED_BY_TIME.test(name))
    .sort()
    .reverse();

/** Opens the backup at a location. Refuses `backup_missing`, with the newest one if the location has several. */
export async function openBackup(place: PlaceSettings): Promise<StoredBackup> {
  if (!('folder' in place))
    return { name: `s3://${place.bucket}/${place.prefix}`, ...(await inBucket(place, place.prefix)) };
  const { folder } = place;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    refuse('backup_missing', `There is no folder ${folder}.`);
  if (statSync(join(folder, MANIFEST), { throwIfNoEntry: false }) === undefined) refuse('backup_missing', why(folder));
  const parts = readingFolder(folder);
  return { name: folder, parts, files: readingFolder(join(folder, FILES)), close: async () => {} };
}

function why(folder: string): string {
  if (basename(folder).endsWith(UNFINISHED)) return `${folder} is an incomplete backup.`;
  const [newest] = backupsIn(folder);
  return newest === undefined
    ? `There is no backup in ${folder}: it has no ${MANIFEST}.`
    : `${folder} contains several backups. Name one of them; the newest is ${join(folder, newest)}.`;
}

/** Changes nothing in the folder, so it may be mounted read-only. */
function readingFolder(folder: string): FileStore {
  const unused = (): never => {
    throw new Error(`${folder} is read-only`);
  };
  return {
    async read(name) {
      const handle = await open(join(folder, name), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return handle && { size: (await handle.stat()).size, content: handle.createReadStream() };
    },
    put: unused,
    remove: unused,
    check: async () => undefined,
    close: async () => {},
  };
}

/** Folder for database copies on their way to a bucket: in the data folder, since a temporary one may be too small. */
export function draftFolder(data: string): { readonly path: string; remove(): void } {
  for (const name of leftOvers(data)) rmSync(join(data, name), { recursive: true, force: true });
  const path = join(data, `.backup-${process.pid}`);
  mkdirSync(path, { mode: 0o700 });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Folders in the data folder that a backup or a verification has left behind which was killed. */
export const leftOvers = (data: string): readonly string[] => readdirSync(data).filter(isLeftOver);

/** True for the draft folder of a process that has ended. */
function isLeftOver(name: string): boolean {
  const pid = Number(/^\.backup-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

export const isInside = (path: string, folder: string): boolean => {
  for (let at = path; ; at = dirname(at)) {
    if (at === folder) return true;
    if (at === dirname(at)) return false;
  }
};
