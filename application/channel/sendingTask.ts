import type { ChannelCustomer, ConversationEvent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome } from '../../engine/processors/processor.js';

/** What the outbox carries of a message between its performances. Times in ms since 1970. */
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
  /** The channel's id of the message that is replied to, where it was known; else the service's. */
  readonly repliesTo?: string;
  readonly replyToMessageId?: string;
  /** Failed tries so far. */
  readonly failures: number;
  /** How often it waited for earlier messages without knowing until when. */
  readonly waits: number;
  /** Its place in the number's rate, and which process gave it out. */
  readonly place?: { readonly at: number; readonly by: string };
  /** The channel's ids of its files that are uploaded, by the file's id. */
  readonly mediaIds?: Readonly<Record<string, string>>;
  /** The channel's id of the message, which the channel has taken and which is not recorded yet: it is not sent again. */
  readonly acceptedAs?: string;
  /** With it: the customer's phone as the channel knows it. */
  readonly waId?: string;
}

/** Recipient and content of a waiting message whose customer was forgotten. */
export const NOBODYS = { to: {}, content: { type: 'text', text: '' } } as const;

const PLACE_DIGITS = 10;

type Queued = Extract<ConversationEvent, { type: 'MessageQueued' }> & RecordedEvent & { readonly streamId: string };

/** A conversation is a lane, its messages go one after another; lanes of one number share their turns with other numbers. */
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
  // Of tasks that are due at the same time, those with the lower id come first.
  const place = String(revision).padStart(PLACE_DIGITS, '0');
  return { id: `${place}.${id}`, kind: 'send', lane: `${numberId}/${streamId}`, payload };
}

export const DONE: Outcome = { done: true };
export const again = (at: number, payload: Sending): Outcome => ({ again: { at, payload } });
