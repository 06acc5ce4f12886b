/** A delivery of the channel's webhook, made into updates. Whatever comes, nothing throws and no good part is lost. */
import type {
  InboundUpdates,
  NumberUpdates,
  ReceivedMessage,
  ReceivedStatus,
} from '../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { cleanText } from './cleanText.js';
import { inboundContent, type Loose, list, record } from './inboundContent.js';

const DAY_MS = 86_400_000;
const CHANNEL_ID = 512;

/** A customer's number as the channel writes it (digits, sometimes with '+') in E.164 with '+'. */
export function e164(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const digits = value.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined;
}

const userIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,160}$/.test(value) ? value : undefined;

function customer(phone: string | undefined, userId: string | undefined, name?: string): ChannelCustomer | undefined {
  if (phone === undefined && userId === undefined) return undefined;
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(userId === undefined ? {} : { userId }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Unix seconds as a string; times that cannot be right count as now. */
function timeOf(value: unknown, now: number): string {
  const ms = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN) * 1_000;
  return new Date(ms > 0 && ms < now + DAY_MS ? ms : now).toISOString();
}

interface Contact {
  readonly phone: string | undefined;
  readonly userId: string | undefined;
  readonly name: string | undefined;
}

function contactsOf(value: Loose): Contact[] {
  return list(value.contacts).map((entry) => {
    const contact = record(entry);
    return {
      phone: e164(contact?.wa_id),
      userId: userIdOf(contact?.user_id),
      name: cleanText(record(contact?.profile)?.name, 200),
    };
  });
}

function messageOf(value: unknown, contacts: readonly Contact[], now: number): ReceivedMessage | undefined {
  const message = record(value);
  const channelMessageId = cleanText(message?.id, CHANNEL_ID);
  if (message === undefined || channelMessageId === undefined) return undefined;
  const phone = e164(message.from);
  const userId = userIdOf(message.from_user_id);
  const contact = contacts.find(
    (one) => (userId !== undefined && one.userId === userId) || (phone !== undefined && one.phone === phone),
  );
  const from = customer(phone ?? contact?.phone, userId ?? contact?.userId, contact?.name);
  if (from === undefined) return undefined;
  const repliesTo = cleanText(record(message.context)?.id, CHANNEL_ID);
  return {
    channelMessageId,
    sentAt: timeOf(message.timestamp, now),
    customer: from,
    content: inboundContent(message),
    ...(repliesTo === undefined ? {} : { repliesTo }),
  };
}

const STATUSES: ReadonlyMap<unknown, ReceivedStatus['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

function errorOf(status: Loose): { errorCode: string } {
  const code = record(list(status.errors)[0])?.code;
  return { errorCode: typeof code === 'number' ? String(code) : (cleanText(code, 64) ?? 'unknown') };
}

function statusOf(value: unknown, now: number): ReceivedStatus | undefined {
  const status = record(value);
  const name = STATUSES.get(status?.status);
  const channelMessageId = cleanText(status?.id, CHANNEL_ID);
  const recipient = customer(e164(status?.recipient_id), userIdOf(status?.recipient_user_id));
  if (status === undefined || name === undefined || channelMessageId === undefined || recipient === undefined)
    return undefined;
  const messageId = cleanText(status.biz_opaque_callback_data, CHANNEL_ID);
  return {
    channelMessageId,
    status: name,
    at: timeOf(status.timestamp, now),
    recipient,
    ...(messageId === undefined ? {} : { messageId }),
    ...(name === 'failed' ? errorOf(status) : {}),
  };
}

/** Reads what it can of the parsed body. `now`: ms since 1970. */
export function inboundUpdates(body: unknown, now: number): InboundUpdates {
  const numbers = new Map<string, NumberUpdates & { messages: ReceivedMessage[]; statuses: ReceivedStatus[] }>();
  let malformed = 0;

  const numberOf = (phoneNumberId: string) => {
    let number = numbers.get(phoneNumberId);
    if (number === undefined) {
      number = { phoneNumberId, messages: [], statuses: [] };
      numbers.set(phoneNumberId, number);
    }
    return number;
  };
  const each = <T>(values: unknown, read: (value: unknown) => T | undefined, into: T[]): void => {
    for (const value of list(values)) {
      const found = read(value);
      if (found === undefined) malformed++;
      else into.push(found);
    }
  };
  const messages = (value: Loose | undefined): void => {
    const phoneNumberId = cleanText(record(value?.metadata)?.phone_number_id, 64);
    if (value === undefined || phoneNumberId === undefined) {
      malformed++;
      return;
    }
    const contacts = contactsOf(value);
    const number = numberOf(phoneNumberId);
    each(value.messages, (one) => messageOf(one, contacts, now), number.messages);
    each(value.statuses, (one) => statusOf(one, now), number.statuses);
  };

  const entries = record(body)?.entry;
  if (!Array.isArray(entries)) malformed++;
  for (const entry of list(entries)) {
    const changes = record(entry)?.changes;
    if (!Array.isArray(changes)) malformed++;
    for (const change of list(changes)) {
      const { field, value } = record(change) ?? {};
      if (field === 'messages') messages(record(value));
      // Other fields are about other things than messages and their statuses.
      else if (typeof field !== 'string') malformed++;
    }
  }
  return { numbers: [...numbers.values()], malformed };
}
