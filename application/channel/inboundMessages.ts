/** Takes what one customer sent into their conversation. */

import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey, inboundMessageId } from '../../domain/channel/conversationIds.js';
import { receiveCalls, receiveMessages, tellCustomer } from '../../domain/channel/conversationReceiving.js';
import { isMerged, needsRouting } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Contacts, KnownCustomer, StoreContext } from './contacts.js';
import type { ReceivedCall, ReceivedMessage, ReceivedNewPhone } from './inboundUpdates.js';
import type { CountChannel } from './observing.js';
import type { Introduce, Introduction } from './routing.js';

export interface InboundMessagesDependencies {
  readonly commands: CommandHandler;
  readonly contacts: Contacts;
  readonly introduce: Introduce;
  readonly count: CountChannel;
}

/** Whose conversation with which number. */
export interface WritingCustomer extends KnownCustomer {
  readonly number: StoreNumber;
}

/**
 * An append takes at most 500 events. A start, a routing and this many messages always fit, each taken back, and joined by
 * reactions that came before: 3 events each, and 2 for each of the 100 reactions that may be waiting.
 */
const AT_ONCE = 96;

type Decided = readonly ConversationEvent[];

/** Who speaks, and what led there; `names` make the command's id, the same for every delivery of the same. */
export function customerContext(
  { workspaceId, partnerId }: StoreNumber,
  { userId, phone }: ChannelCustomer,
  requestId: string,
  ...names: readonly string[]
): StoreContext {
  return {
    commandId: derivedId(...names),
    actor: { type: 'customer', id: (userId ?? phone)! },
    correlationId: requestId,
    workspaceId,
    ...defined({ partnerId }),
  };
}

/** Splits into runs that one append holds. */
function* inRuns<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE);
}

export function createInboundMessages({ commands, contacts, introduce, count }: InboundMessagesDependencies) {
  const contentOf = (conversationId: string, { content }: ReceivedMessage) =>
    content.type === 'revoke'
      ? ({ type: 'revoke', messageId: inboundMessageId(conversationId, content.channelMessageId) } as const)
      : content;

  /**
   * Decides on the customer's conversation: the one that they have by now. `decide` is told the conversation's id; where it
   * answers nothing, it wants to be introduced, and is asked again.
   */
  async function onConversation(
    writer: WritingCustomer,
    context: StoreContext,
    customer: ChannelCustomer,
    decide: (conversationId: string, introduction: Introduction | undefined) => (state: Conversation) => Decided,
    asks: (state: Conversation) => boolean,
    about: { readonly firstMessage: string; readonly contents: readonly { readonly type: string }[] },
  ): Promise<Decided> {
    const { numberId, workspaceId } = writer.number;
    let { key } = writer;
    let introduction: Introduction | undefined;
    for (let isLast = false; ; ) {
      const conversationId = conversationOfKey(numberId, key);
      let stop: 'moved' | 'asks' | undefined;
      let language: Introduction['contact']['language'] | undefined;
      const { events } = await commands.decide(context, conversation, conversationId, (state) => {
        stop = undefined;
        language = state.contact?.language;
        if (isMerged(state) && !isLast) stop = 'moved';
        else if (introduction === undefined && asks(state)) stop = 'asks';
        return stop === undefined ? decide(conversationId, introduction)(state) : [];
      });
      if (stop === undefined) return events;
      if (stop === 'asks') introduction = await introduce({ workspaceId, conversationId, key, language, ...about });
      else {
        // Merged since this was remembered, here or on another instance.
        contacts.forget();
        key = await contacts.claim(context, numberId, customer);
        isLast = true;
        introduction = undefined;
      }
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
  ): Promise<void> {
    const { numberId } = writer.number;
    const [{ customer, channelMessageId: firstMessage }] = messages as [ReceivedMessage];
    const ids = messages.map((message) => message.channelMessageId);
    const context = customerContext(writer.number, customer, requestId, 'receive', numberId, writer.key, ...ids);
    const contents = messages.map(({ content }) => content);
    const events = await onConversation(
      writer,
      context,
      customer,
      (conversationId, introduction) =>
        receiveMessages({
          numberId,
          messages: messages.map((message) => ({
            messageId: inboundMessageId(conversationId, message.channelMessageId),
            channelMessageId: message.channelMessageId,
            sentAt: message.sentAt,
            content: contentOf(conversationId, message),
            customer: message.customer,
            ...defined({ repliesTo: message.repliesTo, forwarded: message.forwarded }),
          })),
          ...introduction,
        }),
      (state) => !state.started || needsRouting(state, contents),
      { firstMessage, contents },
    );
    tally(events, messages.length);
  }

  /** Deliveries come again also after the customer has turned out to be another one. */
  async function notTakenBefore(
    { former }: WritingCustomer,
    messages: readonly ReceivedMessage[],
  ): Promise<readonly ReceivedMessage[]> {
    let fresh = messages;
    for (const id of former)
      fresh = await commands.query(conversation, id, ({ inbound }) =>
        fresh.filter((message) => !inbound.has(message.channelMessageId)),
      );
    return fresh;
  }

  async function end(writer: WritingCustomer, calls: readonly ReceivedCall[], requestId: string): Promise<void> {
    const { numberId } = writer.number;
    const [{ customer, channelCallId: firstMessage }] = calls as [ReceivedCall];
    const ids = calls.map((call) => call.channelCallId);
    const context = customerContext(writer.number, customer, requestId, 'calls', numberId, writer.key, ...ids);
    const events = await onConversation(
      writer,
      context,
      customer,
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
    tally(events, calls.length);
  }

  return {
    /** Stores messages, in their order; resolves when they are durable. */
    async receive(writer: WritingCustomer, messages: readonly ReceivedMessage[], requestId: string): Promise<void> {
      const fresh = await notTakenBefore(writer, messages);
      if (fresh.length < messages.length) count('duplicate', messages.length - fresh.length);
      for (const run of inRuns(fresh)) await receive(writer, run, requestId);
    },

    /** Stores ended calls. */
    async end(writer: WritingCustomer, calls: readonly ReceivedCall[], requestId: string): Promise<void> {
      for (const run of inRuns(calls)) await end(writer, run, requestId);
    },

    /** The customer is found by the new phone too; of someone who never wrote, nothing is kept. */
    async changePhone(number: StoreNumber, { customer, phone }: ReceivedNewPhone, requestId: string): Promise<void> {
      const key = await contacts.find(number.workspaceId, customer);
      if (key === undefined) return;
      const context = customerContext(number, customer, requestId, 'newPhone', number.numberId, key, phone);
      await contacts.moveTo(context, key, phone, customer.userId);
      const told = tellCustomer({ ...customer, phone });
      await commands.decide(context, conversation, conversationOfKey(number.numberId, key), told);
    },
  };
}

/** Whether the event is what a delivered message or call says; what it leads to for others bears no name of the channel. */
const isOfDelivery = ({ data }: ConversationEvent): boolean => 'channelMessageId' in data || 'channelCallId' in data;
