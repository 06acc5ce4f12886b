/** Whether what queries answered once still stands, where one process runs all projections and takes all commands. */
import type { Acknowledged } from './acknowledged.js';
import type { Readable } from './reads.js';
import type { Moment, ViewChanges } from './viewChanges.js';

export interface ViewWatch {
  /** To be taken before the queries: whatever changes meanwhile then counts as later. */
  now(): Moment;
  /**
   * Whether queries on one of the projections, of any tenant, may show something else than at the moment, or have to wait for what was
   * acknowledged.
   */
  changedSince(moment: Moment, projections: readonly Readable<unknown>[]): boolean;
}

export const watchViews = (
  changes: Pick<ViewChanges, 'now' | 'since'>,
  acknowledged: Pick<Acknowledged, 'isBehind'>,
): ViewWatch => ({
  now: () => changes.now,
  changedSince: (moment, projections) =>
    projections.some(({ name }) => acknowledged.isBehind(name) || changes.since(moment, name)),
});
