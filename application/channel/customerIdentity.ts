/**
 * Identity of customers by phone or user id. Use it for all comparisons of phones: a customer's number has several notations
 * (phoneForms.ts), and they may have had other numbers before.
 */
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey } from '../../domain/channel/conversationIds.js';
import { type CustomerKey, customerKey } from '../../domain/channel/customerKey.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';

type Queries = Pick<CommandHandler, 'query'>;

/** Returns the id of the customer stream of a phone, a user id or a key. */
export const customerStreamId = (workspaceId: string, kind: 'phone' | 'user' | 'key', value: string): string =>
  derivedId('customer', workspaceId, kind, value);

export const identityOf = (
  commands: Queries,
  workspaceId: string,
  kind: 'phone' | 'user' | 'key',
  value: string,
): Promise<CustomerKey> =>
  commands.query(customerKey, customerStreamId(workspaceId, kind, value), (state) => ({ ...state }));

/** Returns the notation of a number under which a customer is known, with their state, or the current notation if nobody is. */
export async function knownForm(
  commands: Queries,
  workspaceId: string,
  phone: string,
): Promise<CustomerKey & { readonly phone: string }> {
  const forms = formsOf(phone);
  for (const form of forms) {
    const state = await identityOf(commands, workspaceId, 'phone', form);
    if (state.key !== undefined) return { ...state, phone: form };
  }
  return { phone: forms[0]! };
}

/** Counts the erased events of this phone, in all its notations. Each erasure of a customer with the phone raises the number. */
export async function erasedOf(commands: Queries, workspaceId: string, phone: string): Promise<number> {
  const states = await Promise.all(formsOf(phone).map((form) => identityOf(commands, workspaceId, 'phone', form)));
  return states.reduce((sum, { erased = 0 }) => sum + erased, 0);
}

/** Returns the key of a known customer. Claims nothing. */
export async function knownKey(
  commands: Queries,
  workspaceId: string,
  { userId, phone }: ChannelCustomer,
): Promise<string | undefined> {
  const byUser = userId === undefined ? undefined : (await identityOf(commands, workspaceId, 'user', userId)).key;
  if (byUser !== undefined || phone === undefined) return byUser;
  return (await knownForm(commands, workspaceId, phone)).key;
}

/** Returns every phone of the customer who has this one, in every notation, except numbers that another customer has now. */
export async function phonesOf(commands: Queries, workspaceId: string, phone: string): Promise<readonly string[]> {
  const { key } = await knownForm(commands, workspaceId, phone);
  const found = new Set(formsOf(phone));
  if (key === undefined) return [...found];
  const { phones = [] } = await identityOf(commands, workspaceId, 'key', key);
  for (const one of [...phones, key].filter((name) => name.startsWith('+') && !found.has(name)))
    if ((await knownForm(commands, workspaceId, one)).key === key) for (const form of formsOf(one)) found.add(form);
  return [...found];
}

/** Returns every user id of the customer with the key. */
export async function userIdsOf(commands: Queries, workspaceId: string, key: string): Promise<readonly string[]> {
  const { userIds = [] } = await identityOf(commands, workspaceId, 'key', key);
  return userIds;
}

/**
 * Returns conversations with the number that the customer had before they were identified. Messages in these are not received for the
 * second time.
 */
export async function formerConversations(
  commands: Queries,
  workspaceId: string,
  numberId: string,
  key: string,
  { userId, phone }: ChannelCustomer,
): Promise<string[]> {
  const forms = phone === undefined ? [] : formsOf(phone);
  const states = await Promise.all([
    ...(userId === undefined ? [] : [identityOf(commands, workspaceId, 'user', userId)]),
    ...forms.map((form) => identityOf(commands, workspaceId, 'phone', form)),
  ]);
  // Keys of the oldest customers are their phones and user ids.
  const keys = new Set([
    ...states.flatMap(({ former = [] }) => former),
    ...forms,
    ...(userId === undefined ? [] : [userId]),
  ]);
  keys.delete(key);
  const found: string[] = [];
  for (const one of keys) {
    const id = conversationOfKey(numberId, one);
    if (await commands.query(conversation, id, (state) => state.started)) found.push(id);
  }
  return found;
}
