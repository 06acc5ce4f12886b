import type { listConversations, Stands } from '../../admin/conversations.js';
import { type CliCommand, type CliOption, command } from '../command.js';
import { listText, table } from '../text.js';

type List = Awaited<ReturnType<typeof listConversations>>;

const workspace = { value: 'ID', about: "The store's workspace id.", required: true } as const;
const id = { value: 'ID', about: "The conversation's id.", required: true } as const;

function stands({ id: which, status, snoozedUntil, teamId, assigneeMemberId, pinned, changed }: Stands): string {
  const until = snoozedUntil === undefined ? '' : ` until ${snoozedUntil}`;
  const parts = [
    `${status}${until}`,
    teamId === undefined ? 'of no team' : `of team ${teamId}`,
    assigneeMemberId === undefined ? 'assigned to nobody' : `assigned to ${assigneeMemberId}`,
    ...(pinned ? ['pinned'] : []),
  ];
  return `Conversation ${which} is ${parts.join(', ')}${changed ? '' : ' (unchanged)'}.`;
}

/** A command on one conversation; `more`: its options beside the store and the id, handed over as they are typed. */
const onOne = (word: string, about: string, more: Readonly<Record<string, CliOption>> = {}): CliCommand =>
  command<Stands>({
    words: ['admin', 'conversations', word],
    about,
    options: { workspace, id, ...more },
    admin: {
      command: `conversations.${word}`,
      input: (typed) =>
        Object.fromEntries(['workspace', 'id', ...Object.keys(more)].map((name) => [name, typed.one(name)])),
    },
    text: stands,
  });

export const conversationCommands: readonly CliCommand[] = [
  command<List>({
    words: ['admin', 'conversations', 'list'],
    about: 'Lists the conversations of a store: pinned first, then the latest.',
    options: { workspace, status: { value: 'S', about: 'open, snoozed or closed; all when absent.' } },
    admin: {
      command: 'conversations.list',
      input: (typed) => ({ workspace: typed.one('workspace'), status: typed.one('status') }),
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
  }),
  onOne('assign', 'Gives a conversation to a member.', {
    member: { value: 'ID', about: "The member's id; none: nobody has it.", required: true },
  }),
  onOne('route', 'Gives a conversation to a team.', {
    team: { value: 'ID', about: "The team's id; none: every member sees it.", required: true },
  }),
  onOne('close', 'Closes a conversation; it opens when the customer writes.'),
  onOne('snooze', 'Hides a conversation until a time, or until the customer writes.', {
    until: { value: 'TIME', about: 'Such as 2026-03-01T08:00:00Z.', required: true },
  }),
  onOne('open', 'Opens a closed or snoozed conversation.'),
  onOne('pin', 'Lists a conversation before those that are not pinned.'),
  onOne('unpin', 'Takes the pin off.'),
];
