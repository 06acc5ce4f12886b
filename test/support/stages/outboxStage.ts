/** Outbox on a clock that tests move, with a channel that a test plays. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { outbox } from '../../../application/channel/outbox.js';
import { ProviderError } from '../../../application/ports/catalogProvider.js';
import type { OutboundMessage } from '../../../application/ports/channelMessages.js';
import { conversation } from '../../../domain/channel/conversation.js';
import type { ConversationEvent, OutboundContent } from '../../../domain/channel/conversationEvents.js';
import { queueMessage } from '../../../domain/channel/conversationSending.js';
import type { Conversation } from '../../../domain/channel/conversationState.js';
import type { Decision } from '../../../domain/decider.js';
import type { StoredRecord } from '../../../domain/files/file.js';
import { derivedId } from '../../../domain/ids.js';
import { createCommandHandler } from '../../../engine/commandHandler/commandHandler.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { silentLog } from '../../../engine/ports/log.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { unset, until } from '../doubles/fakeClock.js';
import { NUMBER, numbers } from './channelStage.js';
import { type ProcessorStage, processorStage, type Running } from './processorStage.js';

/** Result of a message at the channel: undefined accepts it, an error refuses it, 'hang' never answers. */
type Played = ProviderError | 'hang' | undefined;
type Play = (message: OutboundMessage) => Played | Promise<Played>;

export interface Sent {
  readonly conversationOf: string;
  readonly message: OutboundMessage;
  readonly messageId: string;
  readonly at: number;
  readonly refused: boolean;
}

export interface OutboxStage {
  readonly processors: ProcessorStage;
  /** Messages that reached the channel, in order. */
  readonly sent: Sent[];
  /** Uploaded files. */
  readonly uploaded: string[];
  play: Play;
  /** Errors of the next uploads, once each. */
  readonly uploadTroubles: ProviderError[];
  /** Runs while a file is uploaded. */
  duringUpload: () => Promise<unknown>;
  /** Names of conversations whose customers were forgotten. */
  readonly forgotten: Set<string>;
  readonly files: Map<string, StoredRecord>;
  /** `sharing`: leases and shards, for tests where another instance owns or takes over a part of the work. */
  start(sharing?: Parameters<ProcessorStage['start']>[3]): Promise<Running>;
  decide(name: string, decision: Decision<Conversation, ConversationEvent>, id?: string): Promise<unknown>;
  /** Queues a text, or `content`, in the conversation with this name. */
  queue(messageId: string, name?: string, content?: OutboundContent, more?: object): Promise<unknown>;
  /** Returns the type and data of the event that settled a message. */
  fate(messageId: string, name?: string): Promise<{ type: string; data: Record<string, unknown> } | undefined>;
  /** Moves time in steps until the condition holds. */
  pass(what: string, step: number, condition: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

const conversationNamed = (name: string): string => derivedId('outbox conversation', name);
export const refusal = (code: string, retry = true, retryAfterMs?: number): ProviderError =>
  new ProviderError(code, 'not now', retry, retryAfterMs);

export async function outboxStage(): Promise<OutboxStage> {
  const folder = await mkdtemp(join(tmpdir(), 'suuq-outbox-'));
  const eventStore = await openEmbeddedEventStore(folder, { writesHere: true });
  const clock = unset({
    now: () => processors.clock.now(),
    at: (time: number, run: () => void) => processors.clock.at(time, run),
  });
  const snapshots = { load: async () => undefined, save: async () => undefined };
  const handler = (): CommandHandler => createCommandHandler({ eventStore, snapshots, clock, sharedStore: true });
  const commands = handler();
  const processors: ProcessorStage = await processorStage({ commands, eventStore });
  const places = new Map<string, string>();
  const sent: Sent[] = [];
  const uploaded: string[] = [];
  const stage: OutboxStage = {
    processors,
    sent,
    uploaded,
    play: () => undefined,
    uploadTroubles: [],
    duringUpload: async () => undefined,
    forgotten: new Set(),
    files: new Map(),
    async start(sharing) {
      let dead = false;
      const running = await processors.start(
        outbox({
          channel: {
            async send(_, message) {
              if (dead) return new Promise(() => undefined);
              const { messageId } = message;
              const outcome = await stage.play(message);
              const at = processors.clock.now();
              const refused = outcome !== undefined;
              sent.push({ conversationOf: places.get(messageId)!, message, messageId, at, refused });
              if (outcome === 'hang') return new Promise(() => undefined);
              if (outcome !== undefined) throw outcome;
              return { channelMessageId: `wamid.${messageId}.${sent.length}` };
            },
          },
          media: {
            async upload(_, { filename, content }) {
              (await content()).destroy();
              await stage.duringUpload();
              const trouble = stage.uploadTroubles.shift();
              if (trouble !== undefined) throw trouble;
              uploaded.push(filename);
              return { mediaId: `media-${uploaded.length}` };
            },
          },
          files: {
            fileOf: async (_, fileId) => stage.files.get(fileId),
            openFile: async (_, fileId) => (stage.files.has(fileId) ? Readable.from([Buffer.from('x')]) : undefined),
          },
          numbers,
          accessTokenOf: () => undefined,
          log: silentLog,
          count: () => undefined,
          isForgotten: async (id) => [...stage.forgotten].map(conversationNamed).includes(id),
        }),
        undefined,
        undefined,
        sharing,
      );
      return {
        ...running,
        crash() {
          dead = true;
          running.crash();
        },
      };
    },
    decide: (name, decision, id = 'one') =>
      commands.decide(
        { commandId: name, actor: { type: 'system' }, correlationId: 'spec', workspaceId: NUMBER.workspaceId },
        conversation,
        conversationNamed(id),
        decision,
      ),
    queue(messageId, name = 'one', content = { type: 'text', text: messageId }, more = {}) {
      places.set(messageId, name);
      const to = { phone: '+252615550101' };
      const command = queueMessage({ messageId, numberId: NUMBER.numberId, to, content, ...more });
      return stage.decide(messageId, command, name);
    },
    async fate(messageId, name = 'one') {
      const events = await eventStore.readStream(`conversation-${conversationNamed(name)}`);
      const found = events.find(
        ({ type, data }) => /Accepted|Failed/.test(type) && (data as { messageId: string }).messageId === messageId,
      );
      return found as { type: string; data: Record<string, unknown> } | undefined;
    },
    pass: (what, step, condition) =>
      until(what, async () => {
        if (await condition()) return true;
        await processors.clock.advance(step);
        return condition();
      }),
    async close() {
      await processors.close();
      await eventStore.close();
      await rm(folder, { recursive: true });
    },
  };
  return stage;
}
