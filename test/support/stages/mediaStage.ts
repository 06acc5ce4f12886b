/** Customers' files on a fake channel, and the processor that copies them, on embedded engines. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mediaCopying } from '../../../application/channel/mediaCopying.js';
import { createFiles, type Files } from '../../../application/files/files.js';
import type { ChannelMedia, MediaPlace } from '../../../application/ports/channelMedia.js';
import { conversation } from '../../../domain/channel/conversation.js';
import type { ConversationEvent, MediaKind } from '../../../domain/channel/conversationEvents.js';
import { type InboundMessage, receiveMessages } from '../../../domain/channel/conversationReceiving.js';
import { derivedId } from '../../../domain/ids.js';
import { silentLog } from '../../../engine/ports/log.js';
import { openFolderFiles } from '../../../infrastructure/files/folderFiles.js';
import { sha256 } from '../../contracts/fileStoreContract.js';
import { NUMBER } from './channelStage.js';
import { type ProcessorStage, processorStage, type Running } from './processorStage.js';

export const STORE = NUMBER.workspaceId;

/** File that the channel has under an id, and errors that `locate` or `download` throw, once for each entry. */
export interface DelayedDownload {
  bytes: Buffer;
  place?: Partial<MediaPlace>;
  /** Content instead of the bytes. */
  content?: () => AsyncIterable<Uint8Array>;
  locate?: Error[];
  download?: Error[];
}

export interface MediaStage {
  readonly processors: ProcessorStage;
  readonly delayed: Map<string, DelayedDownload>;
  /** Calls of `locate` and `download` with the channel's id, in order. */
  readonly calls: string[];
  readonly tokens: (string | undefined)[];
  readonly files: Files;
  /** Returns the files as the processor sees them. Tests may wrap them. */
  around: (files: Files) => Pick<Files, 'take' | 'fileOf'>;
  /** Storage limit of the store's plan, in bytes; undefined: no limit. */
  storageLimit: number | undefined;
  /** False: the read model does not show the store's number. */
  isNumberShown: boolean;
  start(): Promise<Running>;
  /** Sends a file from a customer and returns the message's id. */
  receive(id: string, type: MediaKind, more?: object, workspaceId?: string): Promise<string>;
  /** Revokes the message, as its customer. */
  takeBack(messageId: string): Promise<void>;
  events(workspaceId?: string): Promise<ConversationEvent[]>;
  /** Returns the event that settled the message's file; undefined while it is pending. */
  fate(messageId: string, workspaceId?: string): Promise<ConversationEvent | undefined>;
  /** Returns the names in the file store, complete files or not. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

const conversationOf = (workspaceId: string): string => `conversation-of-${workspaceId.slice(0, 8)}`;

export async function mediaStage(): Promise<MediaStage> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-media-'));
  const processors = await processorStage({ withCommands: true });
  const store = await openFolderFiles({ folder, alone: true });
  const files = createFiles({ store, commands: processors.commands, trouble: () => undefined });
  const delayed = new Map<string, DelayedDownload>();
  const calls: string[] = [];
  const tokens: (string | undefined)[] = [];
  const cachedOf = (id: string): DelayedDownload => {
    const found = delayed.get(id);
    if (found === undefined) throw new Error(`the channel has no ${id}`);
    return found;
  };
  const media: Pick<ChannelMedia, 'locate' | 'download'> = {
    async locate(id, token) {
      calls.push(`locate ${id}`);
      tokens.push(token);
      const { bytes, place, locate } = cachedOf(id);
      const failure = locate?.shift();
      if (failure !== undefined) throw failure;
      return { url: id, mimeType: 'application/octet-stream', size: bytes.length, sha256: sha256(bytes), ...place };
    },
    async download({ url }) {
      calls.push(`download ${url}`);
      const { bytes, content, download } = cachedOf(url);
      const failure = download?.shift();
      if (failure !== undefined) throw failure;
      return Readable.from(content?.() ?? [bytes], { objectMode: false });
    },
  };
  async function take(workspaceId: string, message: Pick<InboundMessage, 'messageId' | 'content'>): Promise<void> {
    const customer = { phone: '+252615550101' };
    const sentAt = new Date(processors.clock.now()).toISOString();
    const received = { ...message, channelMessageId: `wamid.${message.messageId}`, sentAt, customer };
    const context = {
      commandId: derivedId(workspaceId, message.messageId),
      actor: { type: 'customer' },
      correlationId: message.messageId,
      workspaceId,
    } as const;
    const command = receiveMessages({ numberId: NUMBER.numberId, messages: [received] });
    await processors.commands.decide(context, conversation, conversationOf(workspaceId), command);
  }

  const stage: MediaStage = {
    processors,
    delayed,
    calls,
    tokens,
    files,
    around: (real) => real,
    storageLimit: undefined,
    isNumberShown: true,
    start: () =>
      processors.start(
        mediaCopying({
          media,
          files: {
            take: (...parts) => stage.around(files).take(...parts),
            fileOf: (...parts) => stage.around(files).fileOf(...parts),
            discard: (...parts) => files.discard(...parts),
          },
          storageLimitOf: async () => stage.storageLimit,
          numbers: { byNumberId: async () => (stage.isNumberShown ? NUMBER : undefined) },
          accessTokenOf: () => 'token-of-the-number',
          log: {
            ...silentLog,
            warn: (fields, text) => processors.warnings.push(`${text} ${JSON.stringify(fields)}`),
          },
          random: () => 0.5,
        }),
      ),
    async receive(id, type, more = {}, workspaceId = STORE) {
      const messageId = `message-${id}`;
      await take(workspaceId, { messageId, content: { type, channelMediaId: id, ...more } });
      return messageId;
    },
    takeBack: (messageId) => take(STORE, { messageId: `revoke-${messageId}`, content: { type: 'revoke', messageId } }),
    async events(workspaceId = STORE) {
      const stream = `conversation-${conversationOf(workspaceId)}`;
      return (await processors.eventStore.readStream(stream)) as unknown as ConversationEvent[];
    },
    async fate(messageId, workspaceId = STORE) {
      const events = await stage.events(workspaceId);
      return events.find(
        ({ type, data }) => /^MessageMedia/.test(type) && (data as { messageId: string }).messageId === messageId,
      );
    },
    async stored() {
      const found = await readdir(folder, { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map(({ name }) => name);
    },
    async close() {
      await processors.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stage;
}
