/** The API's shape of a conversation, as the view keeps it. (Specification 2, 'Contact' and 'Conversation'.) */
import type { ContactLanguage, ConversationStatus } from '../domain/channel/conversationEvents.js';
import type { MessageDirection, MessageStatus, MessageType } from './messageBodies.js';

export interface ContactBody {
  readonly id: string;
  /** E.164. Empty when the channel never reported it. */
  readonly phone: string;
  /** Empty when it is not known. */
  readonly name: string;
  /** Language of the automatic menu. */
  readonly language: ContactLanguage;
  readonly tags: readonly string[];
  readonly channelName?: string;
}

export interface LastMessage {
  readonly direction: MessageDirection;
  readonly type: MessageType;
  /** Empty for a deleted message. */
  readonly text: string;
  readonly status: MessageStatus;
  readonly deleted: boolean;
}

/** Exactly the API's `ConversationBody`. Times are RFC 3339. */
export interface ConversationBody {
  readonly id: string;
  readonly numberId: string;
  readonly contact: ContactBody;
  readonly routingState: 'awaiting_menu' | 'routed';
  readonly status: ConversationStatus;
  readonly unreadCount: number;
  readonly lastMessageAt: string;
  readonly pinned: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly assigneeMemberId?: string;
  readonly closedAt?: string;
  readonly snoozedUntil?: string;
  readonly teamId?: string;
  /** When a chat that waits for a choice from the menu goes to the default team. */
  readonly routingDeadline?: string;
  /** Until then any message can be sent, afterwards only an approved template. */
  readonly windowExpiresAt?: string;
  readonly lastMessage?: LastMessage;
  /** Conversation that this one was merged into. That one may have been merged since. */
  readonly mergedInto?: string;
}
