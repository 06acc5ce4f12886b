/** Sender, time, repetition and order of customers' acts. */

import { randomInt } from 'node:crypto';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { WrongBody } from './bodyText.js';
import { customerOf, type SandboxChats, type SandboxCustomer } from './chats.js';
import { waId } from './webhookCalls.js';

const MOST_TIMES = 100;

/** Sender of a message: the path's phone or user id, with the body's details. */
export function sender(key: string, body: JsonObject, chats: SandboxChats, phoneNumberId: string): SandboxCustomer {
  const { name, userId, phone } = body;
  return {
    ...chats.known(phoneNumberId, customerOf(key)),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof userId === 'string' && userId !== '' ? { userId } : {}),
    ...(typeof phone === 'string' ? { phone: `+${waId(phone)}` } : {}),
  };
}

/** How the channel names the one who acts. */
export function from({ phone, userId }: SandboxCustomer): object {
  return {
    ...(phone === undefined ? {} : { from: waId(phone) }),
    ...defined({ from_user_id: userId }),
  };
}

export function contactsOf({ phone, userId, name }: SandboxCustomer): object {
  const contact = {
    profile: { name: name ?? 'Sandbox customer' },
    ...(phone === undefined ? {} : { wa_id: waId(phone) }),
    ...defined({ user_id: userId }),
  };
  return { contacts: [contact] };
}

/** ms since 1970, or RFC 3339; now when absent. */
export function timeOf(value: unknown, now: number): number {
  if (value === undefined) return now;
  const time = typeof value === 'number' ? value : Date.parse(String(value));
  if (!(Math.abs(time) < 8.64e15)) throw new WrongBody('at is a time such as 2026-11-21T10:00:00Z, or ms since 1970.');
  return time;
}

const WAMID = /^wamid\.[A-Za-z0-9_-]{8,200}$/;

/** The message's id as the client chose it, by which a repeated request is the same message; undefined: none was chosen. */
export function ownWamid({ wamid }: JsonObject): string | undefined {
  if (wamid === undefined) return undefined;
  if (typeof wamid !== 'string' || !WAMID.test(wamid))
    throw new WrongBody("wamid is 'wamid.' and 8 to 200 letters, digits, '-' and '_'.");
  return wamid;
}

export function timesOf({ times = 1 }: JsonObject): number {
  if (!Number.isInteger(times) || (times as number) < 1 || (times as number) > MOST_TIMES)
    throw new WrongBody(`times is a whole number from 1 to ${MOST_TIMES}.`);
  return times as number;
}

/** Order of the updates of one delivery. */
export function ordered<T>(updates: readonly T[], order: unknown): readonly T[] {
  if (order === 'reversed') return updates.toReversed();
  if (order !== 'shuffled') return updates;
  const shuffled = [...updates];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}
