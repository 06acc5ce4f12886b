/**
 * Files in a folder. One is written under a temporary name, flushed, and then given its name in one step: whenever the
 * process or the machine ends, a name has the whole file or none. What an end leaves behind is cleared away at a start.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange, FileStore, StoredFile } from '../../application/ports/fileStore.js';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { checkedName, DRAFTS } from './fileNames.js';
import { flushFolder } from './flushFolder.js';
import { hasNoRoom, RoomWatch, type SpaceRules } from './freeSpace.js';
import { abandon, hashed, measured } from './measuredFile.js';

export interface FolderFilesOptions extends SpaceRules {
  /** Made, with mode 0700, when it is missing. */
  readonly folder: string;
  /** Nobody else writes here: every unfinished file is left over. Otherwise only those that nobody has written to for an hour are. */
  readonly alone: boolean;
}

const LEFT_OVER_MS = 3_600_000;
/** Errors of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The stored file under a name that is taken. */
async function measuredFile(path: string): Promise<StoredFile | undefined> {
  const handle = await openIfThere(path);
  return handle && hashed(handle.createReadStream());
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of bytes) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the draft its name, unless the name is taken. False: it is. */
async function named(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    await rename(draft, path);
  }
  return true;
}

async function sweep(drafts: string, alone: boolean): Promise<void> {
  const oldest = Date.now() - LEFT_OVER_MS;
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name);
    const found = alone ? undefined : await stat(path).catch(() => undefined);
    if (alone || (found !== undefined && found.mtimeMs < oldest)) await rm(path, { force: true });
  }
}

/** Opens the folder and removes unfinished files. Rejects with the file system's error. */
export async function openFolderFiles({ folder, alone, ...rules }: FolderFilesOptions): Promise<FileStore> {
  const root = resolve(folder);
  const room = new RoomWatch(root, rules);
  const drafts = join(root, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  await sweep(drafts, alone);
  const pathOf = (name: string): string => join(root, checkedName(name));
  /** Folders that are known to be there and on the disk. */
  const made = new Set<string>([root]);

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return;
    await makeFolder(dirname(path));
    await mkdir(path, { recursive: true, mode: 0o700 });
    await flushFolder(dirname(path));
    made.add(path);
  }

  return {
    async put(name, content, options) {
      const path = pathOf(name);
      const before = await measuredFile(path);
      if (before !== undefined) {
        abandon(content[Symbol.asyncIterator]());
        return before;
      }
      const { bytes, result } = measured(content, options);
      const draft = join(drafts, randomUUID());
      try {
        await write(draft, room.watched(bytes));
        await makeFolder(dirname(path));
        options.signal?.throwIfAborted();
        if (!(await named(draft, path))) return (await measuredFile(path)) ?? result();
        await flushFolder(dirname(path));
        return result();
      } catch (error) {
        throw hasNoRoom(error) ? new StorageFull('the disk of the file store is full', { cause: error }) : error;
      } finally {
        await rm(draft, { force: true });
      }
    },

    async read(name, range) {
      const handle = await openIfThere(pathOf(name));
      if (handle === undefined) return undefined;
      try {
        const { size } = await handle.stat();
        return { size, content: contentOf(handle, size, range) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    remove: (name) => rm(pathOf(name), { force: true }),

    async check() {
      try {
        await access(drafts, constants.R_OK | constants.W_OK);
        return undefined;
      } catch (error) {
        return `the files folder cannot be written to (${codeOf(error)})`;
      }
    },

    async close() {},
  };
}

/** The stream closes the file when it has ended or is destroyed. */
function contentOf(handle: FileHandle, size: number, range: ByteRange | undefined): Readable {
  if (range === undefined) return handle.createReadStream();
  if (range.start >= size) throw new RangeError(`the file has no byte ${range.start}`);
  return handle.createReadStream({ start: range.start, end: range.end });
}
