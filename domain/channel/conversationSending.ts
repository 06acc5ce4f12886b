/** What the store sends, in which order and at which pace, and what became of it. */

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

/** So long after the customer's last message any message may be sent. (Specification 2, 'Inbox'.) */
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
/** Undefined: not a message of this conversation, or long done. */
export const outboundStatus = (state: Conversation, messageId: string): OutboundStatus | undefined =>
  state.outbound.get(messageId)?.status;

/** Until then (ms since 1970) any message may be sent, afterwards only a template. (Specification 2, 'Inbox'.) */
export const windowEndsAt = (state: Conversation): number | undefined =>
  state.lastCustomerMessageAt === 0 ? undefined : state.lastCustomerMessageAt + WINDOW_MS;

/** Our message with this id of the channel. */
export function outboundWith(state: Conversation, channelMessageId: string): string | undefined {
  for (const [id, message] of state.outbound) if (message.channelMessageId === channelMessageId) return id;
  return undefined;
}

/** True if a message of this conversation, of either side, has the channel's id. */
export const knowsMessage = (state: Conversation, channelMessageId: string): boolean =>
  state.inbound.has(channelMessageId) || outboundWith(state, channelMessageId) !== undefined;

function inboundWith(state: Conversation, messageId: string): string | undefined {
  for (const [channelId, id] of state.inbound) if (id === messageId) return channelId;
  return undefined;
}

/**
 * The channel's id of a message of either side, for replies to it. Undefined: not among the newest of this conversation
 * (1,000 inbound, 300 outbound), or not yet taken by the channel.
 */
export const channelMessageIdOf = (state: Conversation, messageId: string): string | undefined =>
  state.outbound.get(messageId)?.channelMessageId ?? inboundWith(state, messageId);

// Commands and decisions: repeated commands that change nothing return no events --------------------------------------
export interface QueueMessage {
  /** Derived from what causes the message, so that a repeated command is recognised. */
  readonly messageId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  readonly purpose?: MessagePurpose;
  readonly clientMsgId?: string;
  /** Of a member's own message: who speaks to an unassigned conversation has it from then on. */
  readonly sentByMemberId?: string;
  readonly replyToMessageId?: string;
  /** The channel's id of the message that is replied to, where the caller knows it; else the conversation looks. */
  readonly repliesTo?: string;
  /** For a conversation that begins with this message. */
  readonly contact?: Contact;
}

/** `ConversationStarted`, unless it was. */
export const started = (
  state: Conversation,
  { numberId, customer, contact }: { numberId: string; customer: ChannelCustomer; contact?: Contact | undefined },
): ConversationEvent[] =>
  state.started ? [] : [{ type: 'ConversationStarted', data: { numberId, customer, ...defined({ contact }) } }];

/** Leaves the message to the outbox. Idempotent by messageId as long as it is among the newest 300. */
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

/** The channel took the message, and the customer may have reacted to it already. Nothing when a status told so before. */
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
  /** In words for the store. */
  readonly reason: string;
}

/** The message will not arrive. What was delivered cannot fail any more. */
export const failMessage =
  (command: FailMessage): Decide =>
  (state) => {
    const message = state.outbound.get(command.messageId);
    if (message === undefined || RANK[message.status] >= RANK.delivered) return [];
    const accepted = message.status === 'queued' ? {} : ({ accepted: true } as const);
    return [{ type: 'MessageFailed', data: { ...command, ...purposeOf(message), ...accepted } }];
  };

/** News of a sent message. Found by the service's message id, or else by the channel's. */
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

/** Whether the status is about a message of this conversation. */
export const concerns = (state: Conversation, update: StatusUpdate): boolean => find(state, update) !== undefined;

/**
 * Statuses come repeated, out of order and with gaps: only one that leads further counts. One that arrives before the
 * answer to the sending also tells that the channel took the message.
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

// What waits to be sent, and when the next of it may go ---------------------------------------------------------------
/** Messages that may go to a customer without a pause. (shared reference: 'Throughput'.) */
const BURST = 45;
const LEEWAY_MS = (BURST - 1) * PACE_MS;
/** Clocks of instances differ by less, in ms. */
const CLOCKS_APART_MS = 60_000;

/** Messages that the channel has not taken yet. */
export const waitingMessages = (state: Conversation): number => state.waiting.size;

/** How many messages go before this one, in the order in which they were queued; undefined: it does not wait. */
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
 * When a message may go that has `ahead` others before it, ms since 1970: `now` or later. Bursts of 45, and one in 6 s for
 * long; counted from what the channel took, so that whoever sends next, here or on another machine, knows the same. Where that was
 * noted by a clock that was ahead, it says nothing of now, and the channel's own limit is the only one.
 */
export function paceOf({ paceAt }: Conversation, ahead: number, now: number): number {
  const isByClockAhead = paceAt > now + LEEWAY_MS + PACE_MS + CLOCKS_APART_MS;
  const from = isByClockAhead ? now : Math.max(paceAt, now);
  return Math.max(now, from + ahead * PACE_MS - LEEWAY_MS);
}
