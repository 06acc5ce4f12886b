/** What decisions on a conversation need to know of it. */
import type { ChannelCustomer, Contact, ConversationStatus, MessagePurpose } from './conversationEvents.js';

/** Statuses never go back; `failed` ends them. (Specification 2, 'Message status'.) */
export type OutboundStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';

export interface Outbound {
  readonly status: OutboundStatus;
  readonly channelMessageId?: string;
  readonly purpose?: MessagePurpose;
}

/** A customer's reaction; without an emoji it was taken back. `at`: RFC 3339. */
export interface Reaction {
  readonly emoji?: string;
  readonly at: string;
}

/** A reaction to a message that is not known yet. `shownAs`: the message that it stands alone as. */
export interface EarlyReaction extends Reaction {
  readonly shownAs?: string;
}

/** `none`: nobody has been asked yet, and no team has it. */
export type Routing = 'none' | 'awaiting_menu' | 'routed';

export interface Conversation {
  started: boolean;
  /** Empty before the start. */
  numberId: string;
  /** The whole of what the channel has told. */
  customer: ChannelCustomer;
  /** Absent in the oldest conversations. */
  contact: Contact | undefined;
  status: ConversationStatus;
  /** RFC 3339; with snoozed. */
  snoozedUntil: string | undefined;
  /** The customer turned out to be another one: their messages go to that one's conversation. */
  merged: boolean;
  /** That one's conversation; undefined also in the oldest that were merged. */
  mergedInto: string | undefined;
  routing: Routing;
  teamId: string | undefined;
  /** While a choice is awaited; `deadline` RFC 3339. */
  menu: { readonly teamIds: readonly string[]; readonly deadline: string } | undefined;
  assigneeMemberId: string | undefined;
  pinned: boolean;
  /**
   * The newest that the customer did, oldest first: the channel's id of each, by which a repeated delivery is recognised,
   * and the service's id of the message that it is or is about.
   */
  readonly inbound: Map<string, string>;
  /** By the service's message id, in the order they were queued. */
  readonly outbound: Map<string, Outbound>;
  /** Those of them that the channel has not taken, in the order in which they are to be sent. */
  readonly waiting: Set<string>;
  /** How far the channel's pace of messages to one customer is used up (conversationSending.ts), ms since 1970. */
  paceAt: number;
  /** Messages whose file is still to be copied, oldest first. */
  readonly pendingMedia: Set<string>;
  /** By message id, the least recently changed first. */
  readonly reactions: Map<string, Reaction>;
  /** By the channel's id of the message that is awaited, the oldest first. */
  readonly early: Map<string, EarlyReaction>;
  /** Messages that were taken back, oldest first. */
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
