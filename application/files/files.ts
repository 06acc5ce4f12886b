/** Files of stores: bytes become what they are, within the limits of that, and are found again by store and id. */

import type { Readable } from 'node:stream';
import type { MediaKind } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import { file, fileIn, type StoredRecord } from '../../domain/files/file.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { StorageFull, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type ByteRange, type FileStore, FileTooLarge, type StoredFile } from '../ports/fileStore.js';
import { HEAD_BYTES, type Said, sniff } from './sniffing.js';
import { UploadTurns } from './uploadTurns.js';

/** The file has no bytes. */
export class EmptyFile extends Error {
  override readonly name = 'EmptyFile';
}

/** Bytes on their way in. */
export interface Incoming {
  readonly content: AsyncIterable<Uint8Array>;
  readonly said: Said;
  readonly signal?: AbortSignal;
}

/** As what bytes of a type are taken, and how many of them; throws for a type that is not. */
export type Judge = (mimeType: string) => { readonly kind: MediaKind; readonly mostBytes: number };

/** Bytes that are in the file store, and that no event names yet. */
export interface TakenContent extends StoredFile {
  readonly contentId: string;
  readonly mimeType: string;
  readonly kind: MediaKind;
}

export interface Files {
  /** Of uploads, so that no store's take all. */
  readonly turns: UploadTurns;
  /**
   * Stores bytes under a name that is the caller's to make up; again under the same name, nothing changes. Throws what
   * the source or `judge` throws, `EmptyFile`, `FileTooLarge`, and `StoreUnavailable` when the store fails (`StorageFull` when it
   * has no room): then nothing is kept.
   */
  take(workspaceId: string, contentId: string, incoming: Incoming, judge: Judge): Promise<TakenContent>;
  /** Forgets bytes that no event names. */
  discard(workspaceId: string, contentId: string): Promise<void>;
  /** Undefined: the store has no such file, or none any more. Known at once after the event. */
  fileOf(workspaceId: string, fileId: string): Promise<StoredRecord | undefined>;
  /** Its bytes, which the reader ends or destroys. Undefined: there is no such file, or its bytes are gone. */
  openFile(workspaceId: string, fileId: string, range?: ByteRange): Promise<Readable | undefined>;
}

export interface FilesParts {
  readonly store: FileStore;
  readonly commands: Pick<CommandHandler, 'query'>;
  /** Told of what the file store throws. */
  trouble(error: unknown): void;
}

/** A source whose own failures can be told from those of the store. */
class Source {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
  #ended = false;
  /** What the source threw. */
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

  /** The first bytes, at most `most` and what came with the last of them. */
  async head(most: number): Promise<Buffer> {
    for (let size = 0; size < most && !this.#ended; ) {
      const chunk = await this.#next();
      if (chunk === undefined) break;
      this.#head.push(chunk);
      size += chunk.byteLength;
    }
    return Buffer.concat(this.#head);
  }

  /** All of it, the head too. */
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

  /** What the store throws becomes `StoreUnavailable`, unless it is full: a person learns of it from the log. */
  async function asked<T>(work: Promise<T>): Promise<T> {
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

    async take(workspaceId, contentId, { content, said, signal }, judge) {
      const source = new Source(content);
      try {
        const head = await source.head(HEAD_BYTES);
        if (head.length === 0) throw new EmptyFile('the file is empty');
        const mimeType = await sniff(head, said);
        const { kind, mostBytes } = judge(mimeType);
        const options = { mostBytes, mimeType, ...defined({ signal }) };
        const stored = await store.put(nameOf(workspaceId, contentId), source.whole(), options).catch((error) => {
          if (source.failure !== undefined) throw source.failure.error;
          if (error instanceof FileTooLarge || signal?.aborted) throw error;
          return asked<StoredFile>(Promise.reject(error));
        });
        return { ...stored, contentId, mimeType, kind };
      } finally {
        source.end();
      }
    },

    discard: (workspaceId, contentId) => asked(store.remove(nameOf(workspaceId, contentId))),

    fileOf,

    async openFile(workspaceId, fileId, range) {
      const found = await fileOf(workspaceId, fileId);
      if (found === undefined) return undefined;
      const opened = await asked(store.read(nameOf(workspaceId, found.contentId), range));
      if (opened === undefined) trouble(new Error(`the bytes of file ${fileId} are not in the file store`));
      return opened?.content;
    },
  };
}
