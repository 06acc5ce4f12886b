/** Stored for ever: messages between a business number and a customer, stream `conversation-{conversationId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';

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

/** What a customer sent; more kinds come with the inbox. */
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
  | { readonly type: 'choice'; readonly id: string; readonly title: string }
  | {
      readonly type: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    }
  | { readonly type: 'unsupported'; readonly channelType: string };

/** What the store sends, before it becomes the channel's own format. */
export type OutboundContent =
  | { readonly type: 'text'; readonly text: string }
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
  /** An approved template, the only kind outside the 24-hour window. `body`: its variables in order; `text`: as it is read. */
  | {
      readonly type: 'template';
      readonly name: string;
      readonly language: string;
      readonly body: readonly string[];
      readonly text: string;
    };

/** Why a message was sent, so that its fate can be told to whom it concerns. */
export type MessagePurpose =
  | { readonly kind: 'order_summary'; readonly orderId: string }
  /** `template`: sent as one, since a text would not arrive. */
  | { readonly kind: 'order_status'; readonly orderId: string; readonly status: string; readonly template?: true }
  | { readonly kind: 'order_location'; readonly orderId: string }
  | { readonly kind: 'order_help'; readonly orderId?: string };

export type ConversationEvent =
  | DomainEvent<'ConversationStarted', { numberId: string; customer: ChannelCustomer }>
  /** `messageId` is the service's id, `channelMessageId` the channel's (wamid…). `repliesTo`: a channel message id. */
  | DomainEvent<
      'MessageReceived',
      {
        messageId: string;
        channelMessageId: string;
        sentAt: string;
        content: InboundContent;
        repliesTo?: string;
        customer: ChannelCustomer;
      }
    >
  | DomainEvent<
      'MessageQueued',
      { messageId: string; numberId: string; to: ChannelCustomer; content: OutboundContent; purpose?: MessagePurpose }
    >
  /** The channel took it. */
  | DomainEvent<'MessageAccepted', { messageId: string; channelMessageId: string; purpose?: MessagePurpose }>
  /** It was not, or later will not be, delivered; `reason` is written for the store. */
  | DomainEvent<'MessageFailed', { messageId: string; errorCode: string; reason: string; purpose?: MessagePurpose }>
  | DomainEvent<'MessageStatusChanged', { messageId: string; status: 'sent' | 'delivered' | 'read'; at: string }>;
