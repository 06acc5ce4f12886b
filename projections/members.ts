import type { MemberEvent, MemberStatus, RingPlace, Role } from '../domain/access/memberEvents.js';
import { defined } from '../domain/defined.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

/** Exactly the API's `MemberBody`. (Specification 2, 'Members and teams'.) */
export interface MemberBody {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly status: MemberStatus;
  readonly createdAt: string;
  readonly teams: readonly { readonly id: string; readonly role: 'member' | 'lead' }[];
  readonly joinedAt?: string;
  /** To the day; absent without a session. */
  readonly lastActiveAt?: string;
}

type MemberView = View<MemberBody>;
type About = MemberEvent & { readonly data: { readonly memberId: string } };

/** The body has an email in any case: of a person who gave none, an address that leads nowhere (RFC 2606). */
const emailOf = (memberId: string, email: string | undefined): string => email ?? `${memberId}@members.invalid`;

const idOf = ({ streamId }: Seen<MemberEvent>, memberId: string): string => `${streamId}/${memberId}`;

/** A handler for an event about one member. */
const about = <E extends About>(
  change: (body: MemberBody, event: Seen<E>) => Partial<MemberBody>,
  keys: (event: Seen<E>) => MemberView['keys'] = () => ({}),
) => ({
  ids: (event: Seen<E>) => [idOf(event, event.data.memberId)],
  evolve: (view: MemberView | undefined, event: Seen<E>): MemberView | undefined =>
    view && { keys: { ...view.keys, ...keys(event) }, body: { ...view.body, ...change(view.body, event) } },
});

/** The member's team with another role, in its place; at the end when it is new; gone without a role. */
function inTeam(view: MemberView | undefined, teamId: string, role: 'member' | 'lead' | undefined) {
  if (view === undefined) return undefined;
  const { teams } = view.body;
  const rest = teams.filter(({ id }) => id !== teamId);
  if (role === undefined) return { ...view, body: { ...view.body, teams: rest } };
  const moved =
    rest.length === teams.length
      ? [...teams, { id: teamId, role }]
      : teams.map((team) => (team.id === teamId ? { id: teamId, role } : team));
  return { ...view, body: { ...view.body, teams: moved } };
}

/** Returns the member's role in the ring. */
function roleIn(ring: readonly RingPlace[], memberId: string): 'member' | 'lead' | undefined {
  const place = ring.find((one) => one.memberId === memberId);
  return place && (place.lead === true ? 'lead' : 'member');
}

const memberIn = (id: string): string => id.slice(id.indexOf('/') + 1);

/** One document a member, `{workspaceId}/{memberId}`: a store's by the time they were added. */
export const members = defineProjection<MemberBody, MemberEvent>({
  name: 'members',
  version: 3,
  partitionedBy: 'store',
  perStream: true,
  categories: ['members'],
  keys: {
    workspaceId: 'text',
    createdAt: 'text',
    /** Revision of the store's stream: the order of those added in one millisecond. */
    added: 'number',
    userId: 'text',
    partnerUserId: 'text',
    memberId: 'text',
  },
  indexes: [{ keys: ['workspaceId', 'createdAt', 'added'] }, { keys: ['userId'] }, { keys: ['memberId'] }],
  on: {
    MemberAdded: {
      ids: (event) => [idOf(event, event.data.memberId)],
      evolve(_, { data, meta: { at }, streamId, revision }) {
        const { memberId: id, userId, email, name, role, status, partnerUserId = null } = data;
        const joined = status === 'active' ? { joinedAt: at } : {};
        return {
          keys: { workspaceId: streamId, createdAt: at, added: revision, userId, partnerUserId, memberId: id },
          body: { id, userId, email: emailOf(id, email), name, role, status, createdAt: at, teams: [], ...joined },
        };
      },
    },
    MemberJoined: about((_, { meta: { at } }) => ({ status: 'active', joinedAt: at })),
    MemberLinked: about(
      (_, { data: { userId } }) => ({ userId }),
      ({ data: { userId, partnerUserId } }) => ({ userId, ...defined({ partnerUserId }) }),
    ),
    MemberProfileChanged: about((_, { data: { changes } }) => changes),
    MemberEmailReleased: about(({ id }) => ({ email: emailOf(id, undefined) })),
    MemberRoleChanged: about((_, { data: { role } }) => ({ role })),
    MemberDisabled: about(() => ({ status: 'disabled' })),
    MemberEnabled: about((_, { data: { status } }) => ({ status })),
    MemberSeen: about((_, { data: { day } }) => ({ lastActiveAt: `${day}T00:00:00.000Z` })),
    MemberTeamsChanged: {
      ids: (event) => [idOf(event, event.data.memberId)],
      evolve(view, { data: { joined, left } }) {
        const without = left.reduce((moved, teamId) => inTeam(moved, teamId, undefined), view);
        return joined.reduce((moved, teamId) => inTeam(moved, teamId, 'member'), without);
      },
    },
    TeamCreated: {
      ids: (event) => event.data.members.map(({ memberId }) => idOf(event, memberId)),
      evolve: (view, { data }, id) => inTeam(view, data.teamId, roleIn(data.members, memberIn(id))),
    },
    TeamRevised: {
      ids(event) {
        const { changes, before } = event.data;
        const places = [...(changes.members ?? []), ...(before.members ?? [])];
        return [...new Set(places.map(({ memberId }) => idOf(event, memberId)))];
      },
      evolve: (view, { data }, id) => inTeam(view, data.teamId, roleIn(data.changes.members ?? [], memberIn(id))),
    },
    TeamRemoved: {
      ids: (event) => event.data.members.map(({ memberId }) => idOf(event, memberId)),
      evolve: (view, { data }) => inTeam(view, data.teamId, undefined),
    },
  },
});
