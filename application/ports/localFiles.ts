import type { Readable } from 'node:stream';

/** Files of the machine that the operator works on. */
export interface LocalFiles {
  /** A regular file; `size` in bytes. Throws what the system says, also for what is no file. The reader destroys `content`. */
  open(path: string): Promise<{ readonly size: number; readonly content: Readable }>;
  /** Writes a file that is not there yet, readable by its owner; nothing is left of one that could not be finished. */
  create(path: string, content: Readable): Promise<{ readonly size: number }>;
}
