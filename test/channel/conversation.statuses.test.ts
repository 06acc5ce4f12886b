import { expect } from 'chai';
import fc from 'fast-check';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import {
  acceptMessage,
  failMessage,
  outboundStatus,
  queueMessage,
  type StatusUpdate,
  updateStatus,
} from '../../domain/channel/conversationSending.js';
import type { Conversation, OutboundStatus } from '../../domain/channel/conversationState.js';
import type { Decision } from '../../domain/decider.js';
import { specMeta, stateAfter } from '../support/spec/given.js';

const numberId = 'number-1';
const asha = { phone: '+252615550101', name: 'Asha' };
const at = '2026-03-01T08:01:00.000Z';
const content = { type: 'text', text: 'Your order' } as const;

type Step = { readonly name: string; readonly decision: Decision<Conversation, ConversationEvent> };
const status = (name: StatusUpdate['status'], byChannelId: boolean): Step => ({
  name,
  decision: updateStatus({
    ...(byChannelId ? {} : { messageId: 'a' }),
    channelMessageId: 'wamid.a',
    status: name,
    at,
  }),
});
const NAMES = ['sent', 'delivered', 'read', 'failed'] as const;
const STEPS: readonly Step[] = [
  ...NAMES.flatMap((name) => [status(name, true), status(name, false)]),
  { name: 'answer', decision: acceptMessage({ messageId: 'a', channelMessageId: 'wamid.a' }) },
  { name: 'refusal', decision: failMessage({ messageId: 'a', errorCode: '131026', reason: 'no' }) },
  { name: 'again', decision: queueMessage({ messageId: 'a', numberId, to: asha, content }) },
];
const ORDER: readonly OutboundStatus[] = ['queued', 'accepted', 'sent', 'delivered', 'read'];

describe('conversation: statuses', () => {
  const begin = (): Conversation => {
    const state = conversation.initial();
    return run(state, STEPS.find(({ name }) => name === 'again')!);
  };
  const run = (state: Conversation, { decision }: Step): Conversation =>
    decision(state).reduce((now, event) => conversation.evolve(now, { ...event, meta: specMeta }), state);
  const of = (state: Conversation): OutboundStatus => outboundStatus(state, 'a')!;

  it('only move forward, however the send result, rejections and statuses are mixed and repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 20 }), (steps) => {
        let state = begin();
        for (const step of steps) {
          const before = of(state);
          state = run(state, step);
          const now = of(state);
          if (before === 'failed') expect(now).to.equal('failed');
          else if (now === 'failed') expect(ORDER.indexOf(before)).to.be.below(ORDER.indexOf('delivered'));
          else expect(ORDER.indexOf(now)).to.be.at.least(ORDER.indexOf(before));
          expect(step.decision(state), `${step.name} again`).to.deep.equal([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('end at the highest reported status, in any order', () => {
    const reported = fc.shuffledSubarray(['sent', 'delivered', 'read'] as const, { minLength: 1 });
    fc.assert(
      fc.property(reported, fc.boolean(), (names, isAnswered) => {
        const answer = STEPS.find(({ name }) => name === 'answer')!;
        const steps = [...names.map((name) => status(name, false)), ...(isAnswered ? [answer] : [])];
        const state = steps.reduce(run, begin());
        expect(ORDER.indexOf(of(state))).to.equal(Math.max(...names.map((name) => ORDER.indexOf(name))));
        expect(state.outbound.get('a')!.channelMessageId).to.equal('wamid.a');
      }),
    );
  });

  it('are known after a restart, like everything else that decisions need', () => {
    const until = '2026-03-02T08:00:00.000Z';
    const message = (id: string) => ({
      messageId: `m-${id}`,
      channelMessageId: id,
      sentAt: at,
      content: { type: 'image', channelMediaId: 'media-1' } as const,
      customer: asha,
    });
    const state = stateAfter(conversation, [
      { type: 'ConversationStarted', data: { numberId, customer: asha, contact: { contactId: 'c', language: 'so' } } },
      { type: 'MessageReceived', data: message('w1') },
      { type: 'MessageReceived', data: message('w2') },
      { type: 'MessageReactionChanged', data: { messageId: 'm-w1', by: 'contact', emoji: '👍', at } },
      { type: 'MessageDeleted', data: { messageId: 'm-w2', at } },
      { type: 'EarlyReactionTakenBack', data: { about: 'w3', at, channelMessageId: 'r3' } },
      { type: 'RoutingMenuOffered', data: { messageId: 'menu', teamIds: ['door', 'sales'], deadline: until } },
      { type: 'MessageQueued', data: { messageId: 'a', numberId, to: asha, content } },
      { type: 'MessageQueued', data: { messageId: 'b', numberId, to: asha, content } },
      { type: 'MessageAccepted', data: { messageId: 'a', channelMessageId: 'wamid.a' } },
      { type: 'ConversationAssigned', data: { memberId: 'zahra' } },
      { type: 'ConversationPinned', data: { pinned: true } },
      { type: 'ConversationStatusChanged', data: { status: 'snoozed', before: 'open', until } },
    ]);
    const codec = conversation.snapshot!;
    const reader = codec.read();
    for (const chunk of codec.write(state)) reader.add(JSON.parse(JSON.stringify(chunk)) as object);
    expect(reader.done()).to.deep.equal(state);
  });
});
