import { expect } from 'chai';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import {
  accepted,
  chatAfter,
  deleted,
  failed,
  hello,
  MEMBER,
  moved,
  PHONE,
  queued,
  reaction,
  received,
} from '../support/stages/inboxEvents.js';
import { atMinute, messageId, SALES, texted } from '../support/stages/inboxStage.js';

describe('a conversation', () => {
  it('starts open, without a team and without messages', () => {
    const { chat, keys } = chatAfter();
    expect(chat).to.deep.include({
      status: 'open',
      routingState: 'routed',
      unreadCount: 0,
      lastMessageAt: atMinute(0),
    });
    expect(chat).to.not.have.any.keys('teamId', 'lastMessage', 'windowExpiresAt', 'assigneeMemberId');
    expect(keys).to.include({ workspaceId: 'store', phone: PHONE, status: 'open', teamId: null, assignee: null });
  });

  it('counts unread messages until somebody replies; reactions and automatic messages change nothing', () => {
    const two = [texted('1', 'hi', 1), texted('2', 'hello?', 2)];
    expect(chatAfter(...two).chat.unreadCount).to.equal(2);
    const lost = received({ type: 'reaction', emoji: '👍', channelMessageId: 'wamid.lost' });
    expect(chatAfter(...two, hello, lost, reaction('👍')).chat).to.deep.include({
      unreadCount: 2,
      lastMessage: { direction: 'outbound', type: 'text', text: 'Hello', status: 'pending', deleted: false },
      lastMessageAt: atMinute(3),
    });
    expect(chatAfter(...two, queued({ type: 'text', text: 'Yes' }, { clientMsgId: 'c' })).chat.unreadCount).to.equal(0);
  });

  it("is open for messages until a day after the customer's latest message, in any order", () => {
    const day = 24 * 60;
    expect(chatAfter(texted('1', 'a', 30), texted('2', 'b', 10)).chat.windowExpiresAt).to.equal(atMinute(30 + day));
    expect(chatAfter(hello).chat).to.not.have.property('windowExpiresAt');
  });

  it('shows the status of its last message only', () => {
    const { chat } = chatAfter(hello, accepted, moved('delivered', 3));
    expect(chat.lastMessage).to.deep.include({ status: 'delivered' });
    expect(chat.updatedAt).to.equal(atMinute(3));
    const answered = chatAfter(hello, texted('1', 'thanks', 2), accepted, moved('read', 4)).chat;
    expect(answered.lastMessage).to.deep.include({ text: 'thanks', status: 'received' });
    expect(chatAfter(texted('in', 'secret', 1), deleted()).chat.lastMessage).to.deep.include({
      text: '',
      deleted: true,
    });
    expect(chatAfter(hello, failed).chat.lastMessage).to.deep.include({ status: 'failed' });
  });

  it('waits for a choice until its deadline, and is then assigned to a team', () => {
    const offered: ConversationEvent = {
      type: 'RoutingMenuOffered',
      data: { messageId: messageId('menu'), teamIds: [SALES], deadline: atMinute(6) },
    };
    expect(chatAfter(offered).chat).to.include({ routingState: 'awaiting_menu', routingDeadline: atMinute(6) });
    const routed = chatAfter(offered, { type: 'ConversationRouted', data: { teamId: SALES, by: 'menu' } });
    expect(routed.chat).to.include({ routingState: 'routed', teamId: SALES });
    expect(routed.chat).to.not.have.property('routingDeadline');
    expect(routed.keys.teamId).to.equal(SALES);
    const nobody = chatAfter(
      { type: 'ConversationRouted', data: { teamId: SALES, by: 'menu' } },
      { type: 'ConversationRouted', data: { before: SALES, by: 'operator' } },
    );
    expect(nobody.chat).to.not.have.property('teamId');
    expect(nobody.keys.teamId).to.equal(null);
  });

  it('is assigned, closed, snoozed and pinned, and each is undone', () => {
    const assigned = chatAfter({ type: 'ConversationAssigned', data: { memberId: MEMBER } });
    expect([assigned.chat.assigneeMemberId, assigned.keys.assignee]).to.deep.equal([MEMBER, MEMBER]);
    const free = chatAfter(
      { type: 'ConversationAssigned', data: { memberId: MEMBER } },
      { type: 'ConversationAssigned', data: { before: MEMBER } },
    );
    expect([free.chat.assigneeMemberId, free.keys.assignee]).to.deep.equal([undefined, null]);
    const closed: ConversationEvent = {
      type: 'ConversationStatusChanged',
      data: { status: 'closed', before: 'open', reason: 'done' },
    };
    expect(chatAfter(closed).chat).to.include({ status: 'closed', closedAt: atMinute(1) });
    const snoozed: ConversationEvent = {
      type: 'ConversationStatusChanged',
      data: { status: 'snoozed', before: 'closed', until: atMinute(90) },
    };
    const asleep = chatAfter(closed, snoozed);
    expect(asleep.chat)
      .to.include({ status: 'snoozed', snoozedUntil: atMinute(90) })
      .and.not.have.property('closedAt');
    expect(asleep.keys.status).to.equal('snoozed');
    const open = chatAfter(snoozed, { type: 'ConversationStatusChanged', data: { status: 'open', before: 'snoozed' } });
    expect(open.chat).to.include({ status: 'open' }).and.not.have.property('snoozedUntil');
    const pinned = chatAfter({ type: 'ConversationPinned', data: { pinned: true } });
    expect(pinned.chat.pinned).to.equal(true);
    expect(pinned.keys.rank).to.be.greaterThan(Date.parse(atMinute(0)) * 2);
  });

  it("shows the channel's latest data about the customer, under the same contact", () => {
    const { chat, keys } = chatAfter({
      type: 'ConversationCustomerChanged',
      data: { customer: { userId: 'US.1', name: 'Hodan Ali' }, before: { phone: PHONE, name: 'Hodan' } },
    });
    expect(chat.contact).to.deep.equal({
      id: derivedId('test contact', PHONE),
      phone: '',
      name: 'Hodan Ali',
      language: 'so',
      tags: [],
      channelName: 'Hodan Ali',
    });
    expect(keys.phone).to.equal(null);
  });
});
