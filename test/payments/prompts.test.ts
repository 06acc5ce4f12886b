/** Limits on payment prompts of a store's customers, and the numbers that customers have confirmed. */
import { expect } from 'chai';
import type { PaymentPromptEvent } from '../../domain/payments/promptEvents.js';
import {
  allowPrompt,
  CONFIRMED_MS,
  confirmPayer,
  isConfirmed,
  MOST_CONFIRMED,
  MOST_PROMPTS,
  type PaymentPrompts,
  paymentPrompts,
  promptLimit,
} from '../../domain/payments/prompts.js';
import { given, specMeta } from '../support/spec/given.js';

const NINE = Date.parse(specMeta.at);
const HOUR = 3_600_000;
const asha = { customer: 'chat-asha', payer: '+252615550101' };
const stranger = { customer: 'chat-asha', payer: '+252619999999' };

const allowed = (n: number, prompt = asha): PaymentPromptEvent => ({
  type: 'PaymentPromptAllowed',
  data: { reference: `order.${n}`, ...prompt },
});
const many = (count: number, prompt: (n: number) => typeof asha = () => asha): PaymentPromptEvent[] =>
  Array.from({ length: count }, (_, n) => allowed(n, prompt(n)));
/** Returns the state after these events. `at` gives the time of the nth event. */
const stateOf = (events: readonly PaymentPromptEvent[], at: (n: number) => number = () => NINE): PaymentPrompts =>
  events.reduce(
    (state, event, n) =>
      paymentPrompts.evolve(state, { ...event, meta: { ...specMeta, at: new Date(at(n)).toISOString() } }),
    paymentPrompts.initial(),
  );
const limitOf = (state: PaymentPrompts, who = asha, now = NINE) => promptLimit(who, now)(state);

describe('payment prompts of a store', () => {
  it('are counted once for each attempt, and rejected beyond the limits', () => {
    const next = { reference: 'order.9', ...asha };
    given(paymentPrompts, allowed(1))
      .when(allowPrompt(next, NINE))
      .then([allowed(9)]);
    given(paymentPrompts, ...many(MOST_PROMPTS.payer.hour))
      .when(allowPrompt({ ...next, reference: 'order.0' }, NINE))
      .then([]);
    given(paymentPrompts, ...many(MOST_PROMPTS.payer.hour))
      .when(allowPrompt(next, NINE))
      .thenRefused('payment_prompt_limit');
  });

  it('reach one phone within its limits, whichever customer sends them', () => {
    const byOthers = (n: number) => ({ customer: `chat-${n}`, payer: asha.payer });
    expect(limitOf(stateOf(many(MOST_PROMPTS.payer.hour - 1, byOthers)))).to.equal(undefined);
    const full = stateOf(many(MOST_PROMPTS.payer.hour, byOthers));
    expect(limitOf(full)).to.equal('hour');
    expect(limitOf(full, { ...asha, payer: '+252615550102' })).to.equal(undefined);
    expect(limitOf(full, asha, NINE + HOUR - 1)).to.equal('hour');
    expect(limitOf(full, asha, NINE + HOUR)).to.equal(undefined);
    const mexico = { ...asha, payer: '+525512345678' };
    const own = stateOf(many(MOST_PROMPTS.payer.hour, () => ({ ...mexico, payer: '+5215512345678' })));
    expect(limitOf(own, { ...mexico, customer: 'chat-1' })).to.equal('hour');
    const inADay = (n: number): number => NINE + n * HOUR;
    const day = stateOf(many(MOST_PROMPTS.payer.day, byOthers), inADay);
    expect(limitOf(day, asha, NINE + 23 * HOUR)).to.equal('day');
    expect(limitOf(day, asha, NINE + 24 * HOUR)).to.equal(undefined);
  });

  it('of one customer are limited across all phones', () => {
    const toOthers = (n: number) => ({ customer: asha.customer, payer: `+2526199999${n}` });
    expect(limitOf(stateOf(many(MOST_PROMPTS.customer.hour - 1, toOthers)))).to.equal(undefined);
    const full = stateOf(many(MOST_PROMPTS.customer.hour, toOthers));
    expect(limitOf(full)).to.equal('hour');
    expect(limitOf(full, { ...asha, customer: 'chat-hodan' })).to.equal(undefined);
    const spread = (n: number): number => NINE + Math.floor(n / 2) * HOUR;
    expect(limitOf(stateOf(many(MOST_PROMPTS.customer.day, toOthers), spread), asha, NINE + 20 * HOUR)).to.equal('day');
  });

  it('of all customers together are limited', () => {
    const ofMany = (n: number) => ({ customer: `chat-${n}`, payer: `+2526${n}` });
    expect(limitOf(stateOf(many(MOST_PROMPTS.store.hour - 1, ofMany)))).to.equal(undefined);
    expect(limitOf(stateOf(many(MOST_PROMPTS.store.hour, ofMany)))).to.equal('hour');
    const spread = (n: number): number => NINE + Math.floor(n / 300) * HOUR;
    expect(limitOf(stateOf(many(MOST_PROMPTS.store.day, ofMany), spread), asha, NINE + 22 * HOUR)).to.equal('day');
  });

  it('store a number that a customer confirmed, for that customer and for a limited time', () => {
    given(paymentPrompts)
      .when(confirmPayer(stranger, NINE))
      .then([{ type: 'PayerConfirmed', data: stranger }]);
    const state = stateOf([{ type: 'PayerConfirmed', data: stranger }]);
    // The same answer again, and a later one.
    expect(confirmPayer(stranger, NINE)(state)).to.deep.equal([]);
    expect(confirmPayer(stranger, NINE + 1)(state)).to.have.lengthOf(1);
    expect(isConfirmed(stranger, NINE)(state)).to.equal(true);
    expect(isConfirmed(stranger, NINE + CONFIRMED_MS)(state)).to.equal(false);
    expect(isConfirmed({ ...stranger, customer: 'chat-hodan' }, NINE)(state)).to.equal(false);
    expect(isConfirmed(asha, NINE)(state)).to.equal(false);
    const mexico = { customer: 'chat-asha', payer: '+525512345678' };
    const other = stateOf([{ type: 'PayerConfirmed', data: mexico }]);
    expect(isConfirmed({ ...mexico, payer: '+5215512345678' }, NINE)(other)).to.equal(true);
  });

  it('keep a state of limited size, and the same after a snapshot', () => {
    const confirmed = Array.from({ length: MOST_CONFIRMED + 1 }, (_, n): PaymentPromptEvent => {
      return { type: 'PayerConfirmed', data: { customer: `chat-${n}`, payer: asha.payer } };
    });
    const days = 10;
    const each = 2_000;
    const prompts = many(days * each, (n) => ({ customer: `chat-${n}`, payer: `+2526${n}` }));
    const state = stateOf(
      [...confirmed, ...prompts],
      (n) => NINE + Math.max(0, n - MOST_CONFIRMED) * (24 / each) * HOUR,
    );
    expect(state.confirmed.size).to.equal(MOST_CONFIRMED);
    expect(state.prompts.size).to.equal(each);
    const { write, read } = paymentPrompts.snapshot!;
    const reader = read();
    for (const chunk of write(state)) reader.add(JSON.parse(JSON.stringify(chunk)));
    expect(reader.done()).to.deep.equal(state);
  });
});
