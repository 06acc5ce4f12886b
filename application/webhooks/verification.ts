/**
 * Verification by the receiver: the delivery is authentic and fresh. Used by the command line, and described in docs/guides/webhooks.md.
 */
import { timingSafeEqual } from 'node:crypto';
import { mac } from './signature.js';

/** Maximum age that receivers should accept, in seconds: older ones may be replayed by an attacker. */
const TOLERANCE_S = 300;

export interface Signed {
  /** Value of `Service-Signature`. */
  readonly header: string;
  /** Original bytes of the body. */
  readonly raw: Buffer;
  readonly secret: string;
}

export type Verdict =
  | { readonly valid: true /** When it was signed, seconds since 1970. */; readonly signedAt: number }
  | { readonly valid: false; readonly reason: string };

interface Parts {
  readonly t: number;
  readonly macs: readonly Buffer[];
}

const MAC = /^[0-9a-f]{64}$/;

/** Undefined: not of the form `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. */
function parts(header: string): Parts | undefined {
  const values = (name: string): string[] =>
    header
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`))
      .map((part) => part.slice(name.length + 1));
  const [t = ''] = values('t');
  const macs = values('v1').filter((value) => MAC.test(value));
  if (!/^\d{1,12}$/.test(t) || macs.length === 0) return undefined;
  return { t: Number(t), macs: macs.map((value) => Buffer.from(value, 'hex')) };
}

function matches({ t, macs }: Parts, secret: string, raw: Buffer): boolean {
  const expected = mac(secret, t, raw);
  return macs.some((one) => timingSafeEqual(one, expected));
}

/** Returns the most common mistake that explains the mismatch. Undefined: none found. */
function likely(signature: Parts, { raw, secret }: Signed): string | undefined {
  const text = raw.toString();
  const tried: readonly (readonly [string, () => Buffer, string])[] = [
    ['the body ends with a line break that was not sent', () => Buffer.from(text.replace(/\r?\n$/, '')), secret],
    ['the body was parsed and serialized again', () => Buffer.from(JSON.stringify(JSON.parse(text))), secret],
    ['the secret lacks its prefix whsec_', () => raw, `whsec_${secret}`],
  ];
  return tried.find(([, body, key]) => {
    try {
      return matches(signature, key, body());
    } catch {
      return false;
    }
  })?.[0];
}

/** Verifies that any `v1` of the header is the HMAC-SHA256 of `{t}.{raw bytes}` with the secret. Otherwise returns the reason. */
export function verify(signed: Signed): Verdict {
  const signature = parts(signed.header);
  if (signature === undefined) return { valid: false, reason: 'Service-Signature is not t=<seconds>,v1=<hex>' };
  if (matches(signature, signed.secret, signed.raw)) return { valid: true, signedAt: signature.t };
  const why = likely(signature, signed) ?? 'the secret or the body differs';
  return { valid: false, reason: `no signature matches: ${why}` };
}

/** Same as `verify`, and signed at most five minutes before or after `now` (ms since 1970). */
export function verifyFresh(signed: Signed, now: number): Verdict {
  const verdict = verify(signed);
  if (!verdict.valid) return verdict;
  const age = Math.round(now / 1000 - verdict.signedAt);
  return Math.abs(age) <= TOLERANCE_S
    ? verdict
    : { valid: false, reason: `signed ${age} s ago, more than ${TOLERANCE_S} s` };
}
