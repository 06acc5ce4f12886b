/** Stores the messages of one customer in their conversation. */

import { conversation } from '../../domain/channel/conversation.js';
import type { ChannelCustomer, ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { conversationOfKey, inboundMessageId } from '../../domain/channel/conversationIds.js';
import {
  receiveCalls,
  receiveMessages,
  receiveNotice,
  updateCustomer,
} from '../../domain/channel/conversationReceiving.js';
import { isMerged, needsRouting } from '../../domain/channel/conversationRouting.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { CountChannel } from './channelMetrics.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Contacts } from './contacts.js';
import type { StoreContext } from './customerClaims.js';
import { takenEarlier } from './earlierMessages.js';
import type { ReceivedCall, ReceivedMessage, ReceivedNewPhone, ReceivedNotice } from './inboundUpdates.js';
import type { Introduce, Introduction } from './routing.js';
import { customerContext, messageIn, type WritingCustomer } from './writingCustomer.js';

export interface InboundMessagesDependencies {
  readonly commands: CommandHandler;
  readonly contacts: Contacts;
  readonly introduce: Introduce;
  readonly count: CountChannel;
}

/**
 * Maximum messages per command. An append accepts at most 500 events: a start, a routing and this many messages always fit, even if each is
 * deleted and has an earlier reaction. These are 3 events each, and 2 for each of the 100 reactions that may wait.
 */
const AT_ONCE = 96;

type Decided = readonly ConversationEvent[];

/** Handling of one kind of updates. */
interface Taking<T> {
  readonly requestId: string;
  readonly idOf: (one: T) => string;
  /** Filters out updates that a former conversation of the customer contains. */
  readonly freshOf: (writer: WritingCustomer, came: readonly T[]) => Promise<readonly T[]>;
  /** Undefined: the conversation was merged since the customer was identified. */
  readonly take: (writer: WritingCustomer, run: readonly T[]) => Promise<Decided | undefined>;
}

/** A decision on a customer's conversation, whose id it gets. */
interface OnConversation {
  readonly decide: (conversationId: string, introduction: Introduction | undefined) => (state: Conversation) => Decided;
  /** If it returns true, the decision also gets an introduction. */
  readonly isNeeded: (state: Conversation) => boolean;
  readonly firstMessage: string;
  readonly contents: readonly { readonly type: string }[];
}

export class InboundMessages {
  readonly #dependencies: InboundMessagesDependencies;

  constructor(dependencies: InboundMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores messages, in order. Resolves when they are durable. */
  receive(writer: WritingCustomer, messages: readonly ReceivedMessage[], requestId: string): Promise<void> {
    const { commands, count } = this.#dependencies;
    return this.#takeAll(writer, messages, {
      requestId,
      idOf: ({ channelMessageId }) => channelMessageId,
      freshOf: async (who, came) => {
        const fresh = await this.#notTakenBefore(who, came, ({ channelMessageId }) => channelMessageId);
        const own: ReceivedMessage[] = [];
        for (const message of fresh) if (!(await takenEarlier(commands, who, message, requestId))) own.push(message);
        if (own.length < fresh.length) count('received', fresh.length - own.length);
        return own;
      },
      take: (who, run) => this.#receive(who, run, requestId),
    });
  }

  /** Stores ended calls. */
  end(writer: WritingCustomer, calls: readonly ReceivedCall[], requestId: string): Promise<void> {
    return this.#takeAll(writer, calls, {
      requestId,
      idOf: ({ channelCallId }) => channelCallId,
      freshOf: (who, came) => this.#notTakenBefore(who, came, ({ channelCallId }) => channelCallId),
      take: (who, run) => this.#end(who, run, requestId),
    });
  }

  /** Stores a notice in the customer's conversation. Ignored for a customer who never wrote. */
  async notice(number: StoreNumber, received: ReceivedNotice, requestId: string): Promise<void> {
    const { commands, contacts, count } = this.#dependencies;
    const { customer, channelMessageId, ...message } = received;
    const key = await contacts.find(number.workspaceId, customer);
    if (key === undefined) return count('notice', 1);
    const conversationId = conversationOfKey(number.numberId, key);
    const messageId = inboundMessageId(conversationId, channelMessageId);
    const context = customerContext(number, customer, requestId, 'notice', number.numberId, key, channelMessageId);
    const decision = receiveNotice({ messageId, channelMessageId, ...message });
    await commands.decide({ ...context, actor: { type: 'system' } }, conversation, conversationId, decision);
    count('notice', 1);
  }

  /** Makes the customer known by the new phone or user id. Ignored for a customer who never wrote. */
  async changeNames(number: StoreNumber, change: ReceivedNewPhone, requestId: string): Promise<void> {
    const { commands, contacts } = this.#dependencies;
    const { customer, channelMessageId } = change;
    const key = await contacts.find(number.workspaceId, customer);
    if (key === undefined) return;
    const names = defined({ phone: change.phone, userId: change.userId });
    const context = customerContext(number, customer, requestId, 'newNames', number.numberId, key, channelMessageId);
    if (!(await contacts.moveTo(context, key, customer, names))) return;
    const reported = updateCustomer({ ...customer, ...names });
    await commands.decide(context, conversation, conversationOfKey(number.numberId, key), reported);
  }

  /**
   * Decides on the customer's conversation. Undefined: the conversation was merged into another since the customer was identified, and
   * nothing is decided.
   */
  async #onConversation(
    writer: WritingCustomer,
    context: StoreContext,
    { decide, isNeeded, ...about }: OnConversation,
  ): Promise<Decided | undefined> {
    const { commands, introduce } = this.#dependencies;
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
        if (isMerged(state) && writer.isIdentifiedAgain !== true) stop = 'moved';
        else if (introduction === undefined && isNeeded(state)) stop = 'asks';
        return stop === undefined ? decide(conversationId, introduction)(state) : [];
      });
      if (stop === undefined) return events;
      if (stop === 'moved') return undefined;
      introduction = await introduce({ workspaceId, conversationId, key, language, ...about });
    }
  }

  /**
   * Stores all updates in the customer's current conversation, in runs that fit into one append. Updates that a former conversation
   * contains are left out. If the conversation was merged meanwhile, the customer is identified again.
   */
  async #takeAll<T extends { readonly customer: ChannelCustomer }>(
    writer: WritingCustomer,
    came: readonly T[],
    { requestId, idOf, freshOf, take }: Taking<T>,
  ): Promise<void> {
    const { contacts } = this.#dependencies;
    let who = writer;
    for (let left = await freshOf(who, came); left.length > 0; ) {
      const run = left.slice(0, AT_ONCE);
      const events = await take(who, run);
      if (events !== undefined) {
        this.#tally(events, run.length);
        left = left.slice(AT_ONCE);
        continue;
      }
      const { number } = writer;
      const [{ customer }] = run as [T];
      contacts.forget();
      const context = customerContext(number, customer, requestId, 'claim', number.numberId, idOf(run[0]!));
      who = { number, ...(await contacts.claimed(context, number.numberId, customer)), isIdentifiedAgain: true };
      left = await freshOf(who, left);
    }
  }

  /** Counts new and known updates. */
  #tally(events: Decided, came: number): void {
    const { count } = this.#dependencies;
    const taken = events.filter(isOfDelivery).length;
    count('received', taken);
    if (taken < came) count('duplicate', came - taken);
  }

  async #receive(
    writer: WritingCustomer,
    messages: readonly ReceivedMessage[],
    requestId: string,
  ): Promise<Decided | undefined> {
    const { numberId } = writer.number;
    const [{ customer, channelMessageId: firstMessage }] = messages as [ReceivedMessage];
    const ids = messages.map((message) => message.channelMessageId);
    const context = customerContext(writer.number, customer, requestId, 'receive', numberId, writer.key, ...ids);
    const contents = messages.map(({ content }) => content);
    return this.#onConversation(writer, context, {
      decide: (conversationId, introduction) =>
        receiveMessages({
          numberId,
          messages: messages.map((message) => messageIn(conversationId, message)),
          ...introduction,
        }),
      isNeeded: (state) => !state.started || needsRouting(state, contents),
      firstMessage,
      contents,
    });
  }

  /** Filters out repeated deliveries, even if the customer was merged since. */
  async #notTakenBefore<T>(
    { former }: WritingCustomer,
    came: readonly T[],
    idOf: (one: T) => string,
  ): Promise<readonly T[]> {
    const { commands, count } = this.#dependencies;
    let fresh = came;
    for (const id of former)
      fresh = await commands.query(conversation, id, ({ inbound }) => fresh.filter((one) => !inbound.has(idOf(one))));
    if (fresh.length < came.length) count('duplicate', came.length - fresh.length);
    return fresh;
  }

  async #end(writer: WritingCustomer, calls: readonly ReceivedCall[], requestId: string): Promise<Decided | undefined> {
    const { numberId } = writer.number;
    const [{ customer, channelCallId: firstMessage }] = calls as [ReceivedCall];
    const ids = calls.map((call) => call.channelCallId);
    const context = customerContext(writer.number, customer, requestId, 'calls', numberId, writer.key, ...ids);
    return this.#onConversation(writer, context, {
      decide: (conversationId, introduction) =>
        receiveCalls({
          numberId,
          calls: calls.map((call) => ({
            ...call,
            messageId: inboundMessageId(conversationId, call.channelCallId),
            callId: derivedId('call', conversationId, call.channelCallId),
          })),
          ...(introduction && { contact: introduction.contact }),
        }),
      isNeeded: (state) => !state.started,
      firstMessage,
      contents: [],
    });
  }
}

/** Returns true if the event is a delivered message or call. Events that follow from it have no id of the channel. */
const isOfDelivery = ({ data }: ConversationEvent): boolean => 'channelMessageId' in data || 'channelCallId' in data;
