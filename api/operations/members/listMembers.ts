import { MAX_MEMBERS } from '../../../domain/access/members.js';
import { members } from '../../../projections/members.js';
import { listJson, operation } from '../../contract/operation.js';
import { MembersBody } from './schemas.js';

/** (Specification 2, 'Member'; no paging in its schema.) */
export const listMembers = operation({
  id: 'listMembers',
  route: 'GET {W}/members',
  summary: 'Lists the people of the store with their roles and teams, disabled ones too, oldest first.',
  scope: 'members:view',
  feature: 'workspace.core',
  tag: 'Members',
  answers: { 200: MembersBody },
  async handle({ workspace: { workspaceId }, read }) {
    const sort = ['createdAt', 'added'];
    const rows = await read.find(members, { where: { workspaceId }, sort, limit: MAX_MEMBERS });
    return { status: 200, body: listJson('members', { rows }) };
  },
});
