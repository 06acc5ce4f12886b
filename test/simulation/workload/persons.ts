/** Customers as the channel names them: by a phone, by a user id of the business, or by both. Some get another phone. */
import type { ReceivedNewPhone } from '../../../application/channel/inboundUpdates.js';
import type { ChannelCustomer } from '../../../domain/channel/conversationEvents.js';
import type { Chance } from '../world/chance.js';
import type { Store } from './store.js';
import { numberOf } from './wares.js';

export interface Person {
  readonly store: Store;
  /** The phone that they begin with. */
  readonly phone: string;
  /** As the channel names them in one message. */
  named(): ChannelCustomer;
  /** By everything that the channel knows. */
  wholly(): ChannelCustomer;
  /** Whether this is one of their names. */
  is(customer: ChannelCustomer): boolean;
  /** They have this phone from now on; the answer is what the channel reports. */
  move(phone: string): Omit<ReceivedNewPhone, 'channelMessageId'>;
}

/** Share of messages that name the customer in each way; the others name all there is. */
const PHONE_ALONE = 0.4;
const USER_ALONE = 0.3;

/** `userId`: absent where the channel knows them by the phone alone. */
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
