import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from '../../application/ports/authenticator.js';

/** Characters of base64url: 144 bits, which nobody guesses, and whole bytes, so that a tag is written in one way only. */
const TAG = 24;

/**
 * HMAC-SHA256 under keys that derive from the master keys (HKDF) and serve this purpose alone. The first one tags; what any of
 * them has tagged is accepted, so that a change of keys refuses nothing.
 */
export function createAuthenticator(masterKeys: readonly Uint8Array[], purpose: string): Authenticator {
  const keys = masterKeys.map((key) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `suuq ${purpose}`, 32))),
  );
  const under = (key: KeyObject, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, TAG);
  return {
    tag: (text) => under(keys[0]!, text),
    accepts(text, tag) {
      const given = Buffer.from(tag);
      return keys.some((key) => {
        const right = Buffer.from(under(key, text));
        return right.length === given.length && timingSafeEqual(right, given);
      });
    },
  };
}
