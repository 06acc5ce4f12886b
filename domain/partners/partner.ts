/** A partner: a platform that runs stores for its own customers. Stream `partner-{partnerId}`. */

import type { Key } from '../access/keyEvents.js';
import { createKey, emptyKeyring, evolveKeyring, type Keyring, resealedKeyring, revokeKey } from '../access/keyring.js';
import { type Aggregate, type Decision, type FieldProblem, never, refuse } from '../decider.js';
import { resealedBy } from '../secrets/resealing.js';
import { checkedAppearance, DEFAULT_APPEARANCE } from './appearance.js';
import type { Appearance, PartnerEvent, PartnerSlugEvent } from './partnerEvents.js';

// State ------------------------------------------------------------------------------------------------------------
export type Partner =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active' | 'suspended';
      readonly planKey: string;
      readonly keys: Keyring;
      readonly appearance: Appearance;
    };

const absent: Partner = { status: 'absent' };

function evolve(partner: Partner, event: PartnerEvent): Partner {
  if (event.type === 'PartnerCreated') {
    const { planKey } = event.data;
    return { status: 'active', planKey, keys: emptyKeyring, appearance: DEFAULT_APPEARANCE };
  }
  if (partner.status === 'absent') return partner;
  switch (event.type) {
    case 'PartnerSuspended':
      return { ...partner, status: 'suspended' };
    case 'PartnerReinstated':
      return { ...partner, status: 'active' };
    case 'PartnerAppearanceChanged':
      return { ...partner, appearance: event.data };
    case 'KeyCreated':
    case 'KeyRevoked':
      return { ...partner, keys: evolveKeyring(partner.keys, event) };
    case 'SecretsResealed':
      return { ...partner, keys: resealedKeyring(partner.keys, resealedBy(event)) };
    default:
      return never(event);
  }
}

export const partner: Aggregate<Partner, PartnerEvent> = { name: 'partner', initial: () => absent, evolve };

/** Owner of a slug, `partnerSlug-{slug}`. null: nobody. */
export const partnerSlug: Aggregate<{ readonly partnerId: string } | null, PartnerSlugEvent> = {
  name: 'partnerSlug',
  initial: () => null,
  evolve: (_, { data }) => ({ partnerId: data.partnerId }),
};

// Decisions --------------------------------------------------------------------------------------------------------
export interface CreatePartner {
  readonly name: string;
  /** 1–63 lower-case letters, digits and '-', unique in the installation. */
  readonly slug: string;
  /** Plan of every new store. */
  readonly planKey: string;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Refuses with every problem of the new partner's fields at once. */
export function checkNewPartner({ name, slug }: CreatePartner): void {
  const problems: FieldProblem[] = [];
  if (name.length < 1 || name.length > 120)
    problems.push({ message: '1–120 characters', location: 'name', value: name });
  if (!SLUG.test(slug)) problems.push({ message: "1–63 of a–z, 0–9 and '-'", location: 'slug', value: slug });
  if (problems.length > 0) refuse('validation_failed', 'The partner is not valid.', problems);
}

/** Takes a slug. It belongs to the first partner that takes it, so later attempts lead to no event. */
export const takeSlug =
  (command: { slug: string; partnerId: string }): Decision<{ partnerId: string } | null, PartnerSlugEvent> =>
  (holder) =>
    holder === null ? [{ type: 'PartnerSlugTaken', data: command }] : [];

/** Creates the partner. Repeating it changes nothing. */
export const createPartner =
  (command: CreatePartner): Decision<Partner, PartnerEvent> =>
  (before) => {
    checkNewPartner(command);
    return before.status === 'absent' ? [{ type: 'PartnerCreated', data: command }] : [];
  };

type Existing = Exclude<Partner, { status: 'absent' }>;

const existing =
  (decide: (partner: Existing) => readonly PartnerEvent[]): Decision<Partner, PartnerEvent> =>
  (before) =>
    before.status === 'absent' ? refuse('not_found', 'There is no such partner.') : decide(before);

/** Suspends the partner: its keys can only read, and its stores continue to work with their own keys. */
export const suspendPartner = (command: { reason?: string }): Decision<Partner, PartnerEvent> =>
  existing(({ status }) => (status === 'suspended' ? [] : [{ type: 'PartnerSuspended', data: command }]));

export const reinstatePartner = (): Decision<Partner, PartnerEvent> =>
  existing(({ status }) => (status === 'active' ? [] : [{ type: 'PartnerReinstated', data: {} }]));

/** Changes some fields of the appearance. Equal values lead to no event. */
export const changeAppearance = (command: Partial<Appearance>): Decision<Partner, PartnerEvent> =>
  existing(({ appearance: before }) => {
    const after = checkedAppearance({ ...before, ...command });
    const isSame = (Object.keys(after) as (keyof Appearance)[]).every((key) => after[key] === before[key]);
    return isSame ? [] : [{ type: 'PartnerAppearanceChanged', data: after }];
  });

export const createPartnerKey = (key: Key): Decision<Partner, PartnerEvent> =>
  existing(({ keys }) => createKey('partner', keys, key));

export const revokePartnerKey = (keyId: string): Decision<Partner, PartnerEvent> =>
  existing(({ keys }) => revokeKey(keys, keyId));
