/** Everything that customers send: messages, reactions, deleted messages, calls, and the files of messages. */
import type { Decision } from '../decider.js';
import { defined } from '../defined.js';
import type {
  ChannelCustomer,
  Contact,
  ConversationEvent,
  InboundContent,
  MessageDetails,
} from './conversationEvents.js';
import { type RoutingTerms, routingOf } from './conversationRouting.js';
import { outboundWith, started } from './conversationSending.js';
import type { Conversation, EarlyReaction, Reaction } from './conversationState.js';
import { isNews, joined, leaves } from './earlyReactions.js';

type Decide = Decision<Conversation, ConversationEvent>;

// Messages of one delivery, in order ----------------------------------------------------------------------------------
/** The customer deletes a message. `messageId`: the service's id of that message. */
export interface TakingBack {
  readonly type: 'revoke';
  readonly messageId: string;
}

export interface InboundMessage {
  readonly messageId: string;
  readonly channelMessageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly content: InboundContent | TakingBack;
  /** The channel's id of the message that this one replies to. */
  readonly repliesTo?: string;
  readonly forwarded?: true;
  readonly details?: MessageDetails;
  readonly customer: ChannelCustomer;
}

type ReactionContent = Extract<InboundContent, { type: 'reaction' }>;

/** Processes the messages of one command in order, since each may refer to an earlier one. */
class Receiving {
  readonly events: ConversationEvent[] = [];
  /** Contents of the messages that need attention from the store. */
  readonly contents: InboundContent[] = [];
  readonly #state: Conversation;
  readonly #inbound = new Map<string, string>();
  readonly #reactions = new Map<string, Reaction>();
  readonly #early = new Map<string, EarlyReaction>();
  readonly #deleted = new Set<string>();

  constructor(state: Conversation) {
    this.#state = state;
  }

  take(message: InboundMessage): void {
    const { channelMessageId, content } = message;
    if (this.#inbound.has(channelMessageId) || this.#state.inbound.has(channelMessageId)) return;
    if (content.type === 'revoke') this.#takeBack(message, content);
    else if (content.type === 'reaction') this.#react(message, content);
    else this.#receive(message, content);
  }

  /** Returns the message of either side that has this id of the channel. */
  #about(channelMessageId: string): string | undefined {
    return (
      this.#inbound.get(channelMessageId) ??
      this.#state.inbound.get(channelMessageId) ??
      outboundWith(this.#state, channelMessageId)
    );
  }

  #receive(message: InboundMessage, content: InboundContent): void {
    const { messageId, channelMessageId, sentAt, repliesTo, forwarded, customer } = message;
    const replyToMessageId = repliesTo === undefined ? undefined : this.#about(repliesTo);
    const details = this.#detailsOf(message);
    this.#inbound.set(channelMessageId, messageId);
    this.contents.push(content);
    this.events.push({
      type: 'MessageReceived',
      data: {
        messageId,
        channelMessageId,
        sentAt,
        content,
        ...defined({ repliesTo, replyToMessageId, forwarded, details }),
        customer,
      },
    });
    if (content.type !== 'reaction') this.#join(channelMessageId, messageId);
    if (this.#isDeleted(messageId)) this.events.push({ type: 'MessageDeleted', data: { messageId, at: sentAt } });
  }

  #detailsOf({ details }: InboundMessage): MessageDetails | undefined {
    if (details?.edits === undefined) return details;
    return { ...details, ...defined({ editsMessageId: this.#about(details.edits) }) };
  }

  #isDeleted(messageId: string): boolean {
    return this.#deleted.has(messageId) || this.#state.deleted.has(messageId);
  }

  /** Deletes a message, possibly before it arrived, since deliveries overtake each other. */
  #takeBack({ channelMessageId, sentAt: at }: InboundMessage, { messageId }: TakingBack): void {
    this.#inbound.set(channelMessageId, messageId);
    if (this.#isDeleted(messageId)) return;
    this.#deleted.add(messageId);
    this.events.push({ type: 'MessageDeleted', data: { messageId, at, channelMessageId } });
  }

  #react(message: InboundMessage, content: ReactionContent): void {
    const { channelMessageId, sentAt: at } = message;
    const messageId = this.#about(content.channelMessageId);
    const changed = content.emoji === '' ? { at } : { emoji: content.emoji, at };
    if (messageId === undefined) {
      this.#reactEarly(message, content, changed);
      return;
    }
    const before = this.#reactions.get(messageId) ?? this.#state.reactions.get(messageId);
    if (!isNews(before, changed)) return;
    this.#inbound.set(channelMessageId, messageId);
    this.#reactions.set(messageId, changed);
    this.events.push({
      type: 'MessageReactionChanged',
      data: { messageId, by: 'contact', ...changed, channelMessageId },
    });
  }

  /**
   * Stores a reaction whose message has not arrived, or is no longer retained. It is shown as a message of its own until its message is
   * known.
   */
  #reactEarly(message: InboundMessage, content: ReactionContent, changed: Reaction): void {
    const { channelMessageId: about } = content;
    const before = this.#earlyOf(about);
    if (!isNews(before, changed)) return;
    const { channelMessageId, messageId } = message;
    const { at } = changed;
    if (changed.emoji !== undefined) this.#receive(message, content);
    else this.events.push({ type: 'EarlyReactionTakenBack', data: { about, at, channelMessageId } });
    this.events.push(...leaves(before, at));
    this.#early.set(about, changed.emoji === undefined ? changed : { ...changed, shownAs: messageId });
  }

  #earlyOf(channelMessageId: string): EarlyReaction | undefined {
    return this.#early.get(channelMessageId) ?? this.#state.early.get(channelMessageId);
  }

  /** Attaches the reaction that arrived before this message. */
  #join(channelMessageId: string, messageId: string): void {
    const early = this.#earlyOf(channelMessageId);
    if (early === undefined) return;
    this.#reactions.set(messageId, early);
    this.events.push(...joined(early, messageId));
  }
}

// Commands and decisions ----------------------------------------------------------------------------------------------
export interface ReceiveMessages {
  readonly numberId: string;
  /** At least one, in the order of arrival. At most 96, so that their events fit into one append. */
  readonly messages: readonly InboundMessage[];
  /** Contact for a new conversation. */
  readonly contact?: Contact;
  /** Required if `needsRouting` returns true. */
  readonly routing?: RoutingTerms;
}

/** Returns the customer's details, updated from later reports of the channel. */
function customerWith(before: ChannelCustomer, reported: readonly ChannelCustomer[]): ChannelCustomer {
  const customer = { ...before };
  for (const { phone, userId, name } of reported)
    Object.assign(customer, phone && { phone }, userId && { userId }, name && { name });
  return customer;
}

const differs = (a: ChannelCustomer, b: ChannelCustomer): boolean =>
  a.phone !== b.phone || a.userId !== b.userId || a.name !== b.name;

/** Returns the start of the conversation, or the changes of its customer's details. */
export function introduced(
  state: Conversation,
  reported: readonly ChannelCustomer[],
  { numberId, contact }: { numberId: string; contact?: Contact | undefined },
): ConversationEvent[] {
  const before = state.customer;
  const customer = customerWith(before, reported);
  if (!state.started) return started(state, { numberId, customer, contact });
  return differs(before, customer) ? [{ type: 'ConversationCustomerChanged', data: { customer, before } }] : [];
}

/** Reopens a closed or snoozed conversation when the customer writes. */
export const opened = ({ status: before, started: isStarted, merged }: Conversation): ConversationEvent[] =>
  !isStarted || before === 'open' || merged
    ? []
    : [{ type: 'ConversationStatusChanged', data: { status: 'open', before } }];

/**
 * Receives messages, each once. The first message triggers the team menu (conversationRouting.ts). Any message reopens a closed or snoozed
 * conversation.
 */
export const receiveMessages =
  ({ numberId, messages, contact, routing }: ReceiveMessages): Decide =>
  (state) => {
    const receiving = new Receiving(state);
    for (const message of messages) receiving.take(message);
    const { events, contents } = receiving;
    if (events.length === 0) return [];
    const reported = messages.map((message) => message.customer);
    const routed = routingOf(state, routing, contents, ({ messageId, content }) => ({
      type: 'MessageQueued',
      data: {
        messageId,
        numberId,
        to: customerWith(state.customer, reported),
        content,
        purpose: { kind: 'routing_menu' },
      },
    }));
    return [
      ...introduced(state, reported, { numberId, contact }),
      ...(contents.length === 0 ? [] : opened(state)),
      ...events,
      ...routed,
    ];
  };

export type Notice = Extract<ConversationEvent, { type: 'NoticeReceived' }>['data'];

/** Records each notice once. It neither starts nor reopens a conversation. */
export const receiveNotice =
  (data: Notice): Decide =>
  (state) =>
    !state.started || state.inbound.has(data.channelMessageId) ? [] : [{ type: 'NoticeReceived', data }];

/** Updates the customer's details from the channel, independently of any message. */
export const updateCustomer =
  (customer: ChannelCustomer): Decide =>
  (state) =>
    state.started ? introduced(state, [customer], { numberId: state.numberId }) : [];

// Calls that have ended -----------------------------------------------------------------------------------------------
export interface EndedCall {
  readonly messageId: string;
  readonly callId: string;
  readonly channelCallId: string;
  readonly missed: boolean;
  readonly reason?: string;
  /** RFC 3339. */
  readonly at: string;
  readonly customer: ChannelCustomer;
}

export interface ReceiveCalls {
  readonly numberId: string;
  /** At least one, at most 96. */
  readonly calls: readonly EndedCall[];
  /** Contact for a new conversation. */
  readonly contact?: Contact;
}

/** Records each call once. A missed call reopens a closed or snoozed conversation. No call opens the 24-hour window. */
export const receiveCalls =
  ({ numberId, calls, contact }: ReceiveCalls): Decide =>
  (state) => {
    const fresh = new Map(
      calls.flatMap((call) => (state.inbound.has(call.channelCallId) ? [] : [[call.channelCallId, call] as const])),
    );
    if (fresh.size === 0) return [];
    const ended = [...fresh.values()];
    const reported = ended.map((call) => call.customer);
    return [
      ...introduced(state, reported, { numberId, contact }),
      ...(ended.some(({ missed }) => missed) ? opened(state) : []),
      ...ended.map((data): ConversationEvent => ({ type: 'CallReceived', data })),
    ];
  };

// Files, copied from the channel into the file store ------------------------------------------------------------------
export interface StoreMedia {
  readonly messageId: string;
  readonly fileId: string;
  /** MIME type detected from the content. */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
}

/** Records that the file of a message is in the file store. No event if that is recorded, or if the message was deleted. */
export const storeMedia =
  (data: StoreMedia): Decide =>
  (state) =>
    state.pendingMedia.has(data.messageId) ? [{ type: 'MessageMediaStored', data }] : [];

export interface FailMedia {
  readonly messageId: string;
  readonly errorCode: string;
  /** Written for the store. */
  readonly reason: string;
}

/** Records that the file is not available any more. No event if the file was stored or already given up. */
export const failMedia =
  (data: FailMedia): Decide =>
  (state) =>
    state.pendingMedia.has(data.messageId) ? [{ type: 'MessageMediaFailed', data }] : [];

// Queries -------------------------------------------------------------------------------------------------------------
/** Returns both ends of the conversation, with the newest details of the customer. Undefined before its start. */
export const customerOnNumber = ({
  started: isStarted,
  numberId,
  customer,
  contact,
}: Conversation): { numberId: string; customer: ChannelCustomer; contact: Contact | undefined } | undefined =>
  isStarted ? { numberId, customer, contact } : undefined;

/** Returns true while the message's file has not been copied. */
export const awaitsMedia = (state: Conversation, messageId: string): boolean => state.pendingMedia.has(messageId);
