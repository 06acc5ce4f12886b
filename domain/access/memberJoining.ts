/** Decisions on a store's members when a user signs in. Callers check signatures and expiry of tokens. */
import { type Decision, refuse } from '../decider.js';
import { DOT_SEGMENT, isDotSegment } from '../dotSegment.js';
import { added, MAX_SUBJECT, type PartnerMembership, teamsMoved } from './memberChanges.js';
import type { MemberEvent, Profile, Role } from './memberEvents.js';
import {
  checkSeats,
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

/** Maximum `sub`s linked to one member. More indicates a server that creates a new user at each sign-in. */
const MAX_LINKS = 10;

/** User claims of a token, and the ids of the member that is created for a new user. */
interface SigningIn {
  /** Id for a new member. */
  readonly memberId: string;
  readonly userId: string;
  /** 1–255 characters. */
  readonly sub: string;
  readonly name?: string | undefined;
  /** An e-mail address. */
  readonly email?: string | undefined;
}

export interface JoinFromPartner extends SigningIn, PartnerMembership {
  /** Path of the teams in the token, for problems: `stores[2].teams`. */
  readonly teamsAt: string;
}

function checkSubject(sub: string): void {
  const { length } = [...sub];
  if (length < 1 || length > MAX_SUBJECT) refuse('validation_failed', `A sub has 1 to ${MAX_SUBJECT} characters.`);
}

/**
 * Refuses a `sub` that cannot be part of a path, since the partner names the user in paths. Users who are linked already are not checked.
 */
function checkReachable(sub: string): void {
  if (isDotSegment(sub))
    refuse('user_token_invalid', `The user token’s sub ${DOT_SEGMENT}.`, [
      { message: DOT_SEGMENT, location: 'userToken.sub' },
    ]);
}

/**
 * Returns the token's email if the member should get it. It is unverified: it never replaces a verified email, nor moves from another
 * member.
 */
function newEmail(people: People, { email, emailVerified }: Member, claimed: string | undefined): string | undefined {
  const isVerified = email !== undefined && emailVerified;
  return claimed === undefined || isVerified || memberWithEmail(people, claimed) !== undefined
    ? undefined
    : claimed.toLowerCase();
}

/** Returns the events that update name and email from the token. */
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

/** Returns the events that make the member active with this role, from any status. */
function activated(people: People, member: Member, role: Role, seats: Seats): MemberEvent[] {
  const { id: memberId, status, joined } = member;
  checkSeats(people, member, { role, status: 'active' }, seats);
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

function firstJoin(people: People, command: JoinFromPartner, seats: Seats): MemberEvent[] {
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
 * Makes the user an active member with the token's role and teams, because a partner's token lists the store. A disabled member is enabled.
 *
 * A new user always becomes a new member. The token's email is unverified, so it never matches another member or an invitation, and is
 * stored only if no member has it. Refuses `no_free_seat`, `last_owner`, `member_limit_reached`, and as `teamsMoved`. (Specification 1,
 * 'SDK session creation'; 2, 'Partner API', rule 3.)
 */
export const joinFromPartner =
  (command: JoinFromPartner, seats: Seats): Decide =>
  (people) => {
    const { sub: partnerUserId, role, teams, teamsAt } = command;
    checkSubject(partnerUserId);
    const member = partnersMember(people, partnerUserId);
    if (member === undefined) checkReachable(partnerUserId);
    if (member === undefined) return firstJoin(people, command, seats);
    return [
      ...activated(people, member, role, seats),
      ...teamsMoved(people, member.id, teams, teamsAt),
      ...profileMoved(people, member, command),
    ];
  };

export interface LinkByEmail extends SigningIn {
  readonly emailVerified: boolean;
  /** Role for a new member. Default: agent. An existing member keeps its role. */
  readonly role?: Role | undefined;
}

function firstLink(people: People, command: LinkByEmail, seats: Seats): MemberEvent[] {
  const { memberId, userId, sub: subject, email, emailVerified, name = '', role = 'agent' } = command;
  if (email === undefined || !emailVerified)
    refuse('email_not_verified', 'The first sign-in requires the user’s email, with email_verified true.');
  const member = memberWithVerifiedEmail(people, email);
  if (member === undefined)
    return added(people, { memberId, userId, email, name, role, status: 'active', subject }, seats);
  checkNotDisabled(member);
  if (member.subjects.length >= MAX_LINKS)
    refuse('member_links_limit_reached', `The limit of ${MAX_LINKS} users linked to this member is reached.`);
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
 * Signs in a user whose token the store itself signed. At the first sign-in a verified email links the user to the member with that
 * verified email, or to a new member, who takes the email from a member that never verified it. Later sign-ins use the link and ignore the
 * email. Refuses `email_not_verified`, `member_disabled`, `no_free_seat`, `member_limit_reached`. (Specification 1, 'SDK session
 * creation'.)
 */
export const linkByEmail =
  (command: LinkByEmail, seats: Seats): Decide =>
  (people) => {
    checkSubject(command.sub);
    const linked = memberOfSubject(people, command.sub);
    if (linked === undefined) return firstLink(people, command, seats);
    checkNotDisabled(linked);
    return [];
  };

/**
 * Signs in a member by a link that somebody made for it. An invited member becomes active. Refuses `member_not_found`,
 * `member_disabled`, `no_free_seat`.
 */
export const joinByLink =
  (memberId: string, seats: Seats): Decide =>
  (people) => {
    const member = existingMember(people, memberId);
    checkNotDisabled(member);
    return activated(people, member, member.role, seats);
  };

/** Records a session of the member on this UTC day (YYYY-MM-DD), once a day. (Specification 2, 'Member', `lastActiveAt`.) */
export const seeMember =
  (memberId: string, day: string): Decide =>
  (people) => {
    const { seenOn } = existingMember(people, memberId);
    return seenOn !== undefined && seenOn >= day ? [] : [{ type: 'MemberSeen', data: { memberId, day } }];
  };
