import type { Readable } from 'node:stream';

/** What was stored. `size` in bytes, `sha256` in hex. */
export interface StoredFile {
  readonly size: number;
  readonly sha256: string;
}

/** Bytes `start` to `end`, both counted from 0 and included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The content is larger than the caller allows. Nothing of it is kept. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly mostBytes: number;
  constructor(mostBytes: number) {
    super(`the file has more than ${mostBytes} bytes`);
    this.mostBytes = mostBytes;
  }
}

/**
 * Where the bytes of files are kept: a folder, or a bucket. Names are given by the service (`{workspaceId}/{fileId}`), and
 * what stands under a name never changes. Throws what the medium throws; every call is bounded in time. Where the medium has
 * no room (for files), `put` throws `StorageFull`, and all else goes on.
 */
export interface FileStore {
  /**
   * Stores what `content` gives, without holding it in memory. It is there whole or not at all: when the source fails, is
   * larger than `mostBytes` (`FileTooLarge`) or `signal` ends it, nothing is left. Under a name that is taken it changes nothing.
   */
  put(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { readonly mostBytes: number; readonly mimeType?: string; readonly signal?: AbortSignal },
  ): Promise<StoredFile>;
  /** Undefined: there is none. `size` is that of the whole file; the reader ends or destroys `content`. */
  read(name: string, range?: ByteRange): Promise<{ readonly size: number; readonly content: Readable } | undefined>;
  /** Nothing when there is none. */
  remove(name: string): Promise<void>;
  /** Whether it answers; a sentence when it does not. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}
