/** The push's tasks: all of a store in one lane, so that older content never follows newer. */
import { defined } from '../../domain/defined.js';
import type { NewTask } from '../../engine/processors/processor.js';

/** Which items a push is about. `after`: where the part before ended. */
export type Source =
  /** Those that have changed, oldest change first. */
  | { readonly items: 'owed' }
  /** Those whose push failed. */
  | { readonly items: 'failed'; readonly after?: readonly [number, string] }
  /** Those of them whose whole call the provider refused. */
  | { readonly items: 'refused'; readonly after?: readonly [number, string] }
  /** All that shall be in the catalog: it is a new one. */
  | { readonly items: 'all'; readonly after?: readonly [string] }
  | { readonly items: 'these'; readonly retailerIds: readonly string[] };

export interface PushPayload {
  readonly workspaceId: string;
  readonly source: Source;
  /** Tries in a row that the provider did not take, though it may later. */
  readonly failures?: number;
  /** Answers in a row that accepted nothing and did not say why. */
  readonly empty?: number;
  /** Most items, when the provider found more too large. */
  readonly most?: number;
  /** Leaves removals alone: the provider has just refused to do anything. */
  readonly updatesOnly?: boolean;
  /** How often these items have been lost already. */
  readonly lost?: number;
  /** Items pushed before in this round; absent: a round begins. */
  readonly round?: number;
  /** Of what was refused: calls in a row that were refused again. */
  readonly refusals?: number;
  /** Of what was refused, tried every hour: tries so far. */
  readonly hours?: number;
}

export interface CheckPayload {
  readonly workspaceId: string;
  readonly handle: string;
  /** When the batch was submitted, in ms. */
  readonly since: number;
  readonly checks: number;
  readonly lost?: number;
}

export interface ReviewPayload {
  readonly workspaceId: string;
  /** The last item of the page before in this round. */
  readonly after?: readonly [number, string];
  /** Items seen in this round that still awaited a verdict. */
  readonly seen: number;
  /** Whether this round brought a verdict. */
  readonly progress: boolean;
  /** ms to wait before the next round when this one brings nothing. */
  readonly pause: number;
}

export interface RecheckPayload {
  readonly workspaceId: string;
  /** When the round began, or is to begin, in ms. */
  readonly begun: number;
  /** The last item of the page before in this round. */
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

export const owedPush = (id: string, workspaceId: string, dueAt?: number): NewTask<PushPayload> =>
  pushTask(id, { workspaceId, source: { items: 'owed' } }, dueAt);

export const checkTask = (workspaceId: string, handle: string, now: number, lost = 0): NewTask<CheckPayload> => ({
  id: `check/${workspaceId}/${handle}`,
  kind: 'check',
  lane: workspaceId,
  dueAt: now + FIRST_CHECK_MS,
  payload: { workspaceId, handle, since: now, checks: 0, lost },
});

/** Items to price again; named by the batch that showed them as they are until then. */
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
