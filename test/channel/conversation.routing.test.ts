import { expect } from 'chai';
import { languageOf } from '../../application/channel/contacts.js';
import { defaultTeamOf, routingMenu, teamChoices } from '../../application/channel/routing.js';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { members } from '../../domain/access/members.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent, InboundContent } from '../../domain/channel/conversationEvents.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import {
  assignConversation,
  endSnooze,
  isMerged,
  mergeAway,
  needsRouting,
  pinConversation,
  type RoutingTerms,
  routeConversation,
  setConversationStatus,
  teamOf,
  teamOption,
} from '../../domain/channel/conversationRouting.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { given, stateAfter } from '../support/spec/given.js';

const numberId = 'number-1';
const asha = { phone: '+252615550101', name: 'Asha' };
const deadline = '2026-03-01T08:05:00.000Z';
const until = '2026-03-02T08:00:00.000Z';
const content = {
  type: 'menu',
  text: 'Who?',
  options: [
    { id: teamOption('door'), title: 'Door' },
    { id: teamOption('sales'), title: 'Sales' },
  ],
} as const;
const terms = (...teamIds: string[]): RoutingTerms => ({
  teamIds,
  defaultTeamId: teamIds[0],
  menu: { messageId: 'menu-1', content },
  deadline,
});
const two = terms('door', 'sales');
const message = (
  given: InboundContent = { type: 'text', text: 'hello' },
  routing: RoutingTerms | undefined = two,
  id = 'w1',
) =>
  receiveMessages({
    numberId,
    messages: [
      {
        messageId: `m-${id}`,
        channelMessageId: id,
        sentAt: '2026-03-01T08:00:00.000Z',
        content: given,
        customer: asha,
      },
    ],
    ...(routing && { routing }),
  });
const tap = (teamId: string): InboundContent => ({ type: 'choice', id: teamOption(teamId), title: 'A team' });
const started: ConversationEvent = { type: 'ConversationStarted', data: { numberId, customer: asha } };
const received: ConversationEvent = {
  type: 'MessageReceived',
  data: {
    messageId: 'm-w0',
    channelMessageId: 'w0',
    sentAt: '2026-03-01T08:00:00.000Z',
    content: { type: 'text', text: 'hello' },
    customer: asha,
  },
};
const offered: ConversationEvent[] = [
  { type: 'RoutingMenuOffered', data: { messageId: 'menu-1', teamIds: ['door', 'sales'], deadline } },
  {
    type: 'MessageQueued',
    data: { messageId: 'menu-1', numberId, to: asha, content, purpose: { kind: 'routing_menu' } },
  },
];
type Routed = Extract<ConversationEvent, { type: 'ConversationRouted' }>['data'];
const routed = (data: Routed): ConversationEvent => ({ type: 'ConversationRouted', data });
const status = (now: 'open' | 'closed' | 'snoozed', before: 'open' | 'closed' | 'snoozed', more: object = {}) =>
  ({ type: 'ConversationStatusChanged', data: { status: now, before, ...more } }) as ConversationEvent;
const waiting = [started, received, ...offered];

describe('conversation: routing', () => {
  it('asks a new customer to choose a team, in the same append as the message', () => {
    const events = given(conversation).when(message()).events();
    expect(events.map(({ type }) => type)).to.deep.equal([
      'ConversationStarted',
      'MessageReceived',
      'RoutingMenuOffered',
      'MessageQueued',
    ]);
    expect(events.slice(2)).to.deep.equal(offered);
  });

  it('asks nothing if there is no choice', () => {
    const last = (routing: RoutingTerms) => given(conversation).when(message(undefined, routing)).events().at(-1);
    expect(last({ ...terms(), defaultTeamId: undefined })).to.deep.equal(routed({ by: 'default' }));
    expect(last(terms('door'))).to.deep.equal(routed({ teamId: 'door', by: 'default' }));
  });

  it('asks nothing if the customer sends a cart or a form', () => {
    const cart: InboundContent = { type: 'order', items: [{ productRetailerId: 'SKU-1', quantity: 1 }] };
    for (const one of [cart, { type: 'flow_reply', fields: {} } as const])
      expect(given(conversation).when(message(one)).events().slice(2), one.type).to.deep.equal([
        routed({ teamId: 'door', by: 'default' }),
      ]);
  });

  it('asks nothing in a chat that is older than the teams', () =>
    expect(given(conversation, started, received).when(message()).events().slice(1)).to.deep.equal([
      routed({ teamId: 'door', by: 'default' }),
    ]));

  it('accepts a tap while it is awaited, and none later', () => {
    const events = given(conversation, ...waiting)
      .when(message(tap('sales')))
      .events();
    expect(events[0]!.type).to.equal('MessageReceived');
    expect(events.slice(1)).to.deep.equal([routed({ teamId: 'sales', by: 'menu' })]);
    const after = given(conversation, ...waiting, routed({ teamId: 'door', by: 'deadline' }));
    expect(
      after
        .when(message(tap('sales')))
        .events()
        .map(({ type }) => type),
    ).to.deep.equal(['MessageReceived']);
  });

  it('assigns the chat to the default team if the tapped team was deleted, and ignores made-up taps', () => {
    const when = given(conversation, ...waiting);
    const gone = when.when(message(tap('sales'), terms('door', 'third'))).events();
    expect(gone.at(-1)).to.deep.equal(routed({ teamId: 'door', by: 'menu' }));
    expect(when.when(message(tap('third'), terms('door', 'third'))).events()).to.have.lengthOf(1);
  });

  it('applies the deadline only while a choice is awaited', () => {
    const late = routeConversation({ teamId: 'door', by: 'deadline' });
    given(conversation, ...waiting)
      .when(late)
      .then([routed({ teamId: 'door', by: 'deadline' })]);
    given(conversation, ...waiting, routed({ teamId: 'sales', by: 'menu' }))
      .when(late)
      .then([]);
    given(conversation).when(late).then([]);
  });

  it('opens a closed or snoozed chat when the customer writes, and asks for a team only if the previous one was deleted', () => {
    const base = [started, received, routed({ teamId: 'sales', by: 'menu' })];
    const open = (before: ConversationEvent, routing?: RoutingTerms) =>
      given(conversation, ...base, before)
        .when(message(undefined, routing))
        .events();
    expect(open(status('snoozed', 'open', { until }))[0]).to.deep.equal(status('open', 'snoozed'));
    expect(open(status('closed', 'open'))).to.have.lengthOf(2);
    expect(open(status('closed', 'open'), terms('door', 'third')).slice(2)).to.deep.equal(offered);
    expect(open(status('closed', 'open'), terms('door')).at(-1)).to.deep.equal(
      routed({ teamId: 'door', before: 'sales', by: 'default' }),
    );
  });

  it('reports when the list of teams is needed', () => {
    const state = (...events: ConversationEvent[]) => stateAfter(conversation, events);
    const text = [{ type: 'text' }];
    expect(needsRouting(state(), text)).to.equal(true);
    expect(needsRouting(state(...waiting), text)).to.equal(false);
    expect(needsRouting(state(...waiting), [tap('door')])).to.equal(true);
    const has = [...waiting, routed({ teamId: 'door', by: 'menu' })];
    expect(needsRouting(state(...has), [tap('door')])).to.equal(false);
    expect(needsRouting(state(...has, status('closed', 'open')), text)).to.equal(true);
  });

  it('assigns the chat to the member who answers first', () => {
    const answer = (memberId: string) =>
      queueMessage({
        messageId: memberId,
        numberId,
        to: asha,
        content: { type: 'text', text: 'Yes' },
        sentByMemberId: memberId,
      });
    const assigned: ConversationEvent = { type: 'ConversationAssigned', data: { memberId: 'zahra' } };
    expect(given(conversation, started).when(answer('zahra')).events().at(-1)).to.deep.equal(assigned);
    expect(given(conversation, started, assigned).when(answer('abdi')).events()).to.have.lengthOf(1);
  });

  it('is assigned, pinned, closed and snoozed by operators; repeating an action changes nothing', () => {
    const is = given(conversation, started);
    is.when(assignConversation({ memberId: 'zahra' })).then([
      { type: 'ConversationAssigned', data: { memberId: 'zahra' } },
    ]);
    is.when(assignConversation({})).then([]);
    is.when(pinConversation({ pinned: true })).then([{ type: 'ConversationPinned', data: { pinned: true } }]);
    is.when(pinConversation({ pinned: false })).then([]);
    is.when(setConversationStatus({ status: 'open' })).then([]);
    is.when(setConversationStatus({ status: 'snoozed', until })).then([status('snoozed', 'open', { until })]);
    is.when(setConversationStatus({ status: 'snoozed' })).thenRefused('validation_failed');
    is.when(routeConversation({ teamId: 'door', by: 'operator' })).then([routed({ teamId: 'door', by: 'operator' })]);
    for (const decision of [
      assignConversation({}),
      pinConversation({ pinned: true }),
      setConversationStatus({ status: 'closed' }),
    ])
      given(conversation).when(decision).thenRefused('not_found');
  });

  it('ends only the snooze that was set', () => {
    const snoozed = given(conversation, started, status('snoozed', 'open', { until }));
    snoozed.when(endSnooze(until)).then([status('open', 'snoozed')]);
    snoozed.when(endSnooze('2026-03-03T08:00:00.000Z')).then([]);
    given(conversation, started).when(endSnooze(until)).then([]);
  });

  it('stays closed after it was merged into another', () => {
    const merged = [started, received, status('closed', 'open', { reason: 'merged', mergedInto: 'other' })];
    given(conversation, started, received).when(mergeAway('other')).then([merged[2]!]);
    given(conversation).when(mergeAway('other')).then([]);
    given(conversation, ...merged)
      .when(mergeAway('third'))
      .then([]);
    given(conversation, ...merged)
      .when(setConversationStatus({ status: 'open' }))
      .then([]);
    expect(
      given(conversation, ...merged)
        .when(message())
        .events()
        .map(({ type }) => type),
    ).to.not.include('ConversationStatusChanged');
    expect(isMerged(stateAfter(conversation, merged))).to.equal(true);
    expect(teamOf(stateAfter(conversation, [...waiting, routed({ teamId: 'door', by: 'menu' })]))).to.equal('door');
  });
});

describe('team menu', () => {
  const queue = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 } as const;
  const people = (...names: string[]) =>
    stateAfter(
      members,
      names.map(
        (name, i): MemberEvent => ({
          type: 'TeamCreated',
          data: { teamId: name, name, isDefault: i === 0, color: 'chart-1', members: [], queue, workingHours: null },
        }),
      ),
    );
  const menuOf = (language: 'en' | 'so' | 'ar', ...names: string[]) =>
    routingMenu(teamChoices(people(...names)), language);
  const titles = (...names: string[]) => menuOf('en', ...names).options.map(({ title }) => title);

  it('lists the default team first, then the others by name, ten in all', () => {
    expect(titles('Sales', 'door', 'Billing')).to.deep.equal(['Sales', 'Billing', 'door']);
    const many = Array.from({ length: 12 }, (_, i) => `Team ${String.fromCharCode(97 + i)}`);
    expect(titles('Zoo', ...many)).to.deep.equal(['Zoo', ...many.slice(0, 9)]);
    expect(defaultTeamOf(people('Zoo', 'A'))).to.equal('Zoo');
    expect(defaultTeamOf(people())).to.equal(undefined);
  });

  it("uses buttons for up to three teams and a list for more, in the contact's language", () => {
    expect(menuOf('en', 'A', 'B', 'C')).to.not.have.property('listButton');
    expect(menuOf('so', 'A', 'B', 'C', 'D')).to.have.property('listButton', 'Dooro');
    expect(new Set((['en', 'so', 'ar'] as const).map((language) => menuOf(language, 'A', 'B').text)).size).to.equal(3);
  });

  it("shows distinct titles within the channel's length limit", () => {
    const long = 'Customer service and returns';
    expect(titles(long, `${long} 2`)).to.deep.equal(['Customer service an…', 'Customer service … 2']);
    for (const title of titles(long, `${long} b`, `${long} c`, '😀'.repeat(30)))
      expect([...title].length).to.be.at.most(24);
  });

  it("is in Arabic for customers who write in Arabic script, else in the store's language", () => {
    expect(languageOf('مرحبا، هل لديكم قميص XL؟', 'so')).to.equal('ar');
    expect(languageOf('Salaan, kani ma jiraa? قميص', 'so')).to.equal('so');
    expect(languageOf('123 👍', 'en')).to.equal('en');
    expect(languageOf(undefined, 'ar')).to.equal('ar');
  });
});
