/** Customers as the channel names them: by phone, by the business's user id, or by both. Some get another phone. */
import type { ReceivedNewPhone } from '../../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../../domain/channel/conversationEvents.js';
import type { Chance } from '../world/chance.js';
import type { Store } from './store.js';
import { numberOf } from './wares.js';

export interface Person {
  readonly store: Store;
  /** First phone of the customer. */
  readonly phone: string;
  /** Names the customer as the channel does in one message. */
  named(): ChannelCustomer;
  /** Names the customer by everything that the channel knows. */
  wholly(): ChannelCustomer;
  /** Checks for any of the customer's names. */
  is(customer: ChannelCustomer): boolean;
  /** Switches the customer to this phone. Returns the report of the channel. */
  move(phone: string): Omit<ReceivedNewPhone, 'channelMessageId'>;
}

/** Shares of messages that name the customer by phone or by user id only. The others use both. */
const PHONE_ALONE = 0.4;
const USER_ALONE = 0.3;

/** `userId` is absent if the channel knows the customer by phone only. */
export function personOf(store: Store, first: string, random: Chance, userId?: string): Person {
  const phones = [first];
  const name = `Customer ${first.slice(-2)}`;
  const phone = (): string => phones.at(-1)!;
  const wholly = (): ChannelCustomer => ({ phone: phone(), name, ...(userId !== undefined && { userId }) });
  return {
    store,
    phone: first,
    wholly,
    named() {
      if (userId === undefined) return wholly();
      const lot = random.next();
      if (lot < PHONE_ALONE) return { phone: phone(), name };
      return lot < PHONE_ALONE + USER_ALONE ? { userId, name } : wholly();
    },
    is: (customer) =>
      phones.includes(numberOf(customer.phone ?? '')) || (userId !== undefined && customer.userId === userId),
    move(next) {
      const customer = { phone: phone() };
      phones.push(next);
      return { customer, phone: next };
    },
  };
}
