import { hash } from 'node:crypto';

/** First digit of the ninth byte, with the bits of the variant set. */
const VARIANT = '89ab';

/**
 * Returns a UUID (version 5 layout) derived from the names. Ids of events, orders and deliveries are derived, so that they survive a retry.
 */
export function derivedId(...names: readonly (string | number)[]): string {
  // `hash` in one call: a hash object with `update` and `digest` takes three times as long, and each event has an id.
  const hex = hash('sha1', names.join('\u0000'), 'hex');
  const variant = VARIANT[Number.parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
