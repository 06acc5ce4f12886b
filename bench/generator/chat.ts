/** Messages between a customer and a shop, one command a message, as the channel would deliver it. */

import { conversation } from '../../domain/channel/conversation.js';
import type {
  ChannelCustomer,
  InboundContent,
  MessagePurpose,
  OutboundContent,
} from '../../domain/channel/conversationEvents.js';
import { contactIdOf, inboundMessageId } from '../../domain/channel/conversationIds.js';
import { receiveMessages } from '../../domain/channel/conversationReceiving.js';
import { setConversationStatus } from '../../domain/channel/conversationRouting.js';
import { acceptMessage, failMessage, queueMessage, updateStatus } from '../../domain/channel/conversationSending.js';
import { derivedId } from '../../domain/ids.js';
import type { Story } from './agenda.js';
import type { By, Ledger } from './ledger.js';
import type { Random } from './random.js';
import type { Customer, Shop } from './shop.js';
import { ANSWERS, GREETINGS, QUESTIONS, THANKS } from './wares.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Share of messages that do not arrive. */
const LOST = 0.01;
const READ = 0.7;

export interface Sending {
  readonly by: By;
  readonly content: OutboundContent;
  readonly purpose?: MessagePurpose;
  readonly memberId?: string;
}

export class Chat {
  readonly shop: Shop;
  readonly customer: Customer;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly #name: string;
  #messages = 0;

  /** `name`: of this chat, and of no other of the history. */
  constructor(name: string, ledger: Ledger, shop: Shop, customer: Customer, random: Random) {
    this.#name = name;
    this.ledger = ledger;
    this.shop = shop;
    this.customer = customer;
    this.random = random;
  }

  get #customer(): ChannelCustomer {
    const { phone, name } = this.customer;
    return { phone, name };
  }

  byCustomer(): By {
    return this.shop.by({ type: 'customer' });
  }

  /** Answers the channel's id of the message. */
  receive(content: InboundContent): string {
    this.#messages += 1;
    const channelMessageId = `wamid.${derivedId(this.#name, this.#messages)}`;
    const { conversationId, phone } = this.customer;
    const { workspaceId, numberId } = this.shop;
    const message = {
      messageId: inboundMessageId(conversationId, channelMessageId),
      channelMessageId,
      sentAt: new Date(this.ledger.now - 2 * SECOND).toISOString(),
      content,
      customer: this.#customer,
    };
    const contact = { contactId: contactIdOf(workspaceId, phone), language: 'so' as const };
    this.ledger.decide(
      this.shop.by({ type: 'customer', id: phone }),
      conversation,
      conversationId,
      receiveMessages({ numberId, messages: [message], contact }),
    );
    return channelMessageId;
  }

  /** The shop's message, until its outcome is known. `notify` receives whether the channel accepted it. */
  *send({ by, content, purpose, memberId }: Sending, notify?: (messageId: string, accepted: boolean) => void): Story {
    this.#messages += 1;
    const messageId = derivedId(this.#name, 'out', this.#messages);
    const channelMessageId = `wamid.${derivedId(messageId)}`;
    const { conversationId: id } = this.customer;
    const to = this.#customer;
    const by2 = (): By => ({ ...this.shop.by(), correlationId: by.correlationId });
    const by1 = memberId === undefined ? {} : { sentByMemberId: memberId, clientMsgId: messageId.slice(0, 8) };
    this.ledger.decide(
      by,
      conversation,
      id,
      queueMessage({ messageId, numberId: this.shop.numberId, to, content, ...by1, ...(purpose && { purpose }) }),
    );
    yield this.random.between(1, 4) * SECOND;
    if (this.random.chance(LOST)) {
      const failed = { messageId, errorCode: '131026', reason: 'The channel could not deliver the message.' };
      this.ledger.decide(by2(), conversation, id, failMessage(failed));
      notify?.(messageId, false);
      return;
    }
    this.ledger.decide(by2(), conversation, id, acceptMessage({ messageId, channelMessageId }));
    notify?.(messageId, true);
    yield this.random.between(1, 20) * SECOND;
    this.#status(messageId, channelMessageId, 'delivered', by2());
    if (!this.random.chance(READ)) return;
    yield this.random.between(5, 90) * SECOND;
    this.#status(messageId, channelMessageId, 'read', by2());
  }

  #status(messageId: string, channelMessageId: string, status: 'delivered' | 'read', by: By): void {
    const at = new Date(this.ledger.now).toISOString();
    const update = { messageId, channelMessageId, status, at };
    this.ledger.decide(by, conversation, this.customer.conversationId, updateStatus(update));
  }

  /** Questions and answers: a few mostly, and now and then dozens. */
  *talk(): Story {
    const turns = this.random.chance(0.06) ? this.random.between(15, 40) : this.random.between(1, 4);
    const memberId = this.random.pick(this.shop.memberIds);
    this.receive({ type: 'text', text: this.random.pick(GREETINGS) });
    for (let turn = 0; turn < turns; turn += 1) {
      yield this.random.between(10, 120) * SECOND;
      this.receive({ type: 'text', text: this.random.pick(QUESTIONS) });
      yield this.random.between(20, 600) * SECOND;
      const by = this.shop.by({ type: 'member', id: memberId });
      yield* this.send({ by, memberId, content: { type: 'text', text: this.random.pick(ANSWERS) } });
    }
    yield this.random.between(5, 60) * SECOND;
    this.receive({ type: 'text', text: this.random.pick(THANKS) });
  }

  /** The shop is done with it, until the customer writes again. */
  *close(): Story {
    yield this.random.between(1, 20) * HOUR;
    if (!this.random.chance(0.4)) return;
    this.ledger.decide(
      this.shop.byMember(),
      conversation,
      this.customer.conversationId,
      setConversationStatus({ status: 'closed' }),
    );
  }
}
