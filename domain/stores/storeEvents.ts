/** Stored for ever: a store (workspace), stream `store-{workspaceId}`, and who holds a channel number, `channelNumber-{phoneNumberId}`. Add fields as optional, never change a meaning. */
import type { Key } from '../access/keyEvents.js';
import type { DomainEvent } from '../decider.js';

export type StoreStatus = 'trialing' | 'active' | 'past_due' | 'suspended' | 'cancelled';
export type Locale = 'en' | 'so' | 'ar';

export interface ChannelNumber {
  readonly numberId: string;
  /** The channel's id of the number; inbound webhooks are routed by it. */
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly businessAccountId: string;
  /** The provider's catalog that this store's products are pushed to. */
  readonly catalogId: string;
  /** The number's bearer token for outward calls, sealed; absent: the service's own. */
  readonly accessTokenSealed?: string;
}

export type StoreEvent =
  | DomainEvent<
      'StoreCreated',
      {
        name: string;
        owner: { email: string; name: string };
        country: string;
        timezone: string;
        locale: Locale;
        planKey: string;
        partnerId?: string;
        externalRef?: string;
      }
    >
  | DomainEvent<'StoreRenamed', { name: string; before: string }>
  /** By the partner, who may reopen it. */
  | DomainEvent<'StoreClosed', { before: StoreStatus }>
  | DomainEvent<'StoreReopened', { status: StoreStatus }>
  /** By the operator; only the operator lifts it. */
  | DomainEvent<'StoreSuspended', { before: StoreStatus; reason?: string }>
  | DomainEvent<'StoreReinstated', { status: StoreStatus }>
  | DomainEvent<'ChannelNumberConnected', ChannelNumber>
  | DomainEvent<'KeyCreated', Key>
  | DomainEvent<'KeyRevoked', { keyId: string; hash: string }>;

/** Makes a channel number unique in the installation: the first event of the stream decides the workspace. */
export type ChannelNumberEvent = DomainEvent<'ChannelNumberTaken', { phoneNumberId: string; workspaceId: string }>;
