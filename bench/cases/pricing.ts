import { type CartLine, priceCart, type SellableItem } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe } from '../support/stage.js';

const LINES = 50;
const PROMOTIONS = 100;
const CATEGORIES = 8;
const NOW = Date.parse('2026-03-01T09:00:00Z');

const items = new Map(
  Array.from({ length: LINES }, (_, n): [string, SellableItem] => [
    `P${n}`,
    {
      retailerId: `P${n}`,
      productExternalId: `P${n}`,
      categoryExternalId: `C${n % CATEGORIES}`,
      name: `Cotton shirt no. ${n}`,
      priceCents: 1_501 + n * 37,
      availability: 'in_stock',
      active: true,
    },
  ]),
);
const cart: readonly CartLine[] = [...items.keys()].map((retailerId, n) => ({ retailerId, quantity: 1 + (n % 5) }));

function scopeOf(n: number): PricingPromotion['scope'] {
  if (n % 3 === 0) return { of: 'all' };
  if (n % 3 === 1) return { of: 'categories', categoryExternalIds: new Set([`C${n % CATEGORIES}`]) };
  return { of: 'products', productExternalIds: new Set(Array.from({ length: 500 }, (_, i) => `P${n + i * 3}`)) };
}

const promotion = (n: number, more: Partial<PricingPromotion>): PricingPromotion => ({
  promotionId: `promotion-${String(n).padStart(3, '0')}`,
  kind: 'number_list',
  name: `Promotion ${n}`,
  terms: n % 2 === 0 ? { percentOff: 1 + (n % 20) } : { amountOffCents: 199 + n },
  scope: scopeOf(n),
  active: true,
  startsAt: NOW - 1_000,
  endsAt: NOW + 1_000,
  combinable: false,
  eligibility: 'may',
  ...more,
});

const open = (more: (n: number) => Partial<PricingPromotion>): readonly PricingPromotion[] =>
  Array.from({ length: PROMOTIONS }, (_, n) => promotion(n, more(n)));

const KINDS = ['flash_sale', 'number_list', 'number_list', 'coupon'] as const;
/** Promotions of every kind, scope and size; half of them combinable. */
const mixed = open((n) => ({ kind: KINDS[n % 4]!, combinable: n % 8 < 4 }));
/** The most work: a hundred combinable amounts that overlap, and come to more than all lines together. */
const crowded = open((n) => ({ combinable: true, terms: { amountOffCents: 9_000 + n * 101 } }));

/** ms a cart, the median of rounds, once the code is warm. */
function perCart(promotions: readonly PricingPromotion[]): number {
  const { totals, lines } = priceCart(cart, items, NOW, promotions);
  mustBe('50 lines under a discount', lines.length === LINES && totals.discountCents > 0, totals);
  const rounds: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    const started = performance.now();
    for (let n = 0; n < 50; n += 1) priceCart(cart, items, NOW, promotions);
    rounds.push((performance.now() - started) / 50);
  }
  return spread(rounds).median;
}

/** Flash sales, the best combination, and its distribution over lines and promotions. */
export const pricing = async (): Promise<Figure[]> => [
  atMost('pricing 50 lines against 100 open promotions', perCart(mixed), 'ms', 1),
  atMost('pricing 50 lines, 100 combinable amounts that overlap', perCart(crowded), 'ms', 1),
];
