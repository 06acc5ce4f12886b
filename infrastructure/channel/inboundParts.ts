/** The single parts of a delivery: messages, statuses, calls. Undefined: it cannot be read. */

import type {
  ReceivedCall,
  ReceivedMessage,
  ReceivedNewPhone,
  ReceivedNotice,
  ReceivedStatus,
} from '../../application/channel/inboundUpdates.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { finite, list, record } from '../untypedJson.js';
import { callbackDataIn } from './callbackData.js';
import { cleanText } from './cleanText.js';
import { contentAndDetails } from './inboundDetails.js';
import { type DescribedCustomer, named, newNamesOf, senderOf } from './inboundSenders.js';
import { TEXT } from './inboundTexts.js';

const CHANNEL_ID = 512;

/** Unix seconds as a string; times that cannot be right, such as later ones, count as now. */
function timeOf(value: unknown, now: number): string {
  const ms = Number(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN) * 1_000;
  return new Date(ms > 0 && ms < now ? ms : now).toISOString();
}

/** A message, a notice of the channel about the customer, or the news that the customer has another phone. */
export function messageOf(
  value: unknown,
  contacts: readonly DescribedCustomer[],
  now: number,
): ReceivedMessage | ReceivedNotice | ReceivedNewPhone | undefined {
  const message = record(value);
  const channelMessageId = cleanText(message?.id, CHANNEL_ID);
  const from = message && senderOf(message, contacts);
  if (message === undefined || channelMessageId === undefined || from === undefined) return undefined;
  const change = newNamesOf(message, from);
  if (change !== undefined) return { channelMessageId, ...change };
  const envelope = { channelMessageId, sentAt: timeOf(message.timestamp, now), customer: from };
  return NOTICES.has(message.type)
    ? { ...envelope, ...noticeOf(message) }
    : { ...envelope, ...contentAndDetails(message) };
}

/** Notices of the channel in the form of a message that the customer never wrote. */
const NOTICES: ReadonlySet<unknown> = new Set(['system', 'request_welcome']);

function noticeOf(message: JsonObject): Pick<ReceivedNotice, 'notice' | 'text'> {
  const system = record(message.system);
  const notice = cleanText(system?.type, 64) ?? cleanText(message.type, 64)!;
  return { notice, ...defined({ text: cleanText(system?.body, TEXT) }) };
}

/** Reads ended calls; `null`: the call has not ended, or the customer did not start it. */
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
  const text = typeof status === 'string' ? status.toLowerCase() : '';
  if (/^cancel+ed$/.test(text)) return 'cancelled';
  return text === 'rejected' ? 'rejected' : 'no_answer';
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
  const sentWith = callbackDataIn(cleanText(status?.biz_opaque_callback_data, CHANNEL_ID));
  const recipient = named(status?.recipient_id, status?.recipient_user_id);
  if (status === undefined || name === undefined || channelMessageId === undefined) return undefined;
  if (recipient === undefined && sentWith.conversationId === undefined) return undefined;
  return {
    channelMessageId,
    status: name,
    at: timeOf(status.timestamp, now),
    recipient: recipient ?? {},
    ...sentWith,
    ...(name === 'failed' ? errorOf(status) : {}),
  };
}
