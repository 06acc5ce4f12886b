/** A customer of a store, as they are found by their phone number: which conversations and streams are theirs. */
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

/** What leads to all that a store holds of somebody. */
export interface Person {
  readonly workspaceId: string;
  /** E.164; a user id of who was looked for by one. */
  readonly phone: string;
  /** Every number that they have or had, in every form. */
  readonly phones: readonly string[];
  /** Absent: they never wrote. */
  readonly contactId?: string;
  readonly conversations: readonly ConversationBody[];
  /** Of who they are: the streams `customer-…` of their phones, of the user ids that they are known by, and of their key. */
  readonly streams: readonly string[];
}

/** Their orders, newest first. */
export const ordersOf = (
  reads: Reads,
  { workspaceId, phones }: Pick<Person, 'workspaceId' | 'phones'>,
): AsyncGenerator<StoredDocument<OrderRowBody>> =>
  eachRow(reads, orderRows, { where: { workspaceId, phone: { in: phones } }, sort: ['-createdAt', '-number'] });

/** The number lists that they are in, by name. Reads the numbers of every list of the store. */
export async function* listsOf(
  reads: Reads,
  { workspaceId, phones: theirs }: Pick<Person, 'workspaceId' | 'phones'>,
): AsyncGenerator<{ readonly id: string; readonly name: string }> {
  for await (const { id, body } of eachRow(reads, numberLists, { where: { workspaceId }, sort: ['nameKey'] })) {
    const phones = await reads.get(numberListPhones, id);
    if (theirs.some((phone) => phones?.body.includes(phone))) yield { id, name: body.name };
  }
}

/**
 * By the numbers, as statuses of the channel find them, and by the keys that they are or were known by: a conversation of who has a
 * user id may be without a number.
 */
async function conversationsOf(reads: Reads, workspaceId: string, phones: readonly string[], keys: readonly string[]) {
  const found = new Map<string, ConversationBody>();
  for await (const number of eachRow(reads, channelNumbers, { where: { workspaceId } })) {
    const numberId = String(number.keys.numberId);
    for (const phone of phones)
      for await (const one of eachRow(reads, conversations, { where: { numberId, phone } }))
        found.set(one.id, one.body);
    for (const key of keys) {
      const own = await reads.get(conversations, conversationOfKey(numberId, key));
      if (own?.keys.workspaceId === workspaceId) found.set(own.id, own.body);
    }
  }
  return [...found.values()];
}

async function hasAny(rows: AsyncGenerator<unknown>): Promise<boolean> {
  for await (const _ of rows) return true;
  return false;
}

/** So often a number changes hands at most, as far as is told. */
const MOST_MOVES = 500;

/** When the number became another customer's, RFC 3339: what is older may be of who had it before. */
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

/** By what else somebody is known who has this phone or user id. */
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
  // The key is a user id where the channel told no phone at first.
  const users = [
    ...(isPhone ? [] : [value]),
    userId,
    ...(listed.userIds ?? []),
    key?.startsWith('+') ? undefined : key,
  ];
  return { key, phones: [...new Set(phones)], userIds: [...new Set(users.filter((one) => one !== undefined))] };
}

/** Undefined: the store holds nothing of anybody with this number. `phone`: or a user id, of who has told no number. */
export async function personOf(
  { reads, commands }: PersonParts,
  workspaceId: string,
  phone: string,
): Promise<Person | undefined> {
  const { key, phones, userIds } = await namesOf(commands, workspaceId, phone);
  const ids = [
    ...phones.map((one) => customerStreamId(workspaceId, 'phone', one)),
    ...userIds.map((one) => customerStreamId(workspaceId, 'user', one)),
  ];
  const keys = new Set(key === undefined ? [] : [key]);
  for (const id of ids)
    for (const one of await commands.query(customerKey, id, (state) => state.former ?? [])) keys.add(one);
  const theirs = await conversationsOf(reads, workspaceId, phones, [...keys]);
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
