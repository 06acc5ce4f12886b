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
import { isErasedCustomer } from '../../domain/erasure.js';
import type { Clock } from '../../engine/ports/clock.js';
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
import type { AcceptedMessage, ChannelMessages } from '../ports/channelMessages.js';
import type { CountChannel } from './channelMetrics.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { learnForm } from './customerClaims.js';
import { FORGOTTEN, failureReason, WINDOW_CLOSED } from './failureReasons.js';
import { consequenceOf } from './sendErrors.js';
import { createSendingQueues } from './sendingQueues.js';
import { again, DONE, type Sending, sendingTask } from './sendingTask.js';
import { createSendRate, type SendRate } from './sendRate.js';
import { type SentFiles, Uploads } from './sentFiles.js';
import { connectedNumber } from './storeNumbers.js';

export interface OutboxDependencies {
  readonly channel: ChannelMessages;
  readonly media: Pick<ChannelMedia, 'upload'>;
  readonly files: SentFiles;
  readonly numbers: ChannelNumbers;
  /** The number's own bearer token, unsealed. Undefined: the service's. */
  readonly accessTokenOf: (number: StoreNumber) => string | undefined;
  readonly log: Log;
  readonly count: CountChannel;
  readonly rate?: SendRate;
  /** Returns true if the customer of a conversation was erased. Absent: nobody is. */
  readonly isForgotten?: (conversationId: string) => Promise<boolean>;
}

/** State of a message in its conversation. */
interface Turn {
  readonly ahead: number;
  /** Earliest time by the channel's pace of messages to one customer. */
  readonly pace: number;
  readonly repliesTo: string | undefined;
}

/** The wall clock has whole ms, while the steady clock has fractions. */
const ROUNDING_MS = 1;
/** Delay between a failure to record a sent message and the retry. */
const RECORD_AGAIN_MS = 1_000;
/**
 * Delay after a takeover for messages queued before it. The previous owner may have sent one at the last moment, so its status, which the
 * channel repeats, gets time to arrive.
 */
const SETTLING_MS = 5_000;
const settledAt = ({ queuedAt }: Sending, { since }: ProcessorContext): number =>
  queuedAt < since() ? since() + SETTLING_MS : 0;
/** Twice what one number needs at 80 messages per second and half a second each: a single number gets half of all slots. */
const AT_ONCE = 128;

/**
 * Sends queued messages, those of one conversation in queue order. The channel's id of an accepted message is stored with the task until it
 * is recorded.
 *
 * A message that the channel accepted just before a crash may be sent twice, since the channel does not detect repeats. Usually the status
 * of the first one, for which a takeover waits, prevents it.
 */
class Outbox {
  readonly #dependencies: OutboxDependencies;
  readonly #rate: SendRate;
  readonly #uploads: Uploads;
  readonly #queues = createSendingQueues();
  /** Reservations in the rate are valid only in the process that made them. */
  readonly #process = randomUUID();

  constructor(dependencies: OutboxDependencies) {
    this.#dependencies = dependencies;
    this.#rate = dependencies.rate ?? createSendRate();
    this.#uploads = new Uploads(dependencies.media, dependencies.files);
  }

  /** Sends the message, or records the failure if its recipient was erased. A message that the channel has accepted is only recorded. */
  async send(task: Task<Sending>, context: ProcessorContext): Promise<Outcome> {
    const { isForgotten = async () => false } = this.#dependencies;
    const { acceptedAs, waId } = task.payload;
    if (acceptedAs !== undefined)
      return this.#accepted(task, context, { channelMessageId: acceptedAs, ...defined({ waId }) });
    const { conversationId, to } = task.payload;
    // The conversation may have continued with a customer who came back. A member may have written to it since the erasure.
    const isNobodys = (to.phone === undefined && to.userId === undefined) || isErasedCustomer(to);
    if (!isNobodys && !(await isForgotten(conversationId))) return this.#perform(task, context);
    return (await this.#turnOf(task, context)) === undefined
      ? this.#done(task.payload)
      : this.#failed(task, context, FORGOTTEN);
  }

  #turnOf({ payload }: Task<Sending>, { commands, clock }: ProcessorContext): Promise<Turn | undefined> {
    return commands.query(conversation, payload.conversationId, (state) => {
      const ahead = aheadOf(state, payload.messageId);
      if (ahead === undefined) return undefined;
      const { repliesTo, replyToMessageId } = payload;
      const known = replyToMessageId === undefined ? undefined : channelMessageIdOf(state, replyToMessageId);
      const pace = paceOf(state, ahead, clock.now());
      return { ahead, pace, repliesTo: repliesTo ?? known };
    });
  }

  #done({ conversationId }: Sending): Outcome {
    this.#queues.moved(conversationId);
    return DONE;
  }

  /** Schedules the conversation's first message for `at`. */
  #wait(at: number, sending: Sending, now: number): Outcome {
    this.#queues.firstAt(sending.conversationId, at, now);
    return again(at, sending);
  }

  async #failed(task: Task<Sending>, context: ProcessorContext, errorCode: string): Promise<Outcome> {
    const { log, count } = this.#dependencies;
    const { conversationId, messageId } = task.payload;
    const command = failMessage({ messageId, errorCode, reason: failureReason(errorCode) });
    await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
    count('send_failed', 1);
    log.warn({ conversationId, messageId, errorCode }, 'message not sent');
    return this.#done(task.payload);
  }

  /** Records the channel's id of an accepted message, and the notation of the phone that the channel uses. */
  async #accepted(
    task: Task<Sending>,
    context: ProcessorContext,
    { channelMessageId, waId }: AcceptedMessage,
  ): Promise<Outcome> {
    const { conversationId, messageId, to, workspaceId } = task.payload;
    if (waId !== undefined && workspaceId !== undefined && waId !== to.phone)
      await learnForm(context.commands, { ...context.contextFor(task, task.payload), workspaceId }, to, waId);
    const command = acceptMessage({ messageId, channelMessageId });
    await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
    return this.#done(task.payload);
  }

  /** Current end of the customer's window, in ms since 1970: they may have written since the sending began. */
  async #sendableUntil({ conversationId, content }: Sending, { commands }: ProcessorContext): Promise<number> {
    // A template may be sent at any time, and so may a message of an unknown window.
    if (content.type === 'template') return Number.POSITIVE_INFINITY;
    return (await commands.query(conversation, conversationId, windowEndsAt)) ?? Number.POSITIVE_INFINITY;
  }

  /** Retries after a pause, unless the customer's window has ended by then. */
  async #refused(
    task: Task<Sending>,
    context: ProcessorContext,
    error: ProviderError,
    { phoneNumberId }: StoreNumber,
  ): Promise<Outcome> {
    const { count } = this.#dependencies;
    const { place: _, ...sending } = task.payload;
    const until = await this.#sendableUntil(sending, context);
    const now = context.clock.now();
    const { againInMs, withinMs, pauseMs } = consequenceOf(error, sending.failures);
    if (pauseMs !== undefined) this.#rate.pause(phoneNumberId, context.clock.steady.now() + pauseMs);
    if (againInMs === undefined || now + againInMs > sending.queuedAt + withinMs)
      return this.#failed(task, context, error.code);
    if (now + againInMs > until) return this.#failed(task, context, WINDOW_CLOSED);
    count('send_retried', 1);
    return this.#wait(now + againInMs, { ...sending, failures: sending.failures + 1 }, now);
  }

  /** Returns an outcome if the message has to wait because of the number's rate. Undefined: it may be sent now. */
  #later(sending: Sending, { phoneNumberId }: StoreNumber, clock: Clock): Outcome | undefined {
    const now = clock.steady.now();
    const isPaused = this.#rate.pausedUntil(phoneNumberId) > now;
    if (!isPaused && sending.place?.by === this.#process && sending.place.at <= now + ROUNDING_MS) return undefined;
    const place = { at: this.#rate.reserve(phoneNumberId, now), by: this.#process };
    if (place.at <= now) return undefined;
    const at = clock.now() + place.at - now;
    this.#queues.firstAt(sending.conversationId, at, clock.now());
    return { again: { at, payload: { ...sending, place }, unbegun: true } };
  }

  /** Uploads missing files. Undefined: there were none, so the message can be sent now. */
  async #uploaded(task: Task<Sending>, context: ProcessorContext, number: StoreNumber): Promise<Outcome | undefined> {
    const { accessTokenOf } = this.#dependencies;
    let sending = task.payload;
    try {
      const token = accessTokenOf(number);
      for await (const mediaIds of this.#uploads.missing(sending, number, token, context.signal))
        sending = { ...sending, mediaIds };
    } catch (error) {
      if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
      return this.#refused({ ...task, payload: sending }, context, error, number);
    }
    if (sending === task.payload) return undefined;
    // An upload may take minutes: by now the customer may be erased, the number disconnected, or another message first.
    const place = { at: context.clock.steady.now(), by: this.#process };
    return this.send({ ...task, payload: { ...sending, place } }, context);
  }

  /** Sends the message now. */
  async #deliver(
    task: Task<Sending>,
    context: ProcessorContext,
    number: StoreNumber,
    { repliesTo }: Turn,
  ): Promise<Outcome> {
    const { channel, accessTokenOf, log, count } = this.#dependencies;
    const { conversationId, messageId, to, content, mediaIds } = task.payload;
    let taken: AcceptedMessage;
    try {
      const message = { to, content, messageId, conversationId, ...defined({ repliesTo, mediaIds }) };
      taken = await channel.send(number.phoneNumberId, message, accessTokenOf(number), context.signal);
    } catch (error) {
      if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
      return this.#refused(task, context, error, number);
    }
    count('sent', 1);
    try {
      return await this.#accepted(task, context, taken);
    } catch (error) {
      // From here on the task only records: the customer has the message.
      log.warn({ conversationId, messageId, err: error }, 'sent message could not be recorded, retrying');
      const now = context.clock.now();
      const { channelMessageId: acceptedAs, waId } = taken;
      return this.#wait(now + RECORD_AGAIN_MS, { ...task.payload, acceptedAs, ...defined({ waId }) }, now);
    }
  }

  async #perform(task: Task<Sending>, context: ProcessorContext): Promise<Outcome> {
    const { numbers } = this.#dependencies;
    const sending = task.payload;
    const turn = await this.#turnOf(task, context);
    const now = context.clock.now();
    if (turn === undefined) return this.#done(sending);
    if (turn.ahead > 0) {
      const { at, known } = this.#queues.pollAt(sending.conversationId, { ...turn, waits: sending.waits, now });
      return again(at, known ? sending : { ...sending, waits: sending.waits + 1 });
    }
    const notBefore = Math.max(turn.pace, settledAt(sending, context));
    if (notBefore > now) return this.#wait(notBefore, sending, now);
    const number = await connectedNumber(numbers, context.commands, sending);
    if (number === undefined) return this.#failed(task, context, 'number_not_connected');
    return (
      this.#later(sending, number, context.clock) ??
      (await this.#uploaded(task, context, number)) ??
      this.#deliver(task, context, number, turn)
    );
  }
}

export function outbox(dependencies: OutboxDependencies): Processor<ConversationEvent> {
  const sender = new Outbox(dependencies);
  return defineProcessor<ConversationEvent>({
    name: 'outbox',
    categories: ['conversation'],
    derivable: ['MessageQueued'],
    on: { MessageQueued: (event) => [sendingTask(event)] },
    perform: { send: (task: Task<Sending>, context) => sender.send(task, context) },
    concurrency: AT_ONCE,
  });
}
