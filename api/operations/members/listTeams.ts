import { MAX_TEAMS } from '../../../domain/access/teams.js';
import { teams } from '../../../projections/teams.js';
import { listJson, operation } from '../../contract/operation.js';
import { TeamsBody } from './schemas.js';

/** (Specification 2, 'Team'; no paging in its schema.) */
export const listTeams = operation({
  id: 'listTeams',
  route: 'GET {W}/teams',
  summary: 'Lists the teams of the store by name.',
  scope: 'members:view',
  feature: 'workspace.core',
  tag: 'Teams',
  answers: { 200: TeamsBody },
  async handle({ workspace: { workspaceId }, read }) {
    const rows = await read.find(teams, { where: { workspaceId }, sort: ['nameKey'], limit: MAX_TEAMS });
    return { status: 200, body: listJson('teams', { rows }) };
  },
});
