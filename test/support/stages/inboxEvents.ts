/** Events of one conversation, and the documents that the inbox's views make of them. */

import type { ConversationEvent, InboundContent, OutboundContent } from '../../../domain/channel/conversationEvents.js';
import type { RecordedEvent } from '../../../engine/ports/eventStore.js';
import { foldEvent, type View } from '../../../engine/projections/projection.js';
import { type ConversationBody, conversations } from '../../../projections/conversations.js';
import { type MessageBody, messages } from '../../../projections/messages.js';
import { atMinute, conversationId, messageId, started } from './inboxStage.js';

export const CHAT = conversationId('chat');
export const PHONE = '+252611000001';
export const MEMBER = '00000000-0000-4000-8000-000000000201';
export const FILE = '00000000-0000-4000-8000-000000000301';

/** Returns a history of one conversation, one event per minute. */
export const history = (...events: ConversationEvent[]): RecordedEvent[] =>
  events.map((event, revision) => ({
    ...event,
    id: `event-${revision}`,
    stream: `conversation-${CHAT}`,
    revision,
    position: revision,
    meta: { at: atMinute(revision), actor: { type: 'system' }, correlationId: 'test', workspaceId: 'store' },
  }));

export function chatAfter(...events: ConversationEvent[]): { chat: ConversationBody; keys: View<unknown>['keys'] } {
  const views = new Map<string, View<ConversationBody> | undefined>();
  for (const event of history(started(PHONE), ...events)) foldEvent(conversations, views, event);
  const { body, keys } = views.get(CHAT)!;
  return { chat: body, keys };
}

export function message(id: string, ...events: ConversationEvent[]): MessageBody | undefined {
  const views = new Map<string, View<MessageBody> | undefined>();
  for (const event of history(started(PHONE), ...events)) foldEvent(messages, views, event);
  return views.get(messageId(id))?.body;
}

export const received = (content: InboundContent, more: object = {}): ConversationEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: messageId('in'),
    channelMessageId: 'wamid.in',
    sentAt: atMinute(1),
    content,
    customer: { phone: PHONE },
    ...more,
  },
});
export const queued = (content: OutboundContent, more: object = {}): ConversationEvent => ({
  type: 'MessageQueued',
  data: { messageId: messageId('out'), numberId: 'number', to: { phone: PHONE }, content, ...more },
});
export const hello = queued({ type: 'text', text: 'Hello' });
export const accepted: ConversationEvent = {
  type: 'MessageAccepted',
  data: { messageId: messageId('out'), channelMessageId: 'wamid.out' },
};
export const moved = (status: 'sent' | 'delivered' | 'read', minute: number): ConversationEvent => ({
  type: 'MessageStatusChanged',
  data: { messageId: messageId('out'), status, at: atMinute(minute) },
});
export const failed: ConversationEvent = {
  type: 'MessageFailed',
  data: { messageId: messageId('out'), errorCode: '131026', reason: 'The number is not on the channel.' },
};
export const deleted = (id = 'in'): ConversationEvent => ({
  type: 'MessageDeleted',
  data: { messageId: messageId(id), at: atMinute(5) },
});
export const reaction = (emoji?: string): ConversationEvent => ({
  type: 'MessageReactionChanged',
  data: { messageId: messageId('out'), by: 'contact', at: atMinute(5), ...(emoji === undefined ? {} : { emoji }) },
});
