/** Flash sales in an order's prices, and promotions that could have been used but were not applied, with the reason. */
import { defined } from '../defined.js';
import type { AppliedPromotion, FlashSaleName, OrderLine, PassedOver } from '../orders/orderEvents.js';
import { alone, type Candidate, costsOf, type Discount } from './discount.js';
import { combinedPrice, lineAt } from './flashSales.js';

/** Maximum flash sales, and maximum promotions that were not applied, stored with an order. */
export const MOST_KEPT = 20;

/** Returns the flash sales that lower these lines' prices. Lines from older releases do not contain their names. */
export function flashSalesIn(lines: readonly OrderLine[]): readonly FlashSaleName[] {
  const taking = new Set(lines.flatMap(({ flashSaleIds = [] }) => flashSaleIds));
  return taking.size === 0 ? [] : touching(lines).filter(({ promotionId }) => taking.has(promotionId));
}

/** Returns all flash sales that could lower a price of these lines. */
function touching(lines: readonly OrderLine[]): readonly FlashSaleName[] {
  const named = new Map<string, FlashSaleName>();
  for (const { flashSales } of lines) {
    if (flashSales === undefined) continue;
    const { best, combinable, beaten = [] } = flashSales;
    const joint = combinable === undefined || combinable === 'best' ? [] : combinable.sales;
    for (const sale of [...best.sales, ...joint, ...beaten]) named.set(sale.promotionId, sale);
  }
  return [...named.values()];
}

interface Chosen {
  readonly lines: readonly OrderLine[];
  readonly discount: Discount;
}

/**
 * Returns the promotions that could have lowered the price alone but are not part of the chosen price, at most 20: coupons first, then
 * flash sales. `flashSales`: all flash sales in the prices. `candidates`: at the store's prices. `reached`: candidates whose minimum is
 * reached at the chosen prices. A combinable promotion that has nothing left to take off is not included.
 */
export function passedOverBy(
  { lines, discount }: Chosen,
  flashSales: readonly FlashSaleName[],
  candidates: readonly Candidate[],
  reached: () => readonly Candidate[],
): readonly PassedOver[] {
  const taking = new Set([...flashSales, ...discount.promotions].map(({ promotionId }) => promotionId));
  if (taking.size === 0) return [];
  const costs = costsOf(lines.map((line) => lineAt(line, 'store')));
  const others = candidates.filter((one) => !taking.has(one.promotion.promotionId) && alone(one, costs) > 0);
  const otherSales = touching(lines).filter(({ promotionId }) => !taking.has(promotionId));
  if (others.length === 0 && otherSales.length === 0) return [];
  const combinableSales = new Set(lines.flatMap((line) => combinedPrice(line)?.sales ?? []).map(idOf));
  const allCombine = flashSales.every((sale) => combinableSales.has(idOf(sale))) && discount.promotions.every(combines);
  const joined = new Set(allCombine ? reached().map(({ promotion }) => promotion.promotionId) : []);
  const why = (combinable: boolean): PassedOver['why'] =>
    allCombine && combinable ? 'min_subtotal' : 'not_combinable';
  // Under flash sales alone no minimum matters: a combinable flash sale is only left out if its items are free already.
  const needless = allCombine && discount.promotions.length === 0;
  const sales = otherSales
    .filter((sale) => !(needless && combinableSales.has(idOf(sale))))
    .map(
      ({ promotionId, name }): PassedOver => ({
        promotionId,
        kind: 'flash_sale',
        name,
        why: why(combinableSales.has(promotionId)),
      }),
    );
  const rest = others
    .map(({ promotion }) => promotion)
    .filter(({ promotionId, combinable }) => !(combinable && joined.has(promotionId)))
    .map(
      ({ promotionId, kind, name, code, combinable }): PassedOver => ({
        promotionId,
        kind,
        name,
        ...defined({ code }),
        why: why(combinable),
      }),
    );
  const of = (passedOverKind: PassedOver['kind']): readonly PassedOver[] =>
    rest.filter(({ kind }) => kind === passedOverKind);
  return [...of('coupon'), ...sales, ...of('number_list')].slice(0, MOST_KEPT);
}

/** Returns the promotions that would have made the goods as cheap as `leastGoods`, but were not applied so that delivery is free. */
export function leftForFreeDelivery(chosen: Chosen, leastGoods: Chosen): readonly PassedOver[] {
  const partsOf = ({ lines, discount }: Chosen) => [
    ...discount.promotions,
    ...flashSalesIn(lines).map((sale) => ({ ...sale, kind: 'flash_sale' as const, code: undefined })),
  ];
  const taking = new Set(partsOf(chosen).map(idOf));
  return partsOf(leastGoods)
    .filter((one) => !taking.has(idOf(one)))
    .map(
      ({ promotionId, kind, name, code }): PassedOver => ({
        promotionId,
        kind,
        name,
        ...defined({ code }),
        why: 'free_delivery',
      }),
    );
}

const idOf = ({ promotionId }: Pick<FlashSaleName, 'promotionId'>): string => promotionId;
const combines = ({ combinable }: AppliedPromotion): boolean => combinable;
