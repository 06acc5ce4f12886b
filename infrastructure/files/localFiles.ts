import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { LocalFiles } from '../../application/ports/localFiles.js';

export const localFiles: LocalFiles = {
  async open(path) {
    const handle = await open(path, 'r');
    const found = await handle.stat().catch(async (error) => {
      await handle.close();
      throw error;
    });
    if (found.isFile()) return { size: found.size, content: handle.createReadStream() };
    await handle.close();
    throw Object.assign(new Error(`EINVAL: ${path} is no regular file`), { code: 'EINVAL' });
  },
  async create(path, content) {
    const handle = await open(path, 'wx', 0o600);
    // The stream closes the handle, however it ends.
    const file = handle.createWriteStream();
    try {
      await pipeline(content, file);
      return { size: file.bytesWritten };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  },
};
