import type { ChannelCustomer, OutboundContent } from '../../domain/channel/conversationEvents.js';

export interface OutboundMessage {
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  /** The service's ids of the message and its conversation. Statuses include them. */
  readonly messageId: string;
  readonly conversationId?: string;
  /** The channel's id of the message that is replied to. */
  readonly repliesTo?: string;
  /** The channel's ids of the files in the content, by the file's id. Upload them first. */
  readonly mediaIds?: Readonly<Record<string, string>>;
}

export interface AcceptedMessage {
  readonly channelMessageId: string;
  /** The customer's phone in the channel's own notation, E.164. Absent if the channel does not provide it. */
  readonly waId?: string;
}

/** Sends messages on the channel. Bounded in time; throws `ProviderError` (catalogProvider.ts) with the channel's code. */
export interface ChannelMessages {
  /** Resolves when the channel accepted it, which is not yet delivery. */
  send(
    phoneNumberId: string,
    message: OutboundMessage,
    accessToken: string | undefined,
    signal?: AbortSignal,
  ): Promise<AcceptedMessage>;
}
