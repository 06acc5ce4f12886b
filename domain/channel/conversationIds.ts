import { derivedId } from '../ids.js';
import type { ChannelCustomer } from './conversationEvents.js';

/**
 * What a customer is known by when the channel tells nothing else: the business-scoped user id where there is one, since
 * a phone number may be missing or change hands. (shared reference: 'What changes the design', 1.) The key that a
 * customer has in a store is the first of theirs: contacts.ts.
 */
export function keyOf({ userId, phone }: ChannelCustomer): string {
  const key = userId ?? phone;
  if (key === undefined) throw new Error('a customer needs a phone or a user id');
  return key;
}

/** The conversation of a customer, by their key, with a business number. */
export const conversationOfKey = (numberId: string, key: string): string => derivedId('conversation', numberId, key);

/** The conversation of a customer of whom nothing else is known. */
export const conversationIdOf = (numberId: string, customer: ChannelCustomer): string =>
  conversationOfKey(numberId, keyOf(customer));

/** The customer in the inbox of a store, by their key: the same on all its numbers. */
export const contactIdOf = (workspaceId: string, key: string): string => derivedId('contact', workspaceId, key);

/** The service's id of an inbound message: the same for every delivery of it. */
export const inboundMessageId = (conversationId: string, channelMessageId: string): string =>
  derivedId('inboundMessage', conversationId, channelMessageId);

/** A `clientMsgId` is unique in its conversation. */
export const clientMessageId = (conversationId: string, clientMsgId: string): string =>
  derivedId('clientMessage', conversationId, clientMsgId);
