/** A cart that a customer sent, from the channel's format. */

import type { CartItem, InboundContent } from '../../domain/channel/conversationEvents.js';
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { finite, list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { type InboundTexts, TEXT, TITLE } from './inboundTexts.js';

/** More than an order holds: what it has no room for is named there. A message stays far below what one append takes. */
const LINES = 500;
const MOST_UNITS = 1_000_000;

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
    ...defined({
      itemPrice: decimal(item?.item_price),
      currency: currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined,
    }),
  };
}

function remark(lines: number, unreadable: number): string | undefined {
  const parts: string[] = [];
  if (lines > LINES) parts.push(`Only the first ${LINES} of the cart's ${lines} lines were taken.`);
  if (unreadable > 0) parts.push(`Left out for want of a product or a whole quantity: ${unreadable} of its lines.`);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** A cart without a single readable line has no items: the customer gets the question once more. The remark lists the omitted lines. */
export function cart(body: JsonObject, texts: InboundTexts): InboundContent {
  const lines = list(body.product_items);
  const taken = lines.slice(0, LINES);
  const items = taken.map(cartItem).filter((item) => item !== undefined);
  return {
    type: 'order',
    ...defined({
      catalogId: texts.text('catalog_id', body.catalog_id, TITLE),
      text: texts.text('text', body.text, TEXT),
    }),
    items,
    ...defined({ remark: remark(lines.length, taken.length - items.length) }),
  };
}
