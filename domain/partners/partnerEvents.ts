/** Stored for ever: partners `partner-{partnerId}`, their slugs `partnerSlug-{slug}`, their stores' references `partnerStore-{partnerId}.{hash}`, plans `plan-{key}`. */

import { keyEvents } from '../access/keyEvents.js';
import { OneOf } from '../schema.js';
import { resealingEvents } from '../secrets/resealing.js';
import {
  defineEvents,
  type EventsOf,
  event,
  Flag,
  List,
  Maybe,
  Shape,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';

const Appearance = Shape('Appearance', {
  primaryColor: Text('#RRGGBB'),
  radius: Whole('Pixels, 0–24.'),
  font: OneOf('ibm_plex_sans', 'inter', 'system'),
  colorMode: OneOf('light', 'dark', 'auto'),
});
/** (Specification 1, 'SDK session creation'.) */
export type Appearance = Stored<typeof Appearance>;

export const partnerEvents = defineEvents({
  PartnerCreated: event('The operator creates the partner.', { name: Text(), slug: Text(), planKey: Text() }),
  PartnerSuspended: event('The operator suspends the partner and its stores.', { reason: Maybe(Text()) }),
  PartnerReinstated: event('The operator lifts the suspension.', {}),
  PartnerAppearanceChanged: event('The partner changes how its embedded pages look.', Appearance.properties),
  ...keyEvents,
  ...resealingEvents,
});
export type PartnerEvent = EventsOf<typeof partnerEvents>;

/** Makes a slug unique in the installation: the first event of the stream decides the partner. */
export const partnerSlugEvents = defineEvents({
  PartnerSlugTaken: event('The operator creates a partner with this slug.', { slug: Text(), partnerId: Text() }),
});
export type PartnerSlugEvent = EventsOf<typeof partnerSlugEvents>;

/** Makes `externalRef` unique within a partner: the first event of the stream decides the workspace. */
export const partnerStoreEvents = defineEvents({
  StoreReferenceTaken: event('A partner creates a store with this reference of its own.', {
    partnerId: Text(),
    externalRef: Text(),
    workspaceId: Text(),
  }),
});
export type PartnerStoreEvent = EventsOf<typeof partnerStoreEvents>;

const PlanFeature = Shape('PlanFeature', {
  key: Text(),
  enabled: Flag(),
  limit: Maybe(Whole('The most allowed; absent: no limit.')),
});
export type PlanFeature = Stored<typeof PlanFeature>;

export const planEvents = defineEvents({
  PlanPublished: event('The operator publishes a plan, or a new version of it.', {
    key: Text(),
    name: Text(),
    features: List(PlanFeature),
    version: Whole('Of the plan.'),
  }),
});
export type PlanEvent = EventsOf<typeof planEvents>;
