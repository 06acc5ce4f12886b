/** Verifies deliveries of webhooks and reads their events. */
import { fromHex, hmacKey, utf8 } from './bytes.js';
import type { Events } from './generated.js';
import { checkNumber } from './numbers.js';

/**
 * Bodies of webhooks, discriminated by `type`. Newer services may send types that this client does not list: ignore
 * those.
 */
export type WebhookEvent = Events[keyof Events];

export type WebhookFault = 'header_malformed' | 'too_old' | 'signature_invalid' | 'body_malformed';

/** A delivery that is not to be believed: answer 401 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly code: WebhookFault;
  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How far the time of the attempt may be off, in seconds; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** ms since 1970; the clock when absent. */
  readonly now?: () => number;
}

/** The service sends at most five: one for each secret that has not ended. */
const MOST_SIGNATURES = 10;
const MOST_HEADER = 2000;

function read(header: string): { readonly time: string; readonly signatures: readonly Uint8Array<ArrayBuffer>[] } {
  if (header.length > MOST_HEADER) throw new WebhookRefused('header_malformed', 'Service-Signature is too long.');
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts
    .filter(([name]) => name === 'v1')
    .slice(0, MOST_SIGNATURES)
    .map(([, value = '']) => fromHex(value))
    .filter((bytes) => bytes !== undefined);
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookRefused('header_malformed', 'Service-Signature is not t=<seconds>,v1=<hex>.');
  return { time, signatures };
}

function joined(time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = utf8(`${time}.`);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
}

/** Returns true if any of the secrets made any of the signatures; compared in constant time. */
async function isSigned(
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
) {
  let signed = false;
  for (const secret of secrets) {
    const key = await hmacKey(secret, 'verify');
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, message)) signed = true;
  }
  return signed;
}

/**
 * The event of a delivery. `rawBody`: the bytes as they came, before any parser had them; `header`: `Service-Signature`; `secrets`: the
 * endpoint's signing secret, or several while one is replaced. Throws `WebhookRefused` for what is not to be believed.
 *
 * Deliveries come at least once, in any order: count each `id` once.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  header: string | null | undefined,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const known = (typeof secrets === 'string' ? [secrets] : secrets).filter((secret) => secret !== '');
  if (known.length === 0) throw new TypeError('verifyWebhook needs the signing secret of the endpoint (whsec_…).');
  checkNumber('toleranceSeconds', toleranceSeconds);
  const { time, signatures } = read(header ?? '');
  const body = typeof rawBody === 'string' ? utf8(rawBody) : new Uint8Array(rawBody);
  if (!(await isSigned(joined(time, body), signatures, known)))
    throw new WebhookRefused('signature_invalid', 'No signature is of these secrets and these bytes.');
  const age = Math.abs(now() / 1000 - Number(time));
  if (!(age <= toleranceSeconds))
    throw new WebhookRefused('too_old', `The delivery was signed more than ${toleranceSeconds} seconds from now.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookRefused('body_malformed', 'The body is not JSON in UTF-8.');
  }
}
