import { members } from '../../../domain/access/members.js';
import { conversation } from '../../../domain/channel/conversation.js';
import { changeConversation, LONGEST_SNOOZE_MS } from '../../../domain/channel/conversationRouting.js';
import { refuse } from '../../../domain/decider.js';
import { defined } from '../../../domain/defined.js';
import { timeMs } from '../../contract/formats.js';
import { Json, operation, type RequestCommands } from '../../contract/operation.js';
import { Refusal } from '../../contract/problems.js';
import { Uuid } from '../../contract/schemas.js';
import { ConversationBody, UpdateConversationInputBody } from './schemas.js';
import { shownConversation, visibleConversation } from './visibility.js';

const wrong = (name: string, message: string): never => {
  throw new Refusal('validation_failed', 'The change is not valid.', {
    problems: [{ location: `body.${name}`, message }],
  });
};

interface Requested {
  readonly status?: 'open' | 'snoozed' | 'closed';
  readonly snoozedUntil?: string;
}

/** Returns the status with the end of a snooze, RFC 3339 in UTC. Refuses `validation_failed`. */
function statusOf({ status, snoozedUntil }: Requested, now: number) {
  if (status !== 'snoozed') {
    if (snoozedUntil !== undefined) wrong('snoozedUntil', 'goes with the status snoozed');
    return status && { status };
  }
  const until = snoozedUntil === undefined ? Number.NaN : (timeMs(snoozedUntil) ?? Number.NaN);
  if (!(until > now && until <= now + LONGEST_SNOOZE_MS))
    return wrong('snoozedUntil', 'must be a time of the coming 366 days');
  return { status, until: new Date(until).toISOString() };
}

/** Refuses `validation_failed` for a member that is not active, and for a team that the store does not have. */
async function checkPeople(
  commands: RequestCommands,
  workspaceId: string,
  { assigneeMemberId, teamId }: { readonly assigneeMemberId?: string | null; readonly teamId?: string | null },
): Promise<void> {
  if (!assigneeMemberId && !teamId) return;
  const known = await commands.query(members, workspaceId, (people) => ({
    isMember: !assigneeMemberId || people.members.get(assigneeMemberId)?.status === 'active',
    isTeam: !teamId || people.teams.has(teamId),
  }));
  if (!known.isMember) wrong('assigneeMemberId', 'must be an active member of the store');
  if (!known.isTeam) wrong('teamId', 'must be a team of the store');
}

export const updateConversation = operation({
  id: 'updateConversation',
  route: 'PATCH {W}/conversations/{conversationId}',
  summary:
    'Assigns, routes, closes, snoozes, opens, pins or marks a conversation as read. Absent fields stay as they are.',
  tag: 'Inbox',
  scope: 'inbox:reply',
  feature: 'channel.number',
  addition: 'An addition to the specification: members work on conversations in an inbox.',
  params: { conversationId: Uuid },
  body: UpdateConversationInputBody,
  answers: { 200: ConversationBody },
  problems: ['not_found'],
  async handle(request) {
    const { body, commands, now, read, workspace } = request;
    const { workspaceId } = workspace;
    const { id, body: before } = await visibleConversation(request, request.params.conversationId);
    if (before.mergedInto !== undefined)
      refuse('not_found', 'The customer of this conversation goes on in another one.');
    const { assigneeMemberId, teamId, pinned } = body;
    const status = statusOf(body, now);
    const people = defined({
      assigneeMemberId: assigneeMemberId?.toLowerCase() ?? assigneeMemberId,
      teamId: teamId?.toLowerCase() ?? teamId,
    });
    await checkPeople(commands, workspaceId, people);
    const isRead = body.read === true && before.unreadCount > 0;
    const change = { ...defined({ status, pinned }), ...people, ...(isRead && { read: true }) };
    await commands.decide(conversation, id, changeConversation(change));
    await read.shown();
    // The caller may have passed it on to a team that it does not see.
    const after = await visibleConversation({ read, workspace }, id);
    return { status: 200, body: new Json(await shownConversation(request, after)) };
  },
});
