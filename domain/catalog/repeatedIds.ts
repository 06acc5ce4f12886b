/** Repeated external ids in one request. */
import type { FieldProblem } from '../decider.js';

/** Returns a problem for each item whose external id an earlier item has. `at`: location of the id in the request. */
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
