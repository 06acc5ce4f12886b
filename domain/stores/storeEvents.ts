/**
 * Stored for ever: a store (workspace), stream `store-{workspaceId}`, and the owner of a channel number, `channelNumber-{phoneNumberId}`.
 * Add fields as optional, never change a meaning.
 */

import { keyEvents } from '../access/keyEvents.js';
import { OneOf, Type } from '../schema.js';
import { resealingEvents } from '../secrets/resealing.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  Maybe,
  Personal,
  Shape,
  type Stored,
  Text,
} from '../storedEvents.js';

const StoreStatus = OneOf('trialing', 'active', 'past_due', 'suspended', 'cancelled');
export type StoreStatus = Stored<typeof StoreStatus>;
const Locale = OneOf('en', 'so', 'ar');
export type Locale = Stored<typeof Locale>;

const ChannelNumber = Shape('ChannelNumber', {
  numberId: Id(),
  phoneNumberId: Id("The channel's id of the number; inbound webhooks are routed by it."),
  displayPhoneNumber: Label(),
  businessAccountId: Id(),
  catalogId: Id("The provider's catalog that this store's products are pushed to."),
  accessTokenSealed: Maybe(Code("The number's bearer token for outward calls, sealed; absent: the service's own.")),
});
export type ChannelNumber = Stored<typeof ChannelNumber>;

export const storeEvents = defineEvents({
  StoreCreated: event(
    'A partner, or the operator, creates the store.',
    {
      name: Label(),
      owner: Type.Object({ email: Personal('email', Text()), name: Personal('name', Text()) }),
      country: Code(),
      timezone: Code(),
      locale: Locale,
      planKey: Id(),
      partnerId: Maybe(Id()),
      externalRef: Maybe(Id()),
    },
    { subject: 'owner' },
  ),
  StoreRenamed: event('The store is renamed.', { name: Label(), before: Label() }),
  StoreClosed: event('The partner closes the store; it may reopen it.', { before: StoreStatus }),
  StoreReopened: event('The partner reopens the store.', { status: StoreStatus }),
  StoreSuspended: event('The operator suspends the store; only the operator lifts it.', {
    before: StoreStatus,
    reason: Maybe(Label()),
  }),
  StoreReinstated: event('The operator lifts the suspension.', { status: StoreStatus }),
  StoreTestKeysChanged: event('The operator disables or enables test mode for the store.', {
    refused: Flag(),
  }),
  ChannelNumberConnected: event('The operator connects or reconnects a channel number.', ChannelNumber.properties),
  ...keyEvents,
  ...resealingEvents,
});
export type StoreEvent = EventsOf<typeof storeEvents>;

/** Makes a channel number unique in the installation: the first event of the stream decides the workspace. */
export const channelNumberEvents = defineEvents({
  ChannelNumberTaken: event('The operator connects a channel number to a store.', {
    phoneNumberId: Id(),
    workspaceId: Id(),
  }),
});
export type ChannelNumberEvent = EventsOf<typeof channelNumberEvents>;
