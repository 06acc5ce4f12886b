/** Takes what one customer sent into their conversation. */

import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey, inboundMessageId } from '../../domain/channel/conversationIds.js';
import {
  receiveCalls,
  receiveMessages,
  receiveNotice,
  tellCustomer,
} from '../../domain/channel/conversationReceiving.js';
import { isMerged, needsRouting } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { takenEarlier } from './aboutEarlier.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Contacts } from './contacts.js';
import type { StoreContext } from './customerClaims.js';
import type { ReceivedCall, ReceivedMessage, ReceivedNewPhone, ReceivedNotice } from './inboundUpdates.js';
import type { CountChannel } from './observing.js';
import type { Introduce, Introduction } from './routing.js';
import { customerContext, messageIn, type WritingCustomer } from './writingCustomer.js';

export interface InboundMessagesDependencies {
  readonly commands: CommandHandler;
  readonly contacts: Contacts;
  readonly introduce: Introduce;
  readonly count: CountChannel;
}

/**
 * An append takes at most 500 events. A start, a routing and this many messages always fit, each taken back, and joined by
 * reactions that came before: 3 events each, and 2 for each of the 100 reactions that may be waiting.
 */
const AT_ONCE = 96;

type Decided = readonly ConversationEvent[];

/** How updates of one kind are taken. */
interface Taking<T> {
  readonly requestId: string;
  readonly idOf: (one: T) => string;
  /** Those that no former conversation of the customer has. */
  readonly freshOf: (writer: WritingCustomer, came: readonly T[]) => Promise<readonly T[]>;
  /** Undefined: the conversation was merged since the customer was looked up. */
  readonly take: (writer: WritingCustomer, run: readonly T[]) => Promise<Decided | undefined>;
}

export function createInboundMessages({ commands, contacts, introduce, count }: InboundMessagesDependencies) {
  /**
   * Decides on the customer's conversation. `decide` is told the conversation's id; where `asks` says so, it is introduced first.
   * Undefined: the conversation was merged into another since the customer was looked up, and nothing is decided.
   */
  async function onConversation(
    writer: WritingCustomer,
    context: StoreContext,
    decide: (conversationId: string, introduction: Introduction | undefined) => (state: Conversation) => Decided,
    asks: (state: Conversation) => boolean,
    about: { readonly firstMessage: string; readonly contents: readonly { readonly type: string }[] },
  ): Promise<Decided | undefined> {
    const { key, number } = writer;
    const { numberId, workspaceId } = number;
    const conversationId = conversationOfKey(numberId, key);
    let introduction: Introduction | undefined;
    for (;;) {
      let stop: 'moved' | 'asks' | undefined;
      let language: Introduction['contact']['language'] | undefined;
      const { events } = await commands.decide(context, conversation, conversationId, (state) => {
        stop = undefined;
        language = state.contact?.language;
        if (isMerged(state) && writer.isKnownAnew !== true) stop = 'moved';
        else if (introduction === undefined && asks(state)) stop = 'asks';
        return stop === undefined ? decide(conversationId, introduction)(state) : [];
      });
      if (stop === undefined) return events;
      if (stop === 'moved') return undefined;
      introduction = await introduce({ workspaceId, conversationId, key, language, ...about });
    }
  }

  /**
   * Takes what came, in runs that one append holds, into the conversation that the customer has by now. What one of their former
   * conversations took is left out; which these are is looked up again where the conversation was merged since.
   */
  async function takeAll<T extends { readonly customer: ChannelCustomer }>(
    writer: WritingCustomer,
    came: readonly T[],
    { requestId, idOf, freshOf, take }: Taking<T>,
  ): Promise<void> {
    let who = writer;
    for (let left = await freshOf(who, came); left.length > 0; ) {
      const run = left.slice(0, AT_ONCE);
      const events = await take(who, run);
      if (events !== undefined) {
        tally(events, run.length);
        left = left.slice(AT_ONCE);
        continue;
      }
      const { number } = writer;
      const [{ customer }] = run as [T];
      contacts.forget();
      const context = customerContext(number, customer, requestId, 'claim', number.numberId, idOf(run[0]!));
      who = { number, ...(await contacts.claimed(context, number.numberId, customer)), isKnownAnew: true };
      left = await freshOf(who, left);
    }
  }

  /** Of `came` messages or calls, those that were known are told apart. */
  function tally(events: Decided, came: number): void {
    const taken = events.filter(isOfDelivery).length;
    count('received', taken);
    if (taken < came) count('duplicate', came - taken);
  }

  async function receive(
    writer: WritingCustomer,
    messages: readonly ReceivedMessage[],
    requestId: string,
  ): Promise<Decided | undefined> {
    const { numberId } = writer.number;
    const [{ customer, channelMessageId: firstMessage }] = messages as [ReceivedMessage];
    const ids = messages.map((message) => message.channelMessageId);
    const context = customerContext(writer.number, customer, requestId, 'receive', numberId, writer.key, ...ids);
    const contents = messages.map(({ content }) => content);
    return onConversation(
      writer,
      context,
      (conversationId, introduction) =>
        receiveMessages({
          numberId,
          messages: messages.map((message) => messageIn(conversationId, message)),
          ...introduction,
        }),
      (state) => !state.started || needsRouting(state, contents),
      { firstMessage, contents },
    );
  }

  /** Deliveries come again also after the customer has turned out to be another one. */
  async function notTakenBefore<T>(
    { former }: WritingCustomer,
    came: readonly T[],
    idOf: (one: T) => string,
  ): Promise<readonly T[]> {
    let fresh = came;
    for (const id of former)
      fresh = await commands.query(conversation, id, ({ inbound }) => fresh.filter((one) => !inbound.has(idOf(one))));
    if (fresh.length < came.length) count('duplicate', came.length - fresh.length);
    return fresh;
  }

  async function end(
    writer: WritingCustomer,
    calls: readonly ReceivedCall[],
    requestId: string,
  ): Promise<Decided | undefined> {
    const { numberId } = writer.number;
    const [{ customer, channelCallId: firstMessage }] = calls as [ReceivedCall];
    const ids = calls.map((call) => call.channelCallId);
    const context = customerContext(writer.number, customer, requestId, 'calls', numberId, writer.key, ...ids);
    return onConversation(
      writer,
      context,
      (conversationId, introduction) =>
        receiveCalls({
          numberId,
          calls: calls.map((call) => ({
            ...call,
            messageId: inboundMessageId(conversationId, call.channelCallId),
            callId: derivedId('call', conversationId, call.channelCallId),
          })),
          ...(introduction && { contact: introduction.contact }),
        }),
      (state) => !state.started,
      { firstMessage, contents: [] },
    );
  }

  return {
    /** Stores messages, in their order; resolves when they are durable. */
    receive: (writer: WritingCustomer, messages: readonly ReceivedMessage[], requestId: string): Promise<void> =>
      takeAll(writer, messages, {
        requestId,
        idOf: ({ channelMessageId }) => channelMessageId,
        async freshOf(who, came) {
          const fresh = await notTakenBefore(who, came, ({ channelMessageId }) => channelMessageId);
          const own: ReceivedMessage[] = [];
          for (const message of fresh) if (!(await takenEarlier(commands, who, message, requestId))) own.push(message);
          if (own.length < fresh.length) count('received', fresh.length - own.length);
          return own;
        },
        take: (who, run) => receive(who, run, requestId),
      }),

    /** Stores ended calls. */
    end: (writer: WritingCustomer, calls: readonly ReceivedCall[], requestId: string): Promise<void> =>
      takeAll(writer, calls, {
        requestId,
        idOf: ({ channelCallId }) => channelCallId,
        freshOf: (who, came) => notTakenBefore(who, came, ({ channelCallId }) => channelCallId),
        take: (who, run) => end(who, run, requestId),
      }),

    /** Stores a notice in the conversation that the customer has; of someone who never wrote, nothing is kept. */
    async notice(number: StoreNumber, received: ReceivedNotice, requestId: string): Promise<void> {
      const { customer, channelMessageId, ...said } = received;
      const key = await contacts.find(number.workspaceId, customer);
      if (key === undefined) return count('notice', 1);
      const conversationId = conversationOfKey(number.numberId, key);
      const messageId = inboundMessageId(conversationId, channelMessageId);
      const context = customerContext(number, customer, requestId, 'notice', number.numberId, key, channelMessageId);
      const decision = receiveNotice({ messageId, channelMessageId, ...said });
      await commands.decide({ ...context, actor: { type: 'system' } }, conversation, conversationId, decision);
      count('notice', 1);
    },

    /** The customer is found by the new phone or user id too; of someone who never wrote, nothing is kept. */
    async changeNames(number: StoreNumber, change: ReceivedNewPhone, requestId: string): Promise<void> {
      const { customer, channelMessageId } = change;
      const key = await contacts.find(number.workspaceId, customer);
      if (key === undefined) return;
      const names = defined({ phone: change.phone, userId: change.userId });
      const context = customerContext(number, customer, requestId, 'newNames', number.numberId, key, channelMessageId);
      if (!(await contacts.moveTo(context, key, customer, names))) return;
      const told = tellCustomer({ ...customer, ...names });
      await commands.decide(context, conversation, conversationOfKey(number.numberId, key), told);
    },
  };
}

/** Whether the event is what a delivered message or call says; what it leads to for others bears no name of the channel. */
const isOfDelivery = ({ data }: ConversationEvent): boolean => 'channelMessageId' in data || 'channelCallId' in data;
