import { expect } from 'chai';
import fc from 'fast-check';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import {
  acceptMessage,
  aheadOf,
  concerns,
  failMessage,
  outboundStatus,
  queueMessage,
  type StatusUpdate,
  updateStatus,
  windowEndsAt,
} from '../../domain/channel/conversationSending.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const numberId = 'number-1';
const asha = { phone: '+252615550101', name: 'Asha' };
const inbound = (id: string) => ({
  messageId: `m-${id}`,
  channelMessageId: id,
  sentAt: '2026-03-01T08:00:00.000Z',
  content: { type: 'text' as const, text: 'hello' },
  customer: asha,
});
const received = (id: string): ConversationEvent => ({ type: 'MessageReceived', data: inbound(id) });
const started: ConversationEvent = { type: 'ConversationStarted', data: { numberId, customer: asha } };
const purpose = { kind: 'order_summary', orderId: 'order-1' } as const;
const outgoing = (messageId: string) => ({
  messageId,
  numberId,
  to: asha,
  content: { type: 'text' as const, text: 'Your order' },
  purpose,
});
const queued = (messageId: string): ConversationEvent => ({ type: 'MessageQueued', data: outgoing(messageId) });
const accepted = (messageId: string): ConversationEvent => ({
  type: 'MessageAccepted',
  data: { messageId, channelMessageId: `wamid.${messageId}`, purpose },
});
const news = (status: StatusUpdate['status'], more: Partial<StatusUpdate> = {}): StatusUpdate => ({
  messageId: 'a',
  channelMessageId: 'wamid.a',
  status,
  at: '2026-03-01T08:01:00.000Z',
  ...more,
});

describe('conversation', () => {
  it('starts with the first message and accepts several at once', () =>
    given(conversation)
      .when(receiveMessages({ numberId, messages: [inbound('w1'), inbound('w2')] }))
      .then([started, received('w1'), received('w2')]));

  it('accepts a message once, whether it is repeated alone or within one delivery', () => {
    const again = receiveMessages({ numberId, messages: [inbound('w1'), inbound('w2'), inbound('w2')] });
    given(conversation, started, received('w1'))
      .when(again)
      .then([received('w2')]);
    given(conversation, started, received('w1'), received('w2')).when(again).then([]);
  });

  it('queues a message once, and starts the conversation when the store writes first', () => {
    given(conversation)
      .when(queueMessage(outgoing('a')))
      .then([started, queued('a')]);
    given(conversation, started, queued('a'))
      .when(queueMessage(outgoing('a')))
      .then([]);
  });

  it('sends in the order in which messages were queued', () => {
    const state = stateAfter(conversation, [started, queued('a'), queued('b')]);
    expect(['a', 'b', 'c'].map((id) => aheadOf(state, id))).to.deep.equal([0, 1, undefined]);
    const later = stateAfter(conversation, [started, queued('a'), queued('b'), accepted('a')]);
    expect(['a', 'b'].map((id) => aheadOf(later, id))).to.deep.equal([undefined, 0]);
  });

  it('carries the purpose of a message into its outcome', () => {
    const accept = acceptMessage({ messageId: 'a', channelMessageId: 'wamid.a' });
    given(conversation, started, queued('a'))
      .when(accept)
      .then([accepted('a')]);
    given(conversation, started, queued('a'), accepted('a')).when(accept).then([]);
    const fail = failMessage({ messageId: 'a', errorCode: '131047', reason: 'outside the window' });
    given(conversation, started, queued('a'), accepted('a'))
      .when(fail)
      .then([
        {
          type: 'MessageFailed',
          data: { messageId: 'a', errorCode: '131047', reason: 'outside the window', purpose, accepted: true },
        },
      ]);
  });

  it('records from a status that the channel accepted the message, if the response was lost', () =>
    given(conversation, started, queued('a'))
      .when(updateStatus(news('delivered')))
      .then([
        accepted('a'),
        { type: 'MessageStatusChanged', data: { messageId: 'a', status: 'delivered', at: '2026-03-01T08:01:00.000Z' } },
      ]));

  it("finds a message by the channel's id if the service's id is missing", () => {
    const state = stateAfter(conversation, [started, queued('a'), accepted('a')]);
    expect(concerns(state, { channelMessageId: 'wamid.a', status: 'sent', at: '' })).to.equal(true);
    expect(concerns(state, { channelMessageId: 'wamid.b', status: 'sent', at: '' })).to.equal(false);
  });

  it('ignores statuses of messages it does not know', () =>
    given(conversation, started)
      .when(updateStatus(news('read')))
      .then([]));

  it('never moves a status back, in any order and number of statuses', () => {
    const rank = ['queued', 'accepted', 'sent', 'delivered', 'read'];
    const statuses = fc.array(fc.constantFrom('sent', 'delivered', 'read', 'failed'), { maxLength: 12 });
    fc.assert(
      fc.property(statuses, (order) => {
        let state = stateAfter(conversation, [started, queued('a')]);
        let before = 'queued';
        for (const status of order) {
          for (const event of updateStatus(news(status as StatusUpdate['status']))(state))
            state = conversation.evolve(state, { ...event, meta: specMeta });
          const now = outboundStatus(state, 'a')!;
          if (before === 'failed') expect(now).to.equal('failed');
          else if (now !== 'failed') expect(rank.indexOf(now)).to.be.at.least(rank.indexOf(before));
          else expect(rank.indexOf(before)).to.be.below(rank.indexOf('delivered'));
          expect(updateStatus(news(status as StatusUpdate['status']))(state), 'the same again').to.deep.equal([]);
          before = now;
        }
      }),
    );
  });

  it('keeps the newest 1,000 inbound ids and drops old outbound messages, but never pending ones', () => {
    const many = Array.from({ length: 1_100 }, (_, i) => received(`w${i}`));
    const sent = Array.from({ length: 400 }, (_, i) => [queued(`x${i}`), accepted(`x${i}`)]).flat();
    const state = stateAfter(conversation, [started, ...many, queued('waiting'), ...sent]);
    expect(state.inbound.size).to.equal(1_000);
    expect(state.inbound.has('w1099')).to.equal(true);
    expect(state.outbound.size).to.equal(300);
    expect(outboundStatus(state, 'waiting')).to.equal('queued');
    expect(outboundStatus(state, 'x399')).to.equal('accepted');
    expect(outboundStatus(state, 'x0')).to.equal(undefined);
  });

  it('stores until when any message may be sent', () => {
    expect(windowEndsAt(stateAfter(conversation, [started]))).to.equal(undefined);
    expect(windowEndsAt(stateAfter(conversation, [started, received('w1')]))).to.equal(
      Date.parse('2026-03-02T08:00:00Z'),
    );
  });

  it('is the same after a snapshot', () => {
    const state = stateAfter(conversation, [started, received('w1'), queued('a'), accepted('a'), queued('b')]);
    const codec = conversation.snapshot!;
    const reader = codec.read();
    for (const chunk of codec.write(state)) reader.add(JSON.parse(JSON.stringify(chunk)) as object);
    expect(reader.done()).to.deep.equal(state);
  });
});
