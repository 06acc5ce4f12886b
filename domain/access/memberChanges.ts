/** Changes to a store's members by the operator and the partner. */
import { type Decision, type FieldProblem, refuse } from '../decider.js';
import { DOT_SEGMENT, isDotSegment } from '../dotSegment.js';
import type { MemberEvent, NewMember, Role } from './memberEvents.js';
import {
  checkSeats,
  existingMember,
  MAX_MEMBERS,
  type Member,
  memberWithEmail,
  memberWithVerifiedEmail,
  type People,
  partnersMember,
  type Seats,
  teamsOf,
} from './members.js';
import { MAX_RING } from './teamDefinition.js';

type Decide = Decision<People, MemberEvent>;

const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = new RegExp(`^(?=.{1,320}$)(?=[^@]{1,64}@)${LOCAL}(?:\\.${LOCAL})*@${LABEL}(?:\\.${LABEL})+$`);
const MAX_NAME = 120;
export const MAX_SUBJECT = 255;

export const isEmail = (text: string): boolean => EMAIL.test(text);

function newMemberProblems({ email, name, partnerUserId }: NewMember): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (email !== undefined && !isEmail(email))
    problems.push({ message: 'must be an e-mail address', location: 'email', value: email.slice(0, 320) });
  if ([...name].length > MAX_NAME)
    problems.push({ message: `must be at most ${MAX_NAME} characters`, location: 'name' });
  if (partnerUserId !== undefined && [...partnerUserId].length > MAX_SUBJECT)
    problems.push({ message: `must be at most ${MAX_SUBJECT} characters`, location: 'partnerUserId' });
  if (partnerUserId !== undefined && isDotSegment(partnerUserId))
    problems.push({ message: DOT_SEGMENT, location: 'partnerUserId', value: partnerUserId });
  return problems;
}

/** Releases the email from a member who never verified it, so that a member who did can have it. */
function released(people: People, email: string | undefined): MemberEvent[] {
  const holder = email === undefined ? undefined : memberWithEmail(people, email);
  if (holder?.email === undefined || holder.emailVerified) return [];
  return [{ type: 'MemberEmailReleased', data: { memberId: holder.id, email: holder.email } }];
}

/**
 * Returns the events that add a member, for all callers. A verified email moves to the new member. Refuses `member_limit_reached` and
 * `no_free_seat`.
 */
export function added(people: People, member: NewMember, seats: Seats): MemberEvent[] {
  if (people.members.size >= MAX_MEMBERS)
    refuse('member_limit_reached', `The store has reached the limit of ${MAX_MEMBERS} members.`);
  checkSeats(people, undefined, member, seats);
  const email = member.email === undefined ? {} : { email: member.email.toLowerCase() };
  const taken = member.emailVerified === false ? [] : released(people, member.email);
  return [...taken, { type: 'MemberAdded', data: { ...member, ...email } }];
}

/** Adds a member for the operator. Refuses `member_exists` if a member has the verified email or is the partner's user. */
export const addMember =
  (command: NewMember, seats: Seats): Decide =>
  (people) => {
    const problems = newMemberProblems(command);
    if (problems.length > 0) refuse('validation_failed', 'The member is not valid.', problems);
    const { email, partnerUserId } = command;
    const same =
      (email === undefined ? undefined : memberWithVerifiedEmail(people, email)) ??
      (partnerUserId === undefined ? undefined : partnersMember(people, partnerUserId));
    if (same !== undefined) refuse('member_exists', `The store already has this member: ${same.id}.`);
    return added(people, command, seats);
  };

/** Returns the events of a role change. Refuses `no_free_seat` and `last_owner`. */
function roleMoved(people: People, member: Member, role: Role, seats: Seats): MemberEvent[] {
  if (role === member.role) return [];
  checkSeats(people, member, { role, status: member.status }, seats);
  return [{ type: 'MemberRoleChanged', data: { memberId: member.id, role, before: member.role } }];
}

function disabled(people: People, member: Member): MemberEvent[] {
  if (member.status === 'disabled') return [];
  checkSeats(people, member, { role: member.role, status: 'disabled' }, { most: undefined });
  return [{ type: 'MemberDisabled', data: { memberId: member.id, before: member.status } }];
}

export const changeRole =
  (command: { memberId: string; role: Role }, seats: Seats): Decide =>
  (people) =>
    roleMoved(people, existingMember(people, command.memberId), command.role, seats);

/** Disables the member at once. Role, teams and links are retained for when the member is enabled. */
export const disableMember =
  (memberId: string): Decide =>
  (people) =>
    disabled(people, existingMember(people, memberId));

/** Enables the member: `invited` if the member never signed in, otherwise `active`. */
export const enableMember =
  (memberId: string, seats: Seats): Decide =>
  (people) => {
    const { id, role, status, joined } = existingMember(people, memberId);
    if (status !== 'disabled') return [];
    const after = { role, status: joined ? 'active' : 'invited' } as const;
    checkSeats(people, { role, status }, after, seats);
    return [{ type: 'MemberEnabled', data: { memberId: id, status: after.status } }];
  };

/** Absent teams are left unchanged. (Specification 2, 'Partner member'.) */
export interface PartnerMembership {
  readonly role: Role;
  readonly teams?: readonly string[] | undefined;
}

function unknownTeams({ teams }: People, requested: readonly string[], at: string): FieldProblem[] {
  return requested.flatMap((id, index) =>
    teams.has(id.toLowerCase())
      ? []
      : [{ message: 'is not a team of the store', location: `${at}[${index}]`, value: id }],
  );
}

/**
 * Returns the events that put the member into exactly these teams. The member joins at the end of each new ring. Refuses
 * `validation_failed` for unknown ids (at `at`), `team_full`, and `team_needs_member` if a team would become empty.
 */
export function teamsMoved(
  people: People,
  memberId: string,
  requested: readonly string[] | undefined,
  at: string,
): MemberEvent[] {
  if (requested === undefined) return [];
  const problems = unknownTeams(people, requested, at);
  if (problems.length > 0) refuse('validation_failed', 'The store does not have all of these teams.', problems);
  const before = teamsOf(people, memberId);
  const after = new Set(requested.map((id) => id.toLowerCase()));
  const joined = [...after].filter((id) => !before.includes(id));
  const left = before.filter((id) => !after.has(id));
  for (const id of joined)
    if (people.teams.get(id)!.members.length >= MAX_RING)
      refuse('team_full', `The team ${id} has reached the limit of ${MAX_RING} members.`);
  for (const id of left)
    if (people.teams.get(id)!.members.length === 1)
      refuse('team_needs_member', `The member is the only member of the team ${id}, which cannot be empty.`);
  if (joined.length + left.length === 0) return [];
  return [{ type: 'MemberTeamsChanged', data: { memberId, joined, left, before } }];
}

const partnersOwn = (people: People, partnerUserId: string): Member =>
  partnersMember(people, partnerUserId) ??
  refuse('not_found', 'This user has never signed in to the store through a session of the partner.');

/** Changes role and teams. A disabled member stays disabled until a token lists the store. (Specification 2, 'Partner API', rule 2.) */
export const updatePartnerMember =
  (command: PartnerMembership & { partnerUserId: string }, seats: Seats): Decide =>
  (people) => {
    const member = partnersOwn(people, command.partnerUserId);
    return [
      ...teamsMoved(people, member.id, command.teams, 'body.teams'),
      ...roleMoved(people, member, command.role, seats),
    ];
  };

/** (Specification 2, 'Partner API', rule 3.) */
export const disablePartnerMember =
  (partnerUserId: string): Decide =>
  (people) =>
    disabled(people, partnersOwn(people, partnerUserId));
