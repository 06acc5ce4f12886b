/** File store in memory. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FileStore } from '../../../application/ports/fileStore.js';

export function memoryFiles(): FileStore {
  const files = new Map<string, Buffer>();
  return {
    async put(name, content) {
      const bytes = files.get(name) ?? Buffer.concat(await Readable.from(content).toArray());
      files.set(name, bytes);
      return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    async read(name, range) {
      const bytes = files.get(name);
      if (bytes === undefined) return undefined;
      const requested = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return { size: bytes.length, content: Readable.from([requested]) };
    },
    remove: async (name) => void files.delete(name),
    check: async () => undefined,
    close: async () => files.clear(),
  };
}
