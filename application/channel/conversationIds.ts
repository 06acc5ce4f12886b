import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../ids.js';

/**
 * The conversation of a customer with a business number. A customer is the business-scoped user id where there is one,
 * since a phone number may be missing or change hands. (shared reference: 'What changes the design', 1.)
 */
export function conversationIdOf(numberId: string, customer: ChannelCustomer): string {
  const key = customer.userId ?? customer.phone;
  if (key === undefined) throw new Error('a customer needs a phone or a user id');
  return derivedId('conversation', numberId, key);
}

/** The service's id of an inbound message: the same for every delivery of it. */
export const inboundMessageId = (conversationId: string, channelMessageId: string): string =>
  derivedId('inboundMessage', conversationId, channelMessageId);
