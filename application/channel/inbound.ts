import { concerns, conversation, receiveMessages, updateStatus } from '../../domain/channel/conversation.js';
import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import type { Actor } from '../../domain/decider.js';
import type { CommandContext, CommandHandler } from '../commands.js';
import { derivedId } from '../ids.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { conversationIdOf, inboundMessageId } from './conversationIds.js';
import { failureReason } from './failureReasons.js';
import type { InboundUpdates, ReceivedMessage, ReceivedStatus } from './inboundUpdates.js';
import type { ChannelLog, CountChannel } from './observing.js';

/** Conversations whose customer is known by a phone although they are kept under a user id. */
export interface ConversationAliases {
  byPhone(numberId: string, phone: string): Promise<readonly string[]>;
}

export interface InboundDependencies {
  readonly numbers: ChannelNumbers;
  readonly aliases: ConversationAliases;
  readonly commands: CommandHandler;
  readonly log: ChannelLog;
  readonly count: CountChannel;
}

/** The updates of one customer of one number; conversations are independent of each other. */
interface Share {
  readonly number: StoreNumber;
  readonly conversationId: string;
  readonly messages: ReceivedMessage[];
  readonly statuses: ReceivedStatus[];
}

/** Conversations of one batch that are written at the same time. */
const PARALLEL = 32;
/** An append takes at most 500 events; a start and this many messages always fit. */
const MESSAGES_AT_ONCE = 250;

/** Runs all, a few at a time, also after one has failed; then throws the first failure. */
async function eachBounded<T>(items: readonly T[], atOnce: number, run: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++])
      await run(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/**
 * Takes what the channel tells into the conversations. Resolves when everything is durable; throws when a part could
 * not be stored, after it has stored the others: the channel delivers again, and what is known changes nothing.
 */
export function createInbound({ numbers, aliases, commands, log, count }: InboundDependencies) {
  const contextOf = (number: StoreNumber, requestId: string, actor: Actor, commandId: string): CommandContext => ({
    commandId,
    actor,
    correlationId: requestId,
    workspaceId: number.workspaceId,
    ...(number.partnerId === undefined ? {} : { partnerId: number.partnerId }),
  });

  async function receive(share: Share, messages: readonly ReceivedMessage[], requestId: string): Promise<void> {
    const { number, conversationId } = share;
    const { userId, phone } = messages[0]!.customer;
    const actor: Actor = { type: 'customer', id: (userId ?? phone)! };
    const ids = messages.map((message) => message.channelMessageId);
    const { events } = await commands.decide(
      contextOf(number, requestId, actor, derivedId('receive', conversationId, ...ids)),
      conversation,
      conversationId,
      receiveMessages({
        numberId: number.numberId,
        messages: messages.map((message) => ({
          ...message,
          messageId: inboundMessageId(conversationId, message.channelMessageId),
        })),
      }),
    );
    const received = events.filter((event) => event.type === 'MessageReceived').length;
    count('received', received);
    if (received < messages.length) count('duplicate', messages.length - received);
  }

  const isAbout = (conversationId: string, status: ReceivedStatus): Promise<boolean> =>
    commands.query(conversation, conversationId, (state) => concerns(state, status));

  async function conversationOf(share: Share, status: ReceivedStatus): Promise<string | undefined> {
    const { numberId } = share.number;
    const { phone } = status.recipient;
    if (await isAbout(share.conversationId, status)) return share.conversationId;
    if (phone === undefined) return undefined;
    const byPhone = conversationIdOf(numberId, { phone });
    for (const id of new Set([byPhone, ...(await aliases.byPhone(numberId, phone))]))
      if (id !== share.conversationId && (await isAbout(id, status))) return id;
    return undefined;
  }

  async function note(share: Share, status: ReceivedStatus, requestId: string): Promise<void> {
    const conversationId = await conversationOf(share, status);
    if (conversationId === undefined) return count('status_unknown', 1);
    const { channelMessageId, status: name, errorCode } = status;
    const failed = errorCode === undefined ? {} : { reason: failureReason(errorCode) };
    await commands.decide(
      contextOf(
        share.number,
        requestId,
        { type: 'system' },
        derivedId('status', conversationId, channelMessageId, name),
      ),
      conversation,
      conversationId,
      updateStatus({ ...status, ...failed }),
    );
    count('status', 1);
  }

  async function take(share: Share, requestId: string): Promise<void> {
    for (let from = 0; from < share.messages.length; from += MESSAGES_AT_ONCE)
      await receive(share, share.messages.slice(from, from + MESSAGES_AT_ONCE), requestId);
    for (const status of share.statuses) await note(share, status, requestId);
  }

  async function shares(updates: InboundUpdates): Promise<Share[]> {
    const found = new Map<string, Share>();
    const shareOf = (number: StoreNumber, customer: ChannelCustomer): Share => {
      const conversationId = conversationIdOf(number.numberId, customer);
      let share = found.get(conversationId);
      if (share === undefined) {
        share = { number, conversationId, messages: [], statuses: [] };
        found.set(conversationId, share);
      }
      return share;
    };
    for (const { phoneNumberId, messages, statuses } of updates.numbers) {
      const number = await numbers.byPhoneNumberId(phoneNumberId);
      if (number === undefined) {
        count('unknown_number', messages.length + statuses.length);
        log.warn({ phoneNumberId }, 'updates for a number that no store has connected were left out');
        continue;
      }
      for (const message of messages) shareOf(number, message.customer).messages.push(message);
      for (const status of statuses) shareOf(number, status.recipient).statuses.push(status);
    }
    return [...found.values()];
  }

  return async (updates: InboundUpdates, requestId: string): Promise<void> => {
    if (updates.malformed > 0) {
      count('malformed', updates.malformed);
      log.warn({ parts: updates.malformed }, 'unreadable parts of a channel delivery were left out');
    }
    await eachBounded(await shares(updates), PARALLEL, (share) => take(share, requestId));
  };
}

export type ReceiveUpdates = ReturnType<typeof createInbound>;
