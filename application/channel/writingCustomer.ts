/** A customer who writes, with their conversation, and the context of commands about their messages. */
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { inboundMessageId } from '../../domain/channel/conversationIds.js';
import type { InboundMessage } from '../../domain/channel/conversationReceiving.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { StoreNumber } from './channelNumbers.js';
import type { KnownCustomer } from './contacts.js';
import type { StoreContext } from './customerClaims.js';
import type { ReceivedMessage } from './inboundUpdates.js';

/** A customer and the number that they write to. */
export interface WritingCustomer extends KnownCustomer {
  readonly number: StoreNumber;
  /** True: the customer was identified again after their conversation had been merged, so this conversation is current. */
  readonly isIdentifiedAgain?: true;
}

/**
 * Returns the context of a command about a customer's update. Its id is derived from `names`, so that it is the same for each repeated
 * delivery.
 */
export function customerContext(
  { workspaceId, partnerId }: StoreNumber,
  { userId, phone }: ChannelCustomer,
  requestId: string,
  ...names: readonly string[]
): StoreContext {
  return {
    commandId: derivedId(...names),
    actor: { type: 'customer', id: (userId ?? phone)! },
    correlationId: requestId,
    workspaceId,
    ...defined({ partnerId }),
  };
}

/** Converts a message to the form of the conversation. */
export function messageIn(conversationId: string, message: ReceivedMessage): InboundMessage {
  const { channelMessageId, sentAt, content, customer, repliesTo, forwarded, details } = message;
  return {
    messageId: inboundMessageId(conversationId, channelMessageId),
    ...{ channelMessageId, sentAt, customer, ...defined({ repliesTo, forwarded, details }) },
    content:
      content.type === 'revoke'
        ? { type: 'revoke', messageId: inboundMessageId(conversationId, content.channelMessageId) }
        : content,
  };
}
