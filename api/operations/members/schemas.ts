import {
  CLOSES,
  COLORS,
  DAYS,
  MAX_RING,
  MAX_TEAM_NAME,
  OPENS,
  QUEUE_SECONDS,
  STRATEGIES,
} from '../../../domain/access/teamDefinition.js';
import { DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Shapes of members and teams. (Specification 2, 'Members and teams'.) */

export const MemberBody = Named(
  'MemberBody',
  Type.Object({
    id: Uuid,
    userId: Uuid,
    email: Type.String({ format: 'email' }),
    name: Type.String({ description: 'Empty when not set.' }),
    role: Type.String({ description: 'owner, admin, supervisor, agent or viewer.' }),
    status: OneOf('invited', 'active', 'disabled'),
    createdAt: DateTime,
    teams: Type.Array(Type.Object({ id: Uuid, role: OneOf('member', 'lead') })),
    joinedAt: Type.Optional(DateTime),
    lastActiveAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Last session refresh, to the day; absent without a session.' }),
    ),
  }),
);

export const MembersBody = Named(
  'MembersBody',
  Type.Object({ members: Type.Array(MemberBody, { description: 'All of them, oldest first.' }) }),
);

const seconds = (name: keyof typeof QUEUE_SECONDS, description: string) => {
  const [minimum, maximum] = QUEUE_SECONDS[name];
  return Int64({ minimum, maximum, description });
};

const Queue = Type.Object({
  strategy: OneOf(...STRATEGIES),
  ringTimeoutSeconds: seconds('ringTimeoutSeconds', 'How long a member is rung.'),
  maxWaitSeconds: seconds('maxWaitSeconds', 'The longest wait.'),
  secondsPerPerson: seconds('secondsPerPerson', 'For priority: how long each member is rung in turn.'),
  announcePositionSeconds: Type.Optional(
    seconds('announcePositionSeconds', 'Shorter than the longest wait; no announcements when unset.'),
  ),
  holdRecordingId: Type.Optional(Type.String({ format: 'uuid', description: 'Silence when unset.' })),
  closedRecordingId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The default closed message when unset.' }),
  ),
  missedRecordingId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The default missed message when unset.' }),
  ),
});

const DayHours = Type.Object({
  day: OneOf(...DAYS),
  opens: Type.String({ pattern: OPENS, description: 'HH:MM in the time zone of the store.' }),
  closes: Type.String({ pattern: CLOSES, description: 'HH:MM after opens; 24:00 is the end of the day.' }),
});

const Ring = Type.Array(Type.Object({ memberId: Uuid, lead: Type.Optional(Type.Boolean()) }), {
  minItems: 1,
  maxItems: MAX_RING,
  description: "In ring order. Leads see the team's reports and can pick up its queued calls.",
});

export const TeamDetailBody = Named(
  'TeamDetailBody',
  Type.Object({
    id: Uuid,
    name: Type.String({ minLength: 1, maxLength: MAX_TEAM_NAME }),
    color: OneOf(...COLORS),
    isDefault: Type.Boolean({ description: 'Routing sends everything not routed elsewhere here.' }),
    members: Ring,
    queue: Queue,
    workingHours: Type.Union([Type.Array(DayHours, { maxItems: DAYS.length }), Type.Null()], {
      description: 'null: always open; days that are not listed are closed.',
    }),
    createdAt: DateTime,
    updatedAt: DateTime,
  }),
);

export const TeamsBody = Named(
  'TeamsBody',
  Type.Object({ teams: Type.Array(TeamDetailBody, { description: 'All of them, by name.' }) }),
);
