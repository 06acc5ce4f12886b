import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Authenticator } from '../../application/ports/authenticator.js';

/** 144 bits: nobody guesses them, and as base64url they are whole characters, so that a tag is written in one way only. */
const TAG = 18;

/**
 * HMAC-SHA256 under keys that derive from the master keys (HKDF) and serve this purpose alone. The first one tags; what any of
 * them has tagged is accepted, so that a change of keys refuses nothing.
 */
export function createAuthenticator(masterKeys: readonly Uint8Array[], purpose: string): Authenticator {
  const keys = masterKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `suuq ${purpose}`, 32)));
  const under = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest().subarray(0, TAG).toString('base64url');
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
