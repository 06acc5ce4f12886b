/** Promotions as holders of names: each has a place, and a live coupon reserves its code. */

import { exists, promotion } from '../../domain/promotions/promotion.js';
import { promotionNames, reservedCode } from '../../domain/promotions/promotionNames.js';
import { allRows } from '../../engine/projections/allRows.js';
import { promotions } from '../../projections/promotions.js';
import type { NameHolders } from '../nameHolders.js';

/** A code is reserved until its coupon has ended at `now` (ms). */
export const promotionHolders = (workspaceId: string, now: number): NameHolders => ({
  kind: promotionNames,
  async listed(read, most) {
    const rows = await allRows(read, promotions, { where: { workspaceId }, sort: ['-createdAt'] }, most);
    return rows.map(({ id }) => id);
  },
  count: (read, most) => read.count(promotions, { workspaceId }, most),
  state: (commands, id) =>
    commands.query(promotion, id, (state) => {
      if (exists(state)) return { value: reservedCode(state.definition, now) };
      return state.status === 'deleted' ? 'gone' : 'absent';
    }),
});
