/** What a sign-in makes of a store's members. Sessions call these; signatures and expiry of tokens are theirs. */
import { type Decision, refuse } from '../decider.js';
import { DOT_SEGMENT, isDotSegment } from '../dotSegment.js';
import { added, MAX_SUBJECT, type PartnerMembership, teamsMoved } from './memberChanges.js';
import type { MemberEvent, Profile, Role } from './memberEvents.js';
import {
  checkStanding,
  existingMember,
  type Member,
  memberOfSubject,
  memberWithEmail,
  memberWithVerifiedEmail,
  type People,
  partnersMember,
  type Seats,
} from './members.js';

type Decide = Decision<People, MemberEvent>;

/** `sub`s that may mean one member: more is a server that makes a new user at each sign-in. */
const MAX_LINKS = 10;

/** What a token says of its user, the times and ids that a new member would have. */
interface SigningIn {
  /** Of the member, should it be new. */
  readonly memberId: string;
  readonly userId: string;
  /** 1–255 characters. */
  readonly sub: string;
  readonly name?: string | undefined;
  /** An e-mail address. */
  readonly email?: string | undefined;
}

export interface JoinFromPartner extends SigningIn, PartnerMembership {
  /** Where the teams stand in the token, for problems: `stores[2].teams`. */
  readonly teamsAt: string;
}

function checkSubject(sub: string): void {
  const { length } = [...sub];
  if (length < 1 || length > MAX_SUBJECT) refuse('validation_failed', `A sub has 1 to ${MAX_SUBJECT} characters.`);
}

/** The partner names the user in paths. Those who are linked already stay as they are. */
function checkReachable(sub: string): void {
  if (isDotSegment(sub))
    refuse('user_token_invalid', `The user token’s sub ${DOT_SEGMENT}.`, [
      { message: DOT_SEGMENT, location: 'userToken.sub' },
    ]);
}

/** Nobody verified it: it takes the place of no email that somebody did, and is left to another member who has it. */
function newEmail(people: People, { email, emailVerified }: Member, said: string | undefined): string | undefined {
  const isKept = email !== undefined && emailVerified;
  return said === undefined || isKept || memberWithEmail(people, said) !== undefined ? undefined : said.toLowerCase();
}

/** Name and email as the token says. */
function profileMoved(people: People, member: Member, { name, email }: SigningIn): MemberEvent[] {
  const changes: { name?: string; email?: string } = {};
  if (name !== undefined && name !== member.name) changes.name = name;
  const address = newEmail(people, member, email);
  if (address !== undefined) changes.email = address;
  if (Object.keys(changes).length === 0) return [];
  const before: Profile = {
    ...(changes.name === undefined ? {} : { name: member.name }),
    ...(changes.email === undefined || member.email === undefined ? {} : { email: member.email }),
  };
  return [{ type: 'MemberProfileChanged', data: { memberId: member.id, changes, before } }];
}

/** From whatever status to active, with this role. */
function activated(people: People, member: Member, role: Role, seats: Seats): MemberEvent[] {
  const { id: memberId, status, joined } = member;
  checkStanding(people, member, { role, status: 'active' }, seats);
  return [
    ...(status === 'disabled'
      ? [{ type: 'MemberEnabled', data: { memberId, status: joined ? 'active' : 'invited' } } as const]
      : []),
    ...(joined ? [] : [{ type: 'MemberJoined', data: { memberId } } as const]),
    ...(role === member.role
      ? []
      : [{ type: 'MemberRoleChanged', data: { memberId, role, before: member.role } } as const]),
  ];
}

function joinedAnew(people: People, command: JoinFromPartner, seats: Seats): MemberEvent[] {
  const { memberId, userId, sub: partnerUserId, name = '', email, role, teams, teamsAt } = command;
  const isFree = email !== undefined && memberWithEmail(people, email) === undefined;
  const member = {
    memberId,
    userId,
    name,
    role,
    status: 'active',
    partnerUserId,
    ...(isFree ? { email, emailVerified: false as const } : {}),
  } as const;
  return [...added(people, member, seats), ...teamsMoved(people, memberId, teams, teamsAt)];
}

/**
 * A user token of the partner lists the store: the user becomes or stays an active member with the token's role and teams,
 * also one that was disabled. The first time it is a new member, whatever the email: nobody verified that, so it opens no
 * membership of somebody else, not even an invitation, and shows only where no member has it. Refuses
 * `no_free_seat`, `last_owner`, `member_limit_reached`, and as `teamsMoved`. (Specification 1, 'SDK session creation'; 2, 'Partner API', rule 3.)
 */
export const joinFromPartner =
  (command: JoinFromPartner, seats: Seats): Decide =>
  (people) => {
    const { sub: partnerUserId, role, teams, teamsAt } = command;
    checkSubject(partnerUserId);
    const member = partnersMember(people, partnerUserId);
    if (member === undefined) checkReachable(partnerUserId);
    if (member === undefined) return joinedAnew(people, command, seats);
    return [
      ...activated(people, member, role, seats),
      ...teamsMoved(people, member.id, teams, teamsAt),
      ...profileMoved(people, member, command),
    ];
  };

export interface LinkByEmail extends SigningIn {
  readonly emailVerified: boolean;
  /** Of a new member; agent when absent. A member keeps the role that it has. */
  readonly role?: Role | undefined;
}

function linkedAnew(people: People, command: LinkByEmail, seats: Seats): MemberEvent[] {
  const { memberId, userId, sub: subject, email, emailVerified, name = '', role = 'agent' } = command;
  if (email === undefined || !emailVerified)
    refuse('email_not_verified', 'The first sign-in needs the user’s email, and email_verified true.');
  const member = memberWithVerifiedEmail(people, email);
  if (member === undefined)
    return added(people, { memberId, userId, email, name, role, status: 'active', subject }, seats);
  checkNotDisabled(member);
  if (member.subjects.length >= MAX_LINKS)
    refuse('member_links_limit_reached', `${MAX_LINKS} users are linked to this member already.`);
  const data = { memberId: member.id, userId: member.userId, before: { userId: member.userId }, subject };
  return [
    { type: 'MemberLinked', data },
    ...activated(people, member, member.role, seats),
    ...(member.name === '' ? profileMoved(people, member, { ...command, email: undefined }) : []),
  ];
}

function checkNotDisabled({ status }: Member): void {
  if (status === 'disabled') refuse('member_disabled', 'The member is disabled in this store.');
}

/**
 * A user token that the store itself signed. The first time, a verified email links the user to the member whose verified
 * email it is, or to a new member, which gets it from whoever only says to have it; later sign-ins use the link and
 * ignore the email. Refuses `email_not_verified`,
 * `member_disabled`, `no_free_seat`, `member_limit_reached`. (Specification 1, 'SDK session creation'.)
 */
export const linkByEmail =
  (command: LinkByEmail, seats: Seats): Decide =>
  (people) => {
    checkSubject(command.sub);
    const linked = memberOfSubject(people, command.sub);
    if (linked === undefined) return linkedAnew(people, command, seats);
    checkNotDisabled(linked);
    return [];
  };

/** Had a session on this UTC day (YYYY-MM-DD): one event a day. (Specification 2, 'Member', `lastActiveAt`.) */
export const seeMember =
  (memberId: string, day: string): Decide =>
  (people) => {
    const { seenOn } = existingMember(people, memberId);
    return seenOn !== undefined && seenOn >= day ? [] : [{ type: 'MemberSeen', data: { memberId, day } }];
  };
