import { refuse } from '../../../domain/decider.js';
import { teams } from '../../../projections/teams.js';
import { Json, operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { TeamDetailBody } from './schemas.js';

/** (Specification 2, 'Team'.) */
export const getTeam = operation({
  id: 'getTeam',
  route: 'GET {W}/teams/{teamId}',
  summary: 'Reads one team: its members in ring order, its queue and its working hours.',
  scope: 'members:view',
  feature: 'workspace.core',
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
