import { createHmac, timingSafeEqual } from 'node:crypto';

/** `X-Hub-Signature-256` of a body. (shared reference: 'Inbound webhooks'.) */
export const signatureOf = (body: Buffer, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/** Compares in constant time. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
