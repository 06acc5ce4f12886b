/** User tokens: what a server signs for a user, and a browser or an app exchanges for a session. Never sign them in a browser. */
import { base64url, hmacKey, utf8 } from './bytes.js';
import { checkNumber } from './numbers.js';

/** A user of a store, as the store's own server knows them: signed with a key of the store (`sk_…`). */
export interface StoreUser {
  /** Your id of the user, always the same. */
  readonly sub: string;
  /** Required the first time, with `email_verified`: links the user to the member with this address. */
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** Role of a new member; `agent` if absent. */
  readonly role?: Role;
}

/** A user of a partner, with the stores that they may open, in the order in which they are shown: signed with a key of the partner (`psk_…`). */
export interface PartnerUser {
  /** Your id of the user, always the same. */
  readonly sub: string;
  readonly name: string;
  readonly email?: string;
  readonly locale?: 'en' | 'so' | 'ar';
  /** 1 to 50. */
  readonly stores: readonly {
    readonly externalRef: string;
    readonly role: Role;
    /** The teams that the user is in, and no others; left as they are when absent. */
    readonly teams?: readonly string[];
  }[];
}

export type Role = 'owner' | 'admin' | 'supervisor' | 'agent' | 'viewer';

export interface UserTokenOptions {
  /** At most 600; 300 when absent. */
  readonly expiresInSeconds?: number;
  /** ms since 1970; the clock when absent. */
  readonly now?: () => number;
}

const part = (value: object): string => base64url(utf8(JSON.stringify(value)));

/** Signs a user token (HS256), which opens one session. Throws RangeError for a life of more than ten minutes. */
export async function createUserToken(
  secretKey: string,
  user: StoreUser | PartnerUser,
  { expiresInSeconds = 300, now = Date.now }: UserTokenOptions = {},
): Promise<string> {
  if (!(expiresInSeconds > 0 && expiresInSeconds <= 600))
    throw new RangeError('expiresInSeconds must be more than 0 and at most 600.');
  const exp = Math.floor(now() / 1000 + expiresInSeconds);
  checkNumber('now', exp, 0, Number.MAX_SAFE_INTEGER);
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...user, jti: crypto.randomUUID(), exp })}`;
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(secretKey, 'sign'), utf8(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}
