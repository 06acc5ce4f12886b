/** Messages of the store: order, pace and delivery status. */

import type { Decision } from '../decider.js';
import { defined } from '../defined.js';
import { PACE_MS } from './conversation.js';
import type {
  ChannelCustomer,
  Contact,
  ConversationEvent,
  MessagePurpose,
  OutboundContent,
} from './conversationEvents.js';
import type { Conversation, Outbound, OutboundStatus } from './conversationState.js';
import { joined } from './earlyReactions.js';

type Decide = Decision<Conversation, ConversationEvent>;

/** Time after the customer's last message in which any message may be sent. (Specification 2, 'Inbox'.) */
export const WINDOW_MS = 24 * 3_600_000;
const RANK: Readonly<Record<OutboundStatus, number>> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  failed: 5,
};

// Queries -------------------------------------------------------------------------------------------------------------
/** Undefined: not a message of this conversation, or evicted since. */
export const outboundStatus = (state: Conversation, messageId: string): OutboundStatus | undefined =>
  state.outbound.get(messageId)?.status;

/** Time (ms since 1970) until which any message may be sent, afterwards only a template. (Specification 2, 'Inbox'.) */
export const windowEndsAt = (state: Conversation): number | undefined =>
  state.lastCustomerMessageAt === 0 ? undefined : state.lastCustomerMessageAt + WINDOW_MS;

/** Returns the store's message with this id of the channel. */
export function outboundWith(state: Conversation, channelMessageId: string): string | undefined {
  for (const [id, message] of state.outbound) if (message.channelMessageId === channelMessageId) return id;
  return undefined;
}

/** Returns true if a message of this conversation, of either side, has this id of the channel. */
export const knowsMessage = (state: Conversation, channelMessageId: string): boolean =>
  state.inbound.has(channelMessageId) || outboundWith(state, channelMessageId) !== undefined;

function inboundWith(state: Conversation, messageId: string): string | undefined {
  for (const [channelId, id] of state.inbound) if (id === messageId) return channelId;
  return undefined;
}

/**
 * Returns the channel's id of a message of either side, for replies to it. Undefined: not among the newest of this conversation (1,000
 * inbound, 300 outbound), or not yet accepted by the channel.
 */
export const channelMessageIdOf = (state: Conversation, messageId: string): string | undefined =>
  state.outbound.get(messageId)?.channelMessageId ?? inboundWith(state, messageId);

// Commands and decisions: repeated commands that change nothing return no events --------------------------------------
export interface QueueMessage {
  /** Derived from the cause of the message, so that a repeated command is recognised. */
  readonly messageId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  readonly purpose?: MessagePurpose;
  readonly clientMsgId?: string;
  /** Author of a member's message. An unassigned conversation is assigned to the author. */
  readonly sentByMemberId?: string;
  readonly replyToMessageId?: string;
  /** The channel's id of the message that is replied to, if the caller knows it. Otherwise the conversation looks it up. */
  readonly repliesTo?: string;
  /** Contact for a new conversation. */
  readonly contact?: Contact;
}

/** Returns `ConversationStarted` if the conversation has not started. */
export const started = (
  state: Conversation,
  { numberId, customer, contact }: { numberId: string; customer: ChannelCustomer; contact?: Contact | undefined },
): ConversationEvent[] =>
  state.started ? [] : [{ type: 'ConversationStarted', data: { numberId, customer, ...defined({ contact }) } }];

/** Queues the message for the outbox. Idempotent by messageId while the message is among the newest 300. */
export const queueMessage =
  ({ contact, ...message }: QueueMessage): Decide =>
  (state) => {
    if (state.outbound.has(message.messageId)) return [];
    const { numberId, to, sentByMemberId: memberId, replyToMessageId } = message;
    const known = replyToMessageId === undefined ? undefined : channelMessageIdOf(state, replyToMessageId);
    const repliesTo = message.repliesTo ?? known;
    const data = { ...message, ...defined({ repliesTo }) };
    const takes = memberId !== undefined && state.assigneeMemberId === undefined;
    return [
      ...started(state, { numberId, customer: to, contact }),
      { type: 'MessageQueued', data },
      ...(takes ? [{ type: 'ConversationAssigned', data: { memberId } } as const] : []),
    ];
  };

const purposeOf = ({ purpose }: Outbound): { purpose?: MessagePurpose } => defined({ purpose });

export interface AcceptMessage {
  readonly messageId: string;
  readonly channelMessageId: string;
}

/** Records that the channel accepted the message. The customer may have reacted already. No event if a status has reported the same. */
export const acceptMessage =
  ({ messageId, channelMessageId }: AcceptMessage): Decide =>
  (state) => {
    const message = state.outbound.get(messageId);
    if (message?.status !== 'queued') return [];
    return [
      { type: 'MessageAccepted', data: { messageId, channelMessageId, ...purposeOf(message) } },
      ...joined(state.early.get(channelMessageId), messageId),
    ];
  };

export interface FailMessage {
  readonly messageId: string;
  readonly errorCode: string;
  /** Written for the store. */
  readonly reason: string;
}

/** Records that the message will not arrive. A delivered message cannot fail. */
export const failMessage =
  (command: FailMessage): Decide =>
  (state) => {
    const message = state.outbound.get(command.messageId);
    if (message === undefined || RANK[message.status] >= RANK.delivered) return [];
    const accepted = message.status === 'queued' ? {} : ({ accepted: true } as const);
    return [{ type: 'MessageFailed', data: { ...command, ...purposeOf(message), ...accepted } }];
  };

/** Status of a sent message. Looked up by the service's message id, otherwise by the channel's. */
export interface StatusUpdate {
  readonly messageId?: string;
  readonly channelMessageId: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** RFC 3339. */
  readonly at: string;
  /** With `failed`. */
  readonly errorCode?: string;
  readonly reason?: string;
}

function find(state: Conversation, update: StatusUpdate): string | undefined {
  if (update.messageId !== undefined && state.outbound.has(update.messageId)) return update.messageId;
  return outboundWith(state, update.channelMessageId);
}

/** Returns true if the status is about a message of this conversation. */
export const concerns = (state: Conversation, update: StatusUpdate): boolean => find(state, update) !== undefined;

/**
 * Records a status. Statuses arrive repeated, out of order and with gaps, so only later ones count. A status that arrives before the
 * response to the request also means that the channel accepted the message.
 */
export const updateStatus =
  (update: StatusUpdate): Decide =>
  (state) => {
    const messageId = find(state, update);
    if (messageId === undefined) return [];
    if (update.status === 'failed') {
      const { errorCode = 'unknown', reason = 'The channel could not deliver the message.' } = update;
      return failMessage({ messageId, errorCode, reason })(state);
    }
    const { status, at, channelMessageId } = update;
    if (RANK[status] <= RANK[state.outbound.get(messageId)!.status]) return [];
    return [
      ...acceptMessage({ messageId, channelMessageId })(state),
      { type: 'MessageStatusChanged', data: { messageId, status, at } },
    ];
  };

// Waiting messages and the time of the next one -----------------------------------------------------------------------
/** Messages that may go to a customer without a pause. (shared reference: 'Throughput'.) */
const BURST = 45;
const LEEWAY_MS = (BURST - 1) * PACE_MS;
/** Maximum difference between the clocks of instances, in ms. */
const CLOCKS_APART_MS = 60_000;

/** Number of messages that the channel has not accepted yet. */
export const waitingMessages = (state: Conversation): number => state.waiting.size;

/** Returns the number of messages before this one, in queue order. Undefined: the message does not wait. */
export function aheadOf(state: Conversation, messageId: string): number | undefined {
  if (!state.waiting.has(messageId)) return undefined;
  let ahead = 0;
  for (const id of state.waiting) {
    if (id === messageId) break;
    ahead += 1;
  }
  return ahead;
}

/**
 * Returns the earliest time for a message with `ahead` others before it, in ms since 1970, not before `now`. Allows bursts of 45, and one
 * message per 6 s on average.
 *
 * The pace is computed from recorded acceptances, so that every instance computes the same. If a clock that was ahead recorded them, they
 * are ignored, and only the channel's own limit applies.
 */
export function paceOf({ paceAt }: Conversation, ahead: number, now: number): number {
  const isByClockAhead = paceAt > now + LEEWAY_MS + PACE_MS + CLOCKS_APART_MS;
  const from = isByClockAhead ? now : Math.max(paceAt, now);
  return Math.max(now, from + ahead * PACE_MS - LEEWAY_MS);
}
