/** The inbox's sending side over HTTP: two instances over one log, and the outbox with a channel that a test plays. */

import { Readable } from 'node:stream';
import { sendMessage } from '../../../api/operations/inbox/sendMessage.js';
import { startConversation } from '../../../api/operations/inbox/startConversation.js';
import type { Principal } from '../../../application/access/principal.js';
import { outbox } from '../../../application/channel/outbox.js';
import { storeNumbers } from '../../../application/channel/storeNumbers.js';
import type { ChannelMessages } from '../../../application/ports/channelMessages.js';
import type { DomainEvent } from '../../../domain/decider.js';
import { derivedId } from '../../../domain/ids.js';
import type { CommandHandler } from '../../../engine/commandHandler/commands.js';
import { systemClock } from '../../../engine/ports/clock.js';
import type { EventStore } from '../../../engine/ports/eventStore.js';
import { silentLog } from '../../../engine/ports/log.js';
import { channelNumbers } from '../../../projections/channelNumbers.js';
import { conversations } from '../../../projections/conversations.js';
import { files } from '../../../projections/files.js';
import { messages } from '../../../projections/messages.js';
import { sendingQueues } from '../../../projections/sendingQueues.js';
import { templates } from '../../../projections/templates.js';
import { asMember, secretKey, shopDirectory } from './apiServer.js';
import { FILES, history, MEMBERS, OTHER_STORE, STORE } from './sendingHistory.js';
import { openStage } from './stage.js';

const keyOf = (credential: string): Principal =>
  secretKey(credential.slice('sk_test_'.length), credential === 'sk_test_other' ? OTHER_STORE : STORE, ['inbox:reply']);

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as any client without types would
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface SendingStage {
  readonly eventStore: EventStore;
  readonly commands: CommandHandler;
  /** `path` below the workspace; `caller`: key, other, or a member's name; `instance`: 0 or 1. */
  post(path: string, body: object, options?: { caller?: string; instance?: 0 | 1; store?: string }): Promise<Answer>;
  append(stream: string, events: readonly DomainEvent[], store?: string): Promise<void>;
  /** Returns the events of a conversation; with `type`, of that type only. */
  events(conversationId: string, type?: string): Promise<Body[]>;
  message(messageId: string): Promise<Body>;
  conversation(conversationId: string): Promise<Body>;
  /** Starts the outbox with this channel. It is stopped on close. */
  startOutbox(channel: ChannelMessages, uploaded?: string[]): Promise<void>;
  shown(): Promise<void>;
  close(): Promise<void>;
}

export async function sendingStage(): Promise<SendingStage> {
  const projections = [channelNumbers, conversations, files, messages, sendingQueues, templates];
  const ground = await openStage('sending', { projections, sharedStore: true });
  const { eventStore, reads, commands, shown } = ground;
  const instance = () =>
    ground.serve({
      operations: [sendMessage, startConversation].map(asMember(MEMBERS)),
      commands: ground.commandHandler(),
      directory: shopDirectory(keyOf, [STORE, OTHER_STORE], { locale: 'so' }),
      soleUser: false,
    });

  const servers = [await instance(), await instance()];
  let count = 0;
  const stage: SendingStage = {
    eventStore,
    commands,
    shown,
    async post(path, body, { caller = 'key', instance: which = 0, store = STORE } = {}) {
      const answer = await fetch(`${servers[which]!.url}/api/v1/workspaces/${store}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer sk_test_${caller}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json(), headers: answer.headers };
    },
    async append(stream, events, store = STORE) {
      const meta = {
        at: new Date().toISOString(),
        actor: { type: 'system' as const },
        correlationId: 'test',
        workspaceId: store,
      };
      const data = events.map((event) => ({ ...event, id: derivedId('sending test', count++), meta }));
      for (let i = 0; i < data.length; i += 500) await eventStore.append(stream, 'any', data.slice(i, i + 500));
    },
    async events(conversationId, type) {
      const all = await eventStore.readStream(`conversation-${conversationId}`);
      return all.filter((event) => type === undefined || event.type === type).map((event) => event as Body);
    },
    async message(messageId) {
      await shown();
      return (await reads.get(messages, messageId))?.body;
    },
    async conversation(conversationId) {
      await shown();
      return (await reads.get(conversations, conversationId))?.body;
    },
    async startOutbox(channel, uploaded = []) {
      const sending = outbox({
        channel,
        media: {
          async upload(_, file) {
            (await file.content()).destroy();
            uploaded.push(file.filename);
            return { mediaId: `media-${uploaded.length}` };
          },
        },
        files: {
          fileOf: async (_, fileId) => FILES.get(fileId),
          openFile: async () => Readable.from([Buffer.from('bytes')]),
        },
        numbers: storeNumbers(reads, systemClock),
        accessTokenOf: () => undefined,
        log: silentLog,
        count: () => undefined,
      });
      await ground.start([sending]);
    },
    close: ground.close,
  };
  for (const { stream, events, store } of history()) await stage.append(stream, events, store);
  await shown();
  return stage;
}
