/** Senders and subjects of updates, with the other names by which the channel knows them. */
import type { ReceivedNewPhone } from '../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { e164 } from './e164.js';

const userIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,160}$/.test(value) ? value : undefined;

/** A business-scoped user id by its look, where a phone is as likely: the country's two letters come first. */
const scopedIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z]{2}\.[A-Za-z0-9._-]{1,150}$/.test(value) ? value : undefined;

/** `either`: a field that holds a phone or a user id. Undefined: neither is known. */
export function named(either: unknown, userId: unknown): ChannelCustomer | undefined {
  const phone = e164(either);
  const user = userIdOf(userId) ?? scopedIdOf(either);
  return phone === undefined && user === undefined ? undefined : defined({ phone, userId: user });
}

export interface DescribedCustomer {
  readonly phone: string | undefined;
  readonly userId: string | undefined;
  readonly name: string | undefined;
}

/** Customers that the delivery is about, as the channel describes them next to its messages. */
export function contactsOf(value: JsonObject): DescribedCustomer[] {
  return list(value.contacts).map((entry) => {
    const contact = record(entry);
    const names = named(contact?.wa_id, contact?.user_id);
    return { phone: names?.phone, userId: names?.userId, name: cleanText(record(contact?.profile)?.name, 200) };
  });
}

const isSamePhone = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && formsOf(one).includes(other);

/** The entry that describes the sender; the only one may leave out what the message names them by. */
function contactOf(
  { phone, userId }: ChannelCustomer,
  contacts: readonly DescribedCustomer[],
): DescribedCustomer | undefined {
  const found = contacts.find(
    (one) => (userId !== undefined && one.userId === userId) || isSamePhone(phone, one.phone),
  );
  if (found !== undefined || contacts.length !== 1) return found;
  const [only] = contacts as [DescribedCustomer];
  const differs = (mine: string | undefined, other: string | undefined) => mine !== undefined && other !== undefined;
  return differs(phone, only.phone) || differs(userId, only.userId) ? undefined : only;
}

/** Undefined: the update names nobody. */
export function senderOf(part: JsonObject, contacts: readonly DescribedCustomer[]): ChannelCustomer | undefined {
  const names = named(part.from, part.from_user_id) ?? {};
  const contact = contactOf(names, contacts);
  const phone = names.phone ?? contact?.phone;
  const userId = names.userId ?? contact?.userId;
  return phone === undefined && userId === undefined ? undefined : defined({ phone, userId, name: contact?.name });
}

/** Message types of the channel's own news that a customer is known by other names from now on. */
const CHANGES: ReadonlySet<unknown> = new Set([
  'user_changed_number',
  'customer_changed_number',
  'user_changed_user_id',
]);

/** Undefined: it is something else, or does not name what has changed. `from`: the sender of the notice. */
export function newNamesOf(
  message: JsonObject,
  from: ChannelCustomer,
): Omit<ReceivedNewPhone, 'channelMessageId'> | undefined {
  const news = message.type === 'system' ? record(message.system) : undefined;
  if (news === undefined || !CHANGES.has(news.type)) return undefined;
  const phone = e164(news.wa_id) ?? e164(news.new_wa_id);
  const userId = userIdOf(news.user_id);
  if (phone === undefined && userId === undefined) return undefined;
  const before = named(news.customer, news.previous_user_id);
  // The notice may come from the new name already.
  const known = defined({
    phone: before?.phone ?? (isSamePhone(from.phone, phone) ? undefined : from.phone),
    userId: before?.userId ?? (from.userId === userId ? undefined : from.userId),
    name: from.name,
  });
  const customer = known.phone === undefined && known.userId === undefined ? from : known;
  return { customer, ...defined({ phone, userId }) };
}
