/** The order's `discountReason`: which promotions apply, and why others do not, in words for the store. */
import type { AppliedPromotion, FlashSaleName, PassedOver } from '../orders/orderEvents.js';

/** Characters of the whole. (Specification 1, 'Limits': reasons.) */
const MOST_TEXT = 500;
const MOST_NAMED = 20;
/** Of those that are named beside the discount. */
const FEW_NAMED = 3;
const MOST_NAME = 30;

const named = ({ name, code }: { readonly name: string; readonly code?: string }): string =>
  code === undefined ? name : `${name} (${code})`;

/** As many of the names as there is room for, at most `most`, and how many more there are; one at least, cut if need be. */
function listed(names: readonly string[], most: number, room: number): string {
  const more = (count: number): readonly string[] => (count < names.length ? [`${names.length - count} more`] : []);
  let count = Math.min(most, names.length);
  const text = (): string => [...names.slice(0, count), ...more(count)].join(', ');
  while (count > 1 && text().length > room) count -= 1;
  return cut(text(), room);
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

function few(said: string, of: readonly { readonly name: string; readonly code?: string }[]): readonly string[] {
  const names = of.map((one) => cut(named(one), MOST_NAME));
  return names.length === 0 ? [] : [`${said}: ${listed(names, FEW_NAMED, MOST_TEXT)}`];
}

/**
 * `Regulars, Eid (EID10); in the prices: Flash Friday; not combinable with it: Staff`: first what makes up the discount, at
 * most 20 names, coupons with their code; at most 500 characters in all. Undefined when no promotion plays a part.
 */
export function discountReason(
  applied: readonly AppliedPromotion[],
  flashSales: readonly FlashSaleName[],
  passedOver: readonly PassedOver[],
): string | undefined {
  const because = (wanted: PassedOver['why']): readonly PassedOver[] => passedOver.filter(({ why }) => why === wanted);
  const beside = [
    ...few('in the prices', flashSales),
    ...few('not combinable with it', because('not_combinable')),
    ...few('left out for a minimum', because('min_subtotal')),
    ...few('left out for free delivery', because('free_delivery')),
  ];
  const room = Math.max(MOST_NAME, MOST_TEXT - beside.join('; ').length - 2);
  const parts = [...(applied.length === 0 ? [] : [listed(applied.map(named), MOST_NAMED, room)]), ...beside];
  return parts.length === 0 ? undefined : cut(parts.join('; '), MOST_TEXT);
}
