/** Copies an installation's files other than log and work into the data folder that the log was moved to. */
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '../../infrastructure/files/flushFolder.js';
import { noteFormat } from '../../service/folder/folderFormat.js';
import { release } from '../../service/release.js';
import { KEYS, MASTER_KEY, SANDBOX, SANDBOX_FILES } from '../backup/contents.js';
import { filesBelow } from '../backup/storeFiles.js';

/** Folders of files; a location that SUUQ_FILES names is shared by both. */
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

/** Copies the key if there is one in the folder. */
export async function takeKeyAlong(from: string, to: string): Promise<void> {
  const source = join(from, MASTER_KEY);
  if (existsSync(source)) await copyWhole(source, join(to, MASTER_KEY));
}

/** Continues after an interruption. Returns the number of copied files. Rejects with the signal's reason. */
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
