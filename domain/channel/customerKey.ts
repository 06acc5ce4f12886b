/**
 * Stored for ever: which customer of a store a phone number or a user id is, stream `customer-{id derived from the store,
 * the kind and the value}`; in the log such a name stands as one that is made of it with a secret (engine/sealing/keyedStreams.ts). Add
 * fields as optional. A customer's key is the first name that they came with, and names
 * their contact and conversations ever after. The stream of a key lists all names of a customer who has several.
 */

import type { Aggregate, Decision, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { isErased, isErasedCustomer } from '../erased.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Maybe, Personal, Text } from '../storedEvents.js';
import { ChannelCustomer } from './messageContent.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const customerKeyEvents = defineEvents(
  {
    CustomerKnown: event('A phone number or a user id comes for the first time.', {
      kind: OneOf('phone', 'user'),
      key: Personal('userId', Text()),
      userId: Maybe(Personal('userId', Text('Of a phone only: the user who was seen with it.'))),
    }),
    CustomerUserKnown: event(
      'Of a phone: a user was seen with it for the first time, and is the customer that it was known as.',
      { userId: Personal('userId', Text()) },
    ),
    CustomerMoved: event(
      "Of a phone: from now on it is another customer's. `same_customer`: two that were known apart turned out to be one; " +
        '`other_customer`: the number has changed hands.',
      {
        key: Personal('userId', Text()),
        before: Personal('userId', Text()),
        userId: Maybe(Personal('userId', Text())),
        reason: OneOf('same_customer', 'other_customer'),
      },
      { subject: 'each' },
    ),
    CustomerNamed: event('Of a key: the customer with it is known by another phone or user id too.', {
      customer: ChannelCustomer,
    }),
    CustomerJoined: event('Of a key: the customer with it is the one with this key.', {
      key: Personal('userId', Text()),
    }),
  },
  'stream',
);
export type CustomerKeyEvent = EventsOf<typeof customerKeyEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface CustomerKey {
  /** Undefined: nobody yet. Of a key: the customer whom the one with it turned out to be. */
  readonly key?: string;
  readonly userId?: string;
  /** Keys that it led to before, oldest first. */
  readonly former?: readonly string[];
  /** Of a key: what its customer is known by, in the order in which it became known; the same phone again comes last. */
  readonly phones?: readonly string[];
  readonly userIds?: readonly string[];
  /** Number of erased events in the stream. Only the erasure of a customer raises it. */
  readonly erased?: number;
}

/** Most names and former keys that are looked at. */
const MOST = 20;
const withLast = (list: readonly string[] = [], value: string): readonly string[] =>
  [...list.filter((one) => one !== value), value].slice(-MOST);

/** Who was forgotten is nobody: whoever comes with the phone next is somebody new. */
const erasedIn = ({ erased = 0 }: CustomerKey): CustomerKey => ({ erased: erased + 1 });

function evolve(state: CustomerKey, { type, data }: WithMeta<CustomerKeyEvent>): CustomerKey {
  if (type === 'CustomerNamed') {
    const { phone, userId } = data.customer;
    if (isErasedCustomer(data.customer)) return erasedIn(state);
    const phones = phone === undefined ? state.phones : withLast(state.phones, phone);
    const userIds = userId === undefined ? state.userIds : withLast(state.userIds, userId);
    return { ...state, ...defined({ phones, userIds }) };
  }
  if (isErased(type === 'CustomerUserKnown' ? data.userId : data.key)) return erasedIn(state);
  if (type === 'CustomerUserKnown') return { ...state, userId: data.userId };
  const former = type === 'CustomerMoved' ? { former: withLast(state.former, data.before) } : {};
  const userId = 'userId' in data ? data.userId : undefined;
  return { ...state, ...former, key: data.key, ...defined({ userId }) };
}

export const customerKey: Aggregate<CustomerKey, CustomerKeyEvent> = {
  name: 'customer',
  initial: () => ({}),
  evolve,
  weigh: ({ former = [], phones = [], userIds = [] }) => 300 + (former.length + phones.length + userIds.length) * 80,
};

// Commands and decisions -----------------------------------------------------------------------------------------------
/** The first claim of a user id counts; later ones change nothing. */
export const claimUser =
  (key: string): Decision<CustomerKey, CustomerKeyEvent> =>
  (state) =>
    state.key === undefined ? [{ type: 'CustomerKnown', data: { kind: 'user', key } }] : [];

export interface ClaimPhone {
  /** Of the customer who came with the phone. */
  readonly key: string;
  /** Where the channel told it: `key` is then what this user is known by. */
  readonly userId?: string | undefined;
  /** The channel itself said that the customer with this key has this phone now. */
  readonly isTold?: boolean;
  /** The customer with this key has another phone by now. */
  readonly movedOn?: string | undefined;
}

/**
 * A customer came with this phone. The phone alone never moves it; a user id does: to the user's key when no other user was
 * seen with it (they are one customer), and away from another user, or from a customer who has another phone by now (the number
 * has changed hands).
 */
export const claimPhone =
  ({ key, userId, isTold = false, movedOn }: ClaimPhone): Decision<CustomerKey, CustomerKeyEvent> =>
  (state) => {
    const user = defined({ userId });
    const { key: before, userId: known } = state;
    if (before === undefined) return [{ type: 'CustomerKnown', data: { kind: 'phone', key, ...user } }];
    if (userId === undefined && !isTold) return [];
    if (before === key)
      return userId === undefined || known === userId ? [] : [{ type: 'CustomerUserKnown', data: { userId } }];
    const isAnother = (known !== undefined && userId !== known) || movedOn === before;
    const reason = isAnother ? 'other_customer' : 'same_customer';
    return [{ type: 'CustomerMoved', data: { key, before, ...user, reason } }];
  };

/** The customer with the key `from` is the one with the key `into`, and so is the phone or user id of this stream if it is theirs. */
export const moveName =
  (from: string, into: string): Decision<CustomerKey, CustomerKeyEvent> =>
  ({ key, userId }) =>
    key === from && from !== into
      ? [{ type: 'CustomerMoved', data: { key: into, before: from, ...defined({ userId }), reason: 'same_customer' } }]
      : [];

/**
 * Of the stream of a key: what the customer is known by. The last phone is the one that they have now; the others are listed once, so
 * the same names again change nothing.
 */
export const nameCustomer =
  (names: readonly ChannelCustomer[]): Decision<CustomerKey, CustomerKeyEvent> =>
  ({ phones = [], userIds = [] }) => {
    let last = phones.at(-1);
    const users = new Set(userIds);
    const current = names.findLast(({ phone }) => phone !== undefined)?.phone;
    return names.flatMap(({ phone, userId }): CustomerKeyEvent[] => {
      const isNewPhone = phone !== undefined && (phone === current ? phone !== last : !phones.includes(phone));
      const isNew = isNewPhone || (userId !== undefined && !users.has(userId));
      if (!isNew) return [];
      last = phone ?? last;
      if (userId !== undefined) users.add(userId);
      return [{ type: 'CustomerNamed', data: { customer: defined({ phone, userId }) } }];
    });
  };

/** Of the stream of a key: its customer is the one with the key `into`. */
export const joinCustomer =
  (into: string): Decision<CustomerKey, CustomerKeyEvent> =>
  ({ key }) =>
    key === into ? [] : [{ type: 'CustomerJoined', data: { key: into } }];
