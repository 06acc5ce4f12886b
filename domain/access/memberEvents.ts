/** Stored for ever: the people of a store and its teams, stream `members-{workspaceId}`. Add fields as optional. */
import type { DomainEvent } from '../decider.js';

/** (Specification 2, 'Partner member'.) */
export type Role = 'owner' | 'admin' | 'supervisor' | 'agent' | 'viewer';
export type MemberStatus = 'invited' | 'active' | 'disabled';
export type TeamColor = 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4' | 'chart-5';
export type Day = 'sat' | 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri';

/** One place of a team's ring; leads see the team's reports and can pick up its queued calls. */
export interface RingPlace {
  readonly memberId: string;
  readonly lead?: true;
}

/** HH:MM in the store's time zone; `closes` is after `opens`, at most 24:00. */
export interface DayHours {
  readonly day: Day;
  readonly opens: string;
  readonly closes: string;
}

/** How a team's calls wait. Recordings are ids; absent: silence, the default closed and missed messages. */
export interface TeamQueue {
  /** all: every member rings at once; priority: one at a time, in ring order. */
  readonly strategy: 'all' | 'priority';
  readonly ringTimeoutSeconds: number;
  readonly maxWaitSeconds: number;
  readonly secondsPerPerson: number;
  /** Shorter than the longest wait; absent: no announcements. */
  readonly announcePositionSeconds?: number;
  readonly holdRecordingId?: string;
  readonly closedRecordingId?: string;
  readonly missedRecordingId?: string;
}

/** (Specification 2, 'Members and teams'.) */
export interface TeamTerms {
  readonly name: string;
  readonly color: TeamColor;
  /** In ring order. */
  readonly members: readonly RingPlace[];
  readonly queue: TeamQueue;
  /** null: always open; days that are not listed are closed. */
  readonly workingHours: readonly DayHours[] | null;
}

export interface NewMember {
  readonly memberId: string;
  /** The person, who may be a member of several stores. */
  readonly userId: string;
  /** In small letters; absent: a partner's user without one, or with one that another member has. */
  readonly email?: string;
  /**
   * The email is only what a partner's token said. Absent: somebody vouched for it, unless the event is from before and a
   * partner's key caused it.
   */
  readonly emailVerified?: false;
  /** Empty when not known. */
  readonly name: string;
  readonly role: Role;
  /** active: has signed in, or is taken to have. */
  readonly status: 'invited' | 'active';
  /** The partner's id of the user, the `sub` of its tokens. */
  readonly partnerUserId?: string;
  /** The `sub` of tokens that the store itself signs. */
  readonly subject?: string;
}

/** What a partner's token says anew of a person; nobody verified the email. */
export interface Profile {
  readonly name?: string;
  readonly email?: string;
}

export type MemberEvent =
  | DomainEvent<'MemberAdded', NewMember>
  /** Of an invited member: has signed in for the first time. */
  | DomainEvent<'MemberJoined', { memberId: string }>
  /**
   * From now on a token's `sub` means this member. `userId` is who the member is then. With `partnerUserId` only in events from
   * before: an email that nobody verified took up an invitation.
   */
  | DomainEvent<
      'MemberLinked',
      { memberId: string; userId: string; before: { userId: string }; partnerUserId?: string; subject?: string }
    >
  | DomainEvent<'MemberProfileChanged', { memberId: string; changes: Profile; before: Profile }>
  /** Somebody else proved that the email is theirs: the member, who never did, has none from now on. */
  | DomainEvent<'MemberEmailReleased', { memberId: string; email: string }>
  | DomainEvent<'MemberRoleChanged', { memberId: string; role: Role; before: Role }>
  | DomainEvent<'MemberDisabled', { memberId: string; before: 'invited' | 'active' }>
  | DomainEvent<'MemberEnabled', { memberId: string; status: 'invited' | 'active' }>
  /** Had a session on this day (YYYY-MM-DD, UTC). */
  | DomainEvent<'MemberSeen', { memberId: string; day: string }>
  /** Put at the end of some teams' rings, taken out of others. `before`: the member's teams until then. */
  | DomainEvent<
      'MemberTeamsChanged',
      { memberId: string; joined: readonly string[]; left: readonly string[]; before: readonly string[] }
    >
  /** The first team of a store is its default; later ones become it by DefaultTeamChanged. */
  | DomainEvent<'TeamCreated', TeamTerms & { teamId: string; isDefault: boolean }>
  | DomainEvent<'TeamRevised', { teamId: string; changes: Partial<TeamTerms>; before: Partial<TeamTerms> }>
  | DomainEvent<'DefaultTeamChanged', { teamId: string; before: string }>
  | DomainEvent<'TeamRemoved', TeamTerms & { teamId: string; isDefault: boolean }>;
