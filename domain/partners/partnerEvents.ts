/** Stored for ever: partners `partner-{partnerId}`, their slugs `partnerSlug-{slug}`, their stores' references `partnerStore-{partnerId}.{hash}`, plans `plan-{key}`. */

import { keyEvents } from '../access/keyEvents.js';
import { OneOf } from '../schema.js';
import { resealingEvents } from '../secrets/resealing.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Maybe,
  Shape,
  type Stored,
  Whole,
} from '../storedEvents.js';

const Appearance = Shape('Appearance', {
  primaryColor: Code('#RRGGBB'),
  radius: Whole('Pixels, 0–24.'),
  font: OneOf('ibm_plex_sans', 'inter', 'system'),
  colorMode: OneOf('light', 'dark', 'auto'),
});
/** (Specification 1, 'SDK session creation'.) */
export type Appearance = Stored<typeof Appearance>;

export const partnerEvents = defineEvents({
  PartnerCreated: event('The operator creates the partner.', { name: Label(), slug: Id(), planKey: Id() }),
  PartnerSuspended: event('The operator suspends the partner and its stores.', { reason: Maybe(Label()) }),
  PartnerReinstated: event('The operator lifts the suspension.', {}),
  PartnerAppearanceChanged: event('The partner changes how its embedded pages look.', Appearance.properties),
  ...keyEvents,
  ...resealingEvents,
});
export type PartnerEvent = EventsOf<typeof partnerEvents>;

/** Makes a slug unique in the installation: the first event of the stream decides the partner. */
export const partnerSlugEvents = defineEvents({
  PartnerSlugTaken: event('The operator creates a partner with this slug.', { slug: Id(), partnerId: Id() }),
});
export type PartnerSlugEvent = EventsOf<typeof partnerSlugEvents>;

/** Makes `externalRef` unique within a partner: the first event of the stream decides the workspace. */
export const partnerStoreEvents = defineEvents({
  StoreReferenceTaken: event('A partner creates a store with its own reference.', {
    partnerId: Id(),
    externalRef: Id(),
    workspaceId: Id(),
  }),
});
export type PartnerStoreEvent = EventsOf<typeof partnerStoreEvents>;

const PlanFeature = Shape('PlanFeature', {
  key: Id(),
  enabled: Flag(),
  limit: Maybe(Whole('Maximum allowed. If absent, no limit.')),
});
export type PlanFeature = Stored<typeof PlanFeature>;

export const planEvents = defineEvents({
  PlanPublished: event('The operator publishes a plan, or a new version of it.', {
    key: Id(),
    name: Label(),
    features: List(PlanFeature),
    version: Whole('Of the plan.'),
  }),
});
export type PlanEvent = EventsOf<typeof planEvents>;
