/** What the messages of one delivery lead to, one after another. */
import { defined } from '../defined.js';
import type { ChannelCustomer, ConversationEvent, InboundContent } from './conversationEvents.js';
import { isNews, joined, leaves } from './conversationReactions.js';
import { outboundWith } from './conversationSending.js';
import type { Conversation, EarlyReaction, Reaction } from './conversationState.js';

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

type ReactionContent = Extract<InboundContent, { type: 'reaction' }>;

/** Reads the messages of one command one after another: each may be about one before it. */
export class Receiving {
  readonly events: ConversationEvent[] = [];
  /** Contents of the messages that are to be heard. */
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
        ...defined({ repliesTo, replyToMessageId, forwarded }),
        customer,
      },
    });
    if (content.type !== 'reaction') this.#join(channelMessageId, messageId);
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

  /** Its message may come yet, or is long forgotten: until it is known, the reaction stands alone. */
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

  /** The reaction that came before this message, which it shows now. */
  #join(channelMessageId: string, messageId: string): void {
    const early = this.#earlyOf(channelMessageId);
    if (early === undefined) return;
    this.#reactions.set(messageId, early);
    this.events.push(...joined(early, messageId));
  }
}
