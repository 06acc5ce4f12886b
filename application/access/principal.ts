import type { Role } from '../../domain/access/memberEvents.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import type { Actor } from '../../domain/decider.js';

/** Caller of a request and their permissions. application/access/directory.ts derives it from the credential. */
export type Mode = 'live' | 'test';

export interface Principal {
  readonly kind: 'secret_key' | 'partner_key' | 'session';
  /** Key of the caller. For a session, the key that signed its user token. */
  readonly keyId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** A secret key's own workspace. For a session, the workspace of the key. */
  readonly workspaceId?: string;
  /** A partner key's partner. For a session, the partner of the key. */
  readonly partnerId?: string;
  /** Present if the kind is `session`. The scopes are then those of the key, limited by the member's role. */
  readonly session?: SessionAccess;
  /** Actor of its changes if that is neither the key nor the session's member: a user of the console. */
  readonly actor?: Actor;
}

/** Session of a session token. Times in ms since 1970. */
export interface SessionAccess {
  readonly sessionId: string;
  readonly userId: string;
  readonly name?: string;
  /** Hash of the token in the request. */
  readonly tokenHash: string;
  readonly expiresAt: number;
  readonly refreshUntil: number;
  /** In the user token's order. */
  readonly stores: readonly SessionStore[];
  /** Other stores that the user token listed. */
  readonly leftOut?: readonly StoreLeftOut[];
}

/** Member as which a session acts in one workspace. */
export interface MemberAccess {
  readonly memberId: string;
  readonly role: Role;
  readonly teamIds: readonly string[];
  /** True for owners, admins and supervisors. Others see only what belongs to their teams or to no team. */
  readonly seesEveryTeam: boolean;
}

/** A member in the current read model. */
export interface CurrentMember extends MemberAccess {
  readonly isActive: boolean;
  /** Scopes of the role. */
  readonly scopes: ReadonlySet<string>;
  /** YYYY-MM-DD, UTC. */
  readonly seenOn?: string;
}

/** Features of the current plan: whether they are enabled, and their limits. */
export interface Features {
  has(key: string): boolean;
  /** Undefined: no limit. */
  limit(key: string): number | undefined;
  /** Equal for equal features. If absent, only the same object has the same features. */
  readonly mark?: string;
}

/** A workspace for operations. The API's shapes are in other files. */
export interface WorkspaceAccess {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: 'trialing' | 'active' | 'past_due' | 'suspended' | 'cancelled';
  readonly country: string;
  readonly timezone: string;
  readonly locale: 'en' | 'so' | 'ar';
  readonly partnerId?: string;
  readonly externalRef?: string;
  /** True: the store refuses keys and sessions of the test mode. */
  readonly refusesTestKeys?: true;
  readonly features: Features;
}

export interface PartnerAccess {
  readonly partnerId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: 'active' | 'suspended';
  readonly planKey: string;
  readonly features: Features;
}

/** Answers from its cache (at most a second old, cleared by local changes) or from the read models. */
export interface AccessDirectory {
  /**
   * Undefined: unknown, revoked, or its store or partner was removed. For a session also: ended, or a key that it depends on is revoked.
   * The caller checks whether the token has expired. `credential` is the whole secret. Only its hash is stored.
   */
  principal(credential: string): Promise<Principal | undefined>;
  member(workspaceId: string, memberId: string): Promise<CurrentMember | undefined>;
  workspace(workspaceId: string): Promise<WorkspaceAccess | undefined>;
  partner(partnerId: string): Promise<PartnerAccess | undefined>;
  /**
   * Clears the cache. Call it after a command that may change keys, stores, partners, plans or members, once the views show the change.
   * With `only`, clears no more than that.
   */
  forget(only?: { readonly sessionId?: string; readonly members?: readonly SessionStore[] }): void;
}
