/** The order's `discountReason`: which promotions apply, and why others do not, in words for the store. */
import type { AppliedPromotion, FlashSaleName, PassedOver } from '../orders/orderEvents.js';

/** Maximum characters of the whole text. (Specification 1, 'Limits': reasons.) */
const MOST_TEXT = 500;
const MOST_NAMED = 20;
/** Maximum names in each part other than the discount. */
const FEW_NAMED = 3;
const MOST_NAME = 30;

const named = ({ name, code }: { readonly name: string; readonly code?: string }): string =>
  code === undefined ? name : `${name} (${code})`;

/** Lists as many names as fit, at most `most`, and the number of the others. Lists at least one name, truncated if necessary. */
function listed(names: readonly string[], most: number, room: number): string {
  const more = (count: number): readonly string[] => (count < names.length ? [`${names.length - count} more`] : []);
  let count = Math.min(most, names.length);
  const text = (): string => [...names.slice(0, count), ...more(count)].join(', ');
  while (count > 1 && text().length > room) count -= 1;
  return cut(text(), room);
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

function few(phrase: string, of: readonly { readonly name: string; readonly code?: string }[]): readonly string[] {
  const names = of.map((one) => cut(named(one), MOST_NAME));
  return names.length === 0 ? [] : [`${phrase}: ${listed(names, FEW_NAMED, MOST_TEXT)}`];
}

/**
 * Returns a text such as `Regulars, Eid (EID10); in the prices: Flash Friday; not combinable with it: Staff`. The discount comes first,
 * with at most 20 names and the codes of coupons. At most 500 characters in all. Undefined if no promotion is involved.
 */
export function discountReason(
  applied: readonly AppliedPromotion[],
  flashSales: readonly FlashSaleName[],
  passedOver: readonly PassedOver[],
): string | undefined {
  const because = (reason: PassedOver['why']): readonly PassedOver[] => passedOver.filter(({ why }) => why === reason);
  const competing = [
    ...few('in the prices', flashSales),
    ...few('not combinable with it', because('not_combinable')),
    ...few('left out for a minimum', because('min_subtotal')),
    ...few('left out for free delivery', because('free_delivery')),
  ];
  const room = Math.max(MOST_NAME, MOST_TEXT - competing.join('; ').length - 2);
  const parts = [...(applied.length === 0 ? [] : [listed(applied.map(named), MOST_NAMED, room)]), ...competing];
  return parts.length === 0 ? undefined : cut(parts.join('; '), MOST_TEXT);
}
