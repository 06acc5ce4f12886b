/** A customer of a store, with their conversations and streams, found by phone number. */
import { contactIdOf, conversationOfKey } from '../../domain/channel/conversationIds.js';
import { customerKey } from '../../domain/channel/customerKey.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { type ConversationBody, conversations } from '../../projections/conversations.js';
import { numberListPhones, numberLists } from '../../projections/numberLists.js';
import { type OrderRowBody, orderRows } from '../../projections/orders.js';
import { customerStreamId, identityOf, knownForm, phonesOf } from '../channel/customerIdentity.js';

export interface PersonParts {
  readonly reads: Reads;
  readonly commands: Pick<BoundCommands, 'query'>;
}

/** References to all data that a store has about a customer. */
export interface Person {
  readonly workspaceId: string;
  /** E.164, or the user id of a customer who was looked up by one. */
  readonly phone: string;
  /** All current and former numbers, in every notation. */
  readonly phones: readonly string[];
  /** Absent: they never wrote. */
  readonly contactId?: string;
  readonly conversations: readonly ConversationBody[];
  /** Identity streams: `customer-…` of their phones, their user ids, and their key. */
  readonly streams: readonly string[];
}

/** Yields their orders, the newest first. */
export const ordersOf = (
  reads: Reads,
  { workspaceId, phones }: Pick<Person, 'workspaceId' | 'phones'>,
): AsyncGenerator<StoredDocument<OrderRowBody>> =>
  eachRow(reads, orderRows, { where: { workspaceId, phone: { in: phones } }, sort: ['-createdAt', '-number'] });

/** Yields the number lists that contain them, by name. Reads the numbers of every list of the store. */
export async function* listsOf(
  reads: Reads,
  { workspaceId, phones: theirs }: Pick<Person, 'workspaceId' | 'phones'>,
): AsyncGenerator<{ readonly id: string; readonly name: string }> {
  for await (const { id, body } of eachRow(reads, numberLists, { where: { workspaceId }, sort: ['nameKey'] })) {
    const phones = await reads.get(numberListPhones, id);
    if (theirs.some((phone) => phones?.body.includes(phone))) yield { id, name: body.name };
  }
}

/** Names and conversations that were found before the keys were destroyed. The log does not show them afterwards. */
export interface Known {
  readonly phones: readonly string[];
  /** Ids. */
  readonly conversations: readonly string[];
}

const NOTHING: Known = { phones: [], conversations: [] };

/**
 * Finds conversations by id, by number, as for statuses of the channel, and by current and former keys, since a conversation of a customer
 * with a user id may have no number.
 */
async function conversationsOf(
  reads: Reads,
  workspaceId: string,
  phones: readonly string[],
  keys: readonly string[],
  ids: readonly string[],
) {
  const found = new Map<string, ConversationBody>();
  const take = async (id: string): Promise<void> => {
    const one = await reads.get(conversations, id);
    if (one?.keys.workspaceId === workspaceId) found.set(one.id, one.body);
  };
  for (const id of ids) await take(id);
  for await (const number of eachRow(reads, channelNumbers, { where: { workspaceId } })) {
    const numberId = String(number.keys.numberId);
    for (const phone of phones)
      for await (const one of eachRow(reads, conversations, { where: { numberId, phone } }))
        found.set(one.id, one.body);
    for (const key of keys) await take(conversationOfKey(numberId, key));
  }
  return [...found.values()];
}

async function hasAny(rows: AsyncGenerator<unknown>): Promise<boolean> {
  for await (const _ of rows) return true;
  return false;
}

/** Maximum moves of a number that are read. */
const MOST_MOVES = 500;

/** Returns the times at which the number became another customer's, RFC 3339. Older data may belong to a previous owner. */
export async function changedHands(
  log: Pick<EventStore, 'readStream'>,
  { workspaceId, phone }: Pick<Person, 'workspaceId' | 'phone'>,
): Promise<string[]> {
  const stream = streamName('customer', customerStreamId(workspaceId, 'phone', phone));
  const events = await log.readStream(stream, { limit: MOST_MOVES });
  const moved = events.filter(
    ({ type, data }) => type === 'CustomerMoved' && (data as { reason?: string }).reason === 'other_customer',
  );
  return moved.map(({ meta }) => meta.at);
}

/** Other names of the customer who has this phone or user id. */
export interface Names {
  readonly key: string | undefined;
  readonly phones: readonly string[];
  readonly userIds: readonly string[];
}

export async function namesOf(commands: PersonParts['commands'], workspaceId: string, value: string): Promise<Names> {
  const isPhone = value.startsWith('+');
  const { key, userId } = isPhone
    ? await knownForm(commands, workspaceId, value)
    : await identityOf(commands, workspaceId, 'user', value);
  const listed = key === undefined ? {} : await identityOf(commands, workspaceId, 'key', key);
  const phones = isPhone ? [...(await phonesOf(commands, workspaceId, value))] : [];
  for (const phone of isPhone ? [] : (listed.phones ?? []))
    if ((await knownForm(commands, workspaceId, phone)).key === key) phones.push(...formsOf(phone));
  // The key is a user id if the channel sent no phone at first.
  const users = [
    ...(isPhone ? [] : [value]),
    userId,
    ...(listed.userIds ?? []),
    key?.startsWith('+') ? undefined : key,
  ];
  return { key, phones: [...new Set(phones)], userIds: [...new Set(users.filter((one) => one !== undefined))] };
}

/**
 * Returns the customer. Undefined: the store has no data about anybody with this number. `phone`: may be a user id, for a customer without
 * a number.
 */
export async function personOf(
  { reads, commands }: PersonParts,
  workspaceId: string,
  phone: string,
  known = NOTHING,
): Promise<Person | undefined> {
  const { key, phones: current, userIds } = await namesOf(commands, workspaceId, phone);
  const phones = [...new Set([...current, ...known.phones])];
  const ids = [
    ...phones.map((one) => customerStreamId(workspaceId, 'phone', one)),
    ...userIds.map((one) => customerStreamId(workspaceId, 'user', one)),
  ];
  const keys = new Set(key === undefined ? [] : [key]);
  for (const id of ids)
    for (const one of await commands.query(customerKey, id, (state) => state.former ?? [])) keys.add(one);
  const theirs = await conversationsOf(reads, workspaceId, phones, [...keys], known.conversations);
  if (key === undefined && theirs.length === 0) {
    const about = { workspaceId, phones };
    if (!(await hasAny(ordersOf(reads, about))) && !(await hasAny(listsOf(reads, about)))) return undefined;
  }
  if (key !== undefined) ids.push(customerStreamId(workspaceId, 'key', key));
  return {
    workspaceId,
    phone,
    phones,
    ...(key !== undefined && { contactId: contactIdOf(workspaceId, key) }),
    conversations: theirs,
    streams: [...new Set(ids)].map((id) => streamName('customer', id)),
  };
}
