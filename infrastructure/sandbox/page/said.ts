/** Messages in words. */
import { titleOf } from './catalog.js';
import { formAnswer } from './forms.js';
import type { Call, Contact, Interactive, Message, Order, Place } from './wire.js';

const LONGEST_LINE = 60;

/** The beginning of a text, to quote it. */
export function firstLine(text: string): string {
  const line = text.split('\n')[0]!;
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

function cartText({ product_items, text }: Order): string {
  const lines = product_items.map((one) => `${one.quantity} × ${titleOf(one.product_retailer_id)}`);
  return ['Cart', ...lines, ...(text ? [`“${text}”`] : [])].join('\n');
}

const contactText = (contacts: readonly Contact[]): string =>
  [
    'Contact',
    ...contacts.map((one) => `${one.name.formatted_name} · ${one.phones.map(({ phone }) => phone).join(', ')}`),
  ].join('\n');

const locationText = (place: Place): string =>
  ['Location', place.name, place.address, `${place.latitude}, ${place.longitude}`].filter(Boolean).join('\n');

const callText = ({ duration }: Call): string => `Call · ${duration ? `${duration} s` : 'nobody answered'}`;

const tapText = ({ button_reply, list_reply }: Interactive): string | undefined => (button_reply ?? list_reply)?.title;

/** What a message says in words; files are shown beside it. */
export function said(one: Message): string {
  const { payload } = one;
  if (payload.order) return cartText(payload.order);
  if (payload.contacts) return contactText(payload.contacts);
  if (payload.location) return locationText(payload.location);
  if (payload.call) return callText(payload.call);
  if (payload.button) return payload.button.text;
  if (payload.system) return payload.system.body;
  if (one.direction === 'sent' && payload.interactive)
    return formAnswer(payload) ?? tapText(payload.interactive) ?? payload.type;
  return one.text ?? (one.file ? '' : payload.type);
}
