/** The keys of one owner (a store or a partner). They are part of the owner's state, because its stream creates them. */
import { refuse } from '../decider.js';
import type { Key, KeyEvent } from './keyEvents.js';
import { checkedOrigins } from './origins.js';
import { checkedScopes, type KeyOwner } from './scopes.js';

/** Keys by id, including revoked ones. */
export type Keyring = ReadonlyMap<string, Omit<Key, 'last4'> & { readonly revoked: boolean }>;

export const emptyKeyring: Keyring = new Map();

/** Maximum active keys per owner. More indicates a script that does not revoke its keys. */
const MAX_KEYS = 100;

export function evolveKeyring(keys: Keyring, { type, data }: KeyEvent): Keyring {
  if (type === 'KeyCreated') {
    const { last4: _, ...key } = data;
    // A publishable key is public. It was sealed once, and nothing ever opens it.
    const sealed = key.kind === 'secret' ? key.sealed : '';
    return new Map(keys).set(key.keyId, { ...key, sealed, revoked: false });
  }
  const key = keys.get(data.keyId);
  // A revoked key is never opened, so its sealed secret is dropped.
  return key === undefined ? keys : new Map(keys).set(data.keyId, { ...key, sealed: '', revoked: true });
}

/** Returns the keys with each secret sealed under the current master key. */
export const resealedKeyring = (keys: Keyring, sealedNow: (sealed: string) => string): Keyring =>
  new Map([...keys].map(([keyId, key]) => [keyId, { ...key, sealed: sealedNow(key.sealed) }]));

/**
 * Creates a key. A secret key needs at least one scope. A publishable key has no scopes, since it only opens SDK sessions, and only it may
 * have origins.
 */
export function createKey(owner: KeyOwner, keys: Keyring, key: Key): readonly KeyEvent[] {
  if (keys.has(key.keyId)) return [];
  const scopes = checkedScopes(owner, key.scopes);
  if (key.kind === 'secret' && scopes.length === 0) refuse('scope_missing', 'A secret key needs at least one scope.');
  if (key.kind === 'publishable' && scopes.length > 0)
    refuse('scope_not_allowed', 'A publishable key cannot have scopes, because it only creates SDK sessions.');
  if (key.kind === 'secret' && key.origins !== undefined)
    refuse(
      'origins_not_allowed',
      'Only a publishable key can have origins, because a secret key never leaves the server.',
    );
  const origins = key.origins === undefined ? {} : { origins: checkedOrigins(key.origins) };
  const inForce = [...keys.values()].filter((known) => !known.revoked).length;
  if (inForce >= MAX_KEYS) refuse('too_many_keys', `The limit of ${MAX_KEYS} keys is reached. Revoke a key first.`);
  return [{ type: 'KeyCreated', data: { ...key, scopes, ...origins } }];
}

/** Revokes the key from the next request on. Revoking a revoked key changes nothing. */
export function revokeKey(keys: Keyring, keyId: string): readonly KeyEvent[] {
  const key = keys.get(keyId);
  if (key === undefined) refuse('not_found', `There is no key ${keyId}.`);
  return key.revoked ? [] : [{ type: 'KeyRevoked', data: { keyId, hash: key.hash } }];
}
