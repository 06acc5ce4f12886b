import type { RetentionEvent } from '../domain/privacy/retention.js';
import { defineProjection } from '../engine/projections/projection.js';

export interface RetentionRuleBody {
  /** `default`: of all stores without a rule. */
  readonly workspaceId: string;
  /** Whole days; absent: for ever. */
  readonly days?: number;
  /** Since when, RFC 3339. */
  readonly since: string;
}

/** One document a store that has a rule of its own, by its workspace id, and one under `default` for all others. */
export const retentionRules = defineProjection<RetentionRuleBody, RetentionEvent>({
  name: 'retentionRules',
  version: 1,
  categories: ['retention'],
  keys: {},
  indexes: [],
  on: {
    RetentionSet: (_, { data, meta: { at }, streamId }) => ({
      keys: {},
      body: { workspaceId: streamId, ...data, since: at },
    }),
    RetentionCleared: () => undefined,
  },
});
