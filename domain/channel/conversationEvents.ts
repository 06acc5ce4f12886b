/** Stored for ever: messages between a business number and a customer, stream `conversation-{conversationId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';
import type { TemplateComponent } from './templateComponents.js';

/** A customer on the channel. At least one of phone and userId; userId (business-scoped) wins where there is one. */
export interface ChannelCustomer {
  /** E.164 with '+'. */
  readonly phone?: string;
  /** Business-scoped user id, such as US.1349…. */
  readonly userId?: string;
  readonly name?: string;
}

export interface CartItem {
  readonly productRetailerId: string;
  readonly quantity: number;
  /** As the channel reported it, a decimal string; never used for pricing. */
  readonly itemPrice?: string;
  readonly currency?: string;
}

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** A file that a customer sent. The channel keeps it for 7 days: it is copied into the service's own file store. */
export interface InboundMedia {
  readonly type: MediaKind;
  /** The channel's id of the file. */
  readonly channelMediaId: string;
  /** As the channel declares it; what the file really is, is seen when it is copied. */
  readonly mimeType?: string;
  /** Hex or base64, as the channel declares it. */
  readonly sha256?: string;
  readonly filename?: string;
  readonly caption?: string;
  /** A voice note. */
  readonly voice?: true;
}

/** One address card. */
export interface SharedContact {
  readonly name: string;
  readonly phones: readonly string[];
}

/** What a customer sent. */
export type InboundContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'order';
      readonly catalogId?: string;
      readonly text?: string;
      readonly items: readonly CartItem[];
      /** What of the cart could not be kept, in words for the store. */
      readonly remark?: string;
    }
  | { readonly type: 'flow_reply'; readonly name?: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly type: 'choice'; readonly id: string; readonly title: string; readonly description?: string }
  | {
      readonly type: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    }
  | InboundMedia
  | { readonly type: 'contacts'; readonly contacts: readonly SharedContact[] }
  /** To a message that the conversation does not know; one to a known message is MessageReactionChanged. */
  | { readonly type: 'reaction'; readonly emoji: string; readonly channelMessageId: string }
  | { readonly type: 'unsupported'; readonly channelType: string };

/** What the store sends, before it becomes the channel's own format. */
export type OutboundContent =
  | { readonly type: 'text'; readonly text: string }
  /** A file of the service's own file store. */
  | {
      readonly type: MediaKind;
      readonly fileId: string;
      readonly mimeType: string;
      /** The caption; empty without one. */
      readonly text: string;
      readonly filename?: string;
      readonly voice?: true;
    }
  /** Buttons, or a list when `listButton` is set. The tap comes back as a choice with the option's id. */
  | {
      readonly type: 'menu';
      readonly text: string;
      readonly options: readonly { readonly id: string; readonly title: string }[];
      readonly listButton?: string;
    }
  /** A button that opens an interactive form. `data` fills its first screen. */
  | {
      readonly type: 'flow';
      readonly text: string;
      readonly flowName: string;
      readonly cta: string;
      /** Comes back with the customer's answers. */
      readonly token: string;
      readonly screen: string;
      readonly data: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'location_request'; readonly text: string }
  /**
   * An approved template, the only kind outside the 24-hour window. `text`: as it is read. Its parameters are `components`
   * where they are set, else `body`: the body's variables in order.
   */
  | {
      readonly type: 'template';
      readonly name: string;
      readonly language: string;
      readonly body: readonly string[];
      readonly text: string;
      /** The store's template; absent: one that the service was configured with. */
      readonly templateId?: string;
      readonly components?: readonly TemplateComponent[];
    };

/** Why a message was sent, so that its fate can be told to whom it concerns. */
export type MessagePurpose =
  | { readonly kind: 'order_summary'; readonly orderId: string }
  /** `template`: sent as one, since a text would not arrive. */
  | { readonly kind: 'order_status'; readonly orderId: string; readonly status: string; readonly template?: true }
  | { readonly kind: 'order_location'; readonly orderId: string }
  | { readonly kind: 'order_help'; readonly orderId?: string }
  /** The automatic menu of teams. */
  | { readonly kind: 'routing_menu' };

/** (Specification 2, 'Conversation'.) */
export type ConversationStatus = 'open' | 'closed' | 'snoozed';
export type ContactLanguage = 'en' | 'so' | 'ar';

/** The customer as the inbox shows them; the same contact has one conversation with each number of the store. */
export interface Contact {
  readonly contactId: string;
  readonly language: ContactLanguage;
}

export type ConversationEvent =
  /** `contact` is absent in the oldest events: the contact's id is then `contactIdOf(workspaceId, customer)`, its language the store's. */
  | DomainEvent<'ConversationStarted', { numberId: string; customer: ChannelCustomer; contact?: Contact }>
  /** The channel now tells more, or other things, of the customer: the whole of what is known. */
  | DomainEvent<'ConversationCustomerChanged', { customer: ChannelCustomer; before: ChannelCustomer }>
  /**
   * `messageId` is the service's id, `channelMessageId` the channel's (wamid…). `repliesTo`: a channel message id;
   * `replyToMessageId`: the message of this conversation that it is.
   */
  | DomainEvent<
      'MessageReceived',
      {
        messageId: string;
        channelMessageId: string;
        sentAt: string;
        content: InboundContent;
        repliesTo?: string;
        replyToMessageId?: string;
        forwarded?: true;
        customer: ChannelCustomer;
      }
    >
  /** A customer's reaction to a message of either side; no emoji: taken back. `channelMessageId`: of the reaction itself. */
  | DomainEvent<
      'MessageReactionChanged',
      { messageId: string; by: 'contact'; emoji?: string; at: string; channelMessageId?: string }
    >
  /**
   * The customer took a message back. What it said stays in the history, and in no view. May come before the message, which
   * it then follows again, or for one that never came. `channelMessageId`: of the taking back itself.
   */
  | DomainEvent<'MessageDeleted', { messageId: string; at: string; channelMessageId?: string }>
  /** The file of a received message is in the file store. `mimeType`: what it really is; `size` in bytes. */
  | DomainEvent<'MessageMediaStored', { messageId: string; fileId: string; mimeType: string; size: number }>
  /** It cannot be had any more; `reason` is written for the store. */
  | DomainEvent<'MessageMediaFailed', { messageId: string; errorCode: string; reason: string }>
  /** A call ended. `callId` is the service's id, `reason` such as no_answer; `at` RFC 3339. */
  | DomainEvent<
      'CallReceived',
      {
        messageId: string;
        callId: string;
        channelCallId: string;
        missed: boolean;
        reason?: string;
        at: string;
        customer: ChannelCustomer;
      }
    >
  /** `clientMsgId`, `sentByMemberId`, `replyToMessageId`: absent for automatic messages. */
  | DomainEvent<
      'MessageQueued',
      {
        messageId: string;
        numberId: string;
        to: ChannelCustomer;
        content: OutboundContent;
        purpose?: MessagePurpose;
        clientMsgId?: string;
        sentByMemberId?: string;
        replyToMessageId?: string;
        /** The channel's id of the message that is replied to. */
        repliesTo?: string;
      }
    >
  /** The channel took it. */
  | DomainEvent<'MessageAccepted', { messageId: string; channelMessageId: string; purpose?: MessagePurpose }>
  /** It was not, or later will not be, delivered; `reason` is written for the store. `accepted`: the channel had taken it. */
  | DomainEvent<
      'MessageFailed',
      { messageId: string; errorCode: string; reason: string; purpose?: MessagePurpose; accepted?: true }
    >
  | DomainEvent<'MessageStatusChanged', { messageId: string; status: 'sent' | 'delivered' | 'read'; at: string }>
  /** The customer was asked which team they want; without a tap until `deadline` (RFC 3339) the default team has the chat. */
  | DomainEvent<'RoutingMenuOffered', { messageId: string; teamIds: readonly string[]; deadline: string }>
  /** From now on the chat is this team's; without a team when the store has none. `before`: the team until then. */
  | DomainEvent<
      'ConversationRouted',
      { teamId?: string; before?: string; by: 'menu' | 'deadline' | 'default' | 'start' | 'operator' }
    >
  | DomainEvent<'ConversationAssigned', { memberId?: string; before?: string }>
  /** `until` (RFC 3339): with snoozed. A closed or snoozed conversation opens again when the customer writes. */
  | DomainEvent<
      'ConversationStatusChanged',
      {
        status: ConversationStatus;
        before: ConversationStatus;
        until?: string;
        reason?: string;
        /** With the reason `merged`: the conversation that goes on. Absent in events of before. */
        mergedInto?: string;
      }
    >
  | DomainEvent<'ConversationPinned', { pinned: boolean }>;
