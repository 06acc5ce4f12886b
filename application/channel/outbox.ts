import {
  acceptMessage,
  conversation,
  failMessage,
  nextToSend,
  outboundStatus,
  windowEndsAt,
} from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent, OutboundContent } from '../../domain/channel/conversationEvents.js';
import { newId } from '../ids.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { ChannelMessages } from '../ports/channelMessages.js';
import {
  defineProcessor,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../processors/processor.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { failureReason } from './failureReasons.js';
import type { ChannelLog, CountChannel } from './observing.js';
import { createSendRate, type SendRate } from './sendRate.js';

export interface OutboxDependencies {
  readonly channel: ChannelMessages;
  readonly numbers: ChannelNumbers;
  /** The number's own bearer token, unsealed; undefined: the service's. */
  readonly accessTokenOf: (number: StoreNumber) => string | undefined;
  readonly log: ChannelLog;
  readonly count: CountChannel;
  readonly rate?: SendRate;
}

/** What a sending task carries between its performances. Times in ms since 1970. */
interface Sending {
  readonly conversationId: string;
  readonly messageId: string;
  readonly numberId: string;
  readonly to: ChannelCustomer;
  readonly content: OutboundContent;
  readonly workspaceId?: string;
  readonly partnerId?: string;
  readonly correlationId: string;
  readonly queuedAt: number;
  /** Failed tries so far. */
  readonly failures: number;
  /** How often it waited for an earlier message of the conversation. */
  readonly waits: number;
  /** Its place in the number's rate, and which process gave it out. */
  readonly place?: { readonly at: number; readonly by: string };
}

const LONGEST_MS = 24 * 3_600_000;
const PAIR_LIMIT = '131056';
const MOST_WAIT_MS = 30_000;
const MOST_BACK_OFF_MS = 300_000;
/** A number that a message was queued for is missing only while its read model catches up, or for good. */
const NUMBER_TRIES = 6;

/** ms until the next try; `failures` before this one. */
function backOff(error: ProviderError, failures: number): number {
  if (error.code === PAIR_LIMIT) return 4 ** failures * 1_000;
  return Math.max(error.retryAfterMs ?? 0, Math.min(1_000 * 2 ** failures, MOST_BACK_OFF_MS));
}

/**
 * Sends queued messages, those of one conversation in the order they were queued. A message that the channel took just
 * before a crash may go out twice: the channel knows no repeat, though a status of the first one prevents it.
 */
export function outbox(dependencies: OutboxDependencies): Processor<ConversationEvent> {
  const { channel, numbers, accessTokenOf, log, count, rate = createSendRate() } = dependencies;
  /** Places in the rate are good only in the process that gave them out. */
  const process = newId();
  const done: Outcome = { done: true };
  const again = (at: number, payload: Sending): Outcome => ({ again: { at, payload } });

  async function failed(task: Task<Sending>, context: ProcessorContext, errorCode: string): Promise<Outcome> {
    const { conversationId, messageId } = task.payload;
    const command = failMessage({ messageId, errorCode, reason: failureReason(errorCode) });
    await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
    count('send_failed', 1);
    log.warn({ conversationId, messageId, errorCode }, 'a message was not sent');
    return done;
  }

  /** Again after a pause, unless that is too late. `until`: end of the customer's 24-hour window, if known. */
  async function retry(
    task: Task<Sending>,
    context: ProcessorContext,
    error: ProviderError,
    until: number | undefined,
  ): Promise<Outcome> {
    const { place: _, ...sending } = task.payload;
    const at = context.clock.now() + backOff(error, sending.failures);
    if (at > sending.queuedAt + LONGEST_MS) return failed(task, context, error.code);
    if (until !== undefined && at > until) return failed(task, context, '131047');
    count('send_retried', 1);
    return again(at, { ...sending, failures: sending.failures + 1 });
  }

  /** When the message may go, by the number's rate; undefined: now. */
  function later(sending: Sending, number: StoreNumber, now: number): Outcome | undefined {
    if (sending.place?.by === process && sending.place.at <= now) return undefined;
    const at = rate.reserve(number.phoneNumberId, now);
    return at <= now ? undefined : again(at, { ...sending, place: { at, by: process } });
  }

  /** Sends it now. `until`: as in retry. */
  async function deliver(
    task: Task<Sending>,
    context: ProcessorContext,
    number: StoreNumber,
    until: number | undefined,
  ): Promise<Outcome> {
    const { conversationId, messageId, to, content } = task.payload;
    try {
      const message = { to, content, messageId };
      const sent = await channel.send(number.phoneNumberId, message, accessTokenOf(number), context.signal);
      const command = acceptMessage({ messageId, channelMessageId: sent.channelMessageId });
      await context.commands.decide(context.contextFor(task, task.payload), conversation, conversationId, command);
      count('sent', 1);
      return done;
    } catch (error) {
      if (!(error instanceof ProviderError) || context.signal.aborted) throw error;
      return error.retry ? retry(task, context, error, until) : failed(task, context, error.code);
    }
  }

  async function perform(task: Task<Sending>, context: ProcessorContext): Promise<Outcome> {
    const sending = task.payload;
    const now = context.clock.now();
    const known = await context.commands.query(conversation, sending.conversationId, (state) => ({
      status: outboundStatus(state, sending.messageId),
      next: nextToSend(state),
      until: windowEndsAt(state),
    }));
    if (known.status !== 'queued') return done;
    if (known.next !== sending.messageId) {
      const wait = Math.min(250 * 2 ** sending.waits, MOST_WAIT_MS);
      return again(now + wait, { ...sending, waits: sending.waits + 1 });
    }
    const number = await numbers.byNumberId(sending.numberId);
    if (number === undefined) {
      if (sending.failures >= NUMBER_TRIES) return failed(task, context, 'number_not_connected');
      return again(now + 1_000 * 2 ** sending.failures, { ...sending, failures: sending.failures + 1 });
    }
    // A template may go at any time.
    const until = sending.content.type === 'template' ? undefined : known.until;
    return later(sending, number, now) ?? deliver(task, context, number, until);
  }

  return defineProcessor<ConversationEvent>({
    name: 'outbox',
    categories: ['conversation'],
    on: {
      MessageQueued: ({ id, data, meta, streamId }) => {
        const { workspaceId, partnerId, correlationId } = meta;
        const payload: Sending = {
          conversationId: streamId,
          messageId: data.messageId,
          numberId: data.numberId,
          to: data.to,
          content: data.content,
          ...(workspaceId === undefined ? {} : { workspaceId }),
          ...(partnerId === undefined ? {} : { partnerId }),
          correlationId,
          queuedAt: Date.parse(meta.at),
          failures: 0,
          waits: 0,
        };
        return [{ id, kind: 'send', lane: streamId, payload }];
      },
    },
    perform: { send: perform },
    concurrency: 64,
  });
}
