/** Members and teams of a store in one stream, so that seats, owners and rings are exact. Stream `members-{workspaceId}`. */

import { type Actor, type Aggregate, never, refuse, type WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { MemberEvent, MemberStatus, NewMember, RingPlace, Role, TeamTerms } from './memberEvents.js';

// Events: MemberEvent in memberEvents.ts ---------------------------------------------------------------------------

// State ------------------------------------------------------------------------------------------------------------
export interface Member extends Omit<NewMember, 'memberId' | 'status' | 'subject' | 'emailVerified'> {
  readonly id: string;
  /** True if the operator or a verified token confirmed the email. Only then it identifies the member. */
  readonly emailVerified: boolean;
  readonly status: MemberStatus;
  /** True once the member has signed in. Enabling a disabled member makes it active if true, otherwise invited. */
  readonly joined: boolean;
  /** `sub`s of the store's own tokens that identify this member. */
  readonly subjects: readonly string[];
  /** Last day with a session, YYYY-MM-DD. */
  readonly seenOn?: string;
}

export interface Team extends TeamTerms {
  readonly id: string;
  readonly isDefault: boolean;
}

export interface People {
  readonly members: Map<string, Member>;
  readonly teams: Map<string, Team>;
}

/** Maximum members of a store, including disabled ones, since members are never removed. */
export const MAX_MEMBERS = 1000;
export const ROLES = ['owner', 'admin', 'supervisor', 'agent', 'viewer'] as const satisfies readonly Role[];

function changeMember({ members }: People, memberId: string, change: (member: Member) => Partial<Member>): void {
  const member = members.get(memberId);
  if (member !== undefined) members.set(memberId, { ...member, ...change(member) });
}

function changeTeam({ teams }: People, teamId: string, change: (team: Team) => Partial<Team>): void {
  const team = teams.get(teamId);
  if (team !== undefined) teams.set(teamId, { ...team, ...change(team) });
}

const ringWithout = (ring: readonly RingPlace[], memberId: string): readonly RingPlace[] =>
  ring.filter((place) => place.memberId !== memberId);

function addMember({ members }: People, { memberId, subject, ...rest }: NewMember, { type }: Actor): void {
  const subjects = subject === undefined ? [] : [subject];
  const emailVerified = rest.emailVerified ?? type !== 'partner_key';
  members.set(memberId, { ...rest, id: memberId, emailVerified, joined: rest.status === 'active', subjects });
}

type Of<T extends MemberEvent['type']> = Extract<MemberEvent, { type: T }>['data'];

function linkMember(people: People, { memberId, userId, partnerUserId, subject }: Of<'MemberLinked'>): void {
  changeMember(people, memberId, ({ subjects }) => ({
    userId,
    // A link by the store's token requires a verified email, a link by a partner's token did not.
    emailVerified: subject !== undefined,
    ...defined({ partnerUserId }),
    ...(subject === undefined ? {} : { subjects: [...subjects, subject] }),
  }));
}

function releaseEmail({ members }: People, { memberId }: Of<'MemberEmailReleased'>): void {
  const member = members.get(memberId);
  if (member === undefined) return;
  const { email: _, ...rest } = member;
  members.set(memberId, { ...rest, emailVerified: false });
}

function moveMember(people: People, { memberId, joined, left }: Of<'MemberTeamsChanged'>): void {
  for (const teamId of joined) changeTeam(people, teamId, ({ members }) => ({ members: [...members, { memberId }] }));
  for (const teamId of left) changeTeam(people, teamId, ({ members }) => ({ members: ringWithout(members, memberId) }));
}

function evolve(people: People, { type, data, meta }: WithMeta<MemberEvent>): People {
  switch (type) {
    case 'MemberAdded':
      addMember(people, data, meta.actor);
      return people;
    case 'MemberJoined':
      changeMember(people, data.memberId, () => ({ status: 'active', joined: true }));
      return people;
    case 'MemberLinked':
      linkMember(people, data);
      return people;
    case 'MemberProfileChanged':
      changeMember(people, data.memberId, () => ({
        ...data.changes,
        ...(data.changes.email === undefined ? {} : { emailVerified: false }),
      }));
      return people;
    case 'MemberEmailReleased':
      releaseEmail(people, data);
      return people;
    case 'MemberRoleChanged':
      changeMember(people, data.memberId, () => ({ role: data.role }));
      return people;
    case 'MemberDisabled':
      changeMember(people, data.memberId, () => ({ status: 'disabled' }));
      return people;
    case 'MemberEnabled':
      changeMember(people, data.memberId, () => ({ status: data.status }));
      return people;
    case 'MemberSeen':
      changeMember(people, data.memberId, () => ({ seenOn: data.day }));
      return people;
    case 'MemberTeamsChanged':
      moveMember(people, data);
      return people;
    case 'TeamCreated': {
      const { teamId, ...team } = data;
      people.teams.set(teamId, { id: teamId, ...team });
      return people;
    }
    case 'TeamRevised':
      changeTeam(people, data.teamId, () => data.changes);
      return people;
    case 'DefaultTeamChanged':
      changeTeam(people, data.before, () => ({ isDefault: false }));
      changeTeam(people, data.teamId, () => ({ isDefault: true }));
      return people;
    case 'TeamRemoved':
      people.teams.delete(data.teamId);
      return people;
    default:
      return never(type);
  }
}

export const members: Aggregate<People, MemberEvent> = {
  name: 'members',
  initial: () => ({ members: new Map(), teams: new Map() }),
  evolve,
  weigh: (people) =>
    [...people.teams.values()].reduce((sum, team) => sum + 800 + team.members.length * 120, 500) +
    people.members.size * 500,
};

// Queries for decisions ---------------------------------------------------------------------------------------------
function memberWhere({ members }: People, holds: (member: Member) => boolean): Member | undefined {
  for (const member of members.values()) if (holds(member)) return member;
  return undefined;
}

function countWhere({ members }: People, holds: (member: Member) => boolean): number {
  let count = 0;
  for (const member of members.values()) if (holds(member)) count += 1;
  return count;
}

/** Returns the member of a partner's user, or undefined if that user never signed in to the store. */
export const partnersMember = (people: People, partnerUserId: string): Member | undefined =>
  memberWhere(people, (member) => member.partnerUserId === partnerUserId);

/** Returns the member that a `sub` of the store's own tokens identifies. */
export const memberOfSubject = (people: People, subject: string): Member | undefined =>
  memberWhere(people, ({ subjects }) => subjects.includes(subject));

/** Returns the member with this email, verified or not. No two members have the same email. Case is ignored. */
export const memberWithEmail = (people: People, email: string): Member | undefined => {
  const requested = email.toLowerCase();
  return memberWhere(people, (member) => member.email === requested);
};

/** Returns the member whose verified email this is. */
export const memberWithVerifiedEmail = (people: People, email: string): Member | undefined => {
  const member = memberWithEmail(people, email);
  return member?.emailVerified === true ? member : undefined;
};

export const existingMember = ({ members }: People, memberId: string): Member =>
  members.get(memberId) ?? refuse('not_found', `The store has no member ${memberId}.`);

/** Ids of the member's teams, in the order in which the teams were created. */
export const teamsOf = ({ teams }: People, memberId: string): string[] =>
  [...teams.values()].filter((team) => team.members.some((place) => place.memberId === memberId)).map(({ id }) => id);

type SeatState = Pick<Member, 'role' | 'status'>;

/** Every role except viewer needs a seat while the member is not disabled. Invitations count too. */
const needsSeat = ({ role, status }: SeatState): boolean => role !== 'viewer' && status !== 'disabled';
const isOwning = ({ role, status }: SeatState): boolean => role === 'owner' && status === 'active';

/** Maximum seats of the plan. Undefined: no limit. */
export interface Seats {
  readonly most: number | undefined;
}

/**
 * Refuses a change that needs a seat when none is free (`no_free_seat`) or leaves the store without an active owner (`last_owner`).
 * Lowering the limit does not take seats back. (Specification 2, 'Partner API', rule 2.)
 */
export function checkSeats(people: People, before: SeatState | undefined, after: SeatState, { most }: Seats): void {
  const isNew = needsSeat(after) && !(before !== undefined && needsSeat(before));
  if (isNew && most !== undefined && countWhere(people, needsSeat) >= most)
    refuse('no_free_seat', `The plan has ${most} ${most === 1 ? 'seat' : 'seats'}, and none is free.`);
  const isLoss = before !== undefined && isOwning(before) && !isOwning(after);
  if (isLoss && countWhere(people, isOwning) === 1)
    refuse('last_owner', 'This is the only active owner of the store. Make another member an owner first.');
}
