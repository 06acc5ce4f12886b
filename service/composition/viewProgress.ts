import type { ViewProgress } from '../../api/services.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import { projections } from '../../projections/index.js';

/** Names of the projections that read a category. */
function readersOf(category: string): readonly string[] {
  return projections.filter((one: AnyProjection) => one.categories.includes(category)).map(({ name }) => name);
}

/** Waits for projections by the categories of what was appended. */
export function viewProgress(host: Pick<ProjectionHost, 'waitFor'>): ViewProgress {
  const known = new Map<string, readonly string[]>();
  return {
    waitFor(categories, position, timeoutMs) {
      const key = categories.join(' ');
      let names = known.get(key);
      if (names === undefined) {
        names = [...new Set(categories.flatMap(readersOf))];
        known.set(key, names);
      }
      return names.length === 0 ? Promise.resolve(true) : host.waitFor(names, position, timeoutMs);
    },
  };
}
