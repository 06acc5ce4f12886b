import type { PartnerEvent } from '../domain/partners/partnerEvents.js';
import { defineProjection, type View } from '../engine/projections/projection.js';

/** The profile without its plan's name and features, which come from `plans` when it is read. */
export interface PartnerBody {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: 'active' | 'suspended';
  readonly planKey: string;
  readonly createdAt: string;
}

const withStatus = (view: View<PartnerBody> | undefined, status: PartnerBody['status']) =>
  view && { ...view, body: { ...view.body, status } };

/** One document a partner, oldest first. */
export const partners = defineProjection<PartnerBody, PartnerEvent>({
  name: 'partners',
  version: 1,
  categories: ['partner'],
  keys: { createdAt: 'text' },
  indexes: [{ keys: ['createdAt'] }],
  on: {
    PartnerCreated: (_, { data: { name, slug, planKey }, meta: { at }, streamId }) => ({
      keys: { createdAt: at },
      body: { id: streamId, name, slug, status: 'active', planKey, createdAt: at },
    }),
    PartnerSuspended: (view) => withStatus(view, 'suspended'),
    PartnerReinstated: (view) => withStatus(view, 'active'),
  },
});
