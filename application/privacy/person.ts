/** A customer of a store, as they are found by their phone number: which conversations and streams are theirs. */
import { contactIdOf, conversationOfKey } from '../../domain/channel/conversationIds.js';
import { customerKey } from '../../domain/channel/customerKey.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import { type EventStore, streamName } from '../../engine/ports/eventStore.js';
import { eachRow } from '../../engine/projections/allRows.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { type ConversationBody, conversations } from '../../projections/conversations.js';
import { numberListPhones, numberLists } from '../../projections/numberLists.js';
import { type OrderRowBody, orderRows } from '../../projections/orders.js';
import { customerStreamId } from '../channel/contacts.js';

export interface PersonParts {
  readonly reads: Reads;
  readonly commands: Pick<BoundCommands, 'query'>;
}

/** What leads to all that a store holds of somebody. */
export interface Person {
  readonly workspaceId: string;
  /** E.164; a user id of who was looked for by one. */
  readonly phone: string;
  /** Absent: they never wrote. */
  readonly contactId?: string;
  readonly conversations: readonly ConversationBody[];
  /** Of who they are: the streams `customer-…` of the phone, and of the user id that they are known by. */
  readonly streams: readonly string[];
}

/** Their orders, newest first. */
export const ordersOf = (
  reads: Reads,
  { workspaceId, phone }: Pick<Person, 'workspaceId' | 'phone'>,
): AsyncGenerator<StoredDocument<OrderRowBody>> =>
  eachRow(reads, orderRows, { where: { workspaceId, phone }, sort: ['-createdAt', '-number'] });

/** The number lists that they are in, by name. Reads the numbers of every list of the store. */
export async function* listsOf(
  reads: Reads,
  { workspaceId, phone }: Pick<Person, 'workspaceId' | 'phone'>,
): AsyncGenerator<{ readonly id: string; readonly name: string }> {
  for await (const { id, body } of eachRow(reads, numberLists, { where: { workspaceId }, sort: ['nameKey'] })) {
    const phones = await reads.get(numberListPhones, id);
    if (phones?.body.includes(phone)) yield { id, name: body.name };
  }
}

/**
 * By the number, as statuses of the channel find them, and by the key that they are known by: a conversation of who has a user id
 * may be without the number, or have another one that they had before.
 */
async function conversationsOf(reads: Reads, workspaceId: string, phone: string, key: string | undefined) {
  const found = new Map<string, ConversationBody>();
  for await (const { keys } of eachRow(reads, channelNumbers, { where: { workspaceId } })) {
    const numberId = String(keys.numberId);
    for await (const one of eachRow(reads, conversations, { where: { numberId, phone } })) found.set(one.id, one.body);
    const own = key === undefined ? undefined : await reads.get(conversations, conversationOfKey(numberId, key));
    if (own?.keys.workspaceId === workspaceId) found.set(own.id, own.body);
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

/** Undefined: the store holds nothing of anybody with this number. `phone`: or a user id, of who has told no number. */
export async function personOf(
  { reads, commands }: PersonParts,
  workspaceId: string,
  phone: string,
): Promise<Person | undefined> {
  const byPhone = customerStreamId(workspaceId, phone.startsWith('+') ? 'phone' : 'user', phone);
  const { key, userId } = await commands.query(customerKey, byPhone, (state) => state);
  const theirs = await conversationsOf(reads, workspaceId, phone, key);
  if (key === undefined && theirs.length === 0) {
    const about = { workspaceId, phone };
    if (!(await hasAny(ordersOf(reads, about))) && !(await hasAny(listsOf(reads, about)))) return undefined;
  }
  // The key is a user id where the channel told no phone at first.
  const users = new Set([userId, key].filter((one) => one !== undefined && one !== phone));
  const named = [byPhone, ...[...users].map((user) => customerStreamId(workspaceId, 'user', user!))];
  return {
    workspaceId,
    phone,
    ...(key !== undefined && { contactId: contactIdOf(workspaceId, key) }),
    conversations: theirs,
    streams: [...new Set(named)].map((id) => streamName('customer', id)),
  };
}
