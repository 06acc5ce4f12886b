/** Stored for ever: partners `partner-{partnerId}`, their slugs `partnerSlug-{slug}`, their stores' references `partnerStore-{partnerId}.{hash}`, plans `plan-{key}`. */

import type { Key } from '../access/keyEvents.js';
import type { DomainEvent } from '../decider.js';

/** (Specification 1, 'SDK session creation'.) */
export interface Appearance {
  /** #RRGGBB */
  readonly primaryColor: string;
  /** Pixels, 0–24. */
  readonly radius: number;
  readonly font: 'ibm_plex_sans' | 'inter' | 'system';
  readonly colorMode: 'light' | 'dark' | 'auto';
}

export type PartnerEvent =
  | DomainEvent<'PartnerCreated', { name: string; slug: string; planKey: string }>
  | DomainEvent<'PartnerSuspended', { reason?: string }>
  | DomainEvent<'PartnerReinstated', Record<never, never>>
  | DomainEvent<'PartnerAppearanceChanged', Appearance>
  | DomainEvent<'KeyCreated', Key>
  | DomainEvent<'KeyRevoked', { keyId: string; hash: string }>;

/** Makes a slug unique in the installation: the first event of the stream decides the partner. */
export type PartnerSlugEvent = DomainEvent<'PartnerSlugTaken', { slug: string; partnerId: string }>;

/** Makes `externalRef` unique within a partner: the first event of the stream decides the workspace. */
export type PartnerStoreEvent = DomainEvent<
  'StoreReferenceTaken',
  { partnerId: string; externalRef: string; workspaceId: string }
>;

export interface PlanFeature {
  readonly key: string;
  readonly enabled: boolean;
  /** The most allowed; absent: no limit. */
  readonly limit?: number;
}
export type PlanEvent = DomainEvent<
  'PlanPublished',
  { key: string; name: string; features: readonly PlanFeature[]; version: number }
>;
