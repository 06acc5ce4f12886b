/** Records items that the provider refused. */
import { randomUUID } from 'node:crypto';
import { itemsRefused } from '../../domain/catalog/catalogSync.js';
import type { ItemProblem } from '../ports/catalogProvider.js';
import { type ItemRow, isRemoval, syncedItem } from './itemRequests.js';
import type { Push } from './pushContext.js';

/** Records the items with problems as failed, each with its own reason. */
export async function refuseProblems(
  push: Push,
  rows: readonly ItemRow[],
  problems: readonly ItemProblem[],
): Promise<void> {
  const reasons = new Map(problems.map(({ retailerId, message }) => [retailerId, message]));
  await refuseRows(push, rows, ({ body }) => reasons.get(body.retailerId));
}

/**
 * Records the items for which there is a reason as failed. Removals are never refused: they stay pending until done. `call`: the provider
 * refused the whole call.
 */
export async function refuseRows(
  push: Push,
  rows: readonly ItemRow[],
  reasonOf: (row: ItemRow) => string | undefined,
  more: { readonly call?: true } = {},
): Promise<void> {
  const refused = rows.flatMap((row) => {
    const reason = isRemoval(row) ? undefined : reasonOf(row);
    return reason === undefined ? [] : [{ ...syncedItem(row), reason }];
  });
  if (refused.length > 0) await push.record(itemsRefused(refused, more), 'refused', randomUUID());
}
