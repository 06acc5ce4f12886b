/** Stored for ever: an SDK session, stream `session-{sessionId}`; tokens only by their hash. Add fields as optional. */
import type { DomainEvent } from '../decider.js';
import type { Mode } from './keyEvents.js';

/** Why a session, or its way into one store, is over. */
export type SessionEndReason =
  | 'signed_out'
  | 'expired'
  | 'member_disabled'
  | 'key_revoked'
  /** Only in sessions of before: one in a closed store goes on and reads. */
  | 'store_closed'
  | 'partner_suspended';

/** A store that the session opens, and who the user is there. */
export interface SessionStore {
  readonly workspaceId: string;
  readonly memberId: string;
  /** Of a partner's session. */
  readonly externalRef?: string;
}

/** A store that the user token listed and the session does not open. */
export interface StoreLeftOut {
  readonly externalRef: string;
  /** Of the refusal. */
  readonly code: string;
  readonly detail: string;
}

/** A key that the session rests on: it ends with the key. `hash`: hex SHA-256, as the key is found by. */
export interface SessionKey {
  readonly keyId: string;
  readonly hash: string;
}

export interface SessionTerms {
  readonly mode: Mode;
  readonly userId: string;
  /** Exactly one of the two: whose keys opened it. */
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly publishableKey: SessionKey;
  /** Signed the user token; the session may do no more than it. */
  readonly signingKey: SessionKey;
  /** As the user token said. */
  readonly name?: string;
  /** In the user token's order; one in a workspace's session. */
  readonly stores: readonly SessionStore[];
  /** In the user token's order; absent when there is none. */
  readonly leftOut?: readonly StoreLeftOut[];
  /** Origin of the page that frames the embed page. */
  readonly embedOrigin?: string;
  readonly refreshUntil: string;
}

/** Hex SHA-256 of a session token, and until when it opens something (RFC 3339). */
export interface SessionToken {
  readonly tokenHash: string;
  readonly expiresAt: string;
}

export type SessionEvent =
  | DomainEvent<'SessionOpened', SessionTerms & SessionToken>
  /** `from`: the token that was shown, good until `fromUntil`. `forgotten`: hashes that open and refresh nothing any more. */
  | DomainEvent<'SessionRefreshed', SessionToken & { from: string; fromUntil: string; forgotten: readonly string[] }>
  /** A partner's session goes on without this store. */
  | DomainEvent<'SessionLeftStore', { workspaceId: string; reason: SessionEndReason }>
  /** `left`: the stores that it opened until then. */
  | DomainEvent<'SessionEnded', { reason: SessionEndReason; left: readonly string[] }>;
