/** Cart items that are not part of the order, with their reasons, for the order's `note` and the message to the customer. */
import { defined } from '../defined.js';
import type { LeftOutItem } from '../orders/orderEvents.js';

export type WhyLeftOut =
  | 'unknown'
  | 'inactive'
  | 'out_of_stock'
  | 'no_quantity'
  | 'too_many'
  | 'over_stock'
  | 'too_many_items';

export interface LeftOut {
  readonly retailerId: string;
  readonly why: WhyLeftOut;
  /** Name of the item, if known. */
  readonly name?: string;
  /** For over_stock: number of units in stock. */
  readonly stock?: number;
  /** Reason as a plain English sentence, for the store. */
  readonly reason: string;
}

const WHY: Record<WhyLeftOut, (stock: number | undefined) => string> = {
  unknown: () => 'it is not in the catalog',
  inactive: () => 'it is not for sale at present',
  out_of_stock: () => 'it is out of stock',
  no_quantity: () => 'its quantity is not a whole number from 1 on',
  too_many: () => 'more than 99 were asked for, which is the most in one order',
  over_stock: (stock) => `more were asked for than the ${stock} in stock`,
  too_many_items: () => 'an order holds at most 100 different items',
};

export function leaveOut(
  retailerId: string,
  why: WhyLeftOut,
  item?: { readonly name: string; readonly stock?: number },
): LeftOut {
  const name = defined({ name: item?.name });
  const stock = why === 'over_stock' && item?.stock !== undefined ? { stock: item.stock } : {};
  const shown = item === undefined ? `Item ${short(retailerId)}` : `${short(item.name)} (${short(retailerId)})`;
  return { retailerId, why, ...name, ...stock, reason: `${shown} was left out: ${WHY[why](item?.stock)}.` };
}

const MOST_NAMED = 50;

/** Returns the items that are stored with the order, so that the message can be written in any language: at most 50. */
export const leftOutItems = (leftOut: readonly LeftOut[]): LeftOutItem[] =>
  leftOut.slice(0, MOST_NAMED).map(({ reason: _, ...item }) => item);

/** Returns the order's `note`: one sentence per item, for at most 50 items. Undefined if nothing was left out. */
export function noteOf(leftOut: readonly LeftOut[]): string | undefined {
  if (leftOut.length === 0) return undefined;
  const sentences = leftOut.slice(0, MOST_NAMED).map(({ reason }) => reason);
  const more = leftOut.length - sentences.length;
  if (more > 0) sentences.push(`${more} more ${more === 1 ? 'item was' : 'items were'} left out.`);
  return sentences.join(' ');
}

const short = (text: string): string => (text.length <= 100 ? text : `${text.slice(0, 99)}…`);
