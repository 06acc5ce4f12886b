/** Parts of a delivery that no conversation takes. They are stored unchanged. */
import type { ReceivedAside } from '../../application/channel/inboundUpdates.js';
import { defined } from '../../domain/defined.js';
import { record } from '../untypedJson.js';
import { cut, wellFormed } from './cleanText.js';
import { type DescribedCustomer, senderOf } from './inboundSenders.js';

const MOST_CHARACTERS = 16_000;

/** A message to a group is none to the store alone. */
export const isOfGroup = (value: unknown): boolean => typeof record(value)?.group_id === 'string';

export function asideOf(value: unknown, contacts: readonly DescribedCustomer[]): ReceivedAside {
  const part = record(value);
  const customer = part && senderOf(part, contacts);
  const reason = isOfGroup(value) ? 'group' : customer === undefined && part !== undefined ? 'no_sender' : 'unreadable';
  return { reason, ...defined({ customer }), update: cut(wellFormed(JSON.stringify(value)), MOST_CHARACTERS) };
}
