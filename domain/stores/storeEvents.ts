/** Stored for ever: a store (workspace), stream `store-{workspaceId}`. Add fields as optional, never change a meaning. */
import type { DomainEvent } from '../decider.js';

export type StoreStatus = 'trialing' | 'active' | 'past_due' | 'suspended' | 'cancelled';
export type Locale = 'en' | 'so' | 'ar';
export type Mode = 'live' | 'test';

export interface Key {
  readonly keyId: string;
  /** secret: sk_ or psk_; publishable: pk_ or ppk_. */
  readonly kind: 'secret' | 'publishable';
  readonly mode: Mode;
  readonly scopes: readonly string[];
  /** Hex SHA-256 of the whole key: how a request's key is found. */
  readonly hash: string;
  /** The key under the master key, for signatures of user tokens. */
  readonly sealed: string;
  readonly last4: string;
}

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
  | DomainEvent<'StoreClosed', { before: StoreStatus }>
  | DomainEvent<'StoreReopened', { status: StoreStatus }>
  | DomainEvent<'ChannelNumberConnected', ChannelNumber>
  | DomainEvent<'KeyCreated', Key>
  | DomainEvent<'KeyRevoked', { keyId: string; hash: string }>;
