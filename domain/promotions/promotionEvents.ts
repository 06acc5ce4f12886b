/** Stored for ever: a store's promotion and its redemptions, stream `promotion-{promotionId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';

export type PromotionKind = 'flash_sale' | 'number_list' | 'coupon';
export type PromotionScope = 'all' | 'products' | 'categories';

/** What the store says of a promotion, with defaults applied. (Specification 1, 'Promotion'.) */
export interface PromotionDefinition {
  readonly name: string;
  readonly kind: PromotionKind;
  readonly scope: PromotionScope;
  readonly productExternalIds: readonly string[];
  readonly categoryExternalIds: readonly string[];
  /** Exactly one of percentOff and amountOffCents. */
  readonly percentOff?: number;
  /** Per unit for a flash sale, off the products in scope otherwise. */
  readonly amountOffCents?: number;
  /** As the store wrote it; compared without case. */
  readonly code?: string;
  readonly numberListId?: string;
  readonly minSubtotalCents?: number;
  readonly maxPerCustomer?: number;
  readonly maxRedemptions?: number;
  readonly combinable?: boolean;
  readonly active: boolean;
  /** RFC 3339, UTC. Open from here on (included); from the beginning when absent. */
  readonly startsAt?: string;
  /** Open until here (not included); for ever when absent. */
  readonly endsAt?: string;
}

/** Values before a change, of the fields that changed; null stands for 'had no value'. */
export type DefinitionBefore = { readonly [F in keyof PromotionDefinition]?: PromotionDefinition[F] | null };

export type PromotionEvent =
  | DomainEvent<'PromotionCreated', { definition: PromotionDefinition }>
  | DomainEvent<'PromotionRevised', { definition: PromotionDefinition; before: DefinitionBefore }>
  /** `definition`: as it was in the end. */
  | DomainEvent<'PromotionDeleted', { definition: PromotionDefinition }>
  /** An order uses the promotion. `customer`: whose use it is, such as the customer's number. */
  | DomainEvent<'PromotionRedeemed', { orderId: string; customer: string }>
  | DomainEvent<'RedemptionGivenBack', { orderId: string; customer: string }>;
