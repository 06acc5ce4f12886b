import type { MemberEvent, TeamTerms } from '../domain/access/memberEvents.js';
import { teamNameKey } from '../domain/access/teams.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';

/** Exactly the API's `TeamDetailBody`. (Specification 2, 'Members and teams'.) */
export interface TeamBody extends TeamTerms {
  readonly id: string;
  /** Routing sends everything not routed elsewhere here. */
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type TeamView = View<TeamBody>;

const idOf = ({ streamId }: Seen<MemberEvent>, teamId: string): string => `${streamId}/${teamId}`;

function changed(view: TeamView | undefined, at: string, changes: Partial<TeamBody>): TeamView | undefined {
  if (view === undefined) return undefined;
  const body = { ...view.body, ...changes, updatedAt: at };
  return { keys: { ...view.keys, nameKey: teamNameKey(body.name) }, body };
}

/** One document a team, `{workspaceId}/{teamId}`: a store's by name. */
export const teams = defineProjection<TeamBody, MemberEvent>({
  name: 'teams',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['members'],
  keys: { workspaceId: 'text', nameKey: 'text' },
  indexes: [{ keys: ['workspaceId', 'nameKey'] }],
  on: {
    TeamCreated: {
      ids: (event) => [idOf(event, event.data.teamId)],
      evolve(_, { data: { teamId: id, ...terms }, meta: { at }, streamId }) {
        const { name, color, isDefault, members, queue, workingHours } = terms;
        return {
          keys: { workspaceId: streamId, nameKey: teamNameKey(name) },
          body: { id, name, color, isDefault, members, queue, workingHours, createdAt: at, updatedAt: at },
        };
      },
    },
    TeamRevised: {
      ids: (event) => [idOf(event, event.data.teamId)],
      evolve: (view, { data, meta: { at } }) => changed(view, at, data.changes),
    },
    DefaultTeamChanged: {
      ids: (event) => [idOf(event, event.data.before), idOf(event, event.data.teamId)],
      evolve: (view, { data, meta: { at } }) => changed(view, at, { isDefault: view?.body.id === data.teamId }),
    },
    TeamRemoved: { ids: (event) => [idOf(event, event.data.teamId)], evolve: () => undefined },
    MemberTeamsChanged: {
      ids: (event) => [...event.data.joined, ...event.data.left].map((teamId) => idOf(event, teamId)),
      evolve(view, { data: { memberId, joined }, meta: { at } }) {
        if (view === undefined) return undefined;
        const rest = view.body.members.filter((place) => place.memberId !== memberId);
        const isJoined = joined.includes(view.body.id);
        return changed(view, at, { members: isJoined ? [...rest, { memberId }] : rest });
      },
    },
  },
});
