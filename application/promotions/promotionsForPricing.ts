/** Promotions of a store in the form of pricing, from the read model, without data that depends on the customer. */

import { LRUCache } from 'lru-cache';
import { defined } from '../../domain/defined.js';
import type { PricingPromotion, PromotionScope } from '../../domain/pricing/promotions.js';
import { codeKey, isOpen } from '../../domain/promotions/promotionDefinition.js';
import type { PromotionDefinition } from '../../domain/promotions/promotionEvents.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { automaticPromotions } from '../../projections/automaticPromotions.js';
import { type PromotionBody, promotions } from '../../projections/promotions.js';

export interface OfferedPromotion {
  /** Revision of its stream with this definition. */
  readonly revision: number;
  readonly definition: PromotionDefinition;
  /** Form for a customer who may use it. */
  readonly pricing: PricingPromotion;
}

export interface PromotionsForPricing {
  /** Flash sales and number lists that are open at `now` (ms). */
  open(workspaceId: string, now: number): Promise<readonly OfferedPromotion[]>;
  flashSales(workspaceId: string, now: number): Promise<readonly PricingPromotion[]>;
  /** Coupon with the code: the live one, otherwise the one that ended last. */
  coupon(workspaceId: string, code: string): Promise<OfferedPromotion | undefined>;
}

/** Maximum stores whose promotions are cached, with the sets of their scopes. */
const MOST_STORES = 500;

interface CachedPromotions {
  /** Revision of the store's document. */
  readonly revision: number;
  /** Promotions by id. */
  readonly offered: ReadonlyMap<string, OfferedPromotion>;
}

/** `pricing` contains sets, which are made once per revision of a definition, not once per cart. */
export function promotionsForPricing(reads: Pick<Reads, 'find' | 'get' | 'getMany'>): PromotionsForPricing {
  const stores = new LRUCache<string, CachedPromotions>({ max: MOST_STORES });

  /** Returns the store's promotions that need no code, whether they are open or not. */
  async function automatic(workspaceId: string): Promise<CachedPromotions['offered']> {
    const row = await reads.get(automaticPromotions, workspaceId);
    if (row === undefined) return new Map();
    const before = stores.get(workspaceId);
    if (before?.revision === row.revision) return before.offered;
    const found = await reads.getMany(promotions, Object.keys(row.body));
    const now = Object.entries(row.body).flatMap(([id, revision]) => {
      const known = before?.offered.get(id);
      const document = found.get(id);
      if (known?.revision === revision) return [known];
      return document === undefined ? [] : [offeredOf(document)];
    });
    const offered = new Map(now.map((one) => [one.pricing.promotionId, one]));
    // These are two views. If one lags behind the other, the result is not cached.
    if (Object.entries(row.body).every(([id, revision]) => offered.get(id)?.revision === revision))
      stores.set(workspaceId, { revision: row.revision, offered });
    return offered;
  }

  const open: PromotionsForPricing['open'] = async (workspaceId, now) =>
    [...(await automatic(workspaceId)).values()].filter(({ definition }) => isOpen(definition, now));

  return {
    open,
    async flashSales(workspaceId, now) {
      const all = await open(workspaceId, now);
      return all.map(({ pricing }) => pricing).filter(({ kind }) => kind === 'flash_sale');
    },
    async coupon(workspaceId, code) {
      const where = { workspaceId, code: codeKey(code) };
      const [row] = await reads.find(promotions, { where, sort: ['-endsAt'], limit: 1 });
      return row && offeredOf(row);
    },
  };
}

const scopeOf = ({ scope, productExternalIds, categoryExternalIds }: PromotionDefinition): PromotionScope => {
  if (scope === 'products') return { of: 'products', productExternalIds: new Set(productExternalIds) };
  if (scope === 'categories') return { of: 'categories', categoryExternalIds: new Set(categoryExternalIds) };
  return { of: 'all' };
};

/** Returns the form for a customer who may use it. */
function pricingOf(promotionId: string, definition: PromotionDefinition): PricingPromotion {
  const { kind, name, code, percentOff, amountOffCents, active, startsAt, endsAt } = definition;
  return {
    promotionId,
    kind,
    name,
    ...defined({ code }),
    terms: percentOff === undefined ? { amountOffCents: amountOffCents! } : { percentOff },
    scope: scopeOf(definition),
    active,
    ...(startsAt === undefined ? {} : { startsAt: Date.parse(startsAt) }),
    ...(endsAt === undefined ? {} : { endsAt: Date.parse(endsAt) }),
    ...defined({ minSubtotalCents: definition.minSubtotalCents }),
    combinable: definition.combinable ?? false,
    eligibility: 'may',
  };
}

const offeredOf = ({ id, keys, body }: StoredDocument<PromotionBody>): OfferedPromotion => ({
  revision: Number(keys.definitionRevision),
  definition: body,
  pricing: pricingOf(id, body),
});
