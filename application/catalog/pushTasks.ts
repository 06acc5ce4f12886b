/** Tasks of the push. All tasks of a store share one lane, so that older content never follows newer. */
import { defined } from '../../domain/defined.js';
import type { NewTask } from '../../engine/processors/processor.js';

/** Items of a push. `after`: end of the previous part. */
export type Source =
  /** Changed items, oldest change first. */
  | { readonly items: 'owed' }
  /** Items whose push failed. */
  | { readonly items: 'failed'; readonly after?: readonly [number, string] }
  /** Failed items whose whole call the provider refused. */
  | { readonly items: 'refused'; readonly after?: readonly [number, string] }
  /** All items that belong into the catalog, since it is new. */
  | { readonly items: 'all'; readonly after?: readonly [string] }
  | { readonly items: 'these'; readonly retailerIds: readonly string[] };

export interface PushPayload {
  readonly workspaceId: string;
  readonly source: Source;
  /** Consecutive attempts that the provider refused temporarily. */
  readonly failures?: number;
  /** Consecutive answers that accepted nothing without a reason. */
  readonly empty?: number;
  /** Maximum items, after the provider found a larger call too large. */
  readonly most?: number;
  /** Skips removals, since the provider has just refused everything. */
  readonly updatesOnly?: boolean;
  /** Number of times that these items were lost. */
  readonly lost?: number;
  /** Items pushed so far in this round. Absent: a round starts. */
  readonly round?: number;
  /** Consecutive refused calls of previously refused items. */
  readonly refusals?: number;
  /** Number of hourly attempts for refused items. */
  readonly hours?: number;
}

export interface CheckPayload {
  readonly workspaceId: string;
  readonly handle: string;
  /** Time of submission, in ms. */
  readonly since: number;
  readonly checks: number;
  readonly lost?: number;
}

export interface ReviewPayload {
  readonly workspaceId: string;
  /** Last item of the previous page in this round. */
  readonly after?: readonly [number, string];
  /** Items in this round that were awaiting a verdict. */
  readonly seen: number;
  /** True if this round brought a verdict. */
  readonly progress: boolean;
  /** Pause in ms before the next round if this one brings nothing. */
  readonly pause: number;
}

export interface RecheckPayload {
  readonly workspaceId: string;
  /** Start of the round, past or planned, in ms. */
  readonly begun: number;
  /** Last item of the previous page in this round. */
  readonly after?: readonly [string];
}

export const FIRST_CHECK_MS = 1000;

export const pushTask = (id: string, payload: PushPayload, dueAt?: number): NewTask<PushPayload> => ({
  id: `push/${id}`,
  kind: 'push',
  lane: payload.workspaceId,
  payload,
  ...defined({ dueAt }),
});

export const duePush = (id: string, workspaceId: string, dueAt?: number): NewTask<PushPayload> =>
  pushTask(id, { workspaceId, source: { items: 'owed' } }, dueAt);

export const checkTask = (workspaceId: string, handle: string, now: number, lost = 0): NewTask<CheckPayload> => ({
  id: `check/${workspaceId}/${handle}`,
  kind: 'check',
  lane: workspaceId,
  dueAt: now + FIRST_CHECK_MS,
  payload: { workspaceId, handle, since: now, checks: 0, lost },
});

/** Returns tasks for items to price again. They are named after the batch that sent the current price. */
export const pricedAgain = (workspaceId: string, handle: string, items: ReadonlyMap<number, readonly string[]>) =>
  [...items].map(
    ([at, retailerIds]): NewTask => ({
      id: `again/${workspaceId}/${handle}/${at}`,
      kind: 'reprice',
      lane: workspaceId,
      dueAt: at,
      payload: { workspaceId, retailerIds },
    }),
  );

export const reviewTask = (id: string, workspaceId: string): NewTask<ReviewPayload> => ({
  id: `review/${id}`,
  kind: 'review',
  lane: workspaceId,
  payload: { workspaceId, seen: 0, progress: false, pause: 1000 },
});

export const recheckTask = (id: string, workspaceId: string, at: number): NewTask<RecheckPayload> => ({
  id: `recheck/${id}`,
  kind: 'recheck',
  lane: workspaceId,
  dueAt: at,
  payload: { workspaceId, begun: at },
});
