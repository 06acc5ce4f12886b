/** When a store's templates were last compared with the provider's, and what is asked for: stream `templateSync-{workspaceId}`. */
import type { Aggregate, Decision } from '../decider.js';
import type { TemplateSyncEvent } from './templateEvents.js';
import type { Refusal } from './templateProgress.js';

// State ----------------------------------------------------------------------------------------------------------
export interface TemplateSync {
  /** Requests that no comparison has answered. */
  readonly open: number;
  /** When the last comparison, good or not, began, in ms; 0: there was none. */
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

/** While one request is being answered, one more is enough for all that come. */
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
