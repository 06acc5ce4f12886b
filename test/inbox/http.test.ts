import { expect } from 'chai';
import type { ConversationEvent, ConversationStatus } from '../../domain/channel/conversationEvents.js';
import {
  AMINA,
  atMinute,
  BILAL,
  type Body,
  type Caller,
  conversationId,
  type InboxStage,
  inboxStage,
  messageId,
  OTHER_STORE,
  SALES,
  STOCK,
  STORE,
  SUPPORT,
  started,
  texted,
} from '../support/stages/inboxStage.js';

const routed = (teamId?: string): ConversationEvent => ({
  type: 'ConversationRouted',
  data: { ...(teamId === undefined ? {} : { teamId }), by: 'default' },
});
const assigned = (memberId: string): ConversationEvent => ({ type: 'ConversationAssigned', data: { memberId } });
const nowIs = (status: ConversationStatus): ConversationEvent => ({
  type: 'ConversationStatusChanged',
  data: { status, before: 'open', ...(status === 'snoozed' ? { until: atMinute(600) } : {}) },
});
const pinned: ConversationEvent = { type: 'ConversationPinned', data: { pinned: true } };

/** Conversations by name: minute of the last message, and the events that set each conversation apart. */
const CHATS: readonly [name: string, minute: number, ...events: ConversationEvent[]][] = [
  ['sales open', 1, routed(SALES)],
  ['sales amina', 2, routed(SALES), assigned(AMINA)],
  ['sales closed', 3, routed(SALES), assigned(BILAL), nowIs('closed')],
  ['support open', 4, routed(SUPPORT)],
  ['support snoozed', 5, routed(SUPPORT), assigned(AMINA), nowIs('snoozed')],
  ['stock snoozed', 6, routed(STOCK), nowIs('snoozed')],
  ['no team', 7, routed()],
  ['no team amina', 8, routed(), assigned(AMINA)],
  ['pinned old', 0, routed(SALES), pinned],
];

async function fill(stage: InboxStage): Promise<void> {
  for (const [index, [name, minute, ...events]] of CHATS.entries()) {
    const phone = `+2526110000${10 + index}`;
    await stage.append(name, minute, [started(phone), texted(name, `I am ${name}`, minute, phone), ...events]);
  }
  await stage.append('another store', 9, [started('+252611000099'), texted('other', 'hi', 9)], OTHER_STORE);
}

const namesById = new Map(
  [...CHATS.map(([name]) => name), 'another store'].map((name) => [conversationId(name), name]),
);
const named = ({ conversations }: Body): string[] => conversations.map(({ id }: Body) => namesById.get(id));

describe('listConversations', () => {
  let stage: InboxStage;
  before(async () => {
    stage = await inboxStage();
    await fill(stage);
  });
  after(() => stage.close());

  const listed = async (query: string, caller: Caller = 'key'): Promise<string[]> => {
    const { status, body, text } = await stage.get(`/conversations?${query}`, caller);
    expect(status, text).to.equal(200);
    return named(body);
  };

  it('lists pinned ones first, then the latest, and none of another store', async () => {
    expect(await listed('')).to.deep.equal([
      'pinned old',
      'no team amina',
      'no team',
      'stock snoozed',
      'support snoozed',
      'support open',
      'sales closed',
      'sales amina',
      'sales open',
    ]);
    const { body } = await stage.get('/conversations', 'other', OTHER_STORE);
    expect(named(body)).to.deep.equal(['another store']);
    expect(body).to.not.have.property('next');
  });

  it('filters by status; active includes open and snoozed', async () => {
    expect(await listed('status=closed')).to.deep.equal(['sales closed']);
    expect(await listed('status=snoozed')).to.deep.equal(['stock snoozed', 'support snoozed']);
    expect(await listed('status=active'))
      .to.have.length(8)
      .and.not.include('sales closed');
    expect(await listed('status=open')).to.have.length(6);
  });

  it('filters by team and assignee, alone and together', async () => {
    expect(await listed(`teamId=${SUPPORT}`)).to.deep.equal(['support snoozed', 'support open']);
    expect(await listed(`teamId=${SUPPORT}&status=open`)).to.deep.equal(['support open']);
    expect(await listed(`assignee=${AMINA.toUpperCase()}`)).to.deep.equal([
      'no team amina',
      'support snoozed',
      'sales amina',
    ]);
    expect(await listed(`assignee=none&teamId=${SALES}`)).to.deep.equal(['pinned old', 'sales open']);
    expect(await listed(`assignee=${AMINA}&teamId=${SALES}&status=active`)).to.deep.equal(['sales amina']);
    expect(await listed(`assignee=${AMINA}&status=snoozed`)).to.deep.equal(['support snoozed']);
  });

  it("shows a member only their teams' and unassigned ones, for any filter", async () => {
    const own = [
      'pinned old',
      'no team amina',
      'no team',
      'stock snoozed',
      'sales closed',
      'sales amina',
      'sales open',
    ];
    expect(await listed('', 'agent')).to.deep.equal(own);
    expect(await listed(`teamId=${SUPPORT}`, 'agent')).to.deep.equal([]);
    expect(await listed(`teamId=${STOCK}`, 'agent')).to.deep.equal(['stock snoozed']);
    expect(await listed(`assignee=${AMINA}`, 'agent')).to.deep.equal(['no team amina', 'sales amina']);
    expect(await listed('status=closed', 'agent')).to.deep.equal(['sales closed']);
    expect(await listed('', 'supervisor')).to.have.length(9);
  });

  it('resolves me to the calling member; for a key nothing matches', async () => {
    expect(await listed('assignee=me', 'agent')).to.deep.equal(['no team amina', 'sales amina']);
    expect(await listed('assignee=me', 'supervisor')).to.deep.equal(['sales closed']);
    for (const query of ['', '&status=active', `&teamId=${STOCK}`, '&status=closed&limit=1']) {
      const { status, body } = await stage.get(`/conversations?assignee=me${query}`);
      expect([status, body], query).to.deep.equal([200, { conversations: [] }]);
    }
  });

  it('rejects invalid filters', async () => {
    for (const query of ['status=all', 'teamId=sales', 'assignee=you', 'assignee=', 'limit=0', 'limit=201']) {
      const { status, body } = await stage.get(`/conversations?${query}`);
      expect([status, body.code], query).to.deep.equal([422, 'validation_failed']);
    }
    const { status, body } = await stage.get('/conversations?cursor=none');
    expect([status, body.code]).to.deep.equal([422, 'invalid_cursor']);
  });

  it('pages through each filter without missing or repeating any', async () => {
    for (const query of ['', 'status=active', `teamId=${SALES}`, `assignee=${AMINA}`, `assignee=none&teamId=${SALES}`])
      for (const caller of ['key', 'agent', 'everywhere'] as const) {
        const all = await listed(query, caller);
        const paged: string[] = [];
        let cursor = '';
        for (let turn = 0; turn < 20; turn += 1) {
          const { body } = await stage.get(`/conversations?limit=1&${query}${cursor}`, caller);
          paged.push(...named(body));
          if (body.next === undefined) break;
          cursor = `&cursor=${encodeURIComponent(body.next)}`;
        }
        expect(paged, `${query} ${caller}`).to.deep.equal(all);
      }
  });
});

describe('a page of conversations while messages arrive', () => {
  it('shows none twice, and no unchanged one too late', async () => {
    const stage = await inboxStage();
    try {
      for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries())
        await stage.append(name, index, [started(`+25261100001${index}`), texted(name, name, index)]);
      const first = (await stage.get('/conversations?limit=2')).body;
      expect(first.conversations.map(({ id }: Body) => id)).to.deep.equal([conversationId('e'), conversationId('d')]);
      await stage.append('b', 30, [texted('b again', 'hello?', 30)]);
      await stage.append('f', 31, [started('+252611000019'), texted('f', 'f', 31)]);
      const rest = (await stage.get(`/conversations?limit=5&cursor=${encodeURIComponent(first.next)}`)).body;
      expect(rest.conversations.map(({ id }: Body) => id)).to.deep.equal([conversationId('c'), conversationId('a')]);
    } finally {
      await stage.close();
    }
  });
});

describe('one conversation', () => {
  let stage: InboxStage;
  before(async () => {
    stage = await inboxStage();
    await fill(stage);
  });
  after(() => stage.close());

  it('is returned in full', async () => {
    const { body } = await stage.get(`/conversations/${conversationId('support snoozed').toUpperCase()}`);
    expect(body).to.deep.equal({
      id: conversationId('support snoozed'),
      numberId: '00000000-0000-4000-8000-0000000000f1',
      contact: {
        id: body.contact.id,
        phone: '+252611000014',
        name: 'Hodan',
        language: 'so',
        tags: [],
        channelName: 'Hodan',
      },
      routingState: 'routed',
      status: 'snoozed',
      unreadCount: 1,
      lastMessageAt: atMinute(5),
      pinned: false,
      createdAt: atMinute(5),
      updatedAt: atMinute(5),
      assigneeMemberId: AMINA,
      snoozedUntil: atMinute(600),
      teamId: SUPPORT,
      windowExpiresAt: atMinute(5 + 24 * 60),
      lastMessage: {
        direction: 'inbound',
        type: 'text',
        text: 'I am support snoozed',
        status: 'received',
        deleted: false,
      },
    });
  });

  it('and its messages are not found by another store, another team, or under another store', async () => {
    const paths = ['', '/messages'].map((part) => `/conversations/${conversationId('support open')}${part}`);
    for (const path of paths) {
      expect((await stage.get(path, 'supervisor')).status).to.equal(200);
      for (const [caller, store] of [
        ['other', OTHER_STORE],
        ['agent', STORE],
        ['other', STORE],
      ] as const) {
        const { status, body } = await stage.get(path, caller, store);
        expect([status, body.code], `${path} ${caller}`).to.deep.equal([404, 'not_found']);
      }
    }
    const team = await stage.get(`/conversations/${conversationId('no team')}/messages`, 'agent');
    expect(team.status).to.equal(200);
  });
});

describe('listMessages', () => {
  let stage: InboxStage;
  before(async () => {
    stage = await inboxStage();
    await stage.append('chat', 0, [started('+252611000001')]);
    for (let i = 0; i < 5; i += 1) await stage.append('chat', i, [texted(`m${i}`, `message ${i}`, 10 - i)]);
    await stage.append('rival', 9, [started('+252611000002'), texted('theirs', 'secret', 9)], OTHER_STORE);
  });
  after(() => stage.close());

  const path = `/conversations/${conversationId('chat')}/messages`;

  it('returns the newest first in order of arrival, and continues from a page while messages arrive', async () => {
    const first = (await stage.get(`${path}?limit=2`)).body;
    expect(first.messages.map(({ text }: Body) => text)).to.deep.equal(['message 4', 'message 3']);
    await stage.append('chat', 20, [texted('m5', 'message 5', 20)]);
    const second = (await stage.get(`${path}?limit=2&cursor=${encodeURIComponent(first.next)}`)).body;
    expect(second.messages.map(({ text }: Body) => text)).to.deep.equal(['message 2', 'message 1']);
    const third = (await stage.get(`${path}?cursor=${encodeURIComponent(second.next)}`)).body;
    expect(third.messages.map(({ text }: Body) => text)).to.deep.equal(['message 0']);
    expect(third).to.have.all.keys('messages');
  });

  it('returns a message in full', async () => {
    const { body } = await stage.get(`${path}?limit=200`);
    expect(body.messages.at(-1)).to.deep.equal({
      id: messageId('m0'),
      conversationId: conversationId('chat'),
      direction: 'inbound',
      type: 'text',
      text: 'message 0',
      status: 'received',
      reactions: [],
      deleted: false,
      createdAt: atMinute(0),
      sentAt: atMinute(10),
    });
  });

  it('rejects a cursor of another list', async () => {
    await stage.append('chat 2', 21, [started('+252611000003'), texted('x', 'x', 21)]);
    const { next } = (await stage.get('/conversations?limit=1')).body;
    const { status, body } = await stage.get(`${path}?cursor=${encodeURIComponent(next)}`);
    expect([status, body.code]).to.deep.equal([422, 'invalid_cursor']);
  });
});
