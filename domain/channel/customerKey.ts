/**
 * Stored for ever: the customer of a phone number or a user id, stream `customer-{id derived from the store, the kind and the value}`. In
 * the log the stream's name is derived with a secret (engine/sealing/keyedStreams.ts). Add fields as optional.
 *
 * A customer's key is the first phone or user id that they came with. Their contact and conversations are named after it for ever. The
 * stream of a key lists all phones and user ids of a customer who has several.
 */

import type { Aggregate, Decision, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { isErased, isErasedCustomer } from '../erasure.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Maybe, Personal, Text } from '../storedEvents.js';
import { ChannelCustomer } from './messageContent.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const customerKeyEvents = defineEvents(
  {
    CustomerKnown: event('A phone number or a user id is seen for the first time.', {
      kind: OneOf('phone', 'user'),
      key: Personal('userId', Text()),
      userId: Maybe(Personal('userId', Text('Of a phone only: the user who was seen with it.'))),
    }),
    CustomerUserKnown: event('For a phone: a user was seen with it for the first time, and is the same customer.', {
      userId: Personal('userId', Text()),
    }),
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
    CustomerNamed: event('For a key: its customer is also known by another phone or user id.', {
      customer: ChannelCustomer,
    }),
    CustomerJoined: event('For a key: its customer is the same as the customer of this key.', {
      key: Personal('userId', Text()),
    }),
  },
  'stream',
);
export type CustomerKeyEvent = EventsOf<typeof customerKeyEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface CustomerKey {
  /** Undefined: not claimed. In the stream of a key: the customer into whom this one was merged. */
  readonly key?: string;
  readonly userId?: string;
  /** Previous keys, oldest first. */
  readonly former?: readonly string[];
  /**
   * In the stream of a key: the customer's phones and user ids, in the order in which they became known. A repeated phone moves to the end.
   */
  readonly phones?: readonly string[];
  readonly userIds?: readonly string[];
  /** Number of erased events in the stream. Only the erasure of a customer raises it. */
  readonly erased?: number;
}

/** Maximum number of names and previous keys that are retained. */
const MOST = 20;
const withLast = (list: readonly string[] = [], value: string): readonly string[] =>
  [...list.filter((one) => one !== value), value].slice(-MOST);

/** Returns the state of an erased customer: the phone is unclaimed, so its next sender is a new customer. */
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
/** Claims a user id. Only the first claim counts. */
export const claimUser =
  (key: string): Decision<CustomerKey, CustomerKeyEvent> =>
  (state) =>
    state.key === undefined ? [{ type: 'CustomerKnown', data: { kind: 'user', key } }] : [];

export interface ClaimPhone {
  /** Key of the customer who came with the phone. */
  readonly key: string;
  /** User id from the channel, if it sent one. `key` is then the key of this user. */
  readonly userId?: string | undefined;
  /** True if the channel itself reported that the customer with this key has this phone now. */
  readonly isReported?: boolean;
  /** A key whose customer has another phone now. */
  readonly movedOn?: string | undefined;
}

/**
 * Claims a phone for a customer. The phone alone never moves it, but a user id does: to the user's key if no other user was seen with the
 * phone (they are one customer), or away from another user or from a customer who has another phone now (the number has changed hands).
 */
export const claimPhone =
  ({ key, userId, isReported = false, movedOn }: ClaimPhone): Decision<CustomerKey, CustomerKeyEvent> =>
  (state) => {
    const user = defined({ userId });
    const { key: before, userId: known } = state;
    if (before === undefined) return [{ type: 'CustomerKnown', data: { kind: 'phone', key, ...user } }];
    if (userId === undefined && !isReported) return [];
    if (before === key)
      return userId === undefined || known === userId ? [] : [{ type: 'CustomerUserKnown', data: { userId } }];
    const isAnother = (known !== undefined && userId !== known) || movedOn === before;
    const reason = isAnother ? 'other_customer' : 'same_customer';
    return [{ type: 'CustomerMoved', data: { key, before, ...user, reason } }];
  };

/** Moves the phone or user id of this stream from the customer with the key `from` to the one with the key `into`. */
export const moveName =
  (from: string, into: string): Decision<CustomerKey, CustomerKeyEvent> =>
  ({ key, userId }) =>
    key === from && from !== into
      ? [{ type: 'CustomerMoved', data: { key: into, before: from, ...defined({ userId }), reason: 'same_customer' } }]
      : [];

/**
 * Adds phones and user ids to the stream of a key. The last phone is the current one. The others are listed once, so repeated names lead to
 * no event.
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

/** Merges the customer of this key into the one with the key `into`. */
export const joinCustomer =
  (into: string): Decision<CustomerKey, CustomerKeyEvent> =>
  ({ key }) =>
    key === into ? [] : [{ type: 'CustomerJoined', data: { key: into } }];
