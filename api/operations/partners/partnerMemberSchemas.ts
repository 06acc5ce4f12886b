import { MAX_SUBJECT } from '../../../domain/access/memberChanges.js';
import type { Role } from '../../../domain/access/memberEvents.js';
import { ROLES } from '../../../domain/access/members.js';
import { Closed, ExternalRef, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** (Specification 2, 'Partner member'.) */

export const PartnerUserId = Type.String({
  minLength: 1,
  maxLength: MAX_SUBJECT,
  description: "The partner's id of the user, the `sub` of its user tokens.",
});

export const PartnerMemberBody = Named(
  'PartnerMemberBody',
  Type.Object({
    partnerUserId: PartnerUserId,
    workspaceId: Uuid,
    externalRef: ExternalRef,
    memberId: Uuid,
    role: Type.String({ description: 'owner, admin, supervisor, agent or viewer.' }),
    status: OneOf('active', 'disabled'),
    teamIds: Type.Array(Uuid),
  }),
);

export const UpdatePartnerMemberInputBody = Named(
  'UpdatePartnerMemberInputBody',
  Closed({
    role: Type.Unsafe<Role>(Type.String({ minLength: 1, maxLength: 64, enum: [...ROLES] })),
    teams: Type.Optional(
      Type.Array(Uuid, { maxItems: 50, description: "The store's team ids; absent leaves the teams as they are." }),
    ),
  }),
);
