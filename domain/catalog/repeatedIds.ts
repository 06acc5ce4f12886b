/** External ids that one request gives more than once. */
import type { FieldProblem } from '../decider.js';

/** A problem for each item whose external id an item before it has. `at`: the place of the id in the request. */
export function repeatedIdProblems(
  kind: 'product' | 'category',
  items: readonly { readonly externalId: string; readonly at: string }[],
): FieldProblem[] {
  const seen = new Set<string>();
  return items.flatMap(({ externalId, at }) => {
    const isFirst = !seen.has(externalId);
    seen.add(externalId);
    const message = `Another ${kind} of this request has the same external id.`;
    return isFirst ? [] : [{ message, location: at, value: externalId }];
  });
}
