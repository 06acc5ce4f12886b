/** The single parts of a delivery: messages, statuses, calls. Undefined: it cannot be read. */

import type {
  ReceivedCall,
  ReceivedMessage,
  ReceivedNewPhone,
  ReceivedStatus,
} from '../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { finite, list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { e164 } from './e164.js';
import { inboundContent } from './inboundContent.js';

const CHANNEL_ID = 512;

const userIdOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,160}$/.test(value) ? value : undefined;

function customer(phone: string | undefined, userId: string | undefined, name?: string): ChannelCustomer | undefined {
  if (phone === undefined && userId === undefined) return undefined;
  return defined({ phone, userId, name });
}

/** Unix seconds as a string; times that cannot be right, such as later ones, count as now. */
function timeOf(value: unknown, now: number): string {
  const ms = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN) * 1_000;
  return new Date(ms > 0 && ms < now ? ms : now).toISOString();
}

export interface DescribedCustomer {
  readonly phone: string | undefined;
  readonly userId: string | undefined;
  readonly name: string | undefined;
}

/** Who the delivery is about, as the channel describes them beside its messages. */
export function contactsOf(value: JsonObject): DescribedCustomer[] {
  return list(value.contacts).map((entry) => {
    const contact = record(entry);
    return {
      phone: e164(contact?.wa_id),
      userId: userIdOf(contact?.user_id),
      name: cleanText(record(contact?.profile)?.name, 200),
    };
  });
}

function senderOf(part: JsonObject, contacts: readonly DescribedCustomer[]): ChannelCustomer | undefined {
  const phone = e164(part.from);
  const userId = userIdOf(part.from_user_id);
  const contact = contacts.find(
    (one) => (userId !== undefined && one.userId === userId) || (phone !== undefined && one.phone === phone),
  );
  return customer(phone ?? contact?.phone, userId ?? contact?.userId, contact?.name);
}

/** A message, or the news that the customer has another phone. */
export function messageOf(
  value: unknown,
  contacts: readonly DescribedCustomer[],
  now: number,
): ReceivedMessage | ReceivedNewPhone | undefined {
  const message = record(value);
  const channelMessageId = cleanText(message?.id, CHANNEL_ID);
  const from = message && senderOf(message, contacts);
  if (message === undefined || channelMessageId === undefined || from === undefined) return undefined;
  const phone = newPhoneOf(message);
  if (phone !== undefined) return { customer: from, phone };
  const context = record(message.context);
  return {
    channelMessageId,
    sentAt: timeOf(message.timestamp, now),
    customer: from,
    content: inboundContent(message),
    ...defined({ repliesTo: cleanText(context?.id, CHANNEL_ID) }),
    ...(context?.forwarded === true || context?.frequently_forwarded === true ? { forwarded: true } : {}),
  };
}

function newPhoneOf(message: JsonObject): string | undefined {
  const news = message.type === 'system' ? record(message.system) : undefined;
  return news?.type === 'user_changed_number' ? e164(news.wa_id) : undefined;
}

/** Of calls that have ended; `null`: one that has not, or that the customer did not begin. */
export function callOf(
  value: unknown,
  contacts: readonly DescribedCustomer[],
  now: number,
): ReceivedCall | null | undefined {
  const call = record(value);
  const channelCallId = cleanText(call?.id, CHANNEL_ID);
  if (call === undefined || channelCallId === undefined || typeof call.event !== 'string') return undefined;
  if (call.event !== 'terminate' || call.direction === 'BUSINESS_INITIATED') return null;
  const from = senderOf(call, contacts);
  if (from === undefined) return undefined;
  const missed = !((finite(call.duration, 0, Number.MAX_SAFE_INTEGER) ?? 0) > 0);
  const at = timeOf(call.timestamp, now);
  return { channelCallId, at, customer: from, missed, ...(missed ? { reason: missedBecause(call.status) } : {}) };
}

function missedBecause(status: unknown): string {
  const said = typeof status === 'string' ? status.toLowerCase() : '';
  if (/^cancel+ed$/.test(said)) return 'cancelled';
  return said === 'rejected' ? 'rejected' : 'no_answer';
}

const STATUSES: ReadonlyMap<unknown, ReceivedStatus['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

function errorOf(status: JsonObject): { errorCode: string } {
  const code = record(list(status.errors)[0])?.code;
  return { errorCode: typeof code === 'number' ? String(code) : (cleanText(code, 64) ?? 'unknown') };
}

/** News of a message that the store sent. */
export function statusOf(value: unknown, now: number): ReceivedStatus | undefined {
  const status = record(value);
  const name = STATUSES.get(status?.status);
  const channelMessageId = cleanText(status?.id, CHANNEL_ID);
  const recipient = customer(e164(status?.recipient_id), userIdOf(status?.recipient_user_id));
  if (status === undefined || name === undefined || channelMessageId === undefined || recipient === undefined)
    return undefined;
  return {
    channelMessageId,
    status: name,
    at: timeOf(status.timestamp, now),
    recipient,
    ...defined({ messageId: cleanText(status.biz_opaque_callback_data, CHANNEL_ID) }),
    ...(name === 'failed' ? errorOf(status) : {}),
  };
}
