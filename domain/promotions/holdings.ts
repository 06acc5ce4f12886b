/** What a promotion has that others can need: its place, its code, the use of a list. How it is kept: domain/names.ts. */
import type { NameKind } from '../names.js';
import { codeKey, hasEnded } from './definition.js';
import { isStanding, type Promotion } from './promotion.js';
import type { PromotionDefinition } from './promotionEvents.js';

/** A store's promotions, past ones too; a code is one live coupon's. */
export const promotionNames = {
  name: 'promotion',
  most: 1_000,
  full: { code: 'promotion_limit_reached', detail: 'The store has 1000 promotions; delete those that are over.' },
  taken: {
    code: 'coupon_code_taken',
    detail: 'Another coupon of the store has this code; codes are compared without case.',
  },
} as const satisfies NameKind;

/** Whether the promotion uses a list: what application/holding.ts asks of a holder. */
export const usesList =
  (listId: string) =>
  (state: Promotion): 'yes' | 'no' | 'gone' => {
    if (state.status === 'deleted') return 'gone';
    return isStanding(state) && state.definition.numberListId === listId ? 'yes' : 'no';
  };

/**
 * The code that a promotion keeps from others at `now` (ms), in the form in which it is compared. A live coupon keeps its
 * code, also while it is off or yet to begin.
 */
export const keptCode = (
  definition: Pick<PromotionDefinition, 'kind' | 'code' | 'active' | 'endsAt'>,
  now: number,
): string | undefined => (hasEnded(definition, now) ? undefined : couponKey(definition));

/** A coupon's code in the form in which it is compared; undefined for other kinds. */
export const couponKey = ({ kind, code }: Pick<PromotionDefinition, 'kind' | 'code'>): string | undefined =>
  kind === 'coupon' && code !== undefined ? codeKey(code) : undefined;
