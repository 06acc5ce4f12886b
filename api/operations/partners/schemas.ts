import { Closed, DateTime, ExternalRef, Int64, Named, OneOf, Uuid, VisibleName } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Shapes of the Partner API. (Specification 2, 'Resources and their fields'.) */

export const PartnerProfileBody = Named(
  'PartnerProfileBody',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    slug: Type.String(),
    status: OneOf('active', 'suspended'),
    defaultPlan: Type.Object(
      { key: Type.String(), name: Type.String() },
      { description: 'Plan every new store starts on; the name is empty when the plan no longer exists.' },
    ),
    features: Type.Array(
      Type.Object({
        key: Type.String(),
        enabled: Type.Boolean(),
        limit: Type.Optional(Int64({ minimum: 0, description: 'Maximum allowed. Absent: no limit.' })),
      }),
      { description: "Features of the default plan's published version." },
    ),
  }),
);

const Name = VisibleName(120);
const owner = { email: Type.String({ format: 'email', maxLength: 320 }), name: Name };
const Locale = OneOf('en', 'so', 'ar');

export const StoreBody = Named(
  'StoreBody',
  Type.Object({
    workspaceId: Uuid,
    externalRef: ExternalRef,
    name: Type.String(),
    owner: Type.Object(owner),
    country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
    timezone: Type.String({ description: 'IANA name.' }),
    locale: Locale,
    status: OneOf('trialing', 'active', 'past_due', 'suspended', 'cancelled'),
    createdAt: DateTime,
    closedAt: Type.Optional(DateTime),
  }),
);

/** `NewStoreBody` in the specification, which in Go is also the constructor that generators give `StoreBody`. */
export const StoreInputBody = Named(
  'StoreInputBody',
  Closed({
    externalRef: ExternalRef,
    name: Name,
    owner: Closed(owner),
    country: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2; stored in capitals.' }),
    timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Africa/Mogadishu.' }),
    locale: Locale,
  }),
);

export const StoreChangeBody = Named(
  'StoreChangeBody',
  Closed({
    name: Type.Optional(Name),
    status: Type.Optional(OneOf('active', 'suspended')),
  }),
);

export const StoresBody = Named(
  'StoresBody',
  Type.Object({
    stores: Type.Array(StoreBody, { description: 'Newest first.' }),
    next: Type.Optional(Type.String()),
  }),
);
