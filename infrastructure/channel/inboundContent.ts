/** The content of one inbound message, from the channel's format. (shared reference: 'Inbound webhooks', table.) */
import type { CartItem, InboundContent } from '../../domain/channel/conversationEvents.js';
import { cleanText } from './cleanText.js';

export type Loose = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const TEXT = 4_096;
const TITLE = 256;
const LINES = 100;
const MOST_UNITS = 1_000_000;
const FIELDS = 100;
const DEPTH = 4;
const RESPONSE_JSON = 65_536;

const optional = <K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [k in K]?: V };

function finite(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= least && number <= most ? number : undefined;
}

/** The channel's number as a decimal string, never in exponent notation. */
function decimal(value: unknown): string | undefined {
  if (typeof value === 'string') return /^\d{1,12}(\.\d{1,6})?$/.test(value) ? value : undefined;
  const number = finite(value, 0, 1e12);
  if (number === undefined) return undefined;
  const text = String(number);
  return text.includes('e') ? '0' : text;
}

function cartItem(value: unknown): CartItem | undefined {
  const item = record(value);
  const productRetailerId = cleanText(item?.product_retailer_id, TITLE);
  const quantity = finite(item?.quantity, 1, MOST_UNITS);
  if (productRetailerId === undefined || quantity === undefined || !Number.isInteger(quantity)) return undefined;
  const currency = cleanText(item?.currency, 3);
  return {
    productRetailerId,
    quantity,
    ...optional('itemPrice', decimal(item?.item_price)),
    ...optional('currency', currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined),
  };
}

function remark(lines: number, unreadable: number): string | undefined {
  const parts: string[] = [];
  if (lines > LINES) parts.push(`Only the first ${LINES} of the cart's ${lines} lines were taken.`);
  if (unreadable > 0) parts.push(`Left out for want of a product or a whole quantity: ${unreadable} of its lines.`);
  return parts.length === 0 ? undefined : parts.join(' ');
}

function order(body: Loose): InboundContent | undefined {
  const lines = list(body.product_items);
  const taken = lines.slice(0, LINES);
  const items = taken.map(cartItem).filter((item) => item !== undefined);
  if (items.length === 0) return undefined;
  return {
    type: 'order',
    ...optional('catalogId', cleanText(body.catalog_id, TITLE)),
    ...optional('text', cleanText(body.text, TEXT)),
    items,
    ...optional('remark', remark(lines.length, taken.length - items.length)),
  };
}

/** Copies JSON of a form's answer: bounded in size and depth, with clean strings. */
function copied(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, TEXT) ?? '';
  if (typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (depth === 0 || typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return value.slice(0, FIELDS).map((item) => copied(item, depth - 1));
  return fields(value as Loose, depth);
}

function fields(value: Loose, depth: number): Record<string, unknown> {
  const entries = Object.entries(value).slice(0, FIELDS);
  const kept = entries.filter(([key]) => key !== '' && key !== '__proto__');
  return Object.fromEntries(kept.map(([key, item]) => [cleanText(key, TITLE)!, copied(item, depth - 1)]));
}

function flowReply(reply: Loose): InboundContent | undefined {
  const text = reply.response_json;
  if (typeof text !== 'string' || text.length > RESPONSE_JSON) return undefined;
  let parsed: Loose | undefined;
  try {
    parsed = record(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (parsed === undefined) return undefined;
  return { type: 'flow_reply', ...optional('name', cleanText(reply.name, TITLE)), fields: fields(parsed, DEPTH) };
}

function choice(id: unknown, title: unknown): InboundContent | undefined {
  const picked = cleanText(id, TITLE);
  return picked === undefined ? undefined : { type: 'choice', id: picked, title: cleanText(title, TITLE) ?? '' };
}

function interactive(body: Loose): InboundContent | undefined {
  const flow = record(body.nfm_reply);
  if (flow !== undefined) return flowReply(flow);
  const tapped = record(body.button_reply) ?? record(body.list_reply);
  return tapped === undefined ? undefined : choice(tapped.id, tapped.title);
}

function location(body: Loose): InboundContent | undefined {
  const latitude = finite(body.latitude, -90, 90);
  const longitude = finite(body.longitude, -180, 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  return {
    type: 'location',
    latitude,
    longitude,
    ...optional('name', cleanText(body.name, TITLE)),
    ...optional('address', cleanText(body.address, 1_024)),
  };
}

const text = (body: Loose): InboundContent | undefined => {
  const found = cleanText(body.body, TEXT);
  return found === undefined ? undefined : { type: 'text', text: found };
};

const READERS: ReadonlyMap<string, (body: Loose) => InboundContent | undefined> = new Map([
  ['text', text],
  ['order', order],
  ['interactive', interactive],
  ['button', (body: Loose) => choice(body.payload, body.text)],
  ['location', location],
]);

/** Kinds that are not understood, and contents that are not as the channel declares them, become `unsupported`. */
export function inboundContent(message: Loose): InboundContent {
  const channelType = cleanText(message.type, 64) ?? 'unknown';
  const body = record(message[channelType]);
  const read = READERS.get(channelType);
  return (body && read?.(body)) ?? { type: 'unsupported', channelType };
}
