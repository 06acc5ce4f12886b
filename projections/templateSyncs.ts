import type { TemplateSyncEvent } from '../domain/templates/templateEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

export interface TemplateSyncBody {
  /** Time of the last comparison that the provider answered, RFC 3339. */
  readonly syncedAt?: string;
  /** Why the last comparison failed; absent after one that did not. */
  readonly syncError?: string;
}

/** One document a store that was ever compared with the provider. */
export const templateSyncs = defineProjection<TemplateSyncBody, TemplateSyncEvent>({
  name: 'templateSyncs',
  version: 1,
  partitionedBy: 'store',
  categories: ['templateSync'],
  keys: { workspaceId: 'text' },
  indexes: [{ keys: ['workspaceId'] }],
  on: {
    TemplatesSynced: (_, { data, streamId }) => ({
      keys: { workspaceId: streamId },
      body: { syncedAt: data.startedAt },
    }),
    TemplateSyncFailed: (view, { data, streamId }) => ({
      keys: { workspaceId: streamId },
      body: { ...view?.body, syncError: data.errorMessage },
    }),
  },
});
