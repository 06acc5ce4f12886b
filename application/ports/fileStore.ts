import type { Readable } from 'node:stream';

/** Result of storing a file. `size` in bytes, `sha256` in hex. */
export interface StoredFile {
  readonly size: number;
  readonly sha256: string;
}

/** Bytes `start` to `end`, both from 0 and inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The content is larger than the caller allows. Nothing of it is stored. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly mostBytes: number;
  constructor(mostBytes: number) {
    super(`the file has more than ${mostBytes} bytes`);
    this.mostBytes = mostBytes;
  }
}

/**
 * Storage of file contents: a folder, or a bucket. The service chooses names (`{workspaceId}/{fileId}`), and the content under a name never
 * changes. Throws the medium's errors. Every call is bounded in time. If the medium has no room for files, `put` throws `StorageFull`, and
 * everything else works.
 */
export interface FileStore {
  /**
   * Stores `content` without buffering it in memory, entirely or not at all: if the source fails, is larger than `mostBytes`
   * (`FileTooLarge`) or `signal` aborts, nothing is left. A name that is taken is not changed.
   */
  put(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { readonly mostBytes: number; readonly mimeType?: string; readonly signal?: AbortSignal },
  ): Promise<StoredFile>;
  /** Undefined: there is none. `size` is that of the whole file. The reader must end or destroy `content`. */
  read(name: string, range?: ByteRange): Promise<{ readonly size: number; readonly content: Readable } | undefined>;
  /** Does nothing if there is none. */
  remove(name: string): Promise<void>;
  /** Returns undefined if it works, otherwise a sentence with the problem. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}
