import { createHash } from 'node:crypto';

/** The same names give the same UUID (version 5 layout): ids of events, orders and deliveries that must survive a retry. */
export function derivedId(...names: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(names.join('\u0000')).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
