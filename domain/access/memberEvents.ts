/** Stored for ever: members and teams of a store, stream `members-{workspaceId}`. Add fields as optional. */
import { OneOf, Type } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Mark,
  Maybe,
  Personal,
  Shape,
  Some,
  type Stored,
  Text,
  Whole,
} from '../storedEvents.js';

const Role = OneOf('owner', 'admin', 'supervisor', 'agent', 'viewer');
/** (Specification 2, 'Partner member'.) */
export type Role = Stored<typeof Role>;
export type MemberStatus = 'invited' | 'active' | 'disabled';
const TeamColor = OneOf('chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5');
export type TeamColor = Stored<typeof TeamColor>;
const Day = OneOf('sat', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri');
export type Day = Stored<typeof Day>;

const RingPlace = Shape('RingPlace', { memberId: Id(), lead: Mark() });
/** Position in a team's ring. Leads see the team's reports and can pick up its queued calls. */
export type RingPlace = Stored<typeof RingPlace>;

const DayHours = Shape('DayHours', {
  day: Day,
  opens: Code("HH:MM in the store's time zone."),
  closes: Code('HH:MM, at most 24:00.'),
});
/** HH:MM in the store's time zone; `closes` is after `opens`, at most 24:00. */
export type DayHours = Stored<typeof DayHours>;

const TeamQueue = Shape('TeamQueue', {
  strategy: OneOf('all', 'priority'),
  ringTimeoutSeconds: Whole(),
  maxWaitSeconds: Whole(),
  secondsPerPerson: Whole(),
  announcePositionSeconds: Maybe(Whole('Shorter than the longest wait; absent: no announcements.')),
  holdRecordingId: Maybe(Id('Absent: silence.')),
  closedRecordingId: Maybe(Id('Absent: the default message.')),
  missedRecordingId: Maybe(Id('Absent: the default message.')),
});
/**
 * Queue of a team's calls. Without recordings: silence, and the default closed and missed messages. `strategy`: `all` rings every member at
 * once, `priority` rings one member at a time, in ring order.
 */
export type TeamQueue = Stored<typeof TeamQueue>;

const TeamTerms = Shape('TeamTerms', {
  name: Label(),
  color: TeamColor,
  members: List(RingPlace, 'In ring order.'),
  queue: TeamQueue,
  workingHours: Type.Union([List(DayHours), Type.Null()], {
    description: 'null: always open; days that are not listed are closed.',
  }),
});
/** (Specification 2, 'Members and teams'.) */
export type TeamTerms = Stored<typeof TeamTerms>;

const NewMember = Shape('NewMember', {
  memberId: Id(),
  userId: Personal('derivedId', Text('Id of the person, who may be a member of several stores.')),
  email: Maybe(
    Personal(
      'email',
      Text('In lower case. If absent, the user of a partner has no email, or one that another member has.'),
    ),
  ),
  emailVerified: Maybe(
    Type.Literal(false),
    "The email is only what a partner's token said. Absent: somebody vouched for it, unless the event is from before and a " +
      "partner's key caused it.",
  ),
  name: Personal('name', Text('Empty if unknown.')),
  role: Role,
  status: OneOf('invited', 'active'),
  partnerUserId: Maybe(Personal('userId', Text("The partner's id of the user, the `sub` of its tokens."))),
  subject: Maybe(Personal('userId', Text('The `sub` of tokens that the store itself signs.'))),
});
/** `status`: an active member has signed in, or counts as signed in. */
export type NewMember = Stored<typeof NewMember>;

const Profile = Shape('Profile', { name: Maybe(Personal('name', Text())), email: Maybe(Personal('email', Text())) });
/** Changed profile fields from a partner's token. Nobody verified the email. */
export type Profile = Stored<typeof Profile>;

const memberId = Id();
const aboutMember = { subject: { member: 'memberId' } } as const;
const teamId = Id();

export const memberEvents = defineEvents({
  MemberAdded: event(
    'The operator or a partner adds a member, or a new user signs in.',
    NewMember.properties,
    aboutMember,
  ),
  MemberJoined: event('An invited member signs in for the first time.', { memberId }, aboutMember),
  MemberLinked: event(
    "From now on a token's `sub` means this member.",
    {
      memberId,
      userId: Personal('derivedId', Text('The person that the member becomes.')),
      before: Type.Object({ userId: Personal('derivedId', Text()) }),
      partnerUserId: Maybe(
        Personal('userId', Text('Only in older events: an unverified email accepted an invitation.')),
      ),
      subject: Maybe(Personal('userId', Text())),
    },
    aboutMember,
  ),
  MemberProfileChanged: event(
    "A partner's token changes the name or the email.",
    {
      memberId,
      changes: Profile,
      before: Profile,
    },
    aboutMember,
  ),
  MemberEmailReleased: event(
    'Another user verified the email, so it is removed from this member, who never verified it.',
    { memberId, email: Personal('email', Text()) },
    aboutMember,
  ),
  MemberRoleChanged: event('The role of the member changes.', { memberId, role: Role, before: Role }, aboutMember),
  MemberDisabled: event(
    'The member is disabled in the store.',
    { memberId, before: OneOf('invited', 'active') },
    aboutMember,
  ),
  MemberEnabled: event('The member is enabled again.', { memberId, status: OneOf('invited', 'active') }, aboutMember),
  MemberSeen: event(
    'First session of the member on a day.',
    {
      memberId,
      day: Code('YYYY-MM-DD, UTC.'),
    },
    aboutMember,
  ),
  MemberTeamsChanged: event(
    'The teams of the member are set. The member is appended to the rings of new teams and removed from others.',
    {
      memberId,
      joined: List(Id()),
      left: List(Id()),
      before: List(Id(), 'Previous teams of the member.'),
    },
    aboutMember,
  ),
  TeamCreated: event('The store creates a team. The first team is the default.', {
    ...TeamTerms.properties,
    teamId,
    isDefault: Flag(),
  }),
  TeamRevised: event('The store changes a team.', { teamId, changes: Some(TeamTerms), before: Some(TeamTerms) }),
  DefaultTeamChanged: event('The store makes another team its default.', { teamId, before: Id() }),
  TeamRemoved: event('The store removes a team. The event has its last state.', {
    ...TeamTerms.properties,
    teamId,
    isDefault: Flag(),
  }),
});
export type MemberEvent = EventsOf<typeof memberEvents>;
