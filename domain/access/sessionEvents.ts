/** Stored for ever: an SDK session, stream `session-{sessionId}`. Tokens are stored as hashes only. Add fields as optional. */
import { OneOf } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Id,
  Label,
  List,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
  Time,
} from '../storedEvents.js';
import { Mode } from './keyEvents.js';

/** Only in old sessions. Closing a store does not end its sessions any more: they can read. */
const STORE_CLOSED = 'store_closed';

const SessionEndReason = OneOf(
  'signed_out',
  'expired',
  'member_disabled',
  'key_revoked',
  STORE_CLOSED,
  'partner_suspended',
);
/** Reason why a session ended, or lost access to one store. */
export type SessionEndReason = Stored<typeof SessionEndReason>;

const SessionStore = Shape('SessionStore', {
  workspaceId: Id(),
  memberId: Id(),
  externalRef: Maybe(Id("Of a partner's session.")),
});
/** A store that the session opens, with the user's member there. */
export type SessionStore = Stored<typeof SessionStore>;

const StoreLeftOut = Shape('StoreLeftOut', { externalRef: Id(), code: Code('Of the refusal.'), detail: Label() });
/** A store that the user token lists but the session does not open. */
export type StoreLeftOut = Stored<typeof StoreLeftOut>;

const SessionKey = Shape('SessionKey', { keyId: Id(), hash: Code('Hex SHA-256, as the key is found by.') });
/** A key that the session depends on: the session ends with the key. `hash`: hex SHA-256 for looking up the key. */
export type SessionKey = Stored<typeof SessionKey>;

const SessionTerms = Shape('SessionTerms', {
  mode: Mode,
  userId: Personal('derivedId', Text()),
  workspaceId: Maybe(Id('Owner of the keys that opened the session: either this or `partnerId`.')),
  partnerId: Maybe(Id()),
  publishableKey: SessionKey,
  signingKey: SessionKey,
  name: Maybe(Personal('name', Text('From the user token.'))),
  stores: List(SessionStore, "In the user token's order; one in a workspace's session."),
  leftOut: Maybe(List(StoreLeftOut), "In the user token's order; absent when there is none."),
  embedOrigin: Maybe(Code('Origin of the page that frames the embed page.')),
  refreshUntil: Time(),
});
/** `signingKey` signed the user token. The session never has more scopes than this key. */
export type SessionTerms = Stored<typeof SessionTerms>;

const SessionToken = Shape('SessionToken', { tokenHash: Code('Hex SHA-256 of the session token.'), expiresAt: Time() });
/** Hash of a session token (hex SHA-256) and its expiry (RFC 3339). */
export type SessionToken = Stored<typeof SessionToken>;

export const sessionEvents = defineEvents({
  SessionOpened: event(
    'A user token is exchanged for a session.',
    {
      ...SessionTerms.properties,
      ...SessionToken.properties,
    },
    { subject: { user: 'userId' } },
  ),
  SessionRefreshed: event('The page refreshes the token in time.', {
    ...SessionToken.properties,
    from: Code('Hash of the token that was shown.'),
    fromUntil: Time('Expiry of that token.'),
    forgotten: List(Code(), 'Hashes of tokens that are no longer valid.'),
  }),
  SessionLeftStore: event("The store is removed from a partner's session.", {
    workspaceId: Id(),
    reason: SessionEndReason,
  }),
  SessionEnded: event('The user signs out, or the member, key, store or partner of the session is no longer active.', {
    reason: SessionEndReason,
    left: List(Id(), 'Stores of the session at its end.'),
  }),
});
export type SessionEvent = EventsOf<typeof sessionEvents>;
