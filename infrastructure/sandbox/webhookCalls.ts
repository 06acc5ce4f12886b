/** Signed deliveries to the service's webhook, and to nowhere else. */

import type { Agent } from 'undici';
import { defined } from '../../domain/defined.js';
import type { Clock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import { signatureOf } from '../channel/signature.js';
import { clients } from '../http/clients.js';
import type { SandboxCustomer } from './chats.js';

export interface Delivered {
  /** HTTP status of the service's answer; 0: none came. */
  readonly status: number;
  readonly body: string;
}

export const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const;

/** Next status of a message; `errorCode` with `failed`. */
export interface Step {
  readonly status: (typeof STATUSES)[number];
  readonly errorCode?: number;
}

export interface SandboxStatus extends Step {
  readonly phoneNumberId: string;
  readonly customer: SandboxCustomer;
  readonly wamid: string;
  readonly callbackData?: string | undefined;
}

/** Something that happened at a number. */
export interface Update {
  readonly phoneNumberId: string;
  /** `messages` when absent. */
  readonly field?: string;
  /** Members in addition to the number's own. */
  readonly value: object;
}

/** Something that happened to a business account, such as to its templates. */
export interface AccountUpdate {
  readonly businessAccountId: string;
  readonly field: string;
  readonly value: object;
}

export interface WebhookCalls {
  /** In one delivery, now. Repeated until the service accepts it, as statuses are, when it answers 5xx or not at all. */
  deliver(updates: readonly Update[]): Promise<Delivered>;
  /** Statuses go out soon, together, in order. They are repeated while the service does not accept them; the oldest are dropped beyond a limit. */
  status(update: SandboxStatus): void;
  /** As statuses. */
  account(update: AccountUpdate): void;
  displayOf(phoneNumberId: string): string;
  /** The handshake: true when the service echoes the challenge. */
  verify(challenge: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface WebhookOptions {
  /** Empty as long as it is not known: statuses wait for it. */
  readonly url: () => string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly displayOf: (phoneNumberId: string) => string;
  readonly businessAccountOf: (phoneNumberId: string) => string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const TIMEOUT_MS = 30_000;
const ANSWER_CHARACTERS = 4_000;
const MOST_UPDATES = 10_000;
const UPDATES_AT_ONCE = 100;
const GATHER_MS = 20;
/** Tries of a delivery that the service refuses with another status than 5xx. */
const TRIES = 5;
/** Longest time during which a delivery is repeated that is answered 5xx or not at all. The channel repeats for 7 days. */
const LONGEST_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const UNKNOWN_MS = 100;

/** A part of a delivery: changes of one business account. */
interface Entry {
  readonly id: string;
  readonly changes: readonly object[];
}

/** True if the same delivery may be accepted later. */
const isPassing = (status: number): boolean => status === 0 || status >= 500;

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
    ...defined({ recipient_user_id: customer.userId, biz_opaque_callback_data: callbackData }),
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
  let connections: Agent | undefined;
  let waiting: Entry[] = [];
  let sending = false;
  let tries = 0;
  let refusedSince = 0;
  let closed = false;
  let cancel = (): void => {};

  async function call(method: 'GET' | 'POST', url: string, body?: Buffer): Promise<Delivered> {
    try {
      const { Agent, request } = clients();
      connections ??= new Agent({ connections: 32 });
      const answer = await request(url, {
        method,
        dispatcher: connections,
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

  const entryOf = ({ phoneNumberId, field = 'messages', value }: Update): Entry => ({
    id: options.businessAccountOf(phoneNumberId) ?? 'sandbox',
    changes: [
      {
        field,
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: options.displayOf(phoneNumberId), phone_number_id: phoneNumberId },
          ...value,
        },
      },
    ],
  });
  /** Neighbours of one account in one entry. */
  function post(entries: readonly Entry[]): Promise<Delivered> {
    const together: { id: string; changes: object[] }[] = [];
    for (const { id, changes } of entries) {
      const last = together.at(-1);
      if (last?.id === id) last.changes.push(...changes);
      else together.push({ id, changes: [...changes] });
    }
    const body = { object: 'whatsapp_business_account', entry: together };
    return call('POST', options.url(), Buffer.from(JSON.stringify(body)));
  }

  const later = (ms: number): void => {
    if (sending || closed) return;
    sending = true;
    cancel = clock.steady.at(clock.steady.now() + ms, () => void flush());
  };

  /** True if the oldest delivery is given up after this refusal. */
  function isOver(status: number): boolean {
    const now = clock.steady.now();
    if (tries === 1) refusedSince = now;
    return isPassing(status) ? now - refusedSince >= LONGEST_MS : tries >= TRIES;
  }

  async function flush(): Promise<void> {
    if (options.url() === '') {
      sending = false;
      return later(UNKNOWN_MS);
    }
    const batch = waiting.slice(0, UPDATES_AT_ONCE);
    const { status } = await post(batch);
    const taken = status >= 200 && status < 300;
    tries = taken ? 0 : tries + 1;
    if (taken || isOver(status)) {
      if (!taken) log.warn({ updates: batch.length, status }, 'sandbox webhook updates dropped');
      const gone = new Set(batch);
      waiting = waiting.filter((update) => !gone.has(update));
      tries = 0;
    }
    sending = false;
    if (waiting.length > 0) later(tries === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
  }

  function queue(entry: Entry): void {
    if (waiting.length >= MOST_UPDATES) waiting.shift();
    waiting.push(entry);
    later(GATHER_MS);
  }

  return {
    displayOf: options.displayOf,
    async deliver(updates) {
      const entries = updates.map(entryOf);
      const delivered = await post(entries);
      if (isPassing(delivered.status)) for (const entry of entries) queue(entry);
      return delivered;
    },
    status(update) {
      const { phoneNumberId } = update;
      queue(entryOf({ phoneNumberId, value: { statuses: [statusBody(update, clock.now())] } }));
    },
    account: ({ businessAccountId, field, value }) => queue({ id: businessAccountId, changes: [{ field, value }] }),
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
      await connections?.destroy();
    },
  };
}
