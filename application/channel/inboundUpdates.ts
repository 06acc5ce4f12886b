/** What the channel tells the service, freed of the channel's own format. */

import type { ChannelCustomer, InboundContent, MessageDetails } from '../../domain/channel/conversationEvents.js';
import type { StatusUpdate } from '../../domain/channel/conversationSending.js';
import type { SetAsideReason } from '../../domain/channel/setAside.js';

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
  readonly details?: MessageDetails;
}

/** Something that the channel reports in a conversation by itself; the customer wrote nothing. */
export interface ReceivedNotice {
  readonly channelMessageId: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly customer: ChannelCustomer;
  /** The channel's name for it. */
  readonly notice: string;
  readonly text?: string;
}

export interface ReceivedStatus extends Omit<StatusUpdate, 'reason'> {
  /** The conversation of the message, where it was sent with it. */
  readonly conversationId?: string;
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

/** A customer has another phone or user id from now on. */
export interface ReceivedNewPhone {
  readonly channelMessageId: string;
  /** As they were known until now. */
  readonly customer: ChannelCustomer;
  /** E.164 with '+'. */
  readonly phone?: string;
  readonly userId?: string;
}

/** A message or a call that no conversation takes. */
export interface ReceivedAside {
  readonly reason: SetAsideReason;
  /** Whom it names. */
  readonly customer?: ChannelCustomer;
  /** As it was delivered, JSON of bounded length. */
  readonly update: string;
}

/** The updates of one business number. */
export interface NumberUpdates {
  /** Empty: the delivery names none. */
  readonly phoneNumberId: string;
  readonly messages: readonly ReceivedMessage[];
  readonly statuses: readonly ReceivedStatus[];
  readonly calls: readonly ReceivedCall[];
  readonly newPhones: readonly ReceivedNewPhone[];
  readonly setAside?: readonly ReceivedAside[];
  readonly notices: readonly ReceivedNotice[];
}

export interface InboundUpdates {
  readonly numbers: readonly NumberUpdates[];
  /** Parts that could not be read. */
  readonly malformed: number;
}
