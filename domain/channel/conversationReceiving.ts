/** What customers send: messages, reactions, messages taken back. */
import type { Decision } from '../decider.js';
import type { ChannelCustomer, Contact, ConversationEvent, InboundContent } from './conversationEvents.js';
import { type RoutingTerms, routingOf } from './conversationRouting.js';
import { outboundWith, started } from './conversationSending.js';
import type { Conversation } from './conversationState.js';

type Decide = Decision<Conversation, ConversationEvent>;

/** The customer takes a message back; `messageId`: the service's id of it. */
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
  /** The channel's id of the message that it answers. */
  readonly repliesTo?: string;
  readonly forwarded?: true;
  readonly customer: ChannelCustomer;
}

export interface ReceiveMessages {
  readonly numberId: string;
  /** At least one, in the order they arrived; at most 240, so that one append holds what they lead to. */
  readonly messages: readonly InboundMessage[];
  /** For a conversation that begins with them. */
  readonly contact?: Contact;
  /** Where `needsRouting` says so. */
  readonly routing?: RoutingTerms;
}

/** What is known of the customer, with what the channel told later. */
function customerWith(before: ChannelCustomer, told: readonly ChannelCustomer[]): ChannelCustomer {
  const customer = { ...before };
  for (const { phone, userId, name } of told)
    Object.assign(customer, phone && { phone }, userId && { userId }, name && { name });
  return customer;
}

const differs = (a: ChannelCustomer, b: ChannelCustomer): boolean =>
  a.phone !== b.phone || a.userId !== b.userId || a.name !== b.name;

/** The beginning of the conversation, or what is new about its customer. */
export function introduced(
  state: Conversation,
  told: readonly ChannelCustomer[],
  { numberId, contact }: { numberId: string; contact?: Contact | undefined },
): ConversationEvent[] {
  const before = state.customer;
  const customer = customerWith(before, told);
  if (!state.started) return started(state, { numberId, customer, contact });
  return differs(before, customer) ? [{ type: 'ConversationCustomerChanged', data: { customer, before } }] : [];
}

/** Who writes is to be heard: a closed or snoozed conversation opens. */
export const opened = ({ status: before, started: isStarted, merged }: Conversation): ConversationEvent[] =>
  !isStarted || before === 'open' || merged
    ? []
    : [{ type: 'ConversationStatusChanged', data: { status: 'open', before } }];

/** Reads the messages of one command one after another: each may be about one before it. */
class Receiving {
  readonly events: ConversationEvent[] = [];
  /** Contents of the messages that are to be heard. */
  readonly contents: InboundContent[] = [];
  readonly #state: Conversation;
  readonly #inbound = new Map<string, string>();
  readonly #reactions = new Map<string, { readonly emoji?: string; readonly at: string }>();
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

  /** The message of either side that the channel means by this id. */
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
    this.#inbound.set(channelMessageId, messageId);
    this.contents.push(content);
    this.events.push({
      type: 'MessageReceived',
      data: {
        messageId,
        channelMessageId,
        sentAt,
        content,
        ...(repliesTo === undefined ? {} : { repliesTo }),
        ...(replyToMessageId === undefined ? {} : { replyToMessageId }),
        ...(forwarded && { forwarded }),
        customer,
      },
    });
    if (this.#isDeleted(messageId)) this.events.push({ type: 'MessageDeleted', data: { messageId, at: sentAt } });
  }

  #isDeleted(messageId: string): boolean {
    return this.#deleted.has(messageId) || this.#state.deleted.has(messageId);
  }

  /** A message may be taken back before it came: deliveries overtake each other. */
  #takeBack({ channelMessageId, sentAt: at }: InboundMessage, { messageId }: TakingBack): void {
    this.#inbound.set(channelMessageId, messageId);
    if (this.#isDeleted(messageId)) return;
    this.#deleted.add(messageId);
    this.events.push({ type: 'MessageDeleted', data: { messageId, at, channelMessageId } });
  }

  #react(message: InboundMessage, content: Extract<InboundContent, { type: 'reaction' }>): void {
    const { channelMessageId, sentAt: at } = message;
    const messageId = this.#about(content.channelMessageId);
    const emoji = content.emoji === '' ? undefined : content.emoji;
    if (messageId === undefined) {
      if (emoji !== undefined) this.#receive(message, content);
      return;
    }
    const before = this.#reactions.get(messageId) ?? this.#state.reactions.get(messageId);
    if (before?.emoji === emoji || (before !== undefined && before.at > at)) return;
    const changed = { ...(emoji === undefined ? {} : { emoji }), at };
    this.#inbound.set(channelMessageId, messageId);
    this.#reactions.set(messageId, changed);
    this.events.push({
      type: 'MessageReactionChanged',
      data: { messageId, by: 'contact', ...changed, channelMessageId },
    });
  }
}

/**
 * A message that is known, or twice in the command, is received once. The first message asks which team the customer
 * wants (conversationRouting.ts); any opens a closed or snoozed conversation.
 */
export const receiveMessages =
  ({ numberId, messages, contact, routing }: ReceiveMessages): Decide =>
  (state) => {
    const receiving = new Receiving(state);
    for (const message of messages) receiving.take(message);
    const { events, contents } = receiving;
    if (events.length === 0) return [];
    const told = messages.map((message) => message.customer);
    const routed = routingOf(state, routing, contents, ({ messageId, content }) => ({
      type: 'MessageQueued',
      data: {
        messageId,
        numberId,
        to: customerWith(state.customer, told),
        content,
        purpose: { kind: 'routing_menu' },
      },
    }));
    return [
      ...introduced(state, told, { numberId, contact }),
      ...(contents.length === 0 ? [] : opened(state)),
      ...events,
      ...routed,
    ];
  };

/** The channel told something new of the customer, apart from any message. */
export const tellCustomer =
  (customer: ChannelCustomer): Decide =>
  (state) =>
    state.started ? introduced(state, [customer], { numberId: state.numberId }) : [];

// Queries -------------------------------------------------------------------------------------------------------------
/** Both ends of the conversation, with the newest that the channel told of the customer. Undefined before its start. */
export const partyOf = ({
  started: isStarted,
  numberId,
  customer,
  contact,
}: Conversation): { numberId: string; customer: ChannelCustomer; contact: Contact | undefined } | undefined =>
  isStarted ? { numberId, customer, contact } : undefined;
