/** `suuq backup`: a whole copy of an installation on the embedded engines, also while its service runs. */
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FileStore, StoredFile } from '../../application/ports/fileStore.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { hashed } from '../../infrastructure/files/measuredFile.js';
import { copyLog, snapshotOf } from '../../infrastructure/sqlite/databaseCopies.js';
import { asDamage } from '../../infrastructure/sqlite/eventStore/checksum.js';
import { type LogFacts, logFacts } from '../../infrastructure/sqlite/eventStore/logFile.js';
import { requireWhole } from '../../infrastructure/sqlite/eventStore/rowCheck.js';
import { refuseNewer } from '../../service/folder/folderFormat.js';
import type { BackupSettings, PlaceSettings } from '../../service/settings/backupSettings.js';
import { draftFolder, isInside, type NewBackup, newBackup } from './backupLocations.js';
import { KEYS, LOG, MASTER_KEY, PEOPLE, SANDBOX, SANDBOX_FILES, WORK } from './contents.js';
import { ANY_SIZE, eachOf } from './copying.js';
import { FILE_LIST, keyMark, keysIn, type Manifest, manifestOf, type PartOfBackup } from './manifest.js';
import type { Run } from './progress.js';
import { refuseShared } from './sharedEngines.js';
import { filesBelow } from './storeFiles.js';

export interface BackupInput {
  readonly settings: BackupSettings;
  readonly place: PlaceSettings;
  /** True if the backup includes the master key and the other keys of the folder. */
  readonly withKeys: boolean;
  readonly version: string;
  /** ms since 1970. */
  readonly now: number;
}

export interface BackupResult extends Manifest {
  readonly place: string;
}

const LINES_AT_ONCE = 500;

/**
 * Work is copied as of one moment, and the log up to its head right after that moment: so the log contains all events that work refers to,
 * and work lags by milliseconds at most. Files come last: an event's file is stored before the event. Read models are not copied, since
 * they are rebuilt from the log. Refuses `engine_has_its_own`, `nothing_to_back_up`, `backup_inside_data`, `backup_exists`,
 * `place_unusable`; rejects with LogDamaged, NewerFolder, the signal's reason, or an error of the location. After a failure nothing remains
 * that looks like a backup.
 */
export async function backup(input: BackupInput, run: Run): Promise<BackupResult> {
  const { settings, place } = input;
  refuseShared(settings, 'backed up');
  const data = resolve(settings.data);
  if (!existsSync(join(data, LOG)))
    refuse('nothing_to_back_up', `There is no ${LOG} in ${data}. Set SUUQ_DATA to the data folder.`);
  refuseNewer(data);
  if ('folder' in place && [data, ...ownFolder(settings)].some((own) => isInside(place.folder, own)))
    refuse('backup_inside_data', `${place.folder} is inside the data folder. Name a folder outside ${data}.`);
  const made = await newBackup(place, input.now);
  try {
    const manifest = await filled(input, data, made, run);
    await made.finish(`${JSON.stringify(manifest, undefined, 2)}\n`);
    return { place: made.name, ...manifest };
  } catch (error) {
    await made.abandon();
    throw error;
  }
}

const ownFolder = ({ files }: BackupSettings): string[] => ('folder' in files ? [resolve(files.folder)] : []);

async function filled(input: BackupInput, data: string, made: NewBackup, run: Run): Promise<Manifest> {
  const { settings, withKeys, version, now } = input;
  const draft = made.folder === undefined ? draftFolder(data) : { path: made.folder, remove() {} };
  try {
    const { log, parts } = await databases(data, made, draft.path, run);
    const { files, list } = await storedFiles(settings, made, draft.path, run);
    const others = await smallParts(data, made, withKeys, run);
    const [key] = keysIn(join(data, MASTER_KEY), settings.masterKeys);
    return manifestOf({
      version,
      createdAt: new Date(now).toISOString(),
      log,
      masterKey: {
        included: others.some(({ name }) => name === MASTER_KEY),
        ...defined({ mark: key && keyMark(key) }),
      },
      files,
      parts: [...parts, ...list, ...others],
    });
  } finally {
    draft.remove();
  }
}

/** Work first, the log after it, people's keys last. */
async function databases(data: string, made: NewBackup, folder: string, { report, signal }: Run) {
  const parts: PartOfBackup[] = [];
  const drafted = (name: string): string => join(folder, name);
  const reporting = (phase: string) => ({ signal, progress: (share: number) => report({ phase, share }) });
  const work = existsSync(join(data, WORK)) ? snapshotOf(join(data, WORK), drafted(WORK)) : undefined;
  let facts: LogFacts;
  try {
    ({ facts } = logFacts(join(data, LOG)));
    if (work !== undefined) {
      await work.finish(reporting(WORK));
      parts.push(await storePart(made, drafted(WORK), WORK));
    }
  } finally {
    work?.close();
  }
  const copy = { from: join(data, LOG), to: drafted(LOG), head: facts.head };
  // A damaged log must not take the place of a backup that is whole.
  const { events } = await copyLog(copy, reporting(LOG), requireWhole).catch((error) => {
    throw asDamage(error);
  });
  parts.push(await storePart(made, drafted(LOG), LOG));
  // After the log: a subject's key is written before the first event about the subject.
  if (existsSync(join(data, PEOPLE))) {
    const people = snapshotOf(join(data, PEOPLE), drafted(PEOPLE));
    try {
      await people.finish(reporting(PEOPLE));
    } finally {
      people.close();
    }
    parts.push(await storePart(made, drafted(PEOPLE), PEOPLE));
  }
  return { log: { ...facts, events }, parts };
}

/** A database that was made at a path becomes a part. */
async function storePart(made: NewBackup, path: string, name: string): Promise<PartOfBackup> {
  const content = createReadStream(path);
  if (made.folder === undefined) {
    const stored = await made.parts.put(name, content, { mostBytes: ANY_SIZE });
    await rm(path);
    return { name, ...stored };
  }
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { name, ...(await hashed(content)) };
}

async function storedFiles({ files }: BackupSettings, made: NewBackup, folder: string, { report, signal }: Run) {
  if (!('folder' in files)) return { files: { elsewhere: `s3://${files.bucket}/${files.prefix}` }, list: [] };
  const list = join(folder, `${FILE_LIST}.draft`);
  const names = filesBelow(files.folder);
  let [count, bytes, left] = [0, 0, 0];
  let lines: string[] = [];
  const write = async (): Promise<void> => {
    const text = lines.join('');
    lines = [];
    await appendFile(list, text, { mode: 0o600 });
  };
  await eachOf(names, signal, async ({ name, known }) => {
    const stored = known ? await copied(join(files.folder, name), name, made.files, signal) : undefined;
    if (stored === undefined) {
      left += known ? 0 : 1;
      return;
    }
    count += 1;
    bytes += stored.size;
    lines.push(`${JSON.stringify({ name, ...stored })}\n`);
    if (lines.length >= LINES_AT_ONCE) await write();
    report({ phase: 'files', done: `${count} files` });
  });
  await write();
  try {
    const stored = await made.parts.put(FILE_LIST, createReadStream(list), { mostBytes: ANY_SIZE });
    return { files: { count, bytes, left }, list: [{ name: FILE_LIST, ...stored }] };
  } finally {
    await rm(list, { force: true });
  }
}

/** Undefined: it has been deleted meanwhile. */
async function copied(path: string, name: string, to: FileStore, signal: AbortSignal): Promise<StoredFile | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    return await to.put(name, createReadStream(path), { mostBytes: ANY_SIZE, signal });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(path)) return undefined;
    throw error;
  }
}

async function smallParts(data: string, made: NewBackup, withKeys: boolean, { signal }: Run): Promise<PartOfBackup[]> {
  const parts: PartOfBackup[] = [];
  const names = [...SANDBOX, ...(withKeys ? KEYS : [])];
  for await (const { name, known } of filesBelow(join(data, SANDBOX_FILES)))
    if (known) names.push(`${SANDBOX_FILES}/${name}`);
  for (const name of names) {
    const stored = await copied(join(data, name), name, made.parts, signal);
    if (stored !== undefined) parts.push({ name, ...stored });
  }
  return parts;
}
