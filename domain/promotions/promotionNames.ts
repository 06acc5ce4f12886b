/** Names and lists that a promotion reserves: its place, its code, and the use of a number list, see domain/names.ts. */
import type { NameKind } from '../names.js';
import { exists, type Promotion } from './promotion.js';
import { codeKey, hasEnded } from './promotionDefinition.js';
import type { PromotionDefinition } from './promotionEvents.js';

/** A store's promotions, including past ones. A code belongs to one live coupon. */
export const promotionNames = {
  name: 'promotion',
  most: 1_000,
  full: {
    code: 'promotion_limit_reached',
    detail: 'The store has reached the limit of 1000 promotions. Delete ended promotions.',
  },
  taken: {
    code: 'coupon_code_taken',
    detail: 'Another coupon of the store has this code. Codes are not case-sensitive.',
  },
} as const satisfies NameKind;

/** Returns a check for application/holds.ts: whether the promotion uses the list. */
export const usesList =
  (listId: string) =>
  (state: Promotion): 'yes' | 'no' | 'gone' => {
    if (state.status === 'deleted') return 'gone';
    return exists(state) && state.definition.numberListId === listId ? 'yes' : 'no';
  };

/**
 * Returns the code that the promotion reserves at `now` (ms), in normalized form. A live coupon reserves its code, also while it is off or
 * has not started.
 */
export const reservedCode = (
  definition: Pick<PromotionDefinition, 'kind' | 'code' | 'active' | 'endsAt'>,
  now: number,
): string | undefined => (hasEnded(definition, now) ? undefined : couponKey(definition));

/** Returns a coupon's code in normalized form. Undefined for other kinds. */
export const couponKey = ({ kind, code }: Pick<PromotionDefinition, 'kind' | 'code'>): string | undefined =>
  kind === 'coupon' && code !== undefined ? codeKey(code) : undefined;
