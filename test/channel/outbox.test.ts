import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { outbox } from '../../application/channel/outbox.js';
import { createSendRate } from '../../application/channel/sendRate.js';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { OutboundMessage } from '../../application/ports/channelMessages.js';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import { queueMessage, updateStatus } from '../../domain/channel/conversationSending.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import type { Decision } from '../../domain/decider.js';
import { createCommandHandler } from '../../engine/commandHandler/commandHandler.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { silentLog } from '../../engine/ports/log.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { until } from '../support/doubles/fakeClock.js';
import { connectToStore, NUMBER, noFiles, numbers } from '../support/stages/channelStage.js';
import { type ProcessorStage, processorStage, type Running } from '../support/stages/processorStage.js';

const asha = { phone: '+252615550101' };
const CONVERSATION = 'c0ffee00-0000-5000-8000-000000000001';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('outbox', () => {
  let folder: string;
  let eventStore: EmbeddedEventStore;
  let commands: CommandHandler;
  let stage: ProcessorStage;
  /** Messages that the channel received, with their times. */
  let sent: { messageId: string; at: number; token: string | undefined }[];
  /** Next answers of the channel. When none is left, the channel accepts everything. */
  let answers: (ProviderError | 'hang')[];
  /** Conversations whose customers were erased. */
  let forgotten: Set<string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-outbox-'));
    eventStore = await openEmbeddedEventStore(folder, { writesHere: true });
    const clock = { now: () => stage.clock.now() };
    const snapshots = { load: async () => undefined, save: async () => undefined };
    commands = createCommandHandler({ eventStore, snapshots, clock });
    stage = await processorStage({ commands, eventStore });
    sent = [];
    answers = [];
    forgotten = new Set();
  });
  afterEach(async () => {
    await stage.close();
    await eventStore.close();
    await rm(folder, { recursive: true });
  });

  const start = (accessToken?: string): Promise<Running> =>
    stage.start(
      outbox({
        channel: {
          async send(_, { messageId }: OutboundMessage, token) {
            const answer = answers.shift();
            if (answer === 'hang') return new Promise(() => undefined);
            sent.push({ messageId, at: stage.clock.now(), token });
            if (answer !== undefined) throw answer;
            return { channelMessageId: `wamid.${messageId}` };
          },
        },
        ...noFiles,
        numbers,
        accessTokenOf: () => accessToken,
        log: silentLog,
        count: () => undefined,
        isForgotten: async (id) => forgotten.has(id),
      }),
    );
  const decide = (name: string, decision: Decision<Conversation, ConversationEvent>, id = CONVERSATION) =>
    commands.decide(
      { commandId: name, actor: { type: 'system' }, correlationId: 'spec', workspaceId: NUMBER.workspaceId },
      conversation,
      id,
      decision,
    );
  const queue = (messageId: string, id = CONVERSATION, numberId = NUMBER.numberId) =>
    decide(messageId, queueMessage({ messageId, numberId, to: asha, content: { type: 'text', text: messageId } }), id);
  const events = async () =>
    (await eventStore.readStream(`conversation-${CONVERSATION}`)) as unknown as ConversationEvent[];
  const fate = async (messageId: string) =>
    (await events()).find(
      ({ type, data }) => /Accepted|Failed/.test(type) && (data as { messageId: string }).messageId === messageId,
    );
  /** Advances time in steps until the message has this outcome. */
  const waitFor = async (messageId: string, step: number, what = 'Accepted') => {
    await until(`${messageId}: ${what}`, async () => {
      const found = await fate(messageId);
      if (found === undefined) await stage.clock.advance(step);
      else expect(found.type, messageId).to.equal(`Message${what}`);
      return found !== undefined;
    });
  };
  const trouble = (code: string, retry = true) => new ProviderError(code, 'not now', retry);

  it('sends queued messages and records that the channel accepted them', async () => {
    await start('token-of-the-number');
    await queue('a');
    await waitFor('a', 0);
    expect(sent.map(({ messageId, token }) => [messageId, token])).to.deep.equal([['a', 'token-of-the-number']]);
    expect((await fate('a'))?.data).to.deep.equal({ messageId: 'a', channelMessageId: 'wamid.a' });
    await until('nothing is pending', async () => (await stage.pending('outbox')) === 0);
  });

  it('keeps the order of a conversation, also while its first message is retried', async () => {
    answers = [trouble('131016'), trouble('timeout'), trouble('130429')];
    for (const id of ['a', 'b', 'c']) await queue(id);
    await start();
    await waitFor('c', 1_000);
    expect(sent.map(({ messageId }) => messageId)).to.deep.equal(['a', 'a', 'a', 'a', 'b', 'c']);
  });

  it('fails at once for permanent errors, with a readable reason, and continues', async () => {
    answers = [trouble('131047', false)];
    for (const id of ['a', 'b']) await queue(id);
    await start();
    await waitFor('b', 100);
    expect((await fate('a'))?.data).to.deep.equal({
      messageId: 'a',
      errorCode: '131047',
      reason: 'More than 24 hours have passed since the customer wrote: send an approved template instead.',
    });
  });

  it('waits 4^n seconds at the rate limit of one customer', async () => {
    answers = Array.from({ length: 4 }, () => trouble('131056'));
    await start();
    await queue('a');
    await waitFor('a', 500);
    const waits = sent.slice(1).map(({ at }, i) => at - sent[i]!.at);
    expect(waits).to.deep.equal([1_000, 4_000, 16_000, 64_000]);
  });

  it('waits as long as the channel requests', async () => {
    answers = [new ProviderError('130429', 'slow down', true, 90_000)];
    await start();
    await queue('a');
    await waitFor('a', 10_000);
    expect(sent[1]!.at - sent[0]!.at).to.equal(90_000);
  });

  it('gives up after 24 hours', async () => {
    answers = Array.from({ length: 1_000 }, () => trouble('unreachable'));
    await start();
    await queue('a');
    const begin = stage.clock.now();
    await waitFor('a', 10 * MINUTE, 'Failed');
    expect((await fate('a'))?.data).to.include({
      errorCode: 'unreachable',
      reason: 'The channel could not be reached for 24 hours.',
    });
    expect(sent.at(-1)!.at - begin).to.be.within(23 * HOUR, 24 * HOUR);
  });

  it('tries a message once that was queued before an outage of more than 24 hours', async () => {
    for (const id of ['a', 'b']) await queue(id);
    await stage.clock.advance(30 * HOUR);
    answers = [trouble('unreachable')];
    await start();
    await waitFor('b', 1_000);
    expect((await fate('a'))?.data).to.include({ errorCode: 'unreachable' });
    expect(sent.map(({ messageId }) => messageId)).to.deep.equal(['a', 'b']);
  });

  it("does not retry beyond the customer's 24-hour window", async () => {
    const content = { type: 'text', text: 'hi' } as const;
    const sentAt = new Date(stage.clock.now() - 23 * HOUR).toISOString();
    const message = { messageId: 'm', channelMessageId: 'wamid.in', sentAt, content, customer: asha };
    await decide('in', receiveMessages({ numberId: NUMBER.numberId, messages: [message] }));
    answers = Array.from({ length: 1_000 }, () => trouble('unreachable'));
    await start();
    await queue('a');
    const begin = stage.clock.now();
    await waitFor('a', MINUTE, 'Failed');
    expect((await fate('a'))?.data).to.include({ errorCode: '131047' });
    expect(sent.at(-1)!.at - begin).to.be.within(50 * MINUTE, HOUR);
  });

  it('fails a message of a deleted number', async () => {
    await start();
    await queue('a', CONVERSATION, 'number-that-is-gone');
    await waitFor('a', 1_000, 'Failed');
    expect((await fate('a'))?.data).to.include({ errorCode: 'number_not_connected' });
    expect(sent).to.deep.equal([]);
  });

  it('sends from a number that is connected but not yet in the read model', async () => {
    const number = { ...NUMBER, numberId: 'number-that-is-new' };
    await connectToStore(commands, number);
    await start();
    await queue('a', CONVERSATION, number.numberId);
    await waitFor('a', 1_000);
    expect(sent.map(({ messageId }) => messageId)).to.deep.equal(['a']);
  });

  it('fails pending messages of an erased customer, and leaves sent ones alone', async () => {
    await start();
    await queue('gone');
    await waitFor('gone', 0);
    answers = [trouble('timeout')];
    await queue('a');
    await until('it was tried', () => sent.length === 2);
    forgotten.add(CONVERSATION);
    await waitFor('a', 1_000, 'Failed');
    expect((await fate('a'))?.data).to.deep.equal({
      messageId: 'a',
      errorCode: 'customer_forgotten',
      reason: 'The customer was erased before the message was sent.',
    });
    expect(sent.map(({ messageId }) => messageId)).to.deep.equal(['gone', 'a']);
    expect((await events()).filter(({ type }) => type === 'MessageFailed')).to.have.length(1);
    await until('nothing is pending', async () => (await stage.pending('outbox')) === 0);
  });

  it('does not resend after a crash if a status has arrived in the meantime', async () => {
    answers = ['hang'];
    const first = await start();
    await queue('a');
    await until('the channel has it', () => answers.length === 0);
    first.crash();
    const news = {
      messageId: 'a',
      channelMessageId: 'wamid.first',
      status: 'sent',
      at: '2026-03-01T08:00:01.000Z',
    } as const;
    await decide('status', updateStatus(news));
    await start();
    await until('nothing is pending', async () => {
      await stage.clock.advance(100);
      return (await stage.pending('outbox')) === 0;
    });
    expect(sent).to.deep.equal([]);
    expect((await fate('a'))?.data).to.include({ channelMessageId: 'wamid.first' });
  });

  it('sends at most 80 messages a second of one number', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `m${i}`);
    await Promise.all(ids.map((id, i) => queue(id, `c0ffee00-0000-5000-8000-${String(i).padStart(12, '0')}`)));
    await start();
    await until('all are sent', async () => {
      await stage.clock.advance(50);
      return sent.length === 200;
    });
    const times = sent.map(({ at }) => at).sort((a, b) => a - b);
    for (let i = 80; i < times.length; i++) expect(times[i]! - times[i - 80]!).to.be.at.least(1_000);
    expect(times.at(-1)! - times[0]!).to.be.at.least(2_000);
  });
});

describe('send rate', () => {
  it('never exceeds the rate in any second, and reserves no time in the past', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (pauses, perSecond) => {
        const rate = createSendRate(perSecond);
        let now = 1_000_000;
        const places = pauses.map((pause) => {
          now += pause;
          const place = rate.reserve('number', now);
          expect(place).to.be.at.least(now);
          return place;
        });
        for (let i = perSecond; i < places.length; i++)
          expect(places[i]! - places[i - perSecond]!).to.be.at.least(1_000);
      }),
    );
  });

  it('limits each number separately', () => {
    const rate = createSendRate(1);
    expect([rate.reserve('a', 1_000), rate.reserve('b', 1_000), rate.reserve('a', 1_000)]).to.deep.equal([
      1_000, 1_000, 2_000,
    ]);
  });
});
