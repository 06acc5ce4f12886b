/** The API's shape of a message, as the view keeps it. (Specification 2, 'Message'.) */

export type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'sticker'
  | 'location'
  | 'template'
  | 'reaction'
  | 'interactive'
  | 'contacts'
  | 'unsupported'
  | 'note'
  | 'call'
  | 'order';

export type MessageDirection = 'inbound' | 'outbound' | 'internal';
export type MessageStatus = 'received' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'saved';

/** A file; `pending` while it is copied from the channel. */
export interface MessageMedia {
  readonly status: 'pending' | 'ready' | 'failed';
  /** Set once stored. */
  readonly fileId?: string;
  readonly filename?: string;
  readonly mimeType?: string;
  readonly caption?: string;
  readonly voice?: boolean;
}

export interface MessageOrderItem {
  readonly productRetailerId: string;
  readonly quantity: number;
  readonly currency?: string;
  /** A decimal string as the channel reported it. */
  readonly itemPrice?: string;
}

export interface MessageReaction {
  readonly by: 'contact' | 'member';
  readonly emoji: string;
  readonly memberId?: string;
}

/** Contents of a message other than its text. */
export interface MessageContents {
  readonly call?: { readonly callId: string; readonly missed: boolean; readonly reason?: string };
  readonly choice?: { readonly title: string; readonly id?: string; readonly description?: string };
  readonly flow?: { readonly cta: string };
  readonly flowReply?: {
    readonly name?: string;
    /** Sorted by name. */
    readonly fields: readonly { readonly name: string; readonly value: unknown }[];
  };
  readonly location?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly name?: string;
    readonly address?: string;
  };
  readonly locationRequest?: true;
  readonly media?: MessageMedia;
  readonly menu?: {
    readonly body: string;
    readonly options: readonly { readonly id: string; readonly title: string }[];
    /** Set when it is shown as a list. */
    readonly listButton?: string;
  };
  readonly order?: {
    readonly items: readonly MessageOrderItem[];
    readonly catalogId?: string;
    readonly text?: string;
  };
  readonly template?: { readonly templateId?: string; readonly name: string; readonly language: string };
}

/** Exactly the API's `MessageBody`. Times are RFC 3339. */
export interface MessageBody extends MessageContents {
  readonly id: string;
  readonly conversationId: string;
  readonly direction: MessageDirection;
  readonly type: MessageType;
  /** Text, caption or note; empty when deleted. */
  readonly text: string;
  readonly status: MessageStatus;
  readonly reactions: readonly MessageReaction[];
  readonly deleted: boolean;
  /** When the service had it; lists are in this order. */
  readonly createdAt: string;
  readonly clientMsgId?: string;
  /** Inbound: when the customer sent it, as reported by the channel. Outbound: when the channel accepted it. */
  readonly sentAt?: string;
  readonly deliveredAt?: string;
  readonly readAt?: string;
  readonly failedAt?: string;
  readonly errorCode?: string;
  /** Why it failed, written for the agent. */
  readonly errorMessage?: string;
  readonly forwarded?: true;
  readonly replyToMessageId?: string;
  /** Absent for messages of the customer and automatic ones. */
  readonly sentByMemberId?: string;
  readonly details?: MessageDetailsBody;
}

/** Details of a customer's message beyond the fields of its type. */
export interface MessageDetailsBody {
  /** It replaces the words of an earlier message. */
  readonly edited?: true;
  /** Id of that message, if known. */
  readonly editsMessageId?: string;
  /** The channel's own fields that were longer than what is stored of them. */
  readonly cut?: readonly string[];
  /** Other fields that the channel sent, under its own names. */
  readonly channel?: Readonly<Record<string, unknown>>;
  /** The channel's name for what it reports by itself. */
  readonly notice?: string;
}

const RANK: Readonly<Record<MessageStatus, number>> = {
  received: 9,
  saved: 9,
  pending: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 9,
};

/** Returns whether a message may change to a status: statuses never go back, and a delivered message cannot fail. */
export const movesOn = (from: MessageStatus, to: 'sent' | 'delivered' | 'read' | 'failed'): boolean =>
  RANK[to] > RANK[from] && (to !== 'failed' || RANK[from] < RANK.delivered);
