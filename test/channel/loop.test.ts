/** Full round trip: a queued message, the outbox, the adapter, the sandbox, and statuses by signed webhook. */

import { expect } from 'chai';
import { conversationAliases } from '../../application/channel/conversationAliases.js';
import { outbox } from '../../application/channel/outbox.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { contactIdOf, conversationIdOf } from '../../domain/channel/conversationIds.js';
import { queueMessage } from '../../domain/channel/conversationSending.js';
import { systemClock } from '../../engine/ports/clock.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { createProcessorRuntime, type ProcessorRuntime } from '../../engine/processors/runtime.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { createChannelMessages } from '../../infrastructure/channel/channelMessages.js';
import { type Sandbox, startSandbox } from '../../infrastructure/sandbox/sandbox.js';
import { type ConversationBody, conversations } from '../../projections/conversations.js';
import { until } from '../support/doubles/fakeClock.js';
import { specMeta } from '../support/spec/given.js';
import {
  APP_SECRET,
  type ChannelStage,
  channelStage,
  NUMBER,
  noFiles,
  numbers,
  VERIFY_TOKEN,
} from '../support/stages/channelStage.js';

const TOKEN = 'token-of-the-loop';

describe('messages to the channel and back', () => {
  let stage: ChannelStage;
  let sandbox: Sandbox;
  let runtime: ProcessorRuntime;
  let channel: ReturnType<typeof createChannelMessages>;
  beforeEach(async () => {
    stage = await channelStage();
    sandbox = await startSandbox({
      port: 0,
      host: '127.0.0.1',
      webhookUrl: () => stage.webhookUrl,
      appSecret: APP_SECRET,
      verifyToken: VERIFY_TOKEN,
      accessToken: TOKEN,
      clock: systemClock,
      log: silentLog,
    });
    channel = createChannelMessages({ baseUrl: sandbox.baseUrl, version: 'v23.0', accessToken: TOKEN });
    const { eventStore, work, commandHandler: commands, reads } = stage.test.services;
    const processors = [
      outbox({ channel, ...noFiles, numbers, accessTokenOf: () => undefined, log: silentLog, count: () => undefined }),
    ];
    runtime = createProcessorRuntime({
      eventStore,
      work,
      processors,
      commands,
      reads,
      // Matches the times of the events, so that no message counts as queued before the start.
      clock: { ...systemClock, now: stage.clock.now },
      log: silentLog,
    });
    await runtime.start();
  });
  afterEach(async () => {
    await runtime.stop();
    await channel.close();
    await sandbox.close();
    await stage.close();
  });

  const act = async (path: string, body: object): Promise<{ webhook: { status: number } }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as never;
  };
  const write = (customer: string) =>
    act(`/sandbox/numbers/${NUMBER.phoneNumberId}/customers/${customer}/messages`, { text: 'hi' });
  const answer = (to: ChannelCustomer) =>
    stage.test.services.commandHandler.decide(
      { commandId: 'answer', actor: { type: 'system' }, correlationId: 'spec', workspaceId: NUMBER.workspaceId },
      conversation,
      conversationIdOf(NUMBER.numberId, to),
      queueMessage({
        messageId: 'message-1',
        numberId: NUMBER.numberId,
        to,
        content: { type: 'text', text: 'Preparing' },
        purpose: { kind: 'order_status', orderId: 'order-1', status: 'preparing' },
      }),
    );
  const last = async (customer: ChannelCustomer): Promise<ConversationEvent | undefined> =>
    (await stage.events(customer)).at(-1);

  for (const [who, key, customer] of [
    ['with a phone', '252615550101', { phone: '+252615550101' }],
    ['without a phone', 'SO.1349', { userId: 'SO.1349' }],
  ] as const)
    it(`sends a message to a customer ${who} and receives its delivered status`, async () => {
      expect((await write(key)).webhook.status).to.equal(200);
      await answer(customer);
      await until('it is delivered', async () => {
        const event = await last(customer);
        return event?.type === 'MessageStatusChanged' && event.data.status === 'delivered';
      });
      const accepted = (await stage.events(customer)).filter(({ type }) => type === 'MessageAccepted');
      expect(accepted).to.have.lengthOf(1);
    });

  it('records a failure that arrives after acceptance', async () => {
    await write('252615550101');
    await act('/sandbox/faults', { target: 'messages', kind: 'fail_later_131047' });
    await answer({ phone: '+252615550101' });
    await until('it failed', async () => (await last({ phone: '+252615550101' }))?.type === 'MessageFailed');
    expect((await last({ phone: '+252615550101' }))?.data).to.include({ errorCode: '131047' });
  });
});

describe('conversations read model', () => {
  const event = {
    id: 'e1',
    type: 'ConversationStarted',
    data: { numberId: NUMBER.numberId, customer: { phone: '+252615550101', userId: 'SO.7', name: 'Asha' } },
    meta: { ...specMeta, workspaceId: NUMBER.workspaceId },
    stream: 'conversation-c1',
    revision: 0,
    position: 0,
  } satisfies RecordedEvent;

  it('stores the phone of a conversation started by user id, and is the same when applied twice', () => {
    const views = new Map<string, View<unknown> | undefined>();
    foldEvent(conversations, views, event);
    const once = structuredClone(views);
    foldEvent(conversations, views, event);
    expect(views).to.deep.equal(once);
    const { keys, body } = views.get('c1') as View<ConversationBody>;
    expect(keys).to.include({
      workspaceId: NUMBER.workspaceId,
      numberId: NUMBER.numberId,
      phone: '+252615550101',
    });
    // The oldest conversations have no stored contact. The id is derived as for a new conversation.
    expect(body.contact).to.deep.equal({
      id: contactIdOf(NUMBER.workspaceId, 'SO.7'),
      phone: '+252615550101',
      name: 'Asha',
      language: 'en',
      tags: [],
      channelName: 'Asha',
    });
  });

  it('is queried by number and phone', async () => {
    const requested: unknown[] = [];
    const find = async (...query: unknown[]) => {
      requested.push(query);
      return [{ id: 'c1' }];
    };
    const aliases = conversationAliases({ find } as never);
    expect(await aliases.byPhone(NUMBER.numberId, '+252615550101')).to.deep.equal(['c1']);
    expect(requested).to.deep.equal([
      [conversations, { where: { numberId: NUMBER.numberId, phone: '+252615550101' }, limit: 10 }],
    ]);
  });
});
