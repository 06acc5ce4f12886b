/** Last comparison of a store's templates with the provider's, and open requests: stream `templateSync-{workspaceId}`. */
import type { Aggregate, Decision } from '../decider.js';
import type { TemplateSyncEvent } from './templateEvents.js';
import type { Refusal } from './templateProgress.js';

// State ----------------------------------------------------------------------------------------------------------
export interface TemplateSync {
  /** Number of requests that no comparison has answered. */
  readonly open: number;
  /** Start of the last comparison, successful or not, in ms. 0: there was none. */
  readonly startedAt: number;
}

export const templateSync: Aggregate<TemplateSync, TemplateSyncEvent> = {
  name: 'templateSync',
  initial: () => ({ open: 0, startedAt: 0 }),
  evolve: (state, event) =>
    event.type === 'TemplateSyncRequested'
      ? { ...state, open: state.open + 1 }
      : { open: 0, startedAt: Date.parse(event.data.startedAt) },
  weigh: () => 100,
};

// Decisions ------------------------------------------------------------------------------------------------------
type SyncDecision = Decision<TemplateSync, TemplateSyncEvent>;

/** Maximum open requests. While one is being processed, one more covers all further requests. */
const MOST_OPEN = 2;

export const requestSync =
  (by: 'request' | 'webhook'): SyncDecision =>
  ({ open }) =>
    open < MOST_OPEN ? [{ type: 'TemplateSyncRequested', data: { by } }] : [];

export interface Compared {
  readonly templates: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** `startedAt` in ms. */
export const recordSynced =
  (startedAt: number, compared: Compared): SyncDecision =>
  () => [{ type: 'TemplatesSynced', data: { startedAt: new Date(startedAt).toISOString(), ...compared } }];

export const recordSyncFailed =
  (startedAt: number, refusal: Refusal): SyncDecision =>
  () => [{ type: 'TemplateSyncFailed', data: { startedAt: new Date(startedAt).toISOString(), ...refusal } }];
