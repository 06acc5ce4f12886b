import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * `body`: the bytes as they came. `header`: Service-Signature. `secret`: the whole of it, whsec_ included. Stands the
 * signature, and was it made within five minutes of now?
 */
export function verified(body, header, secret, now = Date.now() / 1000) {
  const parts = (header ?? '').split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(t) || Math.abs(now - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, value]) => Buffer.from(value ?? '', 'hex'))
    .some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected));
}
