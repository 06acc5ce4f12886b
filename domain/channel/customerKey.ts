/**
 * Stored for ever: which customer of a store a phone number or a user id is, stream `customer-{id derived from the store,
 * the kind and the value}`; in the log such a name stands as one that is made of it with a secret (engine/sealing/keyedStreams.ts). Add
 * fields as optional. A customer's key is the first name that they came with, and names
 * their contact and conversations ever after.
 */

import type { Aggregate, Decision, WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { isErased } from '../erased.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Maybe, Personal, Text } from '../storedEvents.js';

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
  },
  'stream',
);
export type CustomerKeyEvent = EventsOf<typeof customerKeyEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface CustomerKey {
  /** Undefined: nobody yet. */
  readonly key?: string;
  readonly userId?: string;
}

/** Who was forgotten is nobody: whoever comes with the phone next is somebody new. */
function evolve(state: CustomerKey, { type, data }: WithMeta<CustomerKeyEvent>): CustomerKey {
  if (isErased(type === 'CustomerUserKnown' ? data.userId : data.key)) return {};
  if (type === 'CustomerUserKnown') return { ...state, userId: data.userId };
  return { ...state, key: data.key, ...defined({ userId: data.userId }) };
}

export const customerKey: Aggregate<CustomerKey, CustomerKeyEvent> = {
  name: 'customer',
  initial: () => ({}),
  evolve,
  weigh: () => 300,
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
}

/**
 * A customer came with this phone. The phone alone never moves it; a user id does: to the user's key when no other user was
 * seen with it (they are one customer), and away from another user (the number has changed hands).
 */
export const claimPhone =
  ({ key, userId, isTold = false }: ClaimPhone): Decision<CustomerKey, CustomerKeyEvent> =>
  (state) => {
    const user = defined({ userId });
    const { key: before, userId: known } = state;
    if (before === undefined) return [{ type: 'CustomerKnown', data: { kind: 'phone', key, ...user } }];
    if (userId === undefined && !isTold) return [];
    if (before === key)
      return userId === undefined || known === userId ? [] : [{ type: 'CustomerUserKnown', data: { userId } }];
    const reason = known !== undefined && userId !== known ? 'other_customer' : 'same_customer';
    return [{ type: 'CustomerMoved', data: { key, before, ...user, reason } }];
  };
