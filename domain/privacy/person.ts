/**
 * Stored for ever: erasures of people, stream `person-{personId}`. The event records that somebody was erased, but not who: the id is
 * random, and nothing refers to it any more. Add fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { defined } from '../defined.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Id, Label, Maybe, Whole } from '../storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const personEvents = defineEvents({
  PersonForgotten: event(
    'The operator or a retention rule erases a customer or a member of a store. The key of their sealed data is destroyed.',
    {
      personId: Id('Random; the boxes in events name it.'),
      rule: Maybe(OneOf('store', 'default'), 'Owner of the rule. If absent, the operator requested the erasure.'),
      days: Maybe(Whole('Days without activity, according to the rule.')),
      lostKey: Maybe(Label('Reason why the operator marked events with lost keys as erased.')),
    },
  ),
});
export type PersonEvent = EventsOf<typeof personEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface Person {
  readonly isForgotten: boolean;
}

export const person: Aggregate<Person, PersonEvent> = {
  name: 'person',
  initial: () => ({ isForgotten: false }),
  evolve: () => ({ isForgotten: true }),
};

// Commands and decisions -----------------------------------------------------------------------------------------------

/** Retention rule that erased somebody without a request. */
export interface RetentionRule {
  readonly rule: 'store' | 'default';
  readonly days: number;
}

/** The key was lost before: the operator's reason for treating the events sealed under it as erased. */
export interface LostKey {
  readonly lostKey: string;
}

/** Erases the person. Repeating it changes nothing. */
export const forgetPerson =
  (personId: string, by: Partial<RetentionRule & LostKey> = {}): Decision<Person, PersonEvent> =>
  ({ isForgotten }) => {
    if (isForgotten) return [];
    const { rule, days, lostKey } = by;
    return [{ type: 'PersonForgotten', data: { personId, ...defined({ rule, days, lostKey }) } }];
  };
