/** `suuq restore`: a backup becomes the data folder of an installation. */
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileStore } from '../../application/ports/fileStore.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { copyForgotten } from '../../engine/sealing/copyVault.js';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { measured } from '../../infrastructure/files/measuredFile.js';
import { logFacts } from '../../infrastructure/sqlite/eventStore/logFile.js';
import { LAYOUT } from '../../infrastructure/sqlite/eventStore/schema.js';
import { lockFolder } from '../../infrastructure/sqlite/folderLock.js';
import { openEmbeddedVault } from '../../infrastructure/sqlite/personVault.js';
import { openFileStore } from '../../service/engines/engines.js';
import { RESTORE_MARK } from '../../service/folder/dataFolder.js';
import { FolderInUse, readServiceCard } from '../../service/folder/serviceCard.js';
import type { BackupSettings, PlaceSettings } from '../../service/settings/backupSettings.js';
import { openBackup, type StoredBackup } from './backupLocations.js';
import { KEYS, LOG, MASTER_KEY, PEOPLE, RESTORED } from './contents.js';
import { ANY_SIZE, eachOf } from './copying.js';
import {
  damaged,
  FILE_LIST,
  isPart,
  keyMark,
  keysIn,
  MANIFEST,
  type Manifest,
  type PartOfBackup,
  parseManifest,
  textOf,
} from './manifest.js';
import type { Run } from './progress.js';
import { refuseShared } from './sharedEngines.js';

export interface RestoreInput {
  readonly settings: BackupSettings;
  readonly place: PlaceSettings;
  /** Path of a newer vault.db: who was forgotten in it is forgotten in what is restored. */
  readonly forgotten?: string;
}

export interface RestoreResult {
  readonly place: string;
  readonly data: string;
  readonly createdAt: string;
  readonly log: Manifest['log'];
  readonly files: Manifest['files'];
  /** `restored`: from the backup. `present`: it was here already, and is the right one. `missing`: put it there before the start. */
  readonly masterKey: 'restored' | 'present' | 'missing';
  /** People who were forgotten since the backup, where a newer vault was given. */
  readonly forgotten?: number;
}

/** Names in an otherwise empty folder: the lock, and entries at the top of some file systems. */
const HARMLESS = /^(?:lock\.db(?:-wal|-shm|-journal)?|lost\+found)$/;

/**
 * Fills an empty data folder. While it works the folder has a mark, and no service starts on it; an interrupted restore starts over at the
 * next run. Every part is compared with the manifest. Refuses `engine_has_its_own`, `data_folder_not_empty`, `backup_missing`,
 * `backup_newer`, `backup_damaged`, `other_key`; rejects with FolderInUse, the signal's reason, or an error of the location.
 */
export async function restore({ settings, place, forgotten }: RestoreInput, run: Run): Promise<RestoreResult> {
  refuseShared(settings, 'restored');
  if (forgotten !== undefined && !existsSync(forgotten))
    refuse('vault_missing', `There is no ${forgotten}. Name your newest vault.db.`);
  const from = await openBackup(place);
  try {
    const manifest = await manifestOf(from);
    const data = resolve(settings.data);
    const key = checkedKey(settings, data, manifest);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const lock = lockFolder(data);
    if (lock === undefined) throw new FolderInUse(data, readServiceCard(data));
    let count: number | undefined;
    try {
      refuseOccupied(data, manifest);
      count = await fill({ settings, forgotten }, from, manifest, data, run).catch((error) => {
        empty(data, manifest);
        throw error;
      });
    } finally {
      lock.release();
    }
    const { createdAt, log, files } = manifest;
    return { place: from.name, data, createdAt, log, files, masterKey: key, ...defined({ forgotten: count }) };
  } finally {
    await from.close();
  }
}

async function manifestOf({ parts, name }: StoredBackup): Promise<Manifest> {
  const found = await parts.read(MANIFEST);
  if (found === undefined) return refuse('backup_missing', `There is no backup at ${name}: it has no ${MANIFEST}.`);
  return parseManifest(await textOf(found.content), LAYOUT);
}

/** The wrong key would only be noticed when the first secret is opened. */
function checkedKey(settings: BackupSettings, data: string, manifest: Manifest): RestoreResult['masterKey'] {
  const { included, mark } = manifest.masterKey;
  const keys = keysIn(join(data, MASTER_KEY), settings.masterKeys);
  if (keys.length > 0 && mark !== undefined && !keys.some((key) => keyMark(key) === mark))
    refuse(
      'other_key',
      `The master key here is not the one that encrypted the secrets in the backup. Set SUUQ_MASTER_KEY to that key, or remove it${included ? ': the backup contains it' : ' and set it before the start'}.`,
    );
  if (included) return 'restored';
  return keys.length === 0 ? 'missing' : 'present';
}

/** Sees that the folder is empty; what a killed restore has left is removed. */
function refuseOccupied(data: string, manifest: Manifest): void {
  if (existsSync(join(data, RESTORE_MARK))) empty(data, manifest);
  const found = readdirSync(data).filter(
    (name) => !HARMLESS.test(name) && (manifest.masterKey.included || name !== MASTER_KEY),
  );
  if (found.length > 0)
    refuse(
      'data_folder_not_empty',
      `${data} holds ${found.length === 1 ? found[0] : `${found.length} entries, such as ${found[0]}`}. Restore into an empty folder: set SUUQ_DATA to another folder, or move this one away.`,
    );
}

/** Removes what a restore makes, the mark last. A key that an operator has put there stays. */
function empty(data: string, { masterKey }: Manifest): void {
  for (const name of [...RESTORED, FILE_LIST, ...KEYS.filter((key) => key !== MASTER_KEY || masterKey.included)])
    rmSync(join(data, name), { recursive: true, force: true });
  rmSync(join(data, RESTORE_MARK), { force: true });
}

async function fill(
  { settings, forgotten }: Pick<RestoreInput, 'settings' | 'forgotten'>,
  from: StoredBackup,
  { parts, log, files }: Manifest,
  data: string,
  { report, signal }: Run,
): Promise<number | undefined> {
  const mark = join(data, RESTORE_MARK);
  writeFileSync(mark, `${from.name}\n`, { mode: 0o600 });
  await flushFolder(data);
  const whole = parts.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  for (const part of parts) {
    await restorePart(from.parts, part, join(data, part.name), signal, (bytes) =>
      report({ phase: part.name, share: whole === 0 ? 1 : (before + bytes) / whole }),
    );
    before += part.size;
  }
  if (!('elsewhere' in files))
    await restoreFiles(settings, from.files, join(data, FILE_LIST), files.count, { report, signal });
  const { facts: isCurrent } = logFacts(join(data, LOG));
  if (isCurrent.head !== log.head || isCurrent.id !== log.id) damaged('events.db does not end where the manifest says');
  const count = forgotten === undefined ? undefined : await forgetIn(join(data, PEOPLE), forgotten);
  rmSync(join(data, FILE_LIST), { force: true });
  await flushFolder(data);
  rmSync(mark);
  await flushFolder(data);
  return count;
}

/** Before anything can start on the folder: nobody reads who was forgotten since the backup was made. Answers how many those are. */
async function forgetIn(path: string, newer: string): Promise<number> {
  const [from, to] = [openEmbeddedVault(newer, { readonly: true }), openEmbeddedVault(path)];
  try {
    return await copyForgotten(from, to, new Date().toISOString());
  } finally {
    await from.close();
    await to.close();
  }
}

async function restorePart(
  from: FileStore,
  { name, size, sha256 }: PartOfBackup,
  to: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): Promise<void> {
  const found = await from.read(name);
  if (found === undefined) return damaged(`${name} is missing`);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const handle = await open(to, 'wx', 0o600);
  const { bytes, result } = measured(found.content, { mostBytes: ANY_SIZE, signal });
  try {
    let written = 0;
    for await (const chunk of bytes) {
      await handle.writeFile(chunk);
      written += chunk.byteLength;
      progress(written);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  const is = result();
  if (is.size !== size || is.sha256 !== sha256)
    damaged(`${name} has SHA-256 ${is.sha256} and ${is.size} bytes; the manifest says ${sha256} and ${size}`);
}

/** Copies into the file store of the settings, of any kind. Existing files must be equal. */
async function restoreFiles(
  settings: BackupSettings,
  from: FileStore,
  list: string,
  count: number,
  { report, signal }: Run,
): Promise<void> {
  if (!existsSync(list)) return damaged(`${FILE_LIST} is missing`);
  const to = await openFileStore(settings, true);
  const input = createReadStream(list, 'utf8');
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  let done = 0;
  try {
    await eachOf(lines, signal, async (line) => {
      await restoreFile(from, to, JSON.parse(line), signal);
      done += 1;
      report({ phase: 'files', share: done / Math.max(1, count), done: `${done} files` });
    });
    if (done !== count) damaged(`${FILE_LIST} has ${done} files; the manifest says ${count}`);
  } finally {
    input.destroy();
    await to.close();
  }
}

async function restoreFile(from: FileStore, to: FileStore, part: unknown, signal: AbortSignal): Promise<void> {
  if (!isPart(part)) return damaged(`${FILE_LIST} has an invalid line`);
  const { name, size, sha256 } = part;
  const found = await from.read(name);
  if (found === undefined) return damaged(`files/${name} is missing`);
  const stored = await to.put(name, found.content, { mostBytes: ANY_SIZE, signal });
  if (stored.size !== size || stored.sha256 !== sha256)
    damaged(`files/${name} has SHA-256 ${stored.sha256}; the manifest says ${sha256}`);
}
