import type { Readable } from 'node:stream';

/** Files of the machine that the operator works on. */
export interface LocalFiles {
  /** Opens a regular file. `size` in bytes. Throws the system's error, also if it is not a file. The reader must destroy `content`. */
  open(path: string): Promise<{ readonly size: number; readonly content: Readable }>;
  /** Writes a new file, readable by its owner. Removes it if it could not be finished. */
  create(path: string, content: Readable): Promise<{ readonly size: number }>;
}
