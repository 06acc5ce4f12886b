/** Updates of the channel, independent of the channel's format. */

import type { ChannelCustomer, InboundContent, MessageDetails } from '../../domain/channel/conversationEvents.js';
import type { StatusUpdate } from '../../domain/channel/conversationSending.js';
import type { SetAsideReason } from '../../domain/channel/setAsideUpdates.js';

/** The customer deletes a message. */
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
  /** The channel's id of the message that this one replies to. */
  readonly repliesTo?: string;
  readonly forwarded?: true;
  readonly details?: MessageDetails;
}

/** A report by the channel itself in a conversation. The customer wrote nothing. */
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
  /** Conversation of the message, if it was sent with it. */
  readonly conversationId?: string;
  /** Recipient of the message, as far as the channel reports. */
  readonly recipient: ChannelCustomer;
}

/** A call of a customer that has ended. */
export interface ReceivedCall {
  readonly channelCallId: string;
  /** RFC 3339. */
  readonly at: string;
  readonly customer: ChannelCustomer;
  /** True if nobody answered it. */
  readonly missed: boolean;
  /** Reason: no_answer, cancelled or rejected. */
  readonly reason?: string;
}

/** A customer has another phone or user id from now on. */
export interface ReceivedNewPhone {
  readonly channelMessageId: string;
  /** Previous details of the customer. */
  readonly customer: ChannelCustomer;
  /** E.164 with '+'. */
  readonly phone?: string;
  readonly userId?: string;
}

/** A message or a call that belongs to no conversation. */
export interface ReceivedAside {
  readonly reason: SetAsideReason;
  /** Customer in the update. */
  readonly customer?: ChannelCustomer;
  /** Original JSON, truncated. */
  readonly update: string;
}

/** Updates of one business number. */
export interface NumberUpdates {
  /** Empty: the delivery does not contain it. */
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
  /** Number of parts that could not be read. */
  readonly malformed: number;
}
