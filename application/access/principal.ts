import type { Role } from '../../domain/access/memberEvents.js';
import type { SessionStore, StoreLeftOut } from '../../domain/access/sessionEvents.js';
import type { Actor } from '../../domain/decider.js';

/** Who a request comes from, and what it may reach. Found by application/access/directory.ts from the credential. */
export type Mode = 'live' | 'test';

export interface Principal {
  readonly kind: 'secret_key' | 'partner_key' | 'session';
  /** Of a session: the key that signed its user token. */
  readonly keyId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** A secret key's own workspace; of a session, that of the key. */
  readonly workspaceId?: string;
  /** A partner key's partner; of a session, that of the key. */
  readonly partnerId?: string;
  /** Present when the kind is `session`; its scopes are then those of the key, and the member's role limits them. */
  readonly session?: SessionAccess;
  /** Who is named by what it changes, where that is neither its key nor its session's member: somebody in the console. */
  readonly actor?: Actor;
}

/** What a session token stands for. Times in ms since 1970. */
export interface SessionAccess {
  readonly sessionId: string;
  readonly userId: string;
  readonly name?: string;
  /** Of the token that was shown. */
  readonly tokenHash: string;
  readonly expiresAt: number;
  readonly refreshUntil: number;
  /** In the user token's order. */
  readonly stores: readonly SessionStore[];
  /** What the user token listed beside these. */
  readonly leftOut?: readonly StoreLeftOut[];
}

/** The member that a session acts as in one workspace. */
export interface MemberAccess {
  readonly memberId: string;
  readonly role: Role;
  readonly teamIds: readonly string[];
  /** Owners, admins and supervisors; the others see what is their teams' or nobody's. */
  readonly seesEveryTeam: boolean;
}

/** A member as the read model shows it now. */
export interface MemberStanding extends MemberAccess {
  readonly isActive: boolean;
  /** What the role allows. */
  readonly scopes: ReadonlySet<string>;
  /** YYYY-MM-DD, UTC. */
  readonly seenOn?: string;
}

/** Features of the plan that is in force: whether they are on, and for limit features the most allowed. */
export interface Features {
  has(key: string): boolean;
  /** Undefined: no limit. */
  limit(key: string): number | undefined;
  /** The same where all features are; where it is absent, only one and the same object is. */
  readonly mark?: string;
}

/** A workspace as operations need it; the API's shapes are elsewhere. */
export interface WorkspaceAccess {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: 'trialing' | 'active' | 'past_due' | 'suspended' | 'cancelled';
  readonly country: string;
  readonly timezone: string;
  readonly locale: 'en' | 'so' | 'ar';
  readonly partnerId?: string;
  readonly externalRef?: string;
  /** Keys and sessions of the test mode reach nothing in it. */
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

/** Answers from memory (cached at most a second, emptied by local changes) or the read models. */
export interface AccessDirectory {
  /**
   * Undefined: unknown, revoked, or its store or partner is gone; of a session also: ended, or a key that it rests on is
   * revoked. That its token has expired is the caller's to see. `credential` is the whole secret; only its hash is kept.
   */
  principal(credential: string): Promise<Principal | undefined>;
  member(workspaceId: string, memberId: string): Promise<MemberStanding | undefined>;
  workspace(workspaceId: string): Promise<WorkspaceAccess | undefined>;
  partner(partnerId: string): Promise<PartnerAccess | undefined>;
  /**
   * Forgets what is cached: called after a command that may change keys, stores, partners, plans or members, when the views
   * show it. With `only`, no more than that.
   */
  forget(only?: { readonly sessionId?: string; readonly members?: readonly SessionStore[] }): void;
}
