import { derivedId } from '../ids.js';
import type { ChannelCustomer } from './conversationEvents.js';

/**
 * Returns the key of a customer about whom nothing else is known: the business-scoped user id if there is one, since a phone number may be
 * missing or change hands. (shared reference: 'What changes the design', 1.) A customer's key in a store is the first of their keys:
 * contacts.ts.
 */
export function keyOf({ userId, phone }: ChannelCustomer): string {
  const key = userId ?? phone;
  if (key === undefined) throw new Error('a customer needs a phone or a user id');
  return key;
}

/** Conversation of a customer, by their key, with a business number. */
export const conversationOfKey = (numberId: string, key: string): string => derivedId('conversation', numberId, key);

/** Conversation of a customer about whom nothing else is known. */
export const conversationIdOf = (numberId: string, customer: ChannelCustomer): string =>
  conversationOfKey(numberId, keyOf(customer));

/** Contact in the inbox of a store, by the customer's key. It is the same on all numbers of the store. */
export const contactIdOf = (workspaceId: string, key: string): string => derivedId('contact', workspaceId, key);

/** The service's id of an inbound message, the same for every delivery of it. */
export const inboundMessageId = (conversationId: string, channelMessageId: string): string =>
  derivedId('inboundMessage', conversationId, channelMessageId);

/** A `clientMsgId` is unique in its conversation. */
export const clientMessageId = (conversationId: string, clientMsgId: string): string =>
  derivedId('clientMessage', conversationId, clientMsgId);
