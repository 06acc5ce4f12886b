/** Changes of a conversation by members: assignee, team, status, pin and unread, over HTTP. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import {
  AMINA,
  atMinute,
  type Body,
  conversationId,
  type InboxStage,
  inboxStage,
  SALES,
  STORE,
  SUPPORT,
  started,
  texted,
} from '../support/stages/inboxStage.js';

const UNKNOWN = '00000000-0000-4000-8000-0000000009ff';
const DAY_MS = 24 * 3_600_000;
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('updateConversation', () => {
  let stage: InboxStage;
  before(async () => {
    stage = await inboxStage();
    const meta = { at: atMinute(0), actor: { type: 'system' as const }, correlationId: 'test', workspaceId: STORE };
    const member = { memberId: AMINA, userId: UNKNOWN, name: 'Amina', role: 'agent', status: 'active' } as const;
    const queue = { strategy: 'all', ringTimeoutSeconds: 20, maxWaitSeconds: 60, secondsPerPerson: 60 } as const;
    const team = { name: 'Sales', color: 'chart-1', members: [], queue, workingHours: null, isDefault: true } as const;
    await stage.eventStore.append(`members-${STORE}`, 'noStream', [
      { id: derivedId('changing', 1), type: 'MemberAdded', data: member, meta },
      { id: derivedId('changing', 2), type: 'TeamCreated', data: { ...team, teamId: SALES }, meta },
    ]);
    for (const [i, name] of ['assigned', 'snoozed', 'read', 'passed on', 'another team'].entries()) {
      const phone = `+25261100002${i}`;
      await stage.append(name, i, [started(phone), texted(name, `I am ${name}`, i, phone)]);
    }
    await stage.append('another team', 9, [{ type: 'ConversationRouted', data: { teamId: SUPPORT, by: 'operator' } }]);
  });
  after(() => stage.close());
  const events = async (name: string) =>
    (await stage.eventStore.readStream(`conversation-${conversationId(name)}`)).slice(2).map(({ type }) => type);
  const refusal = ({ status, body }: { status: number; body: Body }) => [status, body.errors?.[0]?.location];

  it('assigns, pins and routes at once, and repeats nothing', async () => {
    const change = { assigneeMemberId: AMINA, pinned: true, teamId: SALES };
    const { status, body } = await stage.patch('assigned', change);
    expect([status, body.assigneeMemberId, body.pinned, body.teamId]).to.deep.equal([200, AMINA, true, SALES]);
    expect(await events('assigned')).to.deep.equal([
      'ConversationAssigned',
      'ConversationRouted',
      'ConversationPinned',
    ]);
    await stage.patch('assigned', change);
    expect(await events('assigned')).to.have.lengthOf(3);
    const none = await stage.patch('assigned', { assigneeMemberId: null, pinned: false });
    expect([none.body.assigneeMemberId, none.body.pinned]).to.deep.equal([undefined, false]);
  });

  it('snoozes until a time of the coming 366 days, closes and opens', async () => {
    const until = later(DAY_MS);
    const snoozed = await stage.patch('snoozed', { status: 'snoozed', snoozedUntil: until });
    expect([snoozed.body.status, snoozed.body.snoozedUntil]).to.deep.equal(['snoozed', until]);
    expect((await stage.patch('snoozed', { status: 'closed' })).body.status).to.equal('closed');
    expect((await stage.patch('snoozed', { status: 'open' })).body.status).to.equal('open');
    for (const wrong of [
      { status: 'snoozed' },
      { status: 'snoozed', snoozedUntil: later(-DAY_MS) },
      { status: 'snoozed', snoozedUntil: later(367 * DAY_MS) },
      { status: 'closed', snoozedUntil: until },
    ])
      expect(refusal(await stage.patch('snoozed', wrong))).to.deep.equal([422, 'body.snoozedUntil']);
  });

  it('marks it as read, once, and the next message is unread again', async () => {
    expect((await stage.get(`/conversations/${conversationId('read')}`)).body.unreadCount).to.equal(1);
    expect((await stage.patch('read', { read: true })).body.unreadCount).to.equal(0);
    expect((await stage.patch('read', { read: true })).status).to.equal(200);
    expect(await events('read')).to.deep.equal(['ConversationRead']);
    await stage.append('read', 30, [texted('once more', 'Hello?', 30, '+252611000022')]);
    expect((await stage.get(`/conversations/${conversationId('read')}`)).body.unreadCount).to.equal(1);
  });

  it('rejects a member or team that the store does not have', async () => {
    expect(refusal(await stage.patch('read', { assigneeMemberId: UNKNOWN }))).to.deep.equal([
      422,
      'body.assigneeMemberId',
    ]);
    expect(refusal(await stage.patch('read', { teamId: UNKNOWN }))).to.deep.equal([422, 'body.teamId']);
    expect((await stage.patch('read', {})).status, 'nothing to change').to.equal(200);
  });

  it('is for the teams of the member, who may pass it on to another one', async () => {
    expect((await stage.patch('another team', { pinned: true }, 'agent')).status).to.equal(404);
    expect((await stage.patch('another team', { pinned: true }, 'other')).status).to.equal(404);
    await stage.patch('passed on', { teamId: SALES }, 'agent');
    expect((await stage.patch('another team', { teamId: SALES }, 'supervisor')).status).to.equal(200);
    expect((await stage.get(`/conversations/${conversationId('another team')}`, 'agent')).status).to.equal(200);
  });
});
