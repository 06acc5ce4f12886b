import { expect } from 'chai';
import fc from 'fast-check';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import {
  awaitsMedia,
  customerOnNumber,
  type EndedCall,
  failMedia,
  type InboundMessage,
  receiveCalls,
  receiveMessages,
  receiveNotice,
  storeMedia,
} from '../../domain/channel/conversationReceiving.js';
import {
  acceptMessage,
  channelMessageIdOf,
  queueMessage,
  updateStatus,
} from '../../domain/channel/conversationSending.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const numberId = 'number-1';
const asha = { phone: '+252615550101', name: 'Asha' };
const at = (second: number): string => `2026-03-01T08:00:${String(second).padStart(2, '0')}.000Z`;
const message = (id: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  messageId: `m-${id}`,
  channelMessageId: id,
  sentAt: at(0),
  content: { type: 'text', text: 'hello' },
  customer: asha,
  ...more,
});
const photo = (id: string) => message(id, { content: { type: 'image', channelMediaId: 'media-1', caption: 'this' } });
const reaction = (id: string, about: string, emoji: string, second = 1) =>
  message(id, { sentAt: at(second), content: { type: 'reaction', emoji, channelMessageId: about } });
const revoke = (id: string, about: string) =>
  message(id, { sentAt: at(2), content: { type: 'revoke', messageId: `m-${about}` } });
const started: ConversationEvent = { type: 'ConversationStarted', data: { numberId, customer: asha } };
const received = (one: InboundMessage): ConversationEvent => ({ type: 'MessageReceived', data: one }) as never;
const take = (...messages: InboundMessage[]) => receiveMessages({ numberId, messages });
const reacted = (id: string, messageId: string, emoji: string | undefined, second = 1): ConversationEvent => ({
  type: 'MessageReactionChanged',
  data: { messageId, by: 'contact', ...(emoji && { emoji }), at: at(second), channelMessageId: id },
});
const takenBackEarly = (id: string, about: string, second: number): ConversationEvent => ({
  type: 'EarlyReactionTakenBack',
  data: { about, at: at(second), channelMessageId: id },
});
const joins = (messageId: string, emoji: string, second = 1): ConversationEvent => ({
  type: 'MessageReactionChanged',
  data: { messageId, by: 'contact', emoji, at: at(second) },
});
const gone = (messageId: string, second: number): ConversationEvent => ({
  type: 'MessageDeleted',
  data: { messageId, at: at(second) },
});
const deleted = (id: string, messageId: string): ConversationEvent => ({
  type: 'MessageDeleted',
  data: { messageId, at: at(2), channelMessageId: id },
});
const ours: ConversationEvent[] = [
  {
    type: 'MessageQueued',
    data: { messageId: 'ours', numberId, to: asha, content: { type: 'text', text: 'Good day' } },
  },
  { type: 'MessageAccepted', data: { messageId: 'ours', channelMessageId: 'wamid.ours' } },
];

describe('conversation: receiving', () => {
  it("stores which message is replied to: the customer's, the store's, or one of the same delivery", () => {
    const replies = ['w1', 'wamid.ours', 'w2', 'w9'].map((repliesTo, i) => message(`r${i}`, { repliesTo }));
    const events = given(conversation, started, received(message('w1')), ...ours)
      .when(take(message('w2'), ...replies))
      .events();
    const answered = events.flatMap(({ type, data }) => (type === 'MessageReceived' ? [data.replyToMessageId] : []));
    expect(answered).to.deep.equal([undefined, 'm-w1', 'ours', 'm-w2', undefined]);
  });

  it('accepts a notice of the channel once, which neither starts nor opens a conversation or window', () => {
    const notice = { messageId: 'm-n1', channelMessageId: 'n1', sentAt: at(9), notice: 'customer_identity_changed' };
    const closed: ConversationEvent = {
      type: 'ConversationStatusChanged',
      data: { status: 'closed', before: 'open' },
    };
    given(conversation).when(receiveNotice(notice)).then([]);
    const taken: ConversationEvent = { type: 'NoticeReceived', data: notice };
    given(conversation, started, received(message('w1')), closed)
      .when(receiveNotice(notice))
      .then([taken]);
    given(conversation, started, taken).when(receiveNotice(notice)).then([]);
    expect(stateAfter(conversation, [started, received(message('w1')), taken]).lastCustomerMessageAt).to.equal(
      Date.parse(at(0)),
    );
  });

  describe('reactions', () => {
    it('join a known message of either side, also of the same delivery', () => {
      given(conversation, started, received(message('w1')), ...ours)
        .when(take(reaction('r1', 'w1', '👍'), reaction('r2', 'wamid.ours', '❤️')))
        .then([reacted('r1', 'm-w1', '👍'), reacted('r2', 'ours', '❤️')]);
      given(conversation, started)
        .when(take(message('w1'), reaction('r1', 'w1', '👍')))
        .then([received(message('w1')), reacted('r1', 'm-w1', '👍')]);
    });

    it('change and are removed; an older one that arrives late changes nothing', () => {
      const before = [started, received(message('w1')), reacted('r1', 'm-w1', '👍', 3)];
      given(conversation, ...before)
        .when(take(reaction('r2', 'w1', '', 4)))
        .then([reacted('r2', 'm-w1', undefined, 4)]);
      given(conversation, ...before)
        .when(take(reaction('r0', 'w1', '😡', 2)))
        .then([]);
    });

    it('change nothing when repeated, even with another one in between', () => {
      const after = [started, received(message('w1')), reacted('r1', 'm-w1', '👍'), reacted('r2', 'm-w1', '❤️')];
      given(conversation, ...after)
        .when(take(reaction('r1', 'w1', '👍')))
        .then([]);
    });

    it('are ordered by the customer’s time, also a removal that arrives late', () => {
      const before = [started, received(message('w1'))];
      given(conversation, ...before)
        .when(take(reaction('r2', 'w1', '', 4), reaction('r1', 'w1', '👍', 3)))
        .then([reacted('r2', 'm-w1', undefined, 4)]);
      given(conversation, ...before, reacted('r1', 'm-w1', '👍', 1))
        .when(take(reaction('r3', 'w1', '👍', 5), reaction('r2', 'w1', '', 4)))
        .then([reacted('r3', 'm-w1', '👍', 5)]);
    });

    it('to an unknown message are messages until they are removed or replaced', () => {
      given(conversation, started)
        .when(take(reaction('r1', 'w9', '👍'), reaction('r2', 'w9', '', 2)))
        .then([received(reaction('r1', 'w9', '👍')), takenBackEarly('r2', 'w9', 2), gone('m-r1', 2)]);
      given(conversation, started, received(reaction('r1', 'w9', '👍')))
        .when(take(reaction('r2', 'w9', '❤️', 2), reaction('r0', 'w9', '😡', 0)))
        .then([received(reaction('r2', 'w9', '❤️', 2)), gone('m-r1', 2)]);
    });

    it('that arrive before their message join it when it arrives', () => {
      given(conversation, started, received(reaction('r1', 'w1', '👍')))
        .when(take(message('w1'), reaction('r1', 'w1', '👍')))
        .then([received(message('w1')), joins('m-w1', '👍'), gone('m-r1', 1)]);
      given(conversation, started)
        .when(take(reaction('r1', 'w1', '👍'), message('w1')))
        .then([received(reaction('r1', 'w1', '👍')), received(message('w1')), joins('m-w1', '👍'), gone('m-r1', 1)]);
    });

    it('that were removed before their message arrived stay removed, though the reaction arrives last', () => {
      const events = [started, takenBackEarly('r2', 'w1', 4), received(message('w1'))];
      given(conversation, started, takenBackEarly('r2', 'w1', 4))
        .when(take(message('w1')))
        .then([received(message('w1'))]);
      given(conversation, ...events)
        .when(take(reaction('r1', 'w1', '👍', 3)))
        .then([]);
    });

    it('join a sent message whose channel id arrives later', () => {
      const before = [started, ours[0]!, received(reaction('r1', 'wamid.ours', '👍'))];
      const accept = { messageId: 'ours', channelMessageId: 'wamid.ours' };
      given(conversation, ...before)
        .when(acceptMessage(accept))
        .then([ours[1]!, joins('ours', '👍'), gone('m-r1', 1)]);
      const news = { channelMessageId: 'wamid.ours', messageId: 'ours', status: 'read', at: at(5) } as const;
      given(conversation, ...before)
        .when(updateStatus(news))
        .then([
          ours[1]!,
          joins('ours', '👍'),
          gone('m-r1', 1),
          { type: 'MessageStatusChanged', data: { messageId: 'ours', status: 'read', at: at(5) } },
        ]);
    });

    it('wait for their messages in limited number', () => {
      const many = Array.from({ length: 150 }, (_, i) => received(reaction(`r${i}`, `w${i}`, '👍')));
      expect(stateAfter(conversation, [started, ...many]).early.size).to.equal(100);
    });
  });

  describe('deleted messages', () => {
    it('are marked as deleted once', () => {
      const before = [started, received(message('w1'))];
      given(conversation, ...before)
        .when(take(revoke('d1', 'w1'), revoke('d2', 'w1')))
        .then([deleted('d1', 'm-w1')]);
      given(conversation, ...before, deleted('d1', 'm-w1'))
        .when(take(revoke('d1', 'w1')))
        .then([]);
    });

    it('stay deleted when the message arrives afterwards', () => {
      given(conversation, started)
        .when(take(revoke('d1', 'w1'), message('w1')))
        .then([
          deleted('d1', 'm-w1'),
          received(message('w1')),
          { type: 'MessageDeleted', data: { messageId: 'm-w1', at: at(0) } },
        ]);
    });

    it('do not wait for a file', () => {
      const state = stateAfter(conversation, [started, received(photo('w1')), deleted('d1', 'm-w1')]);
      expect(awaitsMedia(state, 'm-w1')).to.equal(false);
    });
  });

  it('waits for the file of a message until it is stored or given up, once', () => {
    const stored = { messageId: 'm-w1', fileId: 'file-1', mimeType: 'image/png', size: 4_711 };
    const given1 = { messageId: 'm-w1', errorCode: 'gone', reason: 'The channel does not have it any more.' };
    const before = [started, received(photo('w1'))];
    expect(awaitsMedia(stateAfter(conversation, before), 'm-w1')).to.equal(true);
    given(conversation, ...before)
      .when(storeMedia(stored))
      .then([{ type: 'MessageMediaStored', data: stored }]);
    given(conversation, ...before)
      .when(failMedia(given1))
      .then([{ type: 'MessageMediaFailed', data: given1 }]);
    const after = [...before, { type: 'MessageMediaStored', data: stored } as const];
    given(conversation, ...after)
      .when(storeMedia(stored))
      .then([]);
    given(conversation, ...after)
      .when(failMedia(given1))
      .then([]);
    given(conversation, started, received(message('w1')))
      .when(storeMedia(stored))
      .then([]);
  });

  it('adds what the channel later reports about the customer, and drops nothing', () => {
    const known = { phone: '+252615550101', name: 'Asha A.', userId: 'SO.7' };
    given(conversation, started)
      .when(take(message('w1', { customer: { userId: 'SO.7', name: 'Asha A.' } })))
      .then([
        { type: 'ConversationCustomerChanged', data: { customer: known, before: asha } },
        received(message('w1', { customer: { userId: 'SO.7', name: 'Asha A.' } })),
      ]);
    const after = stateAfter(conversation, [
      started,
      { type: 'ConversationCustomerChanged', data: { customer: known, before: asha } },
    ]);
    expect(customerOnNumber(after)?.customer).to.deep.equal(known);
    expect(take(message('w2', { customer: { phone: asha.phone } }))(after).map(({ type }) => type)).to.deep.equal([
      'MessageReceived',
    ]);
  });

  describe('calls', () => {
    const call = (id: string, missed = true): EndedCall => ({
      messageId: `m-${id}`,
      callId: `call-${id}`,
      channelCallId: id,
      missed,
      at: at(0),
      customer: asha,
    });
    const taken = (one: EndedCall): ConversationEvent => ({ type: 'CallReceived', data: one });
    const closed: ConversationEvent = { type: 'ConversationStatusChanged', data: { status: 'closed', before: 'open' } };

    it('are accepted once and start a conversation, but no 24-hour window', () => {
      const calls = receiveCalls({ numberId, calls: [call('c1'), call('c1')] });
      given(conversation)
        .when(calls)
        .then([started, taken(call('c1'))]);
      given(conversation, started, taken(call('c1')))
        .when(calls)
        .then([]);
      expect(stateAfter(conversation, [started, taken(call('c1'))]).lastCustomerMessageAt).to.equal(0);
    });

    it('open a closed conversation if they were missed', () => {
      given(conversation, started, closed)
        .when(receiveCalls({ numberId, calls: [call('c1')] }))
        .then([{ type: 'ConversationStatusChanged', data: { status: 'open', before: 'closed' } }, taken(call('c1'))]);
      given(conversation, started, closed)
        .when(receiveCalls({ numberId, calls: [call('c1', false)] }))
        .then([taken(call('c1', false))]);
    });
  });

  it("resolves the store's message that a message replies to", () => {
    const before = [started, received(message('w1')), ...ours];
    const reply = (replyToMessageId: string) =>
      queueMessage({ messageId: 'b', numberId, to: asha, content: { type: 'text', text: 'Yes' }, replyToMessageId });
    const repliesTo = (id: string) =>
      (
        given(conversation, ...before)
          .when(reply(id))
          .events()[0]!.data as { repliesTo?: string }
      ).repliesTo;
    expect(repliesTo('m-w1')).to.equal('w1');
    expect(repliesTo('ours')).to.equal('wamid.ours');
    expect(repliesTo('m-other')).to.equal(undefined);
    const state = stateAfter(conversation, before);
    expect(['m-w1', 'ours', 'm-other'].map((id) => channelMessageIdOf(state, id))).to.deep.equal([
      'w1',
      'wamid.ours',
      undefined,
    ]);
  });

  it('ends in the same state, however deliveries are split, repeated and mixed', () => {
    const all = [
      message('w1'),
      photo('w2'),
      message('w3', { repliesTo: 'w1' }),
      reaction('r1', 'w1', '👍', 1),
      reaction('r2', 'w1', '❤️', 2),
      reaction('r3', 'w2', '👍', 1),
      reaction('r4', 'w2', '', 3),
      reaction('r5', 'w3', '👍', 3),
      revoke('d1', 'w3'),
    ];
    const marks = (events: readonly ConversationEvent[]) => {
      const state = stateAfter(conversation, events);
      return {
        messages: events
          .flatMap(({ type, data }) =>
            type === 'MessageReceived' && data.content.type !== 'reaction' ? [data.messageId] : [],
          )
          .sort(),
        reactions: [...state.reactions].map(([id, { emoji }]) => `${id} ${emoji}`).sort(),
        deleted: [...state.deleted].filter((id) => !id.startsWith('m-r')),
        alone: events.flatMap(({ type, data }) =>
          type === 'MessageReceived' && data.content.type === 'reaction' && !state.deleted.has(data.messageId)
            ? [data.messageId]
            : [],
        ),
      };
    };
    const inOrder = marks(take(...all)(conversation.initial()));
    const delivery = fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(delivery, { maxLength: 10 }), (mixed) => {
        const retained: ConversationEvent[] = [];
        let state = conversation.initial();
        for (const batch of [...mixed, all, all])
          for (const event of take(...batch)(state)) {
            state = conversation.evolve(state, { ...event, meta: specMeta });
            retained.push(event);
          }
        expect(marks(retained)).to.deep.equal(inOrder);
      }),
    );
  });
});
