import { getConversation } from '../../../api/operations/inbox/getConversation.js';
import { listConversations } from '../../../api/operations/inbox/listConversations.js';
import { listMessages } from '../../../api/operations/inbox/listMessages.js';
import { updateConversation } from '../../../api/operations/inbox/updateConversation.js';
import type { MemberAccess, Principal } from '../../../application/access/principal.js';
import type { ConversationEvent } from '../../../domain/channel/conversationEvents.js';
import { derivedId } from '../../../domain/ids.js';
import type { DocumentStore } from '../../../engine/ports/documents.js';
import type { EventStore, Position } from '../../../engine/ports/eventStore.js';
import type { ProjectionRuntime } from '../../../engine/projections/runtime.js';
import { conversations } from '../../../projections/conversations.js';
import { messages } from '../../../projections/messages.js';
import { asMember, secretKey, shopDirectory } from './apiServer.js';
import { openStage } from './stage.js';

export const STORE = '00000000-0000-4000-8000-0000000000a1';
export const OTHER_STORE = '00000000-0000-4000-8000-0000000000a2';
export const NUMBER = '00000000-0000-4000-8000-0000000000f1';
export const SALES = '00000000-0000-4000-8000-000000000101';
export const SUPPORT = '00000000-0000-4000-8000-000000000102';
export const STOCK = '00000000-0000-4000-8000-000000000103';
const MANY_TEAMS = [SALES, ...Array.from({ length: 49 }, (_, n) => derivedId('test team', n))];
export const AMINA = '00000000-0000-4000-8000-000000000201';
export const BILAL = '00000000-0000-4000-8000-000000000202';

const keyOf = (keyId: string, workspaceId = STORE): Principal => secretKey(keyId, workspaceId, ['inbox:reply']);

/** Principals by credential: a key of the store, a key of another store, and keys that represent members. */
const PRINCIPALS: Readonly<Record<string, Principal>> = {
  sk_test_key: keyOf('key'),
  sk_test_other: keyOf('other', OTHER_STORE),
  sk_test_agent: keyOf('agent'),
  sk_test_everywhere: keyOf('everywhere'),
  sk_test_supervisor: keyOf('supervisor'),
};
const MEMBERS = new Map<string, MemberAccess>([
  ['agent', { memberId: AMINA, role: 'agent', teamIds: [SALES, STOCK], seesEveryTeam: false }],
  // Member of every team that a store may have.
  ['everywhere', { memberId: BILAL, role: 'agent', teamIds: MANY_TEAMS, seesEveryTeam: false }],
  ['supervisor', { memberId: BILAL, role: 'supervisor', teamIds: [], seesEveryTeam: true }],
]);
export type Caller = 'key' | 'other' | 'agent' | 'everywhere' | 'supervisor';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as any client without types would
export type Body = any;

export interface InboxStage {
  readonly eventStore: EventStore;
  readonly views: DocumentStore;
  readonly projections: ProjectionRuntime;
  /** Appends events to the stream of the named conversation, at a minute of the day. */
  append(name: string, minute: number, events: readonly ConversationEvent[], store?: string): Promise<Position>;
  /** Reads `path` below the workspace, once the views show all events. */
  get(path: string, caller?: Caller, store?: string): Promise<{ status: number; body: Body; text: string }>;
  /** Changes the named conversation. */
  patch(name: string, body: object, caller?: Caller): Promise<{ status: number; body: Body }>;
  shown(): Promise<void>;
  close(): Promise<void>;
}

export const conversationId = (name: string): string => derivedId('test conversation', name);
export const messageId = (name: string): string => derivedId('test message', name);
/** Returns the time of a minute of the tests' day. */
export const atMinute = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();

export const started = (phone: string, name = 'Hodan'): ConversationEvent => ({
  type: 'ConversationStarted',
  data: {
    numberId: NUMBER,
    customer: { phone, name },
    contact: { contactId: derivedId('test contact', phone), language: 'so' },
  },
});
export const texted = (id: string, text: string, minute: number, phone = '+252611000001'): ConversationEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: messageId(id),
    channelMessageId: `wamid.${id}`,
    sentAt: atMinute(minute),
    content: { type: 'text', text },
    customer: { phone },
  },
});

export async function inboxStage(): Promise<InboxStage> {
  const stage = await openStage('inbox', { projections: [conversations, messages] });
  const { eventStore, views, projections } = stage;
  // Some of these tests read the documents of a stopped projection.
  const shown = (): Promise<void> => stage.shown().catch(() => undefined);
  const server = await stage.serve({
    operations: [listConversations, getConversation, listMessages, updateConversation].map(asMember(MEMBERS)),
    directory: shopDirectory((key) => PRINCIPALS[key], [STORE, OTHER_STORE]),
  });
  let count = 0;
  return {
    eventStore,
    views,
    projections,
    shown,
    async append(name, minute, events, store = STORE) {
      const meta = {
        at: atMinute(minute),
        actor: { type: 'system' as const },
        correlationId: 'test',
        workspaceId: store,
      };
      const data = events.map((event) => ({ ...event, id: derivedId('test event', count++), meta }));
      return (await eventStore.append(`conversation-${conversationId(name)}`, 'any', data)).position;
    },
    async patch(name, body, caller = 'key') {
      await shown();
      const answer = await fetch(`${server.url}/api/v1/workspaces/${STORE}/conversations/${conversationId(name)}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer sk_test_${caller}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async get(path, caller = 'key', store = STORE) {
      await shown();
      const answer = await fetch(`${server.url}/api/v1/workspaces/${store}${path}`, {
        headers: { authorization: `Bearer sk_test_${caller}` },
      });
      const text = await answer.text();
      return { status: answer.status, body: JSON.parse(text), text };
    },
    close: stage.close,
  };
}
