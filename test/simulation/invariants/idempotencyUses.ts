import { idempotencyKeys } from '../../../api/http/idempotency/idempotency.js';
import { idempotencyUse } from '../../../api/http/idempotency/idempotencyUse.js';
import type { Ended, Invariant } from './invariant.js';

/** Returns the stored documents of a collection of work. */
const stored = ({ data }: Ended, collection: string): unknown[] =>
  [...data.work.of(collection).documents.values()].flatMap(({ json }) =>
    json === undefined ? [] : [JSON.parse(json)],
  );

/** Each Idempotency-Key counts once, unless the store of work failed, so that a request was begun several times. */
export const idempotencyUses: Invariant = (ended) => {
  if (ended.mayLoseLeases || !ended.data.shared) return [];
  const keys = stored(ended, idempotencyKeys.name).length;
  const counted = (stored(ended, idempotencyUse.name) as { readonly keys: number }[]).reduce(
    (sum, one) => sum + one.keys,
    0,
  );
  return counted > keys ? [`${keys} Idempotency-Keys were used, and ${counted} are counted`] : [];
};
