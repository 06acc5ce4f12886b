/**
 * Stored for ever: channel updates that belong to no conversation, stream `setAside-{id derived from the number and the update}`. Add
 * fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Id, Maybe, Personal, type Stored, Text } from '../storedEvents.js';
import { ChannelCustomer } from './messageContent.js';

/** `no_sender`: the update has no sender. `group`: it was sent to a group. `unreadable`: it does not match the channel's schema. */
const Reason = OneOf('no_sender', 'group', 'unreadable');
export type SetAsideReason = Stored<typeof Reason>;

export const setAsideEvents = defineEvents(
  {
    UpdateSetAside: event('The channel delivered a message or a call that belongs to no conversation.', {
      numberId: Id(),
      reason: Reason,
      customer: Maybe(ChannelCustomer, 'Customer named in the update.'),
      update: Personal('text', Text('The update as delivered, JSON. Long updates are truncated.')),
    }),
    UpdateOfUnknownNumberSetAside: event(
      'The channel delivered a message or a call for a number that no store has connected.',
      {
        phoneNumberId: Id("The channel's id of the number; empty where the delivery names none."),
        customer: Maybe(ChannelCustomer, 'Customer named in the update.'),
        update: Personal('text', Text('As it was read, JSON.')),
      },
    ),
  },
  'stream',
);
export type SetAsideEvent = EventsOf<typeof setAsideEvents>;

/** True once the update is stored. */
export const setAside: Aggregate<boolean, SetAsideEvent> = {
  name: 'setAside',
  initial: () => false,
  evolve: () => true,
  weigh: () => 100,
};

/** Stores the update once, however often it is delivered. */
export const setUpdateAside =
  (event: SetAsideEvent): Decision<boolean, SetAsideEvent> =>
  (isStored) =>
    isStored ? [] : [event];
