import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA256 over `{t}.{body}` with the whole secret as key, including `whsec_`. `t`: seconds since 1970. */
export const mac = (secret: string | KeyObject, t: number, body: string | Buffer): Buffer =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest();

/**
 * Returns the value of `Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one v1 for each valid secret. The receiver computes it over
 * the raw bytes of the body. (Specification 2, 'Headers on every delivery'; DESIGN.)
 */
export function signatureOf(secrets: readonly (string | KeyObject)[], now: number, body: string): string {
  const t = Math.floor(now / 1000);
  return [`t=${t}`, ...secrets.map((secret) => `v1=${mac(secret, t, body).toString('hex')}`)].join(',');
}
