import type { PlanEvent, PlanFeature } from '../domain/partners/partnerEvents.js';
import { defineProjection } from '../engine/projections/projection.js';

export interface PlanBody {
  readonly key: string;
  readonly name: string;
  /** Ordered by key. */
  readonly features: readonly PlanFeature[];
  /** 1 for the first published. */
  readonly version: number;
  readonly updatedAt: string;
}

/** The published version of each plan; the id is the plan's key. */
export const plans = defineProjection<PlanBody, PlanEvent>({
  name: 'plans',
  version: 1,
  categories: ['plan'],
  keys: {},
  indexes: [],
  on: {
    PlanPublished: (_, { data: { key, name, features, version }, meta }) => ({
      keys: {},
      body: { key, name, features, version, updatedAt: meta.at },
    }),
  },
});
