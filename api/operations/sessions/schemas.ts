import { COLOR_MODES, FONTS, MOST_RADIUS } from '../../../domain/partners/appearance.js';
import { Closed, Int32, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Shapes of SDK sessions. (Specification 1, 'SDK session creation'.) */

export const CreateSessionInputBody = Named(
  'CreateSessionInputBody',
  Closed({
    publishableKey: Type.String({ minLength: 1, maxLength: 128 }),
    userToken: Type.String({
      minLength: 1,
      maxLength: 32_768,
      description: 'A JWT, signed with HS256 by your server with a secret key of the same mode.',
    }),
    embedOrigin: Type.Optional(
      Type.String({ maxLength: 300, description: 'Sent by the embed page: the origin of the page that frames it.' }),
    ),
  }),
);

const SessionStore = Type.Object({
  externalRef: Type.String(),
  memberId: Uuid,
  name: Type.String({ description: "The store's name." }),
  role: Type.String({ description: 'owner, admin, supervisor, agent or viewer.' }),
  workspaceId: Uuid,
});

const StoreLeftOut = Type.Object({
  externalRef: Type.String(),
  code: Type.String({ description: 'The reason, as an error code such as not_found, store_closed or no_free_seat.' }),
  detail: Type.String(),
});

const Appearance = Type.Object({
  primaryColor: Type.String({ pattern: '^#[0-9A-F]{6}$' }),
  radius: Int32({ minimum: 0, maximum: MOST_RADIUS, description: 'Pixels.' }),
  font: OneOf(...FONTS),
  colorMode: OneOf(...COLOR_MODES),
});

export const SDKSessionBody = Named(
  'SDKSessionBody',
  Type.Object({
    token: Type.String({
      description: 'The session token (sdk_…), sent as the bearer credential. Empty in an idempotent replay.',
    }),
    sessionId: Uuid,
    userId: Uuid,
    mode: OneOf('live', 'test'),
    expiresAt: Type.String({ format: 'date-time', description: 'Refresh before this.' }),
    refreshUntil: Type.String({
      format: 'date-time',
      description: 'Refreshes keep the session going until then; afterwards exchange a new user token.',
    }),
    workspaceId: Type.Optional(Uuid),
    memberId: Type.Optional(Uuid),
    name: Type.Optional(Type.String({ description: 'From the user token.' })),
    stores: Type.Optional(Type.Array(SessionStore, { description: "In the user token's order." })),
    storesLeftOut: Type.Optional(
      Type.Array(StoreLeftOut, {
        description:
          "An addition to the specification: the user token's other stores, which the session does not open, in its order.",
      }),
    ),
    appearance: Type.Optional(Appearance),
  }),
);
