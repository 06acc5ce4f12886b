/** Stored for ever, in the stream of the store or the partner that owns the key. Add fields as optional, never change a meaning. */
import type { DomainEvent } from '../decider.js';

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
  /** Of a publishable key: pages that may frame the embed page, such as https://shop.example; absent: none. */
  readonly origins?: readonly string[];
}

export type KeyEvent = DomainEvent<'KeyCreated', Key> | DomainEvent<'KeyRevoked', { keyId: string; hash: string }>;
