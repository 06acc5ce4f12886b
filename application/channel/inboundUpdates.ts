/** What the channel tells the service, freed of the channel's own format. */

import type { ChannelCustomer, InboundContent } from '../../domain/channel/conversationEvents.js';
import type { StatusUpdate } from '../../domain/channel/conversationSending.js';

/** The customer takes a message back. */
export interface Revoked {
  readonly type: 'revoke';
  /** The channel's id of that message. */
  readonly channelMessageId: string;
}

export interface ReceivedMessage {
  readonly channelMessageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly customer: ChannelCustomer;
  readonly content: InboundContent | Revoked;
  /** The channel's id of the message that it answers. */
  readonly repliesTo?: string;
  readonly forwarded?: true;
}

export interface ReceivedStatus extends Omit<StatusUpdate, 'reason'> {
  /** To whom the message went, as far as the channel says. */
  readonly recipient: ChannelCustomer;
}

/** A call of a customer that has ended. */
export interface ReceivedCall {
  readonly channelCallId: string;
  /** RFC 3339. */
  readonly at: string;
  readonly customer: ChannelCustomer;
  /** Nobody answered it. */
  readonly missed: boolean;
  /** Why it was missed: no_answer, cancelled or rejected. */
  readonly reason?: string;
}

/** A customer has another phone from now on. */
export interface ReceivedNewPhone {
  /** As they were known until now. */
  readonly customer: ChannelCustomer;
  /** E.164 with '+'. */
  readonly phone: string;
}

/** The updates of one business number. */
export interface NumberUpdates {
  readonly phoneNumberId: string;
  readonly messages: readonly ReceivedMessage[];
  readonly statuses: readonly ReceivedStatus[];
  readonly calls: readonly ReceivedCall[];
  readonly newPhones: readonly ReceivedNewPhone[];
}

export interface InboundUpdates {
  readonly numbers: readonly NumberUpdates[];
  /** Parts that could not be read. */
  readonly malformed: number;
}
