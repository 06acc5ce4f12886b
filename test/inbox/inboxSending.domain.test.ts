import { expect } from 'chai';
import fc from 'fast-check';
import { failureReason } from '../../application/channel/failureReasons.js';
import { consequenceOf } from '../../application/channel/sendErrors.js';
import { createSendRate } from '../../application/channel/sendRate.js';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { aheadOf, paceOf, waitingMessages } from '../../domain/channel/conversationSending.js';
import { MOST_WAITING, recall, sendMessage, startConversation } from '../../domain/channel/memberMessages.js';
import { sendingQueues } from '../../projections/sendingQueues.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const HOUR = 3_600_000;
const asha = { phone: '+252615550101', name: 'Asha' };
const started: ConversationEvent = {
  type: 'ConversationStarted',
  data: { numberId: 'number', customer: asha, contact: { contactId: 'contact', language: 'so' } },
};
const received = (hoursAgo: number): ConversationEvent => ({
  type: 'MessageReceived',
  data: {
    messageId: `in ${hoursAgo}`,
    channelMessageId: `wamid.${hoursAgo}`,
    sentAt: new Date(NOW - hoursAgo * HOUR).toISOString(),
    content: { type: 'text', text: 'Is it there?' },
    customer: asha,
  },
});
const queued = (messageId: string): ConversationEvent => ({
  type: 'MessageQueued',
  data: { messageId, numberId: 'number', to: asha, content: { type: 'text', text: messageId } },
});
const accepted = (messageId: string): ConversationEvent => ({
  type: 'MessageAccepted',
  data: { messageId, channelMessageId: `wamid.${messageId}` },
});
const failed = (messageId: string, taken = false): ConversationEvent => ({
  type: 'MessageFailed',
  data: { messageId, errorCode: '131026', reason: 'gone', ...(taken ? { accepted: true } : {}) },
});
const closed = (reason?: string): ConversationEvent => ({
  type: 'ConversationStatusChanged',
  data: { status: 'closed', before: 'open', ...(reason === undefined ? {} : { reason }) },
});
const text = {
  messageId: 'm',
  numberId: '',
  to: {},
  content: { type: 'text', text: 'Yes' },
  clientMsgId: 'c',
} as const;
const template = {
  ...text,
  content: { type: 'template', name: 'ready', language: 'so', body: [], text: 'Ready' },
} as const;
const trouble = (code: string, retry = true, after?: number) => new ProviderError(code, 'no', retry, after);

describe('sending to a customer', () => {
  it('uses the customer and the number of the conversation', () =>
    given(conversation, started, received(1))
      .when(sendMessage(text, NOW))
      .then([{ type: 'MessageQueued', data: { ...text, numberId: 'number', to: asha } }]));

  it('accepts anything within 24 hours, and only a template afterwards or before the customer ever wrote', () => {
    for (const events of [[started, received(24)], [started]]) {
      given(conversation, ...events)
        .when(sendMessage(text, NOW))
        .thenRefused('window_closed');
      given(conversation, ...events)
        .when(sendMessage(template, NOW))
        .then([{ type: 'MessageQueued', data: { ...template, numberId: 'number', to: asha } }]);
    }
    given(conversation, started, received(23.9))
      .when(sendMessage(text, NOW))
      .then([{ type: 'MessageQueued', data: { ...text, numberId: 'number', to: asha } }]);
  });

  it('recognises a repeated message, whatever has happened since', () =>
    given(conversation, started, received(30), queued('m'), accepted('m'), closed('merged'))
      .when(sendMessage(text, NOW))
      .then([]));

  it('is rejected in a conversation that was merged into another', () =>
    given(conversation, started, received(1), closed('merged'))
      .when(sendMessage(text, NOW))
      .thenRefused('conversation_merged'));

  it('does not know whether a message is new once old ones were dropped', () => {
    const many = Array.from({ length: 301 }, (_, n) => [queued(`m${n}`), accepted(`m${n}`)]).flat();
    const state = stateAfter(conversation, [started, ...many]);
    expect([recall(state, 'm300'), recall(state, 'm0'), recall(state, 'other')]).to.deep.equal([
      'known',
      'perhaps',
      'perhaps',
    ]);
    expect(recall(stateAfter(conversation, [started, queued('m')]), 'other')).to.equal('new');
  });

  it('accepts at most a thousand pending messages', () => {
    const waiting = Array.from({ length: MOST_WAITING }, (_, n) => queued(`m${n}`));
    given(conversation, started, received(1), ...waiting)
      .when(sendMessage(text, NOW))
      .thenRefused('sending_queue_full');
    given(conversation, started, received(1), ...waiting, failed('m5'))
      .when(sendMessage(text, NOW))
      .then([{ type: 'MessageQueued', data: { ...text, numberId: 'number', to: asha } }]);
  });
});

describe('starting a conversation', () => {
  const command = {
    message: { ...template, numberId: 'number', to: asha, contact: { contactId: 'contact', language: 'so' } },
    teamId: undefined,
    otherwise: 'sales',
    sees: () => true,
  } as const;
  const types = (...events: ConversationEvent[]) =>
    startConversation(command, NOW)(stateAfter(conversation, events)).map(({ type }) => type);

  it('opens one for the team, or reopens the existing one, which keeps its team', () => {
    expect(types()).to.deep.equal(['ConversationStarted', 'ConversationRouted', 'MessageQueued']);
    const routed: ConversationEvent = { type: 'ConversationRouted', data: { teamId: 'support', by: 'menu' } };
    expect(types(started, routed)).to.deep.equal(['MessageQueued']);
    expect(types(started, routed, closed())).to.deep.equal(['ConversationStatusChanged', 'MessageQueued']);
  });

  it('ends the wait for a choice from the menu', () => {
    const offered: ConversationEvent = {
      type: 'RoutingMenuOffered',
      data: { messageId: 'menu', teamIds: ['sales', 'support'], deadline: '2026-03-02T09:05:00.000Z' },
    };
    expect(types(started, offered)).to.deep.equal(['ConversationRouted', 'MessageQueued']);
  });

  it('is rejected in a conversation of a team that the caller cannot see', () => {
    const routed: ConversationEvent = { type: 'ConversationRouted', data: { teamId: 'support', by: 'menu' } };
    given(conversation, started, routed)
      .when(startConversation({ ...command, sees: (team) => team !== 'support' }, NOW))
      .thenRefused('permission_denied');
  });
});

describe('pending messages', () => {
  const STEPS = { queue: queued, accept: accepted, fail: failed } as const;
  const steps = fc.array(fc.tuple(fc.constantFrom('queue', 'accept', 'fail'), fc.nat(20)), { maxLength: 60 });
  type Step = readonly ['queue' | 'accept' | 'fail', number];

  /** Returns the pending messages after these steps. Each message is queued once. */
  function waitingAfter(plan: readonly Step[]): string[] {
    const waiting = new Set<string>();
    const known = new Set<string>();
    for (const [step, n] of plan) {
      if (step !== 'queue') waiting.delete(`m${n}`);
      else if (!known.has(`m${n}`)) waiting.add(`m${n}`);
      if (step === 'queue') known.add(`m${n}`);
    }
    return [...waiting];
  }
  /** Returns the events that decisions would produce. No message is queued twice. */
  const eventsOf = (plan: readonly Step[]): ConversationEvent[] =>
    plan.flatMap(([step, n], i) => {
      const isRepeat = step === 'queue' && plan.slice(0, i).some(([before, m]) => before === 'queue' && m === n);
      return isRepeat ? [] : [STEPS[step](`m${n}`)];
    });

  it('are those queued and neither accepted nor failed, in that order, also after a restart', () =>
    fc.assert(
      fc.property(steps, (plan) => {
        const expected = waitingAfter(plan);
        const state = stateAfter(conversation, [started, ...eventsOf(plan)]);
        const reading = conversation.snapshot!.read();
        for (const chunk of conversation.snapshot!.write(state)) reading.add(JSON.parse(JSON.stringify(chunk)));
        for (const one of [state, reading.done()]) {
          expect([...one.waiting]).to.deep.equal(expected);
          expect(waitingMessages(one)).to.equal(expected.length);
          expect(expected.map((id) => aheadOf(one, id))).to.deep.equal(expected.map((_, place) => place));
          expect(aheadOf(one, 'never queued')).to.equal(undefined);
        }
      }),
    ));

  it('are sent at most 45 at once and then one in 6 s, whenever requested', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { minLength: 60, maxLength: 120 }), (pauses) => {
        let state = stateAfter(conversation, [started]);
        let now = NOW;
        const times: number[] = [];
        for (const [n, pause] of pauses.entries()) {
          now = paceOf(state, 0, now + pause);
          times.push(now);
          for (const event of [queued(`m${n}`), accepted(`m${n}`)])
            state = conversation.evolve(state, { ...event, meta: { ...specMeta, at: new Date(now).toISOString() } });
        }
        // Limit for any span of time: a burst of 45, and one more for every 6 s.
        const beyond = times.flatMap((from, i) =>
          times.slice(i).filter((to, more) => more + 1 > 45 + Math.floor((to - from) / 6_000)),
        );
        expect(beyond).to.deep.equal([]);
      }),
      { numRuns: 30 },
    ));

  it('are counted per store, never below zero', () => {
    const count = (...events: ConversationEvent[]): number | undefined => {
      let view: { keys: object; body: { waiting: number } } | undefined;
      for (const event of events) {
        const handler = sendingQueues.on[event.type] as unknown as
          | { evolve: (before: typeof view, event: ConversationEvent) => typeof view }
          | undefined;
        if (handler !== undefined) view = handler.evolve(view, event);
      }
      return view?.body.waiting;
    };
    expect(count(queued('a'), queued('b'), accepted('a'))).to.equal(1);
    expect(count(queued('a'), accepted('a'), failed('a', true), queued('b'))).to.equal(1);
    expect(count(queued('a'), failed('a'))).to.equal(0);
    expect(count(queued('a'), accepted('a'), failed('a'), queued('b'))).to.equal(1);
  });
});

describe('a message rejected by the channel', () => {
  const cases: [string, ProviderError, number, object][] = [
    ['a pair limit waits 4^n s', trouble('131056'), 3, { againInMs: 64_000, withinMs: 24 * HOUR }],
    ['a rate limit pauses the number', trouble('130429'), 2, { againInMs: 4_000, withinMs: 24 * HOUR, pauseMs: 4_000 }],
    [
      'a rate limit waits as long as requested',
      trouble('4', true, 9_000),
      0,
      { againInMs: 9_000, withinMs: 24 * HOUR, pauseMs: 9_000 },
    ],
    ['a temporary error backs off', trouble('131016'), 4, { againInMs: 16_000, withinMs: 24 * HOUR }],
    ['at most five minutes', trouble('1'), 50, { againInMs: 300_000, withinMs: 24 * HOUR }],
    ['an unknown outcome waits for a status', trouble('timeout'), 0, { againInMs: 10_000, withinMs: 24 * HOUR }],
    [
      'rejected credentials are retried for a while',
      trouble('190', false),
      0,
      { againInMs: 5_000, withinMs: HOUR / 4, pauseMs: 5_000 },
    ],
    ['a spam restriction stops the number too', trouble('131048', false), 0, { withinMs: 0, pauseMs: 60_000 }],
    ...['131049', '130472', '131026', '131047', '131050', '130403', '100', '10', '200', '132001'].map(
      (code): [string, ProviderError, number, object] => [`${code} ends it`, trouble(code, false), 0, { withinMs: 0 }],
    ),
  ];
  for (const [name, error, failures, expected] of cases)
    it(name, () => expect(consequenceOf(error, failures)).to.deep.equal(expected));

  it('shows the agent the reason in words, for every code of the table', () => {
    const table = [0, 190, 3, 10, 200, 299, 131005, 4, 80007, 130429, 131056, 131047, 131026, 131048, 131064, 131049];
    const more = [130472, 131050, 130403, 100, 131008, 131009, 132000, 132001, 132012, 132015, 132016, 1, 2, 131000];
    for (const code of [...table, ...more, 131016, 131057])
      expect(failureReason(String(code)), String(code))
        .to.match(/^[A-Z].*[.]$/)
        .and.to.not.match(/\d{3}/);
    expect(failureReason('424242')).to.include('424242');
  });

  it('pauses its number if requested, and no other', () => {
    const rate = createSendRate();
    expect([rate.reserve('a', 1_000), rate.reserve('b', 1_000)]).to.deep.equal([1_000, 1_000]);
    rate.pause('a', 5_000);
    rate.pause('a', 3_000);
    expect([rate.pausedUntil('a'), rate.pausedUntil('b')]).to.deep.equal([5_000, 0]);
    expect([rate.reserve('a', 1_000), rate.reserve('b', 1_000)]).to.deep.equal([5_000, 1_000]);
  });
});
