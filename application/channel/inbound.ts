/** Stores deliveries of the channel in conversations. */

import type { ChannelCustomer } from '../../domain/channel/conversationEvents.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import type { CountChannel } from './channelMetrics.js';
import type { ChannelNumbers, StoreNumber } from './channelNumbers.js';
import { type Contacts, createContacts, type KnownCustomer } from './contacts.js';
import { InboundMessages } from './inboundMessages.js';
import { type ConversationAliases, createInboundStatuses } from './inboundStatuses.js';
import type { InboundUpdates, NumberUpdates, ReceivedCall, ReceivedMessage } from './inboundUpdates.js';
import { createIntroductions, type IntroductionDependencies } from './routing.js';
import { createSettingAside } from './setAsideUpdates.js';
import { customerContext, type WritingCustomer } from './writingCustomer.js';

export interface InboundDependencies {
  readonly numbers: ChannelNumbers;
  readonly aliases: ConversationAliases;
  readonly commands: CommandHandler;
  readonly clock: Clock;
  readonly storeOf: IntroductionDependencies['storeOf'];
  readonly log: Log;
  readonly count: CountChannel;
  /** Shared with other users of contacts. Absent: creates its own. */
  readonly contacts?: Contacts;
}

/** A customer with their details in a delivery. */
interface NamedCustomer {
  readonly customer: ChannelCustomer;
  /** The channel's id of the first update from them. */
  readonly first: string;
}

/** Updates for one conversation. Conversations are independent of each other. */
interface CustomerDelivery extends WritingCustomer {
  readonly former: string[];
  readonly messages: ReceivedMessage[];
  readonly calls: ReceivedCall[];
}

type Connected = Omit<NumberUpdates, 'phoneNumberId'> & { readonly number: StoreNumber };

/** Maximum conversations of one delivery that are written concurrently. They share their commits. */
const PARALLEL = 128;

/** Runs as much as possible: a failing part does not prevent others from being stored. */
class Attempts {
  readonly #failures: unknown[] = [];

  /** Runs all, a few at a time, even after a failure. */
  async each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let item = items[next++]; item !== undefined; item = items[next++])
        await run(item).catch((error: unknown) => this.#failures.push(error));
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, worker));
  }

  /** Throws the first failure. */
  end(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

const nameOf = ({ userId = '', phone = '' }: ChannelCustomer): string => `${userId} ${phone}`;

function customersOf({ messages, calls }: Connected): Map<string, NamedCustomer> {
  const named = new Map<string, NamedCustomer>();
  const see = (customer: ChannelCustomer, first: string): void => {
    const name = nameOf(customer);
    if (!named.has(name)) named.set(name, { customer, first });
  };
  for (const { customer, channelMessageId } of messages) see(customer, channelMessageId);
  for (const { customer, channelCallId } of calls) see(customer, channelCallId);
  return named;
}

const isWhole = ({ customer: { userId, phone } }: NamedCustomer): boolean =>
  userId !== undefined && phone !== undefined;

/**
 * Stores a delivery in the conversations. Resolves when everything is durable. If a part could not be stored, it throws after storing the
 * others: the channel delivers again, and known updates change nothing.
 */
export function createInbound(dependencies: InboundDependencies) {
  const { numbers, commands, clock, log, count } = dependencies;
  const contacts = dependencies.contacts ?? createContacts({ commands, clock });
  const introduce = createIntroductions(dependencies);
  const inbound = new InboundMessages({ commands, contacts, introduce, count });
  const setAside = createSettingAside({ commands, log, count });
  const note = createInboundStatuses({ ...dependencies, contacts });

  async function connected(updates: InboundUpdates, requestId: string, attempts: Attempts): Promise<Connected[]> {
    const found: Connected[] = [];
    for (const { phoneNumberId, ...parts } of updates.numbers) {
      const number = await numbers.byPhoneNumberId(phoneNumberId);
      if (number === undefined) {
        const { messages, statuses, calls, newPhones, notices } = parts;
        const lists = [messages, statuses, calls, newPhones, notices];
        count(
          'unknown_number',
          lists.reduce((sum, { length }) => sum + length, 0),
        );
        log.warn({ phoneNumberId }, 'channel update for an unconnected number');
        await attempts.each([parts], (some) => setAside.ofNoStore(phoneNumberId, some, requestId));
      } else found.push({ number, ...parts });
    }
    return found;
  }

  /**
   * Groups updates by the customer's key, in order of arrival, so that a customer with two names has one group. Customers with both names
   * are resolved first, since the others may be known by one of them.
   */
  async function deliveriesOf(part: Connected, requestId: string, attempts: Attempts): Promise<CustomerDelivery[]> {
    const { number } = part;
    const named = [...customersOf(part).values()];
    const keys = new Map<string, KnownCustomer>();
    const lookUp = async ({ customer, first }: NamedCustomer): Promise<void> => {
      const context = customerContext(number, customer, requestId, 'claim', number.numberId, first);
      keys.set(nameOf(customer), await contacts.claimed(context, number.numberId, customer));
    };
    const [whole, partly] = [named.filter(isWhole), named.filter((one) => !isWhole(one))];
    await attempts.each(whole, lookUp);
    await attempts.each(partly, lookUp);
    return gather(part, keys);
  }

  return async (updates: InboundUpdates, requestId: string): Promise<void> => {
    if (updates.malformed > 0) {
      count('malformed', updates.malformed);
      log.warn({ parts: updates.malformed }, 'malformed parts of a channel delivery skipped');
    }
    const attempts = new Attempts();
    for (const part of await connected(updates, requestId, attempts)) {
      const { number } = part;
      await attempts.each(part.newPhones, (change) => inbound.changeNames(number, change, requestId));
      await attempts.each(await deliveriesOf(part, requestId, attempts), async (delivery) => {
        await inbound.receive(delivery, delivery.messages, requestId);
        await inbound.end(delivery, delivery.calls, requestId);
      });
      // After the messages: the first of them starts the conversation in which a notice is shown.
      await attempts.each(part.notices, (notice) => inbound.notice(number, notice, requestId));
      await attempts.each(part.setAside ?? [], (update) => setAside.ofStore(number, update, requestId));
      await attempts.each(part.statuses, (status) => note(number, status, requestId));
    }
    attempts.end();
  };
}

/** `keys`: by the customer's name. Customers whose key could not be resolved are left to the next delivery. */
function gather({ number, messages, calls }: Connected, keys: ReadonlyMap<string, KnownCustomer>): CustomerDelivery[] {
  const deliveries = new Map<string, CustomerDelivery>();
  const deliveryOf = (customer: ChannelCustomer): CustomerDelivery | undefined => {
    const claimed = keys.get(nameOf(customer));
    if (claimed === undefined) return undefined;
    let delivery = deliveries.get(claimed.key);
    if (delivery === undefined) {
      delivery = { number, key: claimed.key, former: [], messages: [], calls: [] };
      deliveries.set(claimed.key, delivery);
    }
    for (const id of claimed.former) if (!delivery.former.includes(id)) delivery.former.push(id);
    return delivery;
  };
  for (const message of messages) deliveryOf(message.customer)?.messages.push(message);
  for (const call of calls) deliveryOf(call.customer)?.calls.push(call);
  return [...deliveries.values()];
}

export type ReceiveUpdates = ReturnType<typeof createInbound>;
