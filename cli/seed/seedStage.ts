/** Means of seeding a store: the API as the store, the sandbox as its customers. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Suuq } from '../../client/src/client.js';
import { refuse } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import { messageOf } from '../../engine/messageOf.js';

/** Longest time for one step, and between two polls, in ms. */
const STEP_MS = 30_000;
const POLL_MS = 50;
/** Longest wait for an answer of the sandbox, in ms. */
const ANSWER_MS = 15_000;
/** Requests for one message, while the service is unavailable. */
const TRIES = 5;
const RETRY_MS = 500;

interface Received {
  readonly flow?: { readonly token: string };
}

/** Anything that the sandbox accepts, with an id of its own. */
interface CustomerMessage {
  readonly wamid: string;
  readonly [member: string]: unknown;
}

export interface SeedPlace {
  readonly client: Suuq;
  readonly workspaceId: string;
  readonly sandboxUrl: string;
  /** The channel's id of the store's number. */
  readonly phoneNumberId: string;
  /** Runs a command of the operator in the service. */
  execute(command: string, input: object): Promise<object>;
  /** Stops the seeding between two steps. */
  readonly signal: AbortSignal;
}

export class SeedStage {
  readonly client: Suuq;
  readonly workspaceId: string;
  readonly execute: SeedPlace['execute'];
  readonly #place: SeedPlace;

  constructor(place: SeedPlace) {
    this.#place = place;
    this.client = place.client;
    this.execute = place.execute;
    this.workspaceId = place.workspaceId;
  }

  /** Returns the id of an object of this store. It is the same in each run. */
  id(...names: readonly string[]): string {
    return derivedId('seed', this.workspaceId, ...names);
  }

  /** Returns the channel's id of a customer's message. It is the same in each run, so that each message is received once. */
  messageId(...names: readonly string[]): string {
    return `wamid.${this.id(...names)}`;
  }

  /** Polls until there is a value. Refuses `not_in_time`. Rejects with the signal's reason. */
  async until<T>(what: string, poll: () => Promise<T | undefined>): Promise<T> {
    const { signal } = this.#place;
    const deadline = performance.now() + STEP_MS;
    for (;;) {
      signal.throwIfAborted();
      const value = await poll();
      if (value !== undefined) return value;
      if (performance.now() > deadline)
        return refuse(
          'not_in_time',
          `No result within ${STEP_MS / 1000} s: ${what}. Find the cause with 'suuq processors status', then run 'suuq seed' again.`,
        );
      await this.#pause(POLL_MS);
    }
  }

  /** Sends a message as the customer. A message with the `wamid` of an earlier one is delivered again and has no effect. */
  async write(customer: { readonly phone: string; readonly name: string }, message: CustomerMessage) {
    const { signal } = this.#place;
    const body = JSON.stringify({ name: customer.name, ...message });
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const status = await this.#delivered(customer.phone, body);
      if (status === 200) return;
      if (tries === TRIES)
        refuse('sandbox_refused', `The service did not accept the sandbox's webhook (${status || 'no answer'}).`);
      await this.#pause(RETRY_MS);
    }
  }

  /** Waits for the checkout form with this token. */
  async formFor(phone: string, token: string): Promise<void> {
    await this.until('the checkout form', async () => {
      const { messages } = (await this.#call(phone)) as { readonly messages: readonly Received[] };
      return messages.find(({ flow }) => flow?.token === token);
    });
  }

  /** Rejects with the signal's reason. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#place;
    await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  /** Status of the service's answer to the message. */
  async #delivered(phone: string, body: string): Promise<number> {
    const { webhook } = (await this.#call(phone, body)) as { readonly webhook?: { readonly status: number } };
    return webhook?.status ?? 0;
  }

  async #call(phone: string, body?: string): Promise<unknown> {
    const { sandboxUrl, phoneNumberId, signal } = this.#place;
    const url = `${sandboxUrl}/sandbox/numbers/${phoneNumberId}/customers/${phone}/messages`;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const sent = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const response = await fetch(url, { ...sent, signal: limit }).catch((error: unknown) => {
      signal.throwIfAborted();
      return refuse('sandbox_unreachable', `The sandbox at ${sandboxUrl} does not answer: ${messageOf(error)}.`);
    });
    const answer = (await response.json().catch(() => ({}))) as { readonly error?: string };
    if (response.ok) return answer;
    return refuse('sandbox_refused', answer.error ?? `The sandbox answered ${response.status}.`);
  }
}
