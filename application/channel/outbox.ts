import { randomUUID } from 'node:crypto';
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import {
  acceptMessage,
  aheadOf,
  channelMessageIdOf,
  failMessage,
  paceOf,
  windowEndsAt,
} from '../../domain/channel/conversationSending.js';
import { defined } from '../../domain/defined.js';
import type { Log } from '../../engine/ports/log.js';
import {
  defineProcessor,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { ChannelMedia } from '../ports/channelMedia.js';
import type { ChannelMessages } from '../ports/channelMessages.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { FORGOTTEN, failureReason, WINDOW_CLOSED } from './failureReasons.js';
import type { CountChannel } from './observing.js';
import { type SentFiles, Uploads } from './sendingFiles.js';
import { createSendingQueues } from './sendingQueues.js';
import { again, DONE, type Sending, sendingTask } from './sendingTask.js';
import { consequenceOf } from './sendingTroubles.js';
import { createSendRate, type SendRate } from './sendRate.js';

export interface OutboxDependencies {
  readonly channel: ChannelMessages;
  readonly media: Pick<ChannelMedia, 'upload'>;
  readonly files: SentFiles;
  readonly numbers: ChannelNumbers;
  /** The number's own bearer token, unsealed; undefined: the service's. */
  readonly accessTokenOf: (number: StoreNumber) => string | undefined;
  readonly log: Log;
  readonly count: CountChannel;
  readonly rate?: SendRate;
  /** Whether the customer of a conversation was forgotten; absent where nobody is. */
  readonly isForgotten?: (conversationId: string) => Promise<boolean>;
  /** When this process began, ms since 1970. Absent: nothing of an earlier one can be on its way. */
  readonly startedAt?: number;
}

/** What a message's conversation says of it. */
interface Turn {
  readonly ahead: number;
  /** Not before, by the channel's pace of messages to one customer. */
  readonly pace: number;
  /** End of the customer's 24-hour window, where it is known. */
  readonly until: number | undefined;
  readonly repliesTo: string | undefined;
}

/** A number that a message was queued for is missing only while its read model catches up, or for good. */
const NUMBER_TRIES = 6;
/**
 * What was queued before this process began may have reached the channel in the last moment of the one before: its status, which
 * the channel tells again, gets so long after the start to say so.
 */
const SETTLING_MS = 5_000;
const settledAt = ({ queuedAt }: Sending, startedAt: number): number =>
  queuedAt < startedAt ? startedAt + SETTLING_MS : 0;
/** Twice what one number needs at 80 a second and half a second each: a number alone gets half of all turns. */
const AT_ONCE = 128;

/**
 * Sends queued messages, those of one conversation in the order they were queued. A message that the channel took just
 * before a crash may go out twice: the channel knows no repeat, though a status of the first one, which is waited for, prevents it.
 */
export function outbox(dependencies: OutboxDependencies): Processor<ConversationEvent> {
  const { channel, numbers, accessTokenOf, log, count, rate = createSendRate(), startedAt = 0 } = dependencies;
  const { isForgotten = async () => false } = dependencies;
  const uploads = new Uploads(dependencies.media, dependencies.files);
  const queues = createSendingQueues();
  /** Places in the rate are good only in the process that gave them out. */
  const process = randomUUID();

  const turnOf = ({ payload }: Task<Sending>, { commands, clock }: ProcessorContext): Promise<Turn | undefined> =>
    commands.query(conversation, payload.conversationId, (state) => {
      const ahead = aheadOf(state, payload.messageId);
      if (ahead === undefined) return undefined;
      const { repliesTo, replyToMessageId } = payload;
      const known = replyToMessageId === undefined ? undefined : channelMessageIdOf(state, replyToMessageId);
      const pace = paceOf(state, ahead, clock.now());
      return { ahead, pace, until: windowEndsAt(state), repliesTo: repliesTo ?? known };
    });

  function done({ conversationId }: Sending): Outcome {
    queues.moved(conversationId);
    return DONE;
  }

  /** The conversation's first message, again at `at`. */
  function wait(at: number, sending: Sending, now: number): Outcome {
    queues.firstAt(sending.conversationId, at, now);
    return again(at, sending);
  }

  async function failed(task: Task<Sending>, context: ProcessorContext, errorCode: string): Promise<Outcome> {
    const { conversationId, messageId } = task.payload;
    const command = failMessage({ messageId, errorCode, reason: failureReason(errorCode) });
    await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
    count('send_failed', 1);
    log.warn({ conversationId, messageId, errorCode }, 'a message was not sent');
    return done(task.payload);
  }

  /** Again after a pause, unless that is too late: `until`, end of the customer's window. */
  async function refused(
    task: Task<Sending>,
    context: ProcessorContext,
    error: ProviderError,
    { phoneNumberId }: StoreNumber,
    { until, mediaIds }: { until: number | undefined; mediaIds: Sending['mediaIds'] },
  ): Promise<Outcome> {
    const { place: _, ...sending } = task.payload;
    const now = context.clock.now();
    const { againInMs, withinMs, pauseMs } = consequenceOf(error, sending.failures);
    if (pauseMs !== undefined) rate.pause(phoneNumberId, now + pauseMs);
    if (againInMs === undefined || now + againInMs > sending.queuedAt + withinMs)
      return failed(task, context, error.code);
    if (until !== undefined && now + againInMs > until) return failed(task, context, WINDOW_CLOSED);
    count('send_retried', 1);
    const kept = defined({ mediaIds });
    return wait(now + againInMs, { ...sending, ...kept, failures: sending.failures + 1 }, now);
  }

  /** When the message may go, by the number's rate; undefined: now. */
  function later(sending: Sending, { phoneNumberId }: StoreNumber, now: number): Outcome | undefined {
    const isPaused = rate.pausedUntil(phoneNumberId) > now;
    if (!isPaused && sending.place?.by === process && sending.place.at <= now) return undefined;
    const at = rate.reserve(phoneNumberId, now);
    if (at <= now) return undefined;
    queues.firstAt(sending.conversationId, at, now);
    return { again: { at, payload: { ...sending, place: { at, by: process } }, unbegun: true } };
  }

  /** Sends it now, after its files. */
  async function deliver(
    task: Task<Sending>,
    context: ProcessorContext,
    number: StoreNumber,
    { until, repliesTo }: Turn,
  ): Promise<Outcome> {
    const { conversationId, messageId, to, content } = task.payload;
    const token = accessTokenOf(number);
    let { mediaIds } = task.payload;
    try {
      for await (const ids of uploads.missing(task.payload, number, token, context.signal)) mediaIds = ids;
      const more = defined({ repliesTo, mediaIds });
      const message = { to, content, messageId, ...more };
      const sent = await channel.send(number.phoneNumberId, message, token, context.signal);
      const command = acceptMessage({ messageId, channelMessageId: sent.channelMessageId });
      await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
      count('sent', 1);
      return done(task.payload);
    } catch (error) {
      if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
      return refused(task, context, error, number, { until, mediaIds });
    }
  }

  async function perform(task: Task<Sending>, context: ProcessorContext): Promise<Outcome> {
    const sending = task.payload;
    const turn = await turnOf(task, context);
    const now = context.clock.now();
    if (turn === undefined) return done(sending);
    if (turn.ahead > 0) {
      const { at, known } = queues.lookAgain(sending.conversationId, { ...turn, waits: sending.waits, now });
      return again(at, known ? sending : { ...sending, waits: sending.waits + 1 });
    }
    const notBefore = Math.max(turn.pace, settledAt(sending, startedAt));
    if (notBefore > now) return wait(notBefore, sending, now);
    const number = await numbers.byNumberId(sending.numberId);
    if (number === undefined) {
      if (sending.failures >= NUMBER_TRIES) return failed(task, context, 'number_not_connected');
      return wait(now + 1_000 * 2 ** sending.failures, { ...sending, failures: sending.failures + 1 }, now);
    }
    // A template may go at any time.
    const until = sending.content.type === 'template' ? undefined : turn.until;
    return later(sending, number, now) ?? deliver(task, context, number, { ...turn, until });
  }

  /** Nobody knows any more whom it was for; what the channel has taken already is done. */
  async function send(task: Task<Sending>, context: ProcessorContext): Promise<Outcome> {
    if (!(await isForgotten(task.payload.conversationId))) return perform(task, context);
    return (await turnOf(task, context)) === undefined ? done(task.payload) : failed(task, context, FORGOTTEN);
  }

  return defineProcessor<ConversationEvent>({
    name: 'outbox',
    categories: ['conversation'],
    derivable: ['MessageQueued'],
    on: { MessageQueued: (event) => [sendingTask(event)] },
    perform: { send },
    concurrency: AT_ONCE,
  });
}
