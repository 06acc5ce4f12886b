/** The promotions of a store as pricing takes them, from the read model; what does not depend on the customer. */
import type { PricingPromotion, PromotionScope } from '../../domain/pricing/promotions.js';
import { codeKey } from '../../domain/promotions/definition.js';
import type { PromotionDefinition } from '../../domain/promotions/promotionEvents.js';
import { type PromotionBody, promotions } from '../../projections/promotions.js';
import { allRows } from '../allRows.js';
import type { StoredDocument } from '../ports/readModels.js';
import type { Reads } from '../reads.js';

export interface Shelved {
  readonly definition: PromotionDefinition;
  /** As for a customer who may have it. */
  readonly pricing: PricingPromotion;
}

export interface Shelf {
  /** Flash sales and number lists that are open at `now` (ms). */
  open(workspaceId: string, now: number): Promise<readonly Shelved[]>;
  flashSales(workspaceId: string, now: number): Promise<readonly PricingPromotion[]>;
  /** The coupon of a code: the live one, else the one that ended last. */
  coupon(workspaceId: string, code: string): Promise<Shelved | undefined>;
}

/** Promotions remembered, with the sets of their scopes. */
const MOST_REMEMBERED = 2_000;
/** A store may have some over the limit for a moment: see api/promotions. */
const MOST_READ = 2_000;

/** `pricing` holds sets, which are made once a revision of a definition, not once a cart. */
export function promotionShelf(reads: Pick<Reads, 'find'>): Shelf {
  const known = new Map<string, { revision: number; shelved: Shelved }>();

  function shelvedOf({ id, keys, body }: StoredDocument<PromotionBody>): Shelved {
    const revision = Number(keys.definitionRevision);
    const before = known.get(id);
    known.delete(id);
    const kept = before?.revision === revision ? before : { revision, shelved: made(id, body) };
    known.set(id, kept);
    if (known.size > MOST_REMEMBERED) known.delete(known.keys().next().value!);
    return kept.shelved;
  }

  async function open(workspaceId: string, now: number): Promise<readonly Shelved[]> {
    const query = { where: { workspaceId, automatic: 1, endsAt: { gt: now } }, sort: ['endsAt'] };
    const rows = await allRows(reads, promotions, query, MOST_READ);
    return rows.filter(({ keys }) => now >= Number(keys.startsAt)).map(shelvedOf);
  }

  return {
    open,
    async flashSales(workspaceId, now) {
      const all = await open(workspaceId, now);
      return all.map(({ pricing }) => pricing).filter(({ kind }) => kind === 'flash_sale');
    },
    async coupon(workspaceId, code) {
      const where = { workspaceId, code: codeKey(code) };
      const [row] = await reads.find(promotions, { where, sort: ['-endsAt'], limit: 1 });
      return row && shelvedOf(row);
    },
  };
}

const scopeOf = ({ scope, productExternalIds, categoryExternalIds }: PromotionDefinition): PromotionScope => {
  if (scope === 'products') return { of: 'products', productExternalIds: new Set(productExternalIds) };
  if (scope === 'categories') return { of: 'categories', categoryExternalIds: new Set(categoryExternalIds) };
  return { of: 'all' };
};

/** As pricing takes it, for a customer who may have it. */
export function pricingOf(promotionId: string, definition: PromotionDefinition): PricingPromotion {
  const { kind, name, code, percentOff, amountOffCents, active, startsAt, endsAt } = definition;
  return {
    promotionId,
    kind,
    name,
    ...(code === undefined ? {} : { code }),
    terms: percentOff === undefined ? { amountOffCents: amountOffCents! } : { percentOff },
    scope: scopeOf(definition),
    active,
    ...(startsAt === undefined ? {} : { startsAt: Date.parse(startsAt) }),
    ...(endsAt === undefined ? {} : { endsAt: Date.parse(endsAt) }),
    ...(definition.minSubtotalCents === undefined ? {} : { minSubtotalCents: definition.minSubtotalCents }),
    combinable: definition.combinable ?? false,
    standing: 'may',
  };
}

const made = (id: string, body: PromotionBody): Shelved => ({ definition: body, pricing: pricingOf(id, body) });
