import { createHmac, type KeyObject } from 'node:crypto';

/** The HMAC-SHA256 over `{t}.{body}`, keyed with the whole secret, `whsec_` included. `t`: seconds since 1970. */
export const mac = (secret: string | KeyObject, t: number, body: string | Buffer): Buffer =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest();

/**
 * Value of `Service-Signature`: `t=<unix seconds>,v1=<hex>`, one v1 for each secret that is valid. The receiver
 * computes it over the raw bytes of the body. (Specification 2, 'Headers on every delivery'; DESIGN.)
 */
export function signatureOf(secrets: readonly (string | KeyObject)[], now: number, body: string): string {
  const t = Math.floor(now / 1000);
  return [`t=${t}`, ...secrets.map((secret) => `v1=${mac(secret, t, body).toString('hex')}`)].join(',');
}
