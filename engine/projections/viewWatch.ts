/** Checks if query results are still current, in a process that runs all projections and accepts all commands. */
import type { Acknowledged } from './acknowledged.js';
import type { Readable } from './reads.js';
import type { Moment, ViewChanges } from './viewChanges.js';

export interface ViewWatch {
  /** Call it before the queries, so that a concurrent change counts as later. */
  now(): Moment;
  /**
   * Returns true if queries on one of the projections, of any tenant, may have other results than at the moment, or
   * must wait for acknowledged changes.
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
