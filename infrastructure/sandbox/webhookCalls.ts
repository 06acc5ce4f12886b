/** Signed deliveries to the service's webhook, and to nowhere else. */
import { Agent, request } from 'undici';
import type { ChannelLog } from '../../application/channel/observing.js';
import type { Clock } from '../../application/ports/clock.js';
import { signatureOf } from '../channel/signature.js';
import type { SandboxCustomer } from './chats.js';

export interface Delivered {
  /** HTTP status of the service's answer; 0: none came. */
  readonly status: number;
  readonly body: string;
}

export interface SandboxStatus {
  readonly phoneNumberId: string;
  readonly customer: SandboxCustomer;
  readonly wamid: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly callbackData?: string | undefined;
  readonly errorCode?: number;
}

export interface WebhookCalls {
  /** One message of a customer, or anything else under `messages`, now. */
  deliver(phoneNumberId: string, value: object): Promise<Delivered>;
  /** Statuses go out soon, together, in order; the oldest are dropped when the service does not take them. */
  status(update: SandboxStatus): void;
  /** The handshake: true when the service echoes the challenge. */
  verify(challenge: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface WebhookOptions {
  readonly url: () => string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly displayOf: (phoneNumberId: string) => string;
  readonly clock: Clock;
  readonly log: ChannelLog;
}

const TIMEOUT_MS = 30_000;
const ANSWER_CHARACTERS = 4_000;
const MOST_STATUSES = 10_000;
const STATUSES_AT_ONCE = 100;
const GATHER_MS = 20;
const TRIES = 5;

export const unixSeconds = (ms: number): string => String(Math.floor(ms / 1_000));
/** The channel writes numbers without '+'. */
export const waId = (phone: string): string => phone.replace(/^\+/, '');

function statusBody(update: SandboxStatus, at: number): object {
  const { customer, callbackData, errorCode } = update;
  return {
    id: update.wamid,
    status: update.status,
    timestamp: unixSeconds(at),
    ...(customer.phone === undefined ? {} : { recipient_id: waId(customer.phone) }),
    ...(customer.userId === undefined ? {} : { recipient_user_id: customer.userId }),
    ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
    ...(errorCode === undefined
      ? {}
      : {
          errors: [
            { code: errorCode, title: 'Message failed', message: 'Message failed', error_data: { details: '' } },
          ],
        }),
  };
}

export function createWebhookCalls(options: WebhookOptions): WebhookCalls {
  const { clock, log } = options;
  const dispatcher = new Agent({ connections: 32 });
  let statuses: SandboxStatus[] = [];
  let sending = false;
  let tries = 0;
  let closed = false;
  let cancel = (): void => {};

  async function call(method: 'GET' | 'POST', url: string, body?: Buffer): Promise<Delivered> {
    try {
      const answer = await request(url, {
        method,
        dispatcher,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        headers:
          body === undefined
            ? {}
            : { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, options.appSecret) },
        body: body ?? null,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.slice(0, ANSWER_CHARACTERS) };
    } catch (error) {
      return { status: 0, body: error instanceof Error ? error.message : 'no answer' };
    }
  }

  const change = (phoneNumberId: string, value: object): object => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: options.displayOf(phoneNumberId), phone_number_id: phoneNumberId },
      ...value,
    },
  });
  const post = (changes: readonly object[]): Promise<Delivered> => {
    const body = { object: 'whatsapp_business_account', entry: [{ id: 'sandbox', changes }] };
    return call('POST', options.url(), Buffer.from(JSON.stringify(body)));
  };

  const later = (ms: number): void => {
    if (sending || closed) return;
    sending = true;
    cancel = clock.at(clock.now() + ms, () => void flush());
  };

  async function flush(): Promise<void> {
    const batch = statuses.slice(0, STATUSES_AT_ONCE);
    const at = clock.now();
    const { status } = await post(
      batch.map((update) => change(update.phoneNumberId, { statuses: [statusBody(update, at)] })),
    );
    const taken = status >= 200 && status < 300;
    tries = taken ? 0 : tries + 1;
    if (taken || tries >= TRIES) {
      if (!taken) log.warn({ statuses: batch.length, status }, 'the sandbox gave up statuses');
      const gone = new Set(batch);
      statuses = statuses.filter((update) => !gone.has(update));
      tries = 0;
    }
    sending = false;
    if (statuses.length > 0) later(tries === 0 ? 0 : 200 * 2 ** tries);
  }

  return {
    deliver: (phoneNumberId, value) => post([change(phoneNumberId, value)]),
    status(update) {
      if (statuses.length >= MOST_STATUSES) statuses.shift();
      statuses.push(update);
      later(GATHER_MS);
    },
    async verify(challenge) {
      const url = new URL(options.url());
      url.searchParams.set('hub.mode', 'subscribe');
      url.searchParams.set('hub.challenge', challenge);
      url.searchParams.set('hub.verify_token', options.verifyToken);
      const { status, body } = await call('GET', url.href);
      return status === 200 && body === challenge;
    },
    async close() {
      closed = true;
      cancel();
      await dispatcher.destroy();
    },
  };
}
