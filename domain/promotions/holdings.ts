/** What a promotion has that others can need: its code, and the use of a list. How it is kept: domain/holding.ts. */
import { holdable } from '../holding.js';
import { codeKey, hasEnded } from './definition.js';
import { isStanding, type Promotion } from './promotion.js';
import type { PromotionDefinition } from './promotionEvents.js';

/** A code is one live coupon's in a store. Stream `couponCode-{workspaceId}.{hash of the code}`. */
export const couponCodes = holdable({
  stream: 'couponCode',
  taken: 'CouponCodeTaken',
  freed: 'CouponCodeFreed',
  code: 'coupon_code_taken',
  detail: 'Another coupon of the store has this code; codes are compared without case.',
  thing: 'The code of a coupon',
});

/** Whether the promotion has a code, or a list: what application/holding.ts asks of a holder. */
type Has = (state: Promotion) => 'yes' | 'no' | 'gone';
const has =
  (test: (definition: PromotionDefinition) => boolean): Has =>
  (state) =>
    isStanding(state) ? (test(state.definition) ? 'yes' : 'no') : state.status === 'deleted' ? 'gone' : 'no';

export const usesList = (listId: string): Has => has(({ numberListId }) => numberListId === listId);

/** Live coupons keep their codes, also while they are switched off or yet to begin; one that has ended does not. */
export const keepsCode = (key: string, now: number): Has =>
  has((definition) => couponKey(definition) === key && !hasEnded(definition, now));

/** A coupon's code in the form in which it is compared; undefined for other kinds. */
export const couponKey = ({ kind, code }: PromotionDefinition): string | undefined =>
  kind === 'coupon' && code !== undefined ? codeKey(code) : undefined;
