/** A customer who writes: whose conversation it is, and the context of commands about what they sent. */
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
  /** They were looked up again since their conversation was seen to be merged: it is theirs all the same. */
  readonly isKnownAnew?: true;
}

/** Returns the context of a command about what a customer sent. `names` make its id, which is the same for each repeated delivery. */
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

/** Returns a message as the conversation takes it. */
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
