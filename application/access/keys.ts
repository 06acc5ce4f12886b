import { hash as digest, randomBytes, randomUUID } from 'node:crypto';
import type { Key, Mode } from '../../domain/access/keyEvents.js';
import type { KeyOwner } from '../../domain/access/scopes.js';
import type { SecretBox } from '../ports/secretBox.js';

/** Hex SHA-256 of a whole key. Only this hash is stored in the clear, and requests' keys are looked up by it. */
export const hashOf = (credential: string): string => digest('sha256', credential, 'hex');

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is the first power of 62 above 2^256. */
const LENGTH = 43;

/** Returns 32 random bytes in base 62: selectable by a double click, and safe in a URL, a shell and an .env file. */
function randomWord(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let word = '';
  for (let i = 0; i < LENGTH; i++) {
    word = ALPHABET[Number(rest % 62n)] + word;
    rest /= 62n;
  }
  return word;
}

const SESSION_TOKEN = /^sdk_[0-9a-f]{32}[0-9A-Za-z]{43}$/;

/** Creates a token of the session, `sdk_…`: the session's id for looking it up, and 32 random bytes. */
export const makeSessionToken = (sessionId: string): string => `sdk_${sessionId.replaceAll('-', '')}${randomWord()}`;

/** Returns true if the text has the form of a session token. */
export const isSessionToken = (credential: string): boolean => SESSION_TOKEN.test(credential);

/** Returns the session id in a token, or undefined if the text is not a session token. */
export function sessionIdOf(token: string): string | undefined {
  if (!isSessionToken(token)) return undefined;
  const part = (from: number, to: number): string => token.slice(from + 4, to + 4);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
}

const PREFIXES = {
  workspace: { secret: 'sk', publishable: 'pk' },
  partner: { secret: 'psk', publishable: 'ppk' },
} as const;

/** Binds a sealed key to its id, so that one key's record never opens as another's. */
export const keyContext = (keyId: string): string => `key:${keyId}`;

/**
 * Creates a key, such as `sk_live_…`. `plain` is shown once and never stored. `key` is stored in the event: the hash and, for a secret key,
 * the key sealed under the master key. (Specification 1, 'Authentication'.)
 */
export function makeKey(
  secretBox: SecretBox,
  requested: {
    owner: KeyOwner;
    kind: Key['kind'];
    mode: Mode;
    scopes: readonly string[];
    origins?: readonly string[];
  },
): { plain: string; key: Key } {
  const { owner, kind, mode, scopes, origins = [] } = requested;
  const framed = origins.length === 0 ? {} : { origins };
  const keyId = randomUUID();
  const plain = `${PREFIXES[owner][kind]}_${mode}_${randomWord()}`;
  // A publishable key is public, so it is not sealed.
  const sealed = kind === 'secret' ? secretBox.seal(plain, keyContext(keyId)) : '';
  return { plain, key: { keyId, kind, mode, scopes, hash: hashOf(plain), sealed, last4: plain.slice(-4), ...framed } };
}
