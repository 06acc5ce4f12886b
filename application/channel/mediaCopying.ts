import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent, InboundMedia } from '../../domain/channel/conversationEvents.js';
import { awaitsMedia, customerOnNumber, failMedia, storeMedia } from '../../domain/channel/conversationReceiving.js';
import { DomainError } from '../../domain/decider.js';
import { eraseFile, file, storeFile } from '../../domain/files/file.js';
import { derivedId } from '../../domain/ids.js';
import { jittered } from '../../engine/backOff.js';
import { unconfirmedMs } from '../../engine/clockEvidence.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { isStoreFailure } from '../../engine/storeFailures.js';
import { fileName } from '../files/fileNames.js';
import { EmptyFile, type Files, type TakenContent } from '../files/files.js';
import { checkStorage, recordReceived, releaseBytes } from '../files/storage.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { ChannelMedia } from '../ports/channelMedia.js';
import { FileTooLarge } from '../ports/fileStore.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { Damaged, judgeAs, MOST_OF_ALL, TypeMismatch, verified } from './mediaContent.js';
import { type MediaFailure, mediaFailureReason } from './mediaFailures.js';
import { connectedNumber } from './storeNumbers.js';

export interface MediaDependencies {
  readonly media: Pick<ChannelMedia, 'locate' | 'download'>;
  readonly files: Pick<Files, 'take' | 'fileOf' | 'discard'>;
  /** Maximum bytes of the store's files. Undefined: no limit. */
  readonly storageLimitOf: (workspaceId: string) => Promise<number | undefined>;
  readonly numbers: Pick<ChannelNumbers, 'byNumberId'>;
  /** The number's own bearer token, unsealed. Undefined: the service's. */
  readonly accessTokenOf: (number: StoreNumber) => string | undefined;
  readonly log: Log;
  /** Returns true if the customer of the event was erased. */
  readonly isForgotten?: (stream: string, revision: number) => Promise<boolean>;
  /** Random number in [0, 1) for jitter of the retries. Default: Math.random. */
  readonly random?: () => number;
}

/** A file to copy. Times in ms since 1970. */
interface Copying extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  /** Undefined: the customer was erased. */
  readonly content: InboundMedia | undefined;
  /** Place of the event. (eventTasks.ts) */
  readonly of?: { readonly stream: string; readonly revision: number };
  readonly receivedAt: number;
  /** Number of failed attempts. `damaged`: number of those with wrong bytes. */
  readonly failures: number;
  readonly damaged: number;
}

/** A task with the content. */
type Copy = Task<Copying & { readonly content: InboundMedia }>;

const DONE: Outcome = { done: true };

/** Content of a waiting task whose customer was erased. */
export const NOBODYS_FILE = { content: undefined } as const;

/** Maximum files copied concurrently over all stores. A store gets another slot only while it uses fewer than are free. */
const CONCURRENCY = 16;
/** Retention of a file at the channel. (shared reference: 'Media'.) */
const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * Returns true if the channel has deleted the file. Requires a confirmed clock, and one attempt: after a long outage the channel may still
 * have it.
 */
const isGone = ({ receivedAt, failures }: Copying, clock: Clock): boolean =>
  failures > 0 && clock.now() > receivedAt + KEPT_MS && unconfirmedMs(clock) === 0;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Maximum attempts for damaged or mismatched files, since transmission errors are possible. */
const MOST_DAMAGED = 3;
/** Codes of token and permission errors. A person fixes them, and the channel retains the file meanwhile. */
const ACCESS = /^(?:0|3|10|190|2\d\d|131005)$/;

/** Derived id of the copy of a message's file. */
export const copyId = (conversationId: string, messageId: string): string =>
  derivedId('media', conversationId, messageId);

/** Returns the permanent failure of an error. Undefined: the error may be temporary. */
function verdict(error: unknown, { damaged }: Copying): MediaFailure | undefined {
  if (error instanceof FileTooLarge) return 'media_too_large';
  if (error instanceof EmptyFile) return 'media_empty';
  if (error instanceof TypeMismatch) return damaged + 1 >= MOST_DAMAGED ? 'media_type_mismatch' : undefined;
  if (error instanceof Damaged) return damaged + 1 >= MOST_DAMAGED ? 'media_damaged' : undefined;
  if (error instanceof ProviderError && !error.retry && !ACCESS.test(error.code)) return 'media_unavailable';
  return undefined;
}

export const isMedia = (content: { readonly type: string }): content is InboundMedia => 'channelMediaId' in content;

/**
 * Copies customers' files into the service's own file store before the channel deletes them. First the bytes are stored, under a name
 * derived from the message, then the file's event, then the conversation's. After a stop anywhere it is repeated, and finds the completed
 * steps. If the store has no room, by its plan or on the disk, the copy is retried for as long as `KEPT_MS`.
 */
class MediaCopying {
  readonly #dependencies: MediaDependencies;

  constructor(dependencies: MediaDependencies) {
    this.#dependencies = dependencies;
  }

  async perform(task: Task<Copying>, context: ProcessorContext): Promise<Outcome> {
    const { numbers, log } = this.#dependencies;
    const { conversationId, messageId, failures, content } = task.payload;
    if (content === undefined) return this.#erased(task, context);
    const { awaited, numberId } = await context.commands.query(conversation, conversationId, (state) => ({
      awaited: awaitsMedia(state, messageId),
      numberId: customerOnNumber(state)?.numberId,
    }));
    if (!awaited || numberId === undefined) return DONE;
    if (isGone(task.payload, context.clock)) return this.#failed(task, context, 'media_expired');
    const { workspaceId } = task.payload;
    const number = await connectedNumber(numbers, context.commands, { numberId, workspaceId });
    if (number === undefined) return this.#failed(task, context, 'number_not_connected');
    try {
      return await this.#stored({ ...task, payload: { ...task.payload, content } }, context, number);
    } catch (error) {
      // A store that does not answer is not a problem of the file: the engine repeats the task, and the attempt is not counted.
      if (context.signal.aborted || isStoreFailure(error)) throw error;
      const code = verdict(error, task.payload);
      if (code !== undefined) return this.#failed(task, context, code);
      log.warn(
        { conversationId, messageId, failures: failures + 1, err: error },
        'customer file copy failed, retrying',
      );
      return this.#again(task, context, error);
    }
  }

  #decide(task: Task<Copying>, context: ProcessorContext, decision: ReturnType<typeof storeMedia>) {
    const { conversationId } = task.payload;
    return context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, decision);
  }

  async #failed(task: Task<Copying>, context: ProcessorContext, errorCode: MediaFailure): Promise<Outcome> {
    const { log } = this.#dependencies;
    const { conversationId, messageId } = task.payload;
    const decision = failMedia({ messageId, errorCode, reason: mediaFailureReason(errorCode) });
    await this.#decide(task, context, decision);
    log.warn({ conversationId, messageId, errorCode }, 'customer file copy failed');
    return DONE;
  }

  /** Copies the bytes into the file store. */
  async #copied({ payload }: Copy, number: StoreNumber, signal: AbortSignal): Promise<TakenContent> {
    const { media, files, accessTokenOf } = this.#dependencies;
    const { content, workspaceId, conversationId, messageId } = payload;
    const token = accessTokenOf(number);
    // The address is valid for five minutes, so each attempt requests a new one.
    const place = await media.locate(content.channelMediaId, token, signal);
    if (place.size > MOST_OF_ALL) throw new FileTooLarge(MOST_OF_ALL);
    const bytes = await media.download(place, token, signal);
    try {
      const declared = { mimeType: content.mimeType ?? place.mimeType, name: content.filename };
      const incoming = { content: verified(bytes, place, content), declared, signal };
      return await files.take(workspaceId, copyId(conversationId, messageId), incoming, judgeAs(content.type));
    } finally {
      bytes.destroy();
    }
  }

  /** Copies the file within the plan's limit, and stores its event. If the store has equal bytes already, the file uses those. */
  async #storedFile(task: Copy, context: ProcessorContext, number: StoreNumber): Promise<void> {
    const { files, storageLimitOf } = this.#dependencies;
    const { content, workspaceId, conversationId, messageId } = task.payload;
    const fileId = copyId(conversationId, messageId);
    const commands = bindCommands(context.commands, context.contextFor(task, task.payload));
    const most = await storageLimitOf(workspaceId);
    await checkStorage({ commands, workspaceId }, most);
    const copy = await this.#copied(task, number, context.signal);
    const { mimeType, kind, size, sha256 } = copy;
    // `files` logs a failure. Leftover bytes only use space.
    const drop = (): Promise<void> => files.discard(workspaceId, copy.contentId).catch(() => undefined);
    const needed = { by: fileId, kind: 'file', contentId: copy.contentId, size, sha256 } as const;
    const contentId = await recordReceived({ commands, workspaceId }, needed, most).catch(async (error) => {
      if (error instanceof DomainError) await drop();
      throw error;
    });
    if (contentId !== copy.contentId) await drop();
    const name = fileName(content.filename ?? content.type, mimeType);
    const record = { name, mimeType, kind, size, sha256, contentId, source: 'channel' } as const;
    await commands.decide(file, fileId, storeFile(record, conversationId));
  }

  /** Deletes the copy of an erased customer's file. Bytes without a file event are released too. */
  async #erased(task: Task<Copying>, context: ProcessorContext): Promise<Outcome> {
    const { workspaceId, conversationId, messageId } = task.payload;
    const commands = bindCommands(context.commands, context.contextFor(task, task.payload));
    const fileId = copyId(conversationId, messageId);
    await commands.decide(file, fileId, eraseFile(workspaceId));
    await releaseBytes({ commands, workspaceId }, fileId);
    return DONE;
  }

  async #stored(task: Copy, context: ProcessorContext, number: StoreNumber): Promise<Outcome> {
    const { files, isForgotten = async () => false } = this.#dependencies;
    const { workspaceId, conversationId, messageId, of } = task.payload;
    const fileId = copyId(conversationId, messageId);
    if ((await files.fileOf(workspaceId, fileId)) === undefined) await this.#storedFile(task, context, number);
    // The erasure destroys the key first and then looks for files, so this check finds each copy that the erasure missed.
    if (of !== undefined && (await isForgotten(of.stream, of.revision))) return this.#erased(task, context);
    const { mimeType, size } = (await files.fileOf(workspaceId, fileId))!;
    await this.#decide(task, context, storeMedia({ messageId, fileId, mimeType, size }));
    return DONE;
  }

  #again({ payload }: Task<Copying>, context: ProcessorContext, error: unknown): Outcome {
    const { random = Math.random } = this.#dependencies;
    const failures = payload.failures + 1;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(payload.failures, 12));
    const retryAfterMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
    const damaged = payload.damaged + (error instanceof Damaged || error instanceof TypeMismatch ? 1 : 0);
    const at = context.clock.now() + Math.max(retryAfterMs, jittered(wait, random()));
    return { again: { at, payload: { ...payload, failures, damaged } satisfies Copying } };
  }
}

export function mediaCopying(dependencies: MediaDependencies): Processor<ConversationEvent> {
  const copying = new MediaCopying(dependencies);
  return defineProcessor<ConversationEvent>({
    name: 'media',
    categories: ['conversation'],
    derivable: ['MessageReceived'],
    on: {
      MessageReceived({ id, data: { messageId, content }, meta, streamId }): NewTask<Copying>[] {
        const cause = causeOf(meta);
        if (!isMedia(content) || cause === undefined) return [];
        const payload: Copying = {
          ...cause,
          conversationId: streamId,
          messageId,
          content,
          receivedAt: Date.parse(meta.at),
          failures: 0,
          damaged: 0,
        };
        // One lane per file, in the store's group, so that a slow file does not block others, and a store with many files does not block
        // other stores.
        return [{ id, kind: 'copy', lane: `${cause.workspaceId}/${messageId}`, payload }];
      },
    },
    perform: { copy: (task: Copy, context) => copying.perform(task, context) },
    concurrency: CONCURRENCY,
  });
}
