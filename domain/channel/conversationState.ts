/** State of a conversation for decisions. */
import type { ChannelCustomer, Contact, ConversationStatus, MessagePurpose } from './conversationEvents.js';

/** Statuses never go back, and `failed` is final. (Specification 2, 'Message status'.) */
export type OutboundStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

export interface Outbound {
  readonly status: OutboundStatus;
  readonly channelMessageId?: string;
  readonly purpose?: MessagePurpose;
}

/** A customer's reaction. Without an emoji it was withdrawn. `at`: RFC 3339. */
export interface Reaction {
  readonly emoji?: string;
  readonly at: string;
}

/** A reaction to a message that is not known yet. `shownAs`: the message that shows it until then. */
export interface EarlyReaction extends Reaction {
  readonly shownAs?: string;
}

/** `none`: no menu was offered, and no team is assigned. */
export type Routing = 'none' | 'awaiting_menu' | 'routed';

export interface Conversation {
  started: boolean;
  /** Empty before the start. */
  numberId: string;
  /** All details that the channel has reported. */
  customer: ChannelCustomer;
  /** Absent in the oldest conversations. */
  contact: Contact | undefined;
  status: ConversationStatus;
  /** RFC 3339. Only with snoozed. */
  snoozedUntil: string | undefined;
  /** True: the customer was merged into another one, whose conversation receives their messages. */
  merged: boolean;
  /** Conversation of that other customer. Also undefined in the oldest merged conversations. */
  mergedInto: string | undefined;
  routing: Routing;
  teamId: string | undefined;
  /** Set while a choice is awaited. `deadline`: RFC 3339. */
  menu: { readonly teamIds: readonly string[]; readonly deadline: string } | undefined;
  assigneeMemberId: string | undefined;
  pinned: boolean;
  /**
   * Newest actions of the customer, oldest first: the channel's id of each, which identifies a repeated delivery, and the service's id of
   * the message that it is or refers to.
   */
  readonly inbound: Map<string, string>;
  /** Messages by the service's id, in queue order. */
  readonly outbound: Map<string, Outbound>;
  /** Messages that the channel has not accepted, in sending order. */
  readonly waiting: Set<string>;
  /** Time up to which the channel's pace to this customer is used up (conversationSending.ts), ms since 1970. */
  paceAt: number;
  /** Messages whose file has not been copied, oldest first. */
  readonly pendingMedia: Set<string>;
  /** Reactions by message id, the least recently changed first. */
  readonly reactions: Map<string, Reaction>;
  /** Early reactions by the channel's id of the awaited message, the oldest first. */
  readonly early: Map<string, EarlyReaction>;
  /** Deleted messages, oldest first. */
  readonly deleted: Set<string>;
  /** ms since 1970; 0 before the first message of the customer. */
  lastCustomerMessageAt: number;
}

export const initial = (): Conversation => ({
  started: false,
  numberId: '',
  customer: {},
  contact: undefined,
  status: 'open',
  snoozedUntil: undefined,
  merged: false,
  mergedInto: undefined,
  routing: 'none',
  teamId: undefined,
  menu: undefined,
  assigneeMemberId: undefined,
  pinned: false,
  inbound: new Map(),
  outbound: new Map(),
  waiting: new Set(),
  paceAt: 0,
  pendingMedia: new Set(),
  reactions: new Map(),
  early: new Map(),
  deleted: new Set(),
  lastCustomerMessageAt: 0,
});
