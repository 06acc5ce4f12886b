/** The files of received messages, copied from the channel into the file store. */
import type { Decision } from '../decider.js';
import type { ConversationEvent } from './conversationEvents.js';
import type { Conversation } from './conversationState.js';

type Decide = Decision<Conversation, ConversationEvent>;

export interface StoreMedia {
  readonly messageId: string;
  readonly fileId: string;
  /** What it really is. */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
}

/** The file of a message is in the file store; nothing when that was told, or the message was taken back. */
export const storeMedia =
  (data: StoreMedia): Decide =>
  (state) =>
    state.pendingMedia.has(data.messageId) ? [{ type: 'MessageMediaStored', data }] : [];

export interface FailMedia {
  readonly messageId: string;
  readonly errorCode: string;
  /** In words for the store. */
  readonly reason: string;
}

/** The file cannot be had any more; nothing when it was stored or given up before. */
export const failMedia =
  (data: FailMedia): Decide =>
  (state) =>
    state.pendingMedia.has(data.messageId) ? [{ type: 'MessageMediaFailed', data }] : [];

// Queries -------------------------------------------------------------------------------------------------------------
/** Whether the message's file is still to be copied. */
export const awaitsMedia = (state: Conversation, messageId: string): boolean => state.pendingMedia.has(messageId);
