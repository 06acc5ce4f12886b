/** The promotions of a store as pricing takes them, from the read model; what does not depend on the customer. */

import { LRUCache } from 'lru-cache';
import { defined } from '../../domain/defined.js';
import type { PricingPromotion, PromotionScope } from '../../domain/pricing/promotions.js';
import { codeKey, isOpen } from '../../domain/promotions/definition.js';
import type { PromotionDefinition } from '../../domain/promotions/promotionEvents.js';
import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { automaticPromotions } from '../../projections/automaticPromotions.js';
import { type PromotionBody, promotions } from '../../projections/promotions.js';

export interface OfferedPromotion {
  /** Of its stream, when it got this definition. */
  readonly revision: number;
  readonly definition: PromotionDefinition;
  /** As for a customer who may have it. */
  readonly pricing: PricingPromotion;
}

export interface PromotionsForPricing {
  /** Flash sales and number lists that are open at `now` (ms). */
  open(workspaceId: string, now: number): Promise<readonly OfferedPromotion[]>;
  flashSales(workspaceId: string, now: number): Promise<readonly PricingPromotion[]>;
  /** The coupon of a code: the live one, else the one that ended last. */
  coupon(workspaceId: string, code: string): Promise<OfferedPromotion | undefined>;
}

/** Stores whose promotions are remembered, with the sets of their scopes. */
const MOST_STORES = 500;

interface Remembered {
  /** Of the store's document. */
  readonly revision: number;
  /** By promotion id. */
  readonly offered: ReadonlyMap<string, OfferedPromotion>;
}

/** `pricing` holds sets, which are made once a revision of a definition, not once a cart. */
export function promotionsForPricing(reads: Pick<Reads, 'find' | 'get' | 'getMany'>): PromotionsForPricing {
  const stores = new LRUCache<string, Remembered>({ max: MOST_STORES });

  /** The store's promotions that apply by themselves, whenever they are open. */
  async function automatic(workspaceId: string): Promise<Remembered['offered']> {
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
    // Two views: one that is behind the other is asked again next time.
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

/** As pricing takes it, for a customer who may have it. */
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
    standing: 'may',
  };
}

const offeredOf = ({ id, keys, body }: StoredDocument<PromotionBody>): OfferedPromotion => ({
  revision: Number(keys.definitionRevision),
  definition: body,
  pricing: pricingOf(id, body),
});
