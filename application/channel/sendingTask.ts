import type { ChannelCustomer, ConversationEvent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';

/** State of a message in the outbox between performances. Times in ms since 1970. */
export interface Sending {
  readonly conversationId: string;
  readonly messageId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly correlationId: string;
  readonly queuedAt: number;
  /** The channel's id of the message that is replied to, if it was known. Otherwise `replyToMessageId` is the service's. */
  readonly repliesTo?: string;
  readonly replyToMessageId?: string;
  /** Number of failed attempts. */
  readonly failures: number;
  /** Number of polls without a known due time of earlier messages. */
  readonly waits: number;
  /** Place in the number's rate, and the process that reserved it. */
  readonly place?: { readonly at: number; readonly by: string };
  /** The channel's ids of uploaded files, by the file's id. */
  readonly mediaIds?: Readonly<Record<string, string>>;
  /** The channel's id of a message that the channel has accepted but that is not recorded yet. It is not sent again. */
  readonly acceptedAs?: string;
  /** With `acceptedAs`: the channel's notation of the customer's phone. */
  readonly waId?: string;
}

/** Recipient and content of a waiting message whose customer was erased. */
export const NOBODYS = { to: {}, content: { type: 'text', text: '' } } as const;

const PLACE_DIGITS = 10;

type Queued = Extract<ConversationEvent, { type: 'MessageQueued' }> & RecordedEvent & { readonly streamId: string };

/**
 * Creates the task of a queued message. A conversation is a lane, so that its messages are sent in order. Lanes of one number form a group
 * that shares slots with other numbers.
 */
export function sendingTask({ id, revision, data, meta, streamId }: Queued): NewTask<Sending> {
  const { messageId, numberId, to, content, repliesTo, replyToMessageId } = data;
  const { workspaceId, partnerId, correlationId } = meta;
  const payload: Sending = {
    conversationId: streamId,
    messageId,
    numberId,
    to,
    content,
    ...defined({ workspaceId, partnerId }),
    correlationId,
    queuedAt: Date.parse(meta.at),
    ...defined({ repliesTo, replyToMessageId }),
    failures: 0,
    waits: 0,
  };
  // Tasks that are due at the same time are performed in the order of their ids.
  const place = String(revision).padStart(PLACE_DIGITS, '0');
  return { id: `${place}.${id}`, kind: 'send', lane: `${numberId}/${streamId}`, payload };
}

export const DONE: Outcome = { done: true };
export const again = (at: number, payload: Sending): Outcome => ({ again: { at, payload } });
