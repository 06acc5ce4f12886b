import { MAX_MEMBERS } from '../../domain/access/members.js';
import { MAX_TEAMS } from '../../domain/access/teams.js';
import { refuse } from '../../domain/decider.js';
import { members } from '../../projections/members.js';
import { teams } from '../../projections/teams.js';
import { Json, listJson, type Operation, operation } from '../operation.js';
import { Uuid } from '../schemas.js';
import { MembersBody, TeamDetailBody, TeamsBody } from './schemas.js';

const declared = { scope: 'members:view', feature: 'workspace.core' } as const;

/** (Specification 2, 'Member'; no paging in its schema.) */
export const listMembers = operation({
  ...declared,
  id: 'listMembers',
  route: 'GET {W}/members',
  summary: 'Lists the people of the store with their roles and teams, disabled ones too, oldest first.',
  tag: 'Members',
  answers: { 200: MembersBody },
  async handle({ workspace: { workspaceId }, read }) {
    const sort = ['createdAt', 'added'];
    const rows = await read.find(members, { where: { workspaceId }, sort, limit: MAX_MEMBERS });
    return { status: 200, body: listJson('members', { rows }) };
  },
});

/** (Specification 2, 'Team'; no paging in its schema.) */
export const listTeams = operation({
  ...declared,
  id: 'listTeams',
  route: 'GET {W}/teams',
  summary: 'Lists the teams of the store by name.',
  tag: 'Teams',
  answers: { 200: TeamsBody },
  async handle({ workspace: { workspaceId }, read }) {
    const rows = await read.find(teams, { where: { workspaceId }, sort: ['nameKey'], limit: MAX_TEAMS });
    return { status: 200, body: listJson('teams', { rows }) };
  },
});

/** (Specification 2, 'Team'.) */
export const getTeam = operation({
  ...declared,
  id: 'getTeam',
  route: 'GET {W}/teams/{teamId}',
  summary: 'Reads one team: its members in ring order, its queue and its working hours.',
  tag: 'Teams',
  params: { teamId: Uuid },
  answers: { 200: TeamDetailBody },
  problems: ['not_found'],
  async handle({ params: { teamId }, workspace: { workspaceId }, read }) {
    const found = await read.get(teams, `${workspaceId}/${teamId.toLowerCase()}`);
    if (found === undefined) return refuse('not_found', 'The store has no such team.');
    return { status: 200, body: new Json(found.json) };
  },
});

export const memberOperations: readonly Operation[] = [listMembers, listTeams, getTeam];
