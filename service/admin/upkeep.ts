import { refuse } from '../../domain/decider.js';
import { distance, measureOf } from '../../engine/ports/eventStore.js';
import type { AdminReads } from './context.js';

/**
 * → `{projections: [{name, version, state, position, head, lag, unit?, …}]}`, by name. `lag` counts events, or the given `unit`; positions
 * are the log's own.
 */
export async function projectionsStatus({ projections, eventLog }: AdminReads) {
  const measure = measureOf(eventLog);
  const status = (await projections.status()).map((one) => ({
    ...one,
    lag: distance(measure, 0, one.lag),
    ...(measure.unit === 'bytes' && { unit: 'bytes' as const }),
  }));
  return { projections: status.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/**
 * `{name?}` → `{names}`: the builds that have begun (all when no name is given); `projections.status` shows how far they
 * are. One that is under way already is counted in, not begun again.
 */
export async function rebuildProjections({ projections }: AdminReads, { name }: { readonly name: string | undefined }) {
  const all = await projections.status();
  const requested = name === undefined ? all : all.filter((one) => one.name === name);
  if (requested.length === 0) {
    const names = all.map((one) => one.name).sort();
    refuse('not_found', `There is no projection ${name}. Available: ${names.join(', ')}.`);
  }
  for (const one of requested) if (one.state !== 'rebuilding') await projections.rebuild(one.name);
  return { names: requested.map((one) => one.name) };
}
