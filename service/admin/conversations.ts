import { existingMember, members } from '../../domain/access/members.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import {
  assignConversation,
  LONGEST_SNOOZE_MS,
  pinConversation,
  routeConversation,
  setConversationStatus,
} from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { type Decision, refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { conversations } from '../../projections/conversations.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery, type Option } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { id, maybeOneOf, workspace } from './options.js';
import { listText, table } from './text.js';
import { EXAMPLE_TIME, timeMs } from './times.js';

/** Takes a conversation from a member, or a team. */
const NONE = 'none';

/** State of a conversation after a command. */
interface ConversationState {
  readonly workspaceId: string;
  readonly id: string;
  readonly status: string;
  /** RFC 3339; with snoozed. */
  readonly snoozedUntil?: string;
  readonly teamId?: string;
  readonly assigneeMemberId?: string;
  readonly pinned: boolean;
  readonly changed: boolean;
}

type Decided = Decision<Conversation, ConversationEvent>;

/** Refuses `not_found` for another store's conversation. */
async function decide(
  work: AdminWork,
  { workspaceId, id }: { workspaceId: string; id: string },
  decision: Decided,
): Promise<ConversationState> {
  const found = await work.reads.get(conversations, id);
  if (found?.keys.workspaceId !== workspaceId) refuse('not_found', `The store has no conversation ${id}.`);
  const commands = work.commands(await aboutStore(work, workspaceId));
  const { events } = await commands.decide(conversation, id, decision);
  return commands.query(conversation, id, ({ status, snoozedUntil, teamId, assigneeMemberId, pinned }) => ({
    workspaceId,
    id,
    status,
    ...defined({ snoozedUntil, teamId, assigneeMemberId }),
    pinned,
    changed: events.length > 0,
  }));
}

function written({ id, status, snoozedUntil, teamId, assigneeMemberId, pinned, changed }: ConversationState): string {
  const until = snoozedUntil === undefined ? '' : ` until ${snoozedUntil}`;
  const parts = [
    `${status}${until}`,
    teamId === undefined ? 'of no team' : `of team ${teamId}`,
    assigneeMemberId === undefined ? 'assigned to nobody' : `assigned to ${assigneeMemberId}`,
    ...(pinned ? ['pinned'] : []),
  ];
  return `Conversation ${id} is ${parts.join(', ')}${changed ? '' : ' (unchanged)'}.`;
}

const list = adminQuery({
  name: 'conversations.list',
  about: 'List the conversations of a store: pinned first, then the latest.',
  list: 'conversations',
  forStore: true,
  options: {
    workspace,
    status: maybeOneOf({ value: 'S', about: 'Only this status: open, snoozed or closed.' }, [
      'open',
      'snoozed',
      'closed',
    ]),
    ...paging,
  },
  async run({ reads }, { workspace: workspaceId, status, ...page }) {
    const where = { workspaceId, rank: { gte: 0 }, ...defined({ status }) };
    const { bodies, ...rest } = await listAll(reads, conversations, { where, sort: ['-rank'] }, page);
    return { conversations: bodies, ...rest };
  },
  text: ({ conversations, more }) =>
    listText(
      table(
        ['ID', 'STATUS', 'TEAM', 'ASSIGNEE', 'UNREAD', 'PINNED', 'LAST MESSAGE', 'CUSTOMER'],
        conversations.map((one) => [
          one.id,
          one.status,
          one.routingState === 'awaiting_menu' ? 'asked' : (one.teamId ?? '-'),
          one.assigneeMemberId ?? '-',
          one.unreadCount,
          one.pinned ? 'yes' : '-',
          one.lastMessageAt,
          one.contact.phone || one.contact.name || one.contact.id,
        ]),
        'The store has no conversations.',
      ),
      more,
    ),
});

const one = { workspace, id: id("The conversation's id.") };

const assign = adminCommand({
  name: 'conversations.assign',
  about: 'Assign a conversation to a member.',
  options: { ...one, member: id("The member's id, or none to unassign.") },
  /** Refuses `not_found` for an unknown member. */
  async run(work, { workspace: workspaceId, id, member }) {
    const memberId = member === NONE ? undefined : member;
    if (memberId !== undefined)
      await work.commands().query(members, workspaceId, (people) => existingMember(people, memberId).id);
    return decide(work, { workspaceId, id }, assignConversation({ memberId }));
  },
  text: written,
});

const route = adminCommand({
  name: 'conversations.route',
  about: 'Route a conversation to a team.',
  options: { ...one, team: id("The team's id, or none to show it to every member.") },
  /** Refuses `not_found` for an unknown team. */
  async run(work, { workspace: workspaceId, id, team }) {
    const teamId = team === NONE ? undefined : team;
    const isKnown = await work
      .commands()
      .query(members, workspaceId, ({ teams }) => teamId === undefined || teams.has(teamId));
    if (!isKnown) refuse('not_found', `The store has no team ${teamId}.`);
    return decide(work, { workspaceId, id }, routeConversation({ teamId, by: 'operator' }));
  },
  text: written,
});

const until: Option<string> = {
  value: 'TIME',
  about: 'Time, such as 2026-03-01T08:00:00Z.',
  required: true,
  check(fields, name) {
    const text = fields.text(name);
    const ms = timeMs(text) ?? Number.NaN;
    const ahead = ms - Date.now();
    if (text !== '' && !(ahead > 0 && ahead <= LONGEST_SNOOZE_MS))
      fields.problem(name, `must be a time of the coming 366 days, such as ${EXAMPLE_TIME}`, text);
    return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  },
};

const snooze = adminCommand({
  name: 'conversations.snooze',
  about: 'Snooze a conversation until a time, or until the customer writes.',
  options: { ...one, until },
  run: (work, { workspace: workspaceId, id, until }) =>
    decide(work, { workspaceId, id }, setConversationStatus({ status: 'snoozed', until })),
  text: written,
});

/** A command whose only input is the conversation. */
const simply = (word: string, about: string, decision: Decided): AdminCommand =>
  adminCommand({
    name: `conversations.${word}`,
    about,
    options: one,
    run: (work, { workspace: workspaceId, id }) => decide(work, { workspaceId, id }, decision),
    text: written,
  });

export const conversationCommands: readonly AdminCommand[] = [
  list,
  assign,
  route,
  simply('close', 'Close a conversation until the customer writes.', setConversationStatus({ status: 'closed' })),
  snooze,
  simply('open', 'Open a closed or snoozed conversation.', setConversationStatus({ status: 'open' })),
  simply('pin', 'Pin a conversation to the top of the list.', pinConversation({ pinned: true })),
  simply('unpin', 'Unpin a conversation.', pinConversation({ pinned: false })),
];
