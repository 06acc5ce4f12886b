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
  /** The channel names the customer by one name at a time. */
  readonly isHidden: boolean;
  /** From now on the channel may name the customer by everything that it knows. Returns false if it did before. */
  reveal(): boolean;
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

/**
 * `userId` is absent if the channel knows the customer by phone only. `isHidden`: the channel names the customer by one
 * name at a time until `reveal`.
 */
export function personOf(store: Store, first: string, random: Chance, userId?: string, isHidden = false): Person {
  const phones = [first];
  let hidden = isHidden && userId !== undefined;
  const name = `Customer ${first.slice(-2)}`;
  const phone = (): string => phones.at(-1)!;
  const wholly = (): ChannelCustomer => ({ phone: phone(), name, ...(userId !== undefined && { userId }) });
  return {
    store,
    phone: first,
    wholly,
    named() {
      if (userId === undefined) return wholly();
      const lot = hidden ? random.next() * (PHONE_ALONE + USER_ALONE) : random.next();
      if (lot < PHONE_ALONE) return { phone: phone(), name };
      return lot < PHONE_ALONE + USER_ALONE ? { userId, name } : wholly();
    },
    get isHidden() {
      return hidden;
    },
    reveal() {
      const before = hidden;
      hidden = false;
      return before;
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
