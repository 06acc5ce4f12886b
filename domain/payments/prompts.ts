/** Limits of payment prompts to phones, and the numbers that customers have confirmed. */
import { formsOf } from '../channel/phoneForms.js';
import { type Aggregate, type Decision, refuse, type WithMeta } from '../decider.js';
import { inChunks } from '../inChunks.js';
import type { PaymentPromptEvent } from './promptEvents.js';

// Events: PaymentPromptEvent in promptEvents.ts ------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Tolerance for clocks. A later time was recorded by a clock that was set back since, and is ignored. */
const CLOCK_SKEW_MS = 60_000;

export type PromptPeriod = 'hour' | 'day';

/**
 * Maximum prompts in any hour and in any 24 hours: by one customer, to one phone, and of one store. They allow a few attempts of a customer
 * whose wallet is empty or whose PIN is wrong, protect phones from ringing all day, and allow all sales of a store.
 */
export const MOST_PROMPTS = {
  customer: { hour: 10, day: 30 },
  payer: { hour: 5, day: 12 },
  store: { hour: 600, day: 6_000 },
} as const satisfies Record<string, Record<PromptPeriod, number>>;

/** Validity of a customer's confirmation of a number, in ms. */
export const CONFIRMED_MS = 30 * DAY;
/** Maximum retained confirmations of a store. A customer whose confirmation was evicted has to confirm again. */
export const MOST_CONFIRMED = 5_000;

interface Prompt {
  readonly customer: string;
  readonly payer: string;
  /** ms since 1970. */
  readonly at: number;
}

export interface PaymentPrompts {
  /** Prompts of the last 24 hours by reference, oldest first. */
  readonly prompts: Map<string, Prompt>;
  /** Times of confirmation by customer and number, oldest first. */
  readonly confirmed: Map<string, number>;
}

const pair = (customer: string, payer: string): string => `${customer} ${formsOf(payer)[0]}`;

function forgetBefore(prompts: Map<string, Prompt>, at: number): void {
  for (const [reference, prompt] of prompts) {
    if (prompt.at > at) return;
    prompts.delete(reference);
  }
}

function confirmedAt(confirmed: Map<string, number>, name: string, at: number): void {
  confirmed.delete(name);
  confirmed.set(name, at);
  if (confirmed.size > MOST_CONFIRMED) confirmed.delete(confirmed.keys().next().value!);
}

function evolve(state: PaymentPrompts, event: WithMeta<PaymentPromptEvent>): PaymentPrompts {
  const at = Date.parse(event.meta.at);
  const { customer, payer } = event.data;
  if (event.type === 'PayerConfirmed') confirmedAt(state.confirmed, pair(customer, payer), at);
  else {
    forgetBefore(state.prompts, at - DAY);
    state.prompts.set(event.data.reference, { customer, payer, at });
  }
  return state;
}

const BYTES_EACH = 250;

/** Stream `paymentPrompts-{workspaceId}`. All prompts of a store share it, with one small append each. */
export const paymentPrompts: Aggregate<PaymentPrompts, PaymentPromptEvent> = {
  name: 'paymentPrompts',
  initial: () => ({ prompts: new Map(), confirmed: new Map() }),
  evolve,
  weigh: ({ prompts, confirmed }) => 500 + (prompts.size + confirmed.size) * BYTES_EACH,
  snapshot: {
    version: 1,
    every: 2_000,
    *write({ prompts, confirmed }) {
      for (const part of inChunks([...prompts])) yield { prompts: part };
      for (const part of inChunks([...confirmed])) yield { confirmed: part };
    },
    read() {
      const state = paymentPrompts.initial();
      return {
        add(chunk) {
          const { prompts = [], confirmed = [] } = chunk as Partial<Record<keyof PaymentPrompts, [string, never][]>>;
          for (const [reference, prompt] of prompts) state.prompts.set(reference, prompt);
          for (const [name, at] of confirmed) state.confirmed.set(name, at);
        },
        done: () => state,
      };
    },
  },
};

// Decisions ------------------------------------------------------------------------------------------------------
type PromptDecision = Decision<PaymentPrompts, PaymentPromptEvent>;

export interface Payer {
  readonly customer: string;
  /** '+' and digits. */
  readonly payer: string;
}

/**
 * Records one more prompt to this phone at `now` (ms since 1970). A payment attempt counts once. Refuses `payment_prompt_limit` above the
 * limits.
 */
export const allowPrompt =
  ({ reference, customer, payer }: Payer & { readonly reference: string }, now: number): PromptDecision =>
  (state) => {
    if (state.prompts.has(reference)) return [];
    const period = promptLimit({ customer, payer }, now)(state);
    if (period !== undefined)
      refuse('payment_prompt_limit', `There were too many payment prompts in the last ${period}.`);
    return [{ type: 'PaymentPromptAllowed', data: { reference, customer, payer } }];
  };

/**
 * Records the customer's confirmation of this number, given at `at` (ms since 1970). Confirming it again extends the validity. Nothing
 * changes if one from `at` or later is recorded, as when a task is performed again.
 */
export const confirmPayer =
  ({ customer, payer }: Payer, at: number): PromptDecision =>
  ({ confirmed }) =>
    (confirmed.get(pair(customer, payer)) ?? Number.NEGATIVE_INFINITY) >= at
      ? []
      : [{ type: 'PayerConfirmed', data: { customer, payer } }];

// Queries --------------------------------------------------------------------------------------------------------
/** Returns the longest period whose limit of prompts to this phone is reached at `now`. Undefined: a prompt may be sent. */
export const promptLimit =
  ({ customer, payer }: Payer, now: number) =>
  ({ prompts }: PaymentPrompts): PromptPeriod | undefined => {
    const forms = formsOf(payer);
    const isFull = (sent: readonly Prompt[], period: PromptPeriod): boolean =>
      sent.length >= MOST_PROMPTS.store[period] ||
      sent.filter((prompt) => prompt.customer === customer).length >= MOST_PROMPTS.customer[period] ||
      sent.filter((prompt) => forms.includes(prompt.payer)).length >= MOST_PROMPTS.payer[period];
    const day = [...prompts.values()].filter(({ at }) => at > now - DAY && at <= now + CLOCK_SKEW_MS);
    if (isFull(day, 'day')) return 'day';
    const hour = day.filter(({ at }) => at > now - HOUR);
    return isFull(hour, 'hour') ? 'hour' : undefined;
  };

/** Returns true if the customer's confirmation of this number is valid at `now` (ms since 1970). */
export const isConfirmed =
  ({ customer, payer }: Payer, now: number) =>
  ({ confirmed }: PaymentPrompts): boolean =>
    (confirmed.get(pair(customer, payer)) ?? Number.NEGATIVE_INFINITY) > now - CONFIRMED_MS;
