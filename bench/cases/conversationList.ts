import type { ConversationStatus } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import type { NewDocument } from '../../engine/ports/documents.js';
import { type ConversationBody, conversations, keysOf } from '../../projections/conversations.js';
import { loadBare, loadOurs } from '../support/bareLoads.js';
import { fillView } from '../support/fillView.js';
import { deepQuery } from '../support/pageReads.js';
import { comparedWithBare, type Figure } from '../support/report.js';
import { mustBe, onStage, teach } from '../support/stage.js';

const CONVERSATIONS = 100_000;
const TEAMS = 10;
const MEMBERS = 40;
const START = Date.parse('2026-01-01T00:00:00Z');
const APART_MS = 30_000;

const timeOf = (n: number): string => new Date(START + n * APART_MS).toISOString();
const teamOf = (n: number): string => derivedId('bench team', n % TEAMS);
const memberOf = (n: number): string => derivedId('bench member', n % MEMBERS);

/** Most chats are done with; of the others some sleep. */
const statusOf = (n: number): ConversationStatus => (n % 4 !== 0 ? 'closed' : n % 12 === 0 ? 'snoozed' : 'open');

function bodyOf(n: number): ConversationBody {
  const status = statusOf(n);
  const at = timeOf(n);
  const name = 'Hodan Warsame';
  return {
    id: derivedId('bench conversation', n),
    numberId: derivedId('bench number'),
    contact: {
      id: derivedId('bench contact', n),
      phone: `+25261${1_000_000 + n}`,
      name,
      language: 'so',
      tags: [],
      channelName: name,
    },
    routingState: 'routed',
    status,
    unreadCount: n % 3,
    lastMessageAt: at,
    pinned: n % 2_000 === 0,
    createdAt: at,
    updatedAt: at,
    ...(n % 7 === 0 ? {} : { teamId: teamOf(Math.floor(n / 7)) }),
    ...(n % 3 === 0 ? {} : { assigneeMemberId: memberOf(Math.floor(n / 3)) }),
    ...(status === 'closed' ? { closedAt: at } : {}),
    ...(status === 'snoozed' ? { snoozedUntil: timeOf(2 * CONVERSATIONS) } : {}),
    windowExpiresAt: new Date(Date.parse(at) + 86_400_000).toISOString(),
    lastMessage: {
      direction: 'inbound',
      type: 'text',
      text: 'Is the blue one still there, and could you bring it tomorrow morning?',
      status: 'received',
      deleted: false,
    },
  };
}

function rowOf(workspaceId: string, n: number): NewDocument {
  const body = bodyOf(n);
  return {
    id: body.id,
    keys: { workspaceId, numberId: body.numberId, lastMessageId: null, ...keysOf(body) },
    body,
    revision: n,
  };
}

const team = `&teamId=${teamOf(3)}`;
const member = `&assignee=${memberOf(5)}`;

const QUERIES: readonly [name: string, query: string, pages?: number][] = [
  ['first page', ''],
  ['deep page', '', 100],
  ['active', '&status=active'],
  ['active, deep page', '&status=active', 50],
  ['closed, deep page', '&status=closed', 100],
  ['by team', team],
  ['by team, deep page', team, 20],
  ['by team, active', `${team}&status=active`],
  ['by assignee', member],
  ['by assignee, active', `${member}&status=active`],
  ['of nobody, deep page', '&assignee=none', 40],
  ['by team, of nobody, active', `${team}&assignee=none&status=active`],
  ['by team and assignee', `${team}${member}`],
];

/** Pages of 50 of a store with 100,000 conversations, compared with a bare answer of the same bytes. */
export async function listConversations(): Promise<Figure[]> {
  return onStage(
    async (stage) => {
      const path = `/api/v1/workspaces/${stage.demo.store.workspaceId}/conversations`;
      const figures: Figure[] = [];
      for (const [name, requested, pages] of QUERIES) {
        const query = pages === undefined ? requested : await deepQuery(stage, path, requested, pages);
        const sample = await stage.call('GET', `${path}?limit=50${query}`);
        mustBe(`listConversations ${name}`, sample.status === 200, sample.text.slice(0, 500));
        const rows = (JSON.parse(sample.text) as { conversations: unknown[] }).conversations.length;
        mustBe(`listConversations ${name}`, rows > 0, rows);
        await teach(stage, sample.text);
        const ours = await loadOurs(stage, `${path}?limit=50${query}`, { seconds: 4 });
        const bare = await loadBare(stage, { seconds: 4 });
        figures.push(comparedWithBare(`listConversations, ${rows} of 100,000, ${name}`, ours, bare, 0.4));
      }
      return figures;
    },
    { prepare: (folder) => fillView(folder, conversations, CONVERSATIONS, rowOf) },
  );
}
