/** What the channel tells the service, freed of the channel's own format. */

import type { StatusUpdate } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, InboundContent } from '../../domain/channel/conversationEvents.js';

export interface ReceivedMessage {
  readonly channelMessageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly customer: ChannelCustomer;
  readonly content: InboundContent;
  readonly repliesTo?: string;
}

export interface ReceivedStatus extends Omit<StatusUpdate, 'reason'> {
  /** To whom the message went, as far as the channel says. */
  readonly recipient: ChannelCustomer;
}

/** The updates of one business number. */
export interface NumberUpdates {
  readonly phoneNumberId: string;
  readonly messages: readonly ReceivedMessage[];
  readonly statuses: readonly ReceivedStatus[];
}

export interface InboundUpdates {
  readonly numbers: readonly NumberUpdates[];
  /** Parts that could not be read. */
  readonly malformed: number;
}
