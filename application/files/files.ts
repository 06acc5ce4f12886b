/** Files of stores: detects their types, enforces limits, and finds them by store and id. */

import type { Readable } from 'node:stream';
import type { MediaKind } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import { file, fileIn, type StoredRecord } from '../../domain/files/file.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { StorageFull, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type ByteRange, type FileStore, FileTooLarge, type StoredFile } from '../ports/fileStore.js';
import { type DeclaredType, HEAD_BYTES, sniff } from './contentTypes.js';
import { UploadTurns } from './uploadTurns.js';

/** The file has no bytes. */
export class EmptyFile extends Error {
  override readonly name = 'EmptyFile';
}

/** An upload in progress. */
export interface Incoming {
  readonly content: AsyncIterable<Uint8Array>;
  readonly declared: DeclaredType;
  readonly signal?: AbortSignal;
}

/** Returns the kind and the maximum size for a type. Throws for a type that is not accepted. */
export type Judge = (mimeType: string) => { readonly kind: MediaKind; readonly mostBytes: number };

/** Content in the file store that no event refers to yet. */
export interface TakenContent extends StoredFile {
  readonly contentId: string;
  readonly mimeType: string;
  readonly kind: MediaKind;
}

export interface Files {
  /** Slots for uploads, so that one store cannot use all of them. */
  readonly turns: UploadTurns;
  /**
   * Stores bytes under a name of the caller's choice. Repeating it with the same name changes nothing. Throws errors of the source or
   * `judge`, `EmptyFile`, `FileTooLarge`, and `StoreUnavailable` if the store fails (`StorageFull` if it has no room). Nothing is stored
   * then.
   */
  take(workspaceId: string, contentId: string, incoming: Incoming, judge: Judge): Promise<TakenContent>;
  /** Deletes content that no event refers to. */
  discard(workspaceId: string, contentId: string): Promise<void>;
  /** Undefined: the store has no such file (any more). Reflects events at once. */
  fileOf(workspaceId: string, fileId: string): Promise<StoredRecord | undefined>;
  /** Opens the content. The reader must end or destroy it. Undefined: there is no such file, or its content is missing. */
  openFile(workspaceId: string, fileId: string, range?: ByteRange): Promise<Readable | undefined>;
}

export interface FilesParts {
  readonly store: FileStore;
  readonly commands: Pick<CommandHandler, 'query'>;
  /** Called with errors of the file store. */
  trouble(error: unknown): void;
}

/** A source that distinguishes its own errors from those of the store. */
class Source {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
  #ended = false;
  /** Error of the source. */
  failure: { readonly error: unknown } | undefined;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#iterator = content[Symbol.asyncIterator]();
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#iterator.next();
      if (!done) return value;
      this.#ended = true;
      return undefined;
    } catch (error) {
      this.failure = { error };
      this.#ended = true;
      throw error;
    }
  }

  /** Returns the first bytes: at most `most`, and the rest of the last chunk. */
  async head(most: number): Promise<Buffer> {
    for (let size = 0; size < most && !this.#ended; ) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      this.#head.push(chunk);
      size += chunk.byteLength;
    }
    return Buffer.concat(this.#head);
  }

  /** Yields all bytes, including the head. */
  async *whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#head.splice(0);
      while (!this.#ended) {
        const chunk = await this.#next();
        if (chunk !== undefined) yield chunk;
      }
    } finally {
      this.end();
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#iterator.return?.().catch(() => undefined);
  }
}

export function createFiles({ store, commands, trouble }: FilesParts): Files {
  const nameOf = (workspaceId: string, contentId: string): string => `${workspaceId}/${contentId}`;

  /** Reports an error and converts it to `StoreUnavailable`, unless the store is full. */
  async function withFailures<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      trouble(error);
      throw error instanceof StorageFull ? error : new StoreUnavailable('the file store failed', { cause: error });
    }
  }

  async function fileOf(workspaceId: string, fileId: string): Promise<StoredRecord | undefined> {
    return commands.query(file, fileId, (state) => fileIn(state, workspaceId));
  }

  return {
    turns: new UploadTurns(),

    async take(workspaceId, contentId, { content, declared, signal }, judge) {
      const source = new Source(content);
      try {
        const head = await source.head(HEAD_BYTES);
        if (head.length === 0) throw new EmptyFile('the file is empty');
        const mimeType = await sniff(head, declared);
        const { kind, mostBytes } = judge(mimeType);
        const options = { mostBytes, mimeType, ...defined({ signal }) };
        const stored = await store.put(nameOf(workspaceId, contentId), source.whole(), options).catch((error) => {
          if (source.failure !== undefined) throw source.failure.error;
          if (error instanceof FileTooLarge || signal?.aborted) throw error;
          return withFailures<StoredFile>(Promise.reject(error));
        });
        return { ...stored, contentId, mimeType, kind };
      } finally {
        source.end();
      }
    },

    discard: (workspaceId, contentId) => withFailures(store.remove(nameOf(workspaceId, contentId))),

    fileOf,

    async openFile(workspaceId, fileId, range) {
      const found = await fileOf(workspaceId, fileId);
      if (found === undefined) return undefined;
      const opened = await withFailures(store.read(nameOf(workspaceId, found.contentId), range));
      if (opened === undefined) trouble(new Error(`the bytes of file ${fileId} are not in the file store`));
      return opened?.content;
    },
  };
}
