import type { ChannelCustomer, OutboundContent } from '../../domain/channel/conversationEvents.js';

export interface OutboundMessage {
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  /** The service's message id; comes back with statuses. */
  readonly messageId: string;
  /** The channel's id of the message that is replied to. */
  readonly repliesTo?: string;
  /** The channel's ids of the files that the content names, by the file's id: uploaded before. */
  readonly mediaIds?: Readonly<Record<string, string>>;
}

/** Sends messages on the channel. Bounded in time; throws `ProviderError` (catalogProvider.ts) with the channel's code. */
export interface ChannelMessages {
  /** Resolves when the channel accepted it, which is not yet delivery. */
  send(
    phoneNumberId: string,
    message: OutboundMessage,
    accessToken: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ channelMessageId: string }>;
}
