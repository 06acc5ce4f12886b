import { existingMember, members } from '../../domain/access/members.js';
import {
  assignConversation,
  type Conversation,
  conversation,
  pinConversation,
  routeConversation,
  setConversationStatus,
} from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { type Decision, refuse } from '../../domain/decider.js';
import { conversations } from '../../projections/conversations.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

const STATUSES = ['open', 'snoozed', 'closed'] as const;
/** Takes a conversation from a member, or a team. */
const NONE = 'none';
/** A snooze ends within a year. */
const LONGEST_SNOOZE_MS = 366 * 24 * 3_600_000;

/** How a conversation stands after a command. */
export interface Stands {
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

const target = (fields: Fields): { workspaceId: string; id: string } => ({
  workspaceId: fields.text('workspace'),
  id: fields.text('id').toLowerCase(),
});

/** Refuses `not_found` for another store's conversation. */
async function decide(
  work: AdminWork,
  { workspaceId, id }: { workspaceId: string; id: string },
  decision: Decision<Conversation, ConversationEvent>,
): Promise<Stands> {
  const found = await work.reads.get(conversations, id);
  if (found?.keys.workspaceId !== workspaceId) refuse('not_found', `The store has no conversation ${id}.`);
  const commands = work.commands(await aboutStore(work, workspaceId));
  const { events } = await commands.decide(conversation, id, decision);
  return commands.query(conversation, id, ({ status, snoozedUntil, teamId, assigneeMemberId, pinned }) => ({
    workspaceId,
    id,
    status,
    ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
    ...(teamId === undefined ? {} : { teamId }),
    ...(assigneeMemberId === undefined ? {} : { assigneeMemberId }),
    pinned,
    changed: events.length > 0,
  }));
}

/** `{workspace, status?}`; pinned first, then the latest, as the API lists them. */
export async function listConversations({ reads }: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const status = fields.optionalOneOf('status', STATUSES);
  fields.check();
  const where = { workspaceId, rank: { gte: 0 }, ...(status === undefined ? {} : { status }) };
  const { bodies, more } = await listAll(reads, conversations, { where, sort: ['-rank'] });
  return { conversations: bodies, more };
}

/** `{workspace, id, member}`; `none` for the member: nobody has it. Refuses `not_found` for an unknown member. */
export async function assignToMember(work: AdminWork, input: unknown): Promise<Stands> {
  const fields = new Fields(input);
  const about = target(fields);
  const named = fields.text('member').toLowerCase();
  fields.check();
  const memberId = named === NONE ? undefined : named;
  if (memberId !== undefined)
    await work.commands().query(members, about.workspaceId, (people) => existingMember(people, memberId).id);
  return decide(work, about, assignConversation({ memberId }));
}

/** `{workspace, id, team}`; `none` for the team: every member sees it. Refuses `not_found` for an unknown team. */
export async function routeToTeam(work: AdminWork, input: unknown): Promise<Stands> {
  const fields = new Fields(input);
  const about = target(fields);
  const named = fields.text('team').toLowerCase();
  fields.check();
  const teamId = named === NONE ? undefined : named;
  const isKnown = await work
    .commands()
    .query(members, about.workspaceId, ({ teams }) => teamId === undefined || teams.has(teamId));
  if (!isKnown) refuse('not_found', `The store has no team ${teamId}.`);
  return decide(work, about, routeConversation({ teamId, by: 'operator' }));
}

function untilOf(fields: Fields): string {
  const text = fields.text('until');
  const ms = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  const ahead = ms - Date.now();
  if (text !== '' && !(ahead > 0 && ahead <= LONGEST_SNOOZE_MS))
    fields.problem('until', 'must be a time of the coming 366 days, such as 2026-03-01T08:00:00Z', text);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** `{workspace, id, until}`: hidden until then (RFC 3339), or until the customer writes. */
export async function snoozeConversation(work: AdminWork, input: unknown): Promise<Stands> {
  const fields = new Fields(input);
  const about = target(fields);
  const until = untilOf(fields);
  fields.check();
  return decide(work, about, setConversationStatus({ status: 'snoozed', until }));
}

/** `{workspace, id}` → what the decision makes of it. */
const simply =
  (decision: Decision<Conversation, ConversationEvent>) =>
  async (work: AdminWork, input: unknown): Promise<Stands> => {
    const fields = new Fields(input);
    const about = target(fields);
    fields.check();
    return decide(work, about, decision);
  };

export const closeConversation = simply(setConversationStatus({ status: 'closed' }));
export const openConversation = simply(setConversationStatus({ status: 'open' }));
export const pin = simply(pinConversation({ pinned: true }));
export const unpin = simply(pinConversation({ pinned: false }));
