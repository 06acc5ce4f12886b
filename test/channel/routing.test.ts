/** Chats and teams from the channel's webhook on: the menu, the tap, the deadline, snoozes, and customers who merge. */

import { expect } from 'chai';
import { createInbound } from '../../application/channel/inbound.js';
import { routing } from '../../application/channel/routingProcessor.js';
import { members } from '../../domain/access/members.js';
import { putTeam, removeTeam } from '../../domain/access/teams.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationIdOf, conversationOfKey } from '../../domain/channel/conversationIds.js';
import { setConversationStatus } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import type { Decision } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import { silentLog } from '../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../engine/processors/runtime.js';
import { inboundUpdates } from '../../infrastructure/channel/inboundFormat.js';
import { until } from '../support/doubles/fakeClock.js';
import {
  type ChannelStage,
  channelStage,
  delivery,
  NUMBER,
  numbers,
  textMessage,
} from '../support/stages/channelStage.js';
import { MOMENT_MS } from '../support/stages/processorStage.js';

const MINUTE = 60_000;
const PHONE = '252615550101';
const ASHA = `+${PHONE}`;
const OTHER_NUMBER = '0b5f3c50-6f0d-5a9e-9d2a-222222222222';
const queue = { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 60, secondsPerPerson: 5 } as const;
const team = (name: string) => ({ name, color: 'chart-1', members: [], queue, workingHours: null }) as const;
const idOf = (name: string): string => derivedId('team', name);

describe('channel routing', () => {
  let stage: ChannelStage;
  let runtime: ProcessorRuntime;
  let count = 0;
  const context = () => ({
    commandId: `c${count++}`,
    actor: { type: 'system' } as const,
    correlationId: 'spec',
    workspaceId: NUMBER.workspaceId,
  });
  const services = () => stage.test.services;
  const addTeam = (name: string) =>
    services().commandHandler.decide(context(), members, NUMBER.workspaceId, putTeam(team(name), idOf(name)));
  const start = async (): Promise<void> => {
    const { eventStore, work, commandHandler: commands, reads } = services();
    const processors = [routing({ numbersOf: async () => [NUMBER.numberId, OTHER_NUMBER] })];
    runtime = createProcessorRuntime({
      eventStore,
      work,
      processors,
      commands,
      reads,
      clock: stage.clock,
      log: silentLog,
    });
    await runtime.start();
  };
  beforeEach(async () => {
    stage = await channelStage();
    await start();
  });
  afterEach(async () => {
    await runtime.stop();
    await stage.close();
  });

  const eventsOf = async (key = ASHA): Promise<ConversationEvent[]> => {
    const stream = `conversation-${conversationOfKey(NUMBER.numberId, key)}`;
    return (await services().eventStore.readStream(stream)) as unknown as ConversationEvent[];
  };
  const stateOf = <R>(read: (state: Conversation) => R, key = ASHA): Promise<R> =>
    services().commandHandler.query(conversation, conversationOfKey(NUMBER.numberId, key), read);
  const decide = (decision: Decision<Conversation, ConversationEvent>, key = ASHA) =>
    services().commandHandler.decide(context(), conversation, conversationOfKey(NUMBER.numberId, key), decision);
  const deliver = async (...messages: object[]): Promise<void> => {
    expect((await stage.deliver(delivery({ messages }))).status).to.equal(200);
  };
  const tap = (id: string, teamId: string) => ({
    ...textMessage(id, ''),
    type: 'interactive',
    interactive: { type: 'list_reply', list_reply: { id: `team:${teamId}`, title: 'A team' } },
  });
  /** The task of a timer has to be noted before the time may pass. */
  /** Timers are written a moment after they were set. */
  const noted = async (tasks: number) => {
    await stage.clock.advance(MOMENT_MS);
    await until(`${tasks} timers`, async () => (await services().work.count('tasks_routing', {}, 10)) === tasks);
  };
  const routed = async (key = ASHA) =>
    (await eventsOf(key)).flatMap((event) => (event.type === 'ConversationRouted' ? [event.data] : []));
  const menus = async () =>
    (await eventsOf()).flatMap(({ type, data }) =>
      type === 'MessageQueued' && data.content.type === 'menu' ? [data.content] : [],
    );

  it('asks a new customer, and accepts the tap', async () => {
    await addTeam('Door');
    await addTeam('Sales');
    await deliver(textMessage('w1', 'hello'));
    expect(await menus()).to.deep.equal([
      {
        type: 'menu',
        text: 'Welcome! Who would you like to talk to?',
        options: [
          { id: `team:${idOf('Door')}`, title: 'Door' },
          { id: `team:${idOf('Sales')}`, title: 'Sales' },
        ],
      },
    ]);
    await noted(1);
    await deliver(textMessage('w2', 'are you there?'), tap('w3', idOf('Sales')));
    expect(await routed()).to.deep.equal([{ teamId: idOf('Sales'), by: 'menu' }]);
    await stage.clock.advance(6 * MINUTE);
    await noted(0);
    await deliver(textMessage('w4', 'and now?'), tap('w5', idOf('Door')));
    expect(await routed()).to.have.lengthOf(1);
    expect(await menus()).to.have.lengthOf(1);
  });

  it('assigns the chat to the default team five minutes after the first message, also after a restart', async () => {
    await addTeam('Door');
    await addTeam('Sales');
    await deliver(textMessage('w1', 'hello'));
    const deadline = new Date(stage.clock.now() + 5 * MINUTE).toISOString();
    expect(await stateOf(({ menu }) => menu?.deadline)).to.equal(deadline);
    await noted(1);
    await runtime.stop();
    await stage.clock.advance(4 * MINUTE);
    await start();
    await stage.clock.advance(MINUTE - MOMENT_MS - 1);
    expect(await routed()).to.deep.equal([]);
    await stage.clock.advance(1);
    await until('it is routed', async () => (await routed()).length > 0);
    expect(await routed()).to.deep.equal([{ teamId: idOf('Door'), by: 'deadline' }]);
  });

  it('asks nothing in a store without a choice, or if the chat starts with a cart', async () => {
    await deliver(textMessage('w1', 'hello'));
    expect(await routed()).to.deep.equal([{ by: 'default' }]);
    await addTeam('Door');
    await deliver(textMessage('w2', 'hello', '252615550102'));
    expect(await routed('+252615550102')).to.deep.equal([{ teamId: idOf('Door'), by: 'default' }]);
    await addTeam('Sales');
    const cart = { catalog_id: '900', product_items: [{ product_retailer_id: 'SKU-1', quantity: 1 }] };
    await deliver({ ...textMessage('w3', '', '252615550103'), type: 'order', order: cart });
    expect(await routed('+252615550103')).to.deep.equal([{ teamId: idOf('Door'), by: 'default' }]);
    const all = await Promise.all([ASHA, '+252615550102', '+252615550103'].map(eventsOf));
    expect(all.flat().filter(({ type }) => type === 'RoutingMenuOffered')).to.deep.equal([]);
  });

  it('asks nothing while the store is closed, and still stores the message', async () => {
    await addTeam('Door');
    await addTeam('Sales');
    stage.store.open = false;
    await deliver(textMessage('w1', 'hello'));
    expect((await eventsOf()).map(({ type }) => type)).to.deep.equal([
      'ConversationStarted',
      'MessageReceived',
      'ConversationRouted',
    ]);
    expect(await routed()).to.deep.equal([{ teamId: idOf('Door'), by: 'default' }]);
  });

  it("asks in the contact's language", async () => {
    await addTeam('Door');
    await addTeam('Sales');
    await deliver(textMessage('w1', 'مرحبا'));
    expect((await menus())[0]!.text).to.match(/^مرحبًا/);
    const [started] = await eventsOf();
    expect(started!.data).to.have.nested.property('contact.language', 'ar');
  });

  it('asks again when a customer opens a closed chat whose team was deleted', async () => {
    await addTeam('Door');
    await addTeam('Sales');
    await deliver(textMessage('w1', 'hello'), tap('w2', idOf('Sales')));
    await deliver(tap('w3', idOf('Sales')));
    await decide(setConversationStatus({ status: 'closed' }));
    await deliver(textMessage('w4', 'hello again'));
    expect(await menus()).to.have.lengthOf(1);
    await decide(setConversationStatus({ status: 'closed' }));
    await addTeam('Third');
    await services().commandHandler.decide(context(), members, NUMBER.workspaceId, removeTeam(idOf('Sales')));
    await deliver(textMessage('w5', 'and again'));
    expect(await menus()).to.have.lengthOf(2);
    expect(await stateOf(({ status, routing: now }) => [status, now])).to.deep.equal(['open', 'awaiting_menu']);
  });

  it('opens a snoozed chat at its time, not earlier, and not one that was snoozed again', async () => {
    await deliver(textMessage('w1', 'hello'));
    const later = (minutes: number) => new Date(stage.clock.now() + minutes * MINUTE).toISOString();
    await decide(setConversationStatus({ status: 'snoozed', until: later(10) }));
    await decide(setConversationStatus({ status: 'snoozed', until: later(20) }));
    await noted(2);
    await stage.clock.advance(15 * MINUTE - MOMENT_MS);
    await noted(1);
    expect(await stateOf(({ status }) => status)).to.equal('snoozed');
    await stage.clock.advance(5 * MINUTE - MOMENT_MS);
    await until('it is open', async () => (await stateOf(({ status }) => status)) === 'open');
  });

  it('closes the other conversation of merged customers, and keeps it closed', async () => {
    const byUser = (id: string, more: object = {}) => {
      const { from: _, ...message } = textMessage(id, 'hi') as { from: string };
      return { ...message, from_user_id: 'SO.7', ...more };
    };
    await deliver(textMessage('w1', 'by phone'));
    await deliver(byUser('w2'));
    await deliver(byUser('w3', { from: PHONE }));
    await until('it is closed', async () => stateOf(({ merged }) => merged));
    const mergedInto = conversationIdOf(NUMBER.numberId, { userId: 'SO.7' });
    const closed = { status: 'closed', before: 'open', reason: 'merged', mergedInto };
    expect((await eventsOf()).at(-1)!.data).to.deep.equal(closed);
    await deliver(textMessage('w4', 'by phone again'));
    const text = (await eventsOf('SO.7')).flatMap(({ type, data }) =>
      type === 'MessageReceived' ? [data.channelMessageId] : [],
    );
    expect(text).to.deep.equal(['w2', 'w3', 'w4']);
    expect(await stateOf(({ status }) => status)).to.equal('closed');
  });

  it('forwards what another instance accepts with outdated state to the right conversation', async () => {
    const { eventStore } = services();
    const snapshots = { load: async () => undefined, save: async () => undefined };
    const other = createInbound({
      numbers,
      aliases: { byPhone: async () => [] },
      commands: createCommandHandler({ eventStore, snapshots, clock: stage.clock, sharedStore: true }),
      clock: stage.clock,
      storeOf: async () => stage.store,
      log: silentLog,
      count: () => undefined,
    });
    const there = (...messages: object[]) =>
      other(inboundUpdates(delivery({ messages }), stage.clock.now()), 'request');
    const byUser = { ...textMessage('w2', 'hi'), from: undefined, from_user_id: 'SO.7' };
    await there(textMessage('w1', 'by phone'));
    await deliver(byUser);
    await deliver({ ...textMessage('w3', 'both'), from_user_id: 'SO.7' });
    await until('it is closed', async () =>
      (await eventsOf()).some(({ type }) => type === 'ConversationStatusChanged'),
    );
    await there(textMessage('w4', 'by phone again'));
    expect((await eventsOf('SO.7')).at(-1)!.data).to.include({ channelMessageId: 'w4' });
    expect((await eventsOf()).at(-1)!.type).to.equal('ConversationStatusChanged');
  });
});
