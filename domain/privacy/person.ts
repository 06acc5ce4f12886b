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
    'The operator, or a rule of theirs, has a customer or one of the people of a store forgotten: the key is destroyed under which all that tells of them was sealed.',
    {
      personId: Id('Random; the boxes in events name it.'),
      rule: Maybe(OneOf('store', 'default'), 'Whose rule it was. Absent: the operator asked for it.'),
      days: Maybe(Whole('Of the rule: so long nothing new of theirs had happened.')),
      lostKey: Maybe(
        Label('Why the operator has events read as erased whose key was lost, without anybody having been forgotten.'),
      ),
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
