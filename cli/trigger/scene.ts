/** Context of a triggered event: the API as the store, the sandbox as its customer. */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Suuq } from '../../client/src/client.js';
import { refuse } from '../../domain/decider.js';
import { messageOf } from '../../engine/messageOf.js';

/** Longest time for one step, and between two looks, in ms. */
const STEP_MS = 20_000;
const LOOK_MS = 100;
/** Longest wait for the sandbox, in ms. */
const ANSWER_MS = 15_000;

export interface Scene {
  readonly client: Suuq;
  /** True if the key is a partner's. */
  readonly isPartner: boolean;
  readonly workspaceId: string;
  readonly customer: Customer;
  /** Value of `--set`; undefined: not given. */
  set(name: string): string | undefined;
}

/** Polls until the answer is as expected. Refuses `not_in_time`. */
export async function until<T>(what: string, load: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + STEP_MS;
  for (;;) {
    const value = await load();
    if (good(value)) return value;
    if (performance.now() > deadline)
      return refuse(
        'not_in_time',
        `${what}: not within ${STEP_MS / 1000} s. Run 'suuq processors status' to see what is stuck.`,
      );
    await wait(LOOK_MS);
  }
}

interface Received {
  readonly flow?: { readonly token: string };
}

/** Somebody who writes to the store on the sandbox's channel. */
export interface Customer {
  /** With its plus. */
  readonly phone: string;
  /** Anything that the sandbox takes as a message; also of another customer of the same number. */
  send(message: object, as?: string): Promise<void>;
  call(): Promise<void>;
  /** Waits for the form with this token, which comes with an order's summary. */
  formFor(token: string): Promise<void>;
}

/** A number that nobody has used; its last four digits determine the payment's outcome. */
export const newPhone = (ending = String(randomInt(1000, 9000))): string => `25261${randomInt(100, 1000)}${ending}`;

/** `phone`: digits. */
export function customerAt(sandboxUrl: string, phoneNumberId: string, phone: string): Customer {
  const path = (who: string): string =>
    `${sandboxUrl}/sandbox/numbers/${phoneNumberId}/customers/${encodeURIComponent(who)}`;
  async function load(url: string, body?: object): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(url, {
        ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
    } catch (error) {
      return refuse('sandbox_unreachable', `The sandbox at ${sandboxUrl} does not answer: ${messageOf(error)}.`);
    }
    const answer = (await response.json().catch(() => ({}))) as { error?: string };
    return response.ok ? answer : refuse('sandbox_refused', answer.error ?? `The sandbox answered ${response.status}.`);
  }
  async function act(url: string, body: object): Promise<void> {
    const { webhook } = (await load(url, body)) as { readonly webhook?: { readonly status: number } };
    if (webhook?.status !== 200)
      refuse(
        'sandbox_refused',
        `The service did not accept the sandbox's webhook (${webhook?.status ?? 'no answer'}).`,
      );
  }
  const name = { name: 'Trigger' };
  return {
    phone: `+${phone}`,
    send: (message, as = phone) => act(`${path(as)}/messages`, { ...name, ...message }),
    call: () => act(`${path(phone)}/calls`, name),
    async formFor(token) {
      await until(
        'the checkout form',
        async () => ((await load(`${path(phone)}/messages`)) as { messages: readonly Received[] }).messages,
        (messages) => messages.some(({ flow }) => flow?.token === token),
      );
    },
  };
}
