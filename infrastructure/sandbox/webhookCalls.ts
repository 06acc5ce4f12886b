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

export class WebhookCalls {
  readonly #options: WebhookOptions;
  #connections: Agent | undefined;
  #waiting: Entry[] = [];
  #sending = false;
  #tries = 0;
  #refusedSince = 0;
  #closed = false;
  #cancel = (): void => {};

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  displayOf(phoneNumberId: string): string {
    return this.#options.displayOf(phoneNumberId);
  }

  /** In one delivery, now. Repeated until the service accepts it, as statuses are, when it answers 5xx or not at all. */
  async deliver(updates: readonly Update[]): Promise<Delivered> {
    const entries = updates.map((one) => this.#entryOf(one));
    const delivered = await this.#post(entries);
    if (isPassing(delivered.status)) for (const entry of entries) this.#queue(entry);
    return delivered;
  }

  /** Statuses go out soon, together, in order. They are repeated while the service does not accept them; the oldest are dropped beyond a limit. */
  status(update: SandboxStatus): void {
    const { clock } = this.#options;
    const { phoneNumberId } = update;
    this.#queue(this.#entryOf({ phoneNumberId, value: { statuses: [statusBody(update, clock.now())] } }));
  }

  /** As statuses. */
  account({ businessAccountId, field, value }: AccountUpdate): void {
    this.#queue({ id: businessAccountId, changes: [{ field, value }] });
  }

  /** The handshake: true when the service echoes the challenge. */
  async verify(challenge: string): Promise<boolean> {
    const url = new URL(this.#options.url());
    url.searchParams.set('hub.mode', 'subscribe');
    url.searchParams.set('hub.challenge', challenge);
    url.searchParams.set('hub.verify_token', this.#options.verifyToken);
    const { status, body } = await this.#call('GET', url.href);
    return status === 200 && body === challenge;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#connections?.destroy();
  }

  async #call(method: 'GET' | 'POST', url: string, body?: Buffer): Promise<Delivered> {
    try {
      const { Agent, request } = clients();
      this.#connections ??= new Agent({ connections: 32 });
      const answer = await request(url, {
        method,
        dispatcher: this.#connections,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        headers:
          body === undefined
            ? {}
            : { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, this.#options.appSecret) },
        body: body ?? null,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.slice(0, ANSWER_CHARACTERS) };
    } catch (error) {
      return { status: 0, body: error instanceof Error ? error.message : 'no answer' };
    }
  }

  #entryOf({ phoneNumberId, field = 'messages', value }: Update): Entry {
    return {
      id: this.#options.businessAccountOf(phoneNumberId) ?? 'sandbox',
      changes: [
        {
          field,
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: this.#options.displayOf(phoneNumberId), phone_number_id: phoneNumberId },
            ...value,
          },
        },
      ],
    };
  }

  /** Neighbours of one account in one entry. */
  #post(entries: readonly Entry[]): Promise<Delivered> {
    const together: { id: string; changes: object[] }[] = [];
    for (const { id, changes } of entries) {
      const last = together.at(-1);
      if (last?.id === id) last.changes.push(...changes);
      else together.push({ id, changes: [...changes] });
    }
    const body = { object: 'whatsapp_business_account', entry: together };
    return this.#call('POST', this.#options.url(), Buffer.from(JSON.stringify(body)));
  }

  #later(ms: number): void {
    const { clock } = this.#options;
    if (this.#sending || this.#closed) return;
    this.#sending = true;
    this.#cancel = clock.steady.at(clock.steady.now() + ms, () => void this.#flush());
  }

  /** True if the oldest delivery is given up after this refusal. */
  #isOver(status: number): boolean {
    const { clock } = this.#options;
    const now = clock.steady.now();
    if (this.#tries === 1) this.#refusedSince = now;
    return isPassing(status) ? now - this.#refusedSince >= LONGEST_MS : this.#tries >= TRIES;
  }

  async #flush(): Promise<void> {
    const { log } = this.#options;
    if (this.#options.url() === '') {
      this.#sending = false;
      return this.#later(UNKNOWN_MS);
    }
    const batch = this.#waiting.slice(0, UPDATES_AT_ONCE);
    const { status } = await this.#post(batch);
    const taken = status >= 200 && status < 300;
    this.#tries = taken ? 0 : this.#tries + 1;
    if (taken || this.#isOver(status)) {
      if (!taken) log.warn({ updates: batch.length, status }, 'sandbox webhook updates dropped');
      const gone = new Set(batch);
      this.#waiting = this.#waiting.filter((update) => !gone.has(update));
      this.#tries = 0;
    }
    this.#sending = false;
    if (this.#waiting.length > 0)
      this.#later(this.#tries === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#tries));
  }

  #queue(entry: Entry): void {
    if (this.#waiting.length >= MOST_UPDATES) this.#waiting.shift();
    this.#waiting.push(entry);
    this.#later(GATHER_MS);
  }
}
