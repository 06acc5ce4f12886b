/** WaafiPay over its HTTP interface: one address, the service named in the body. (docs.waafipay.com, 'Purchase'.) */
import { randomUUID } from 'node:crypto';
import type { Agent } from 'undici';
import type { Charge, PaymentAccount, PaymentProvider } from '../../application/ports/paymentProvider.js';
import type { Clock } from '../../engine/ports/clock.js';
import { boundedBytes } from '../http/boundedBytes.js';
import { clients } from '../http/clients.js';
import type { HttpRequest } from '../telemetry/tracedCalls.js';
import {
  codeOf,
  inquiryOutcome,
  isAccountRefused,
  isReversed,
  purchaseOutcome,
  readAnswer,
  type WaafiAnswer,
} from './waafiCodes.js';

export interface WaafiPayOptions {
  /** Such as https://api.waafipay.com, without a slash at its end; the path /asm is added. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** For a charge: a customer has five minutes for the PIN. 330,000 when absent. */
  readonly chargeMs?: number;
  /** For everything else; 20,000 when absent. */
  readonly timeoutMs?: number;
  /** How calls are made; undici's own when absent. */
  readonly request?: HttpRequest;
}

const CONNECTIONS = 512;
const CONNECT_MS = 10_000;
const MOST_ANSWER_BYTES = 256 * 1024;
const METHOD = 'MWALLET_ACCOUNT';

type Params = Readonly<Record<string, unknown>>;

/** Either an answer, or why there is none. `sent`: the provider may have it. */
type Exchange = { readonly answer: WaafiAnswer } | { readonly failed: string; readonly sent: boolean };

/** The steps before there is a connection. */
const CONNECTING = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** True if the call failed before there was a connection. The code alone does not show it: a host may become unreachable at any time. */
function isUnconnected(error: unknown): boolean {
  const { code, syscall, errors = [] } = error as NodeJS.ErrnoException & { readonly errors?: readonly unknown[] };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return errors.length > 0 ? errors.every(isUnconnected) : CONNECTING.has(syscall ?? '');
}

/**
 * Three values identify a merchant to the provider, and stores save two: the API user precedes the key, separated by a colon, or equals the
 * merchant.
 */
function credentials({ merchantId, apiKey }: PaymentAccount): Params {
  const colon = apiKey.indexOf(':');
  return {
    merchantUid: merchantId,
    apiUserId: colon < 0 ? merchantId : apiKey.slice(0, colon),
    apiKey: apiKey.slice(colon + 1),
  };
}

/** Whole cents as the provider takes them: `10.00`. */
const amount = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

async function read(body: AsyncIterable<Buffer>): Promise<unknown> {
  const bytes = await boundedBytes(body, MOST_ANSWER_BYTES);
  try {
    return bytes && JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'no_connection';

const purchaseOf = ({ reference, payer, amountCents, description }: Charge) => ({
  paymentMethod: METHOD,
  payerInfo: { accountNo: payer.replace(/^\+/, '') },
  transactionInfo: {
    referenceId: reference,
    invoiceId: reference,
    amount: amount(amountCents),
    currency: 'USD',
    description,
  },
});

/** Only codes of requests and answers are recorded: keys and numbers of customers stay out of errors and logs. */
export function createWaafiPay(options: WaafiPayOptions): PaymentProvider & { close(): Promise<void> } {
  const { baseUrl, clock, chargeMs = 330_000, timeoutMs = 20_000 } = options;
  let dispatcher: Agent | undefined;

  async function post(serviceName: string, serviceParams: Params, signal: AbortSignal): Promise<Exchange> {
    const { Agent, request: usual } = clients();
    const { request = usual } = options;
    // The waiting is bounded for each call as a whole.
    dispatcher ??= new Agent({
      connections: CONNECTIONS,
      connect: { timeout: CONNECT_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { statusCode, body } = await request(`${baseUrl}/asm`, {
      method: 'POST',
      dispatcher,
      signal,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        schemaVersion: '1.0',
        requestId: randomUUID(),
        timestamp: `${new Date(clock.now()).toISOString().slice(0, 19)}Z`,
        channelName: 'WEB',
        serviceName,
        serviceParams,
      }),
    });
    const answer = readAnswer(await read(body));
    if (answer !== undefined && statusCode < 500) return { answer };
    return { failed: `http_${statusCode}`, sent: true };
  }

  async function call(service: string, params: Params, withinMs: number, stop: AbortSignal): Promise<Exchange> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), withinMs);
    const end = (): void => deadline.abort();
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    try {
      return await post(service, params, deadline.signal);
    } catch (error) {
      stop.throwIfAborted();
      if (deadline.signal.aborted) return { failed: 'timeout', sent: true };
      const code = errorCode(error);
      return { failed: code, sent: !isUnconnected(error) };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  const inquire = (account: PaymentAccount, referenceId: string, signal: AbortSignal): Promise<Exchange> =>
    call('API_GETTRANINFO', { ...credentials(account), referenceId }, timeoutMs, signal);

  return {
    async charge(account, charge, signal) {
      const had = await call('API_PURCHASE', { ...credentials(account), ...purchaseOf(charge) }, chargeMs, signal);
      if ('answer' in had) return purchaseOutcome(had.answer);
      return { state: had.sent ? 'unknown' : 'not_sent', code: had.failed };
    },
    async find(account, reference, signal) {
      const had = await inquire(account, reference, signal);
      return 'answer' in had ? inquiryOutcome(had.answer) : { state: 'unknown', code: had.failed };
    },
    async refund(account, { reference, transactionId, description }, signal) {
      const params = {
        ...credentials(account),
        paymentMethod: METHOD,
        transactionId,
        referenceId: reference,
        description,
      };
      const had = await call('API_CANCELPURCHASE', params, timeoutMs, signal);
      if (!('answer' in had)) return { state: 'failed', code: had.failed };
      if (!isReversed(had.answer)) return { state: 'failed', code: codeOf(had.answer) };
      return { state: 'refunded', refundId: had.answer.transactionId || transactionId };
    },
    /** An inquiry about a reference that nobody has: only a known account learns that there is none. */
    async check(account, signal) {
      const had = await inquire(account, `check-${randomUUID()}`, signal);
      if (!('answer' in had)) return 'unreachable';
      return isAccountRefused(had.answer) ? 'refused' : 'accepted';
    },
    close: async () => dispatcher?.destroy(),
  };
}
