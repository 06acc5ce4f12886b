/** What belongs to an installation beside its log and its work, as it is copied into the data folder that the log was moved to. */
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { noteFormat } from '../../service/folder/folderFormat.js';
import { release } from '../../service/release.js';
import { KEYS, MASTER_KEY, SANDBOX, SANDBOX_FILES } from '../backup/contents.js';
import { filesBelow } from '../backup/filesOfStore.js';

/** Of files, in the folder; a place of their own that SUUQ_FILES names is used on by both. */
const FOLDERS = ['files', SANDBOX_FILES];

async function* namesIn(from: string): AsyncGenerator<string> {
  for (const name of [...KEYS, 'endpoint-credentials.json', ...SANDBOX]) if (existsSync(join(from, name))) yield name;
  for (const folder of FOLDERS) for await (const { name } of filesBelow(join(from, folder))) yield `${folder}/${name}`;
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size;

/** Under its name it is there as a whole, and on the disk. */
async function copyWhole(from: string, to: string): Promise<void> {
  const draft = `${to}.moving`;
  await copyFile(from, draft, constants.COPYFILE_FICLONE);
  await chmod(draft, 0o600);
  const handle = await open(draft, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, to);
}

/** Where one lies in the folder. */
export async function takeKeyAlong(from: string, to: string): Promise<void> {
  const source = join(from, MASTER_KEY);
  if (existsSync(source)) await copyWhole(source, join(to, MASTER_KEY));
}

/** Goes on where it was cut off. Answers how many files stand there. Rejects with the signal's reason. */
export async function fillFolder(from: string, to: string, signal: AbortSignal): Promise<number> {
  const folders = new Set([to]);
  let files = 0;
  for await (const name of namesIn(from)) {
    signal.throwIfAborted();
    const [source, target] = [join(from, name), join(to, name)];
    files += 1;
    if ((await sizeOf(target)) === (await sizeOf(source))) continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyWhole(source, target);
    for (let folder = dirname(target); folder.length > to.length; folder = dirname(folder)) folders.add(folder);
  }
  noteFormat(to, release.version, new Date().toISOString());
  for (const folder of folders) await flushFolder(folder);
  return files;
}
