import type { MemberAccess } from '../../../application/access/principal.js';
import type { Query, Scalar } from '../../../engine/ports/documents.js';
import { conversations } from '../../../projections/conversations.js';
import { listJson, operation } from '../../contract/operation.js';
import { OneOf, PageQuery, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { ConversationListOutputBody } from './schemas.js';
import { isMerged, seesTeam, shownConversation, teamsSeen } from './visibility.js';

type Where = NonNullable<Query['where']>;

interface Filters {
  readonly status?: 'active' | 'open' | 'snoozed' | 'closed';
  readonly teamId?: string;
  readonly assignee?: string;
}

const UUID = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';
const STATUSES = {
  active: ['open', 'snoozed'],
  open: ['open'],
  snoozed: ['snoozed'],
  closed: ['closed'],
  any: ['open', 'snoozed', 'closed'],
} as const;

/** Null: nobody. Nothing is assigned to the `me` of a key, which is no member. */
function assignedTo(assignee: string, member: MemberAccess | undefined): Where[string] {
  if (assignee === 'none') return null;
  if (assignee !== 'me') return assignee.toLowerCase();
  return member?.memberId ?? { in: [] };
}

/** The teams to look in; undefined: all. What the caller does not see is as if it were not there. */
function teamsOf(teamId: string | undefined, member: MemberAccess | undefined): readonly Scalar[] | undefined {
  if (teamId === undefined) return teamsSeen(member);
  return seesTeam(member, teamId) ? [teamId] : [];
}

/**
 * Conditions served by an index of `conversations` to its last key: with an assignee, an absent status filter means all
 * statuses. Every conversation has a rank; a condition on it lets the engine start a later page with one comparison.
 */
function conditions(workspaceId: string, filters: Filters, member: MemberAccess | undefined): Where {
  const { status, teamId, assignee } = filters;
  const teams = teamsOf(teamId, member);
  const anyStatus = status === undefined && assignee === undefined;
  return {
    workspaceId,
    rank: { gte: 0 },
    ...(anyStatus ? {} : { status: { in: STATUSES[status ?? 'any'] } }),
    ...(teams === undefined ? {} : { teamId: { in: teams } }),
    ...(assignee === undefined ? {} : { assignee: assignedTo(assignee, member) }),
  };
}

/** (Specification 2, 'Inbox', rule 1.) */
export const listConversations = operation({
  id: 'listConversations',
  route: 'GET {W}/conversations',
  summary: "Conversations of the caller's teams, pinned ones first, then by their last message, latest first.",
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  query: {
    status: Type.Optional(OneOf('active', 'open', 'snoozed', 'closed')),
    teamId: Type.Optional(Uuid),
    assignee: Type.Optional(
      Type.String({ pattern: `^(?:me|none|${UUID})$`, description: 'me, none, or the id of a member.' }),
    ),
    ...PageQuery,
  },
  answers: { 200: ConversationListOutputBody },
  problems: ['invalid_cursor'],
  async handle(request) {
    const { query, workspace, member, read } = request;
    const where = conditions(workspace.workspaceId, query as Filters, member);
    const page = await read.page(conversations, { where, sort: ['-rank'] });
    const shown = new Map<string, string>();
    for (const row of page.rows.filter(isMerged)) shown.set(row.id, await shownConversation(request, row));
    const row = shown.size === 0 ? {} : { row: (one: { id: string; json: string }) => shown.get(one.id) ?? one.json };
    return { status: 200, body: listJson('conversations', page, row) };
  },
});
