/**
 * Stored for ever: that somebody was forgotten, stream `person-{personId}`. It says that there was somebody, and no longer who: the
 * id is random, and nothing leads to it any more. Add fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { defined } from '../defined.js';
import { OneOf } from '../schema.js';
import { defineEvents, type EventsOf, event, Id, Maybe, Whole } from '../storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const personEvents = defineEvents({
  PersonForgotten: event(
    'The operator, or a rule of theirs, has a customer or one of the people of a store forgotten: the key is destroyed under which all that tells of them was sealed.',
    {
      personId: Id('Random; the boxes in events name it.'),
      rule: Maybe(OneOf('store', 'default'), 'Whose rule it was. Absent: the operator asked for it.'),
      days: Maybe(Whole('Of the rule: so long nothing new of theirs had happened.')),
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

/** Why somebody is forgotten without being asked for. */
export interface RetentionRule {
  readonly rule: 'store' | 'default';
  readonly days: number;
}

/** Twice is once. */
export const forgetPerson =
  (personId: string, by?: RetentionRule): Decision<Person, PersonEvent> =>
  ({ isForgotten }) =>
    isForgotten
      ? []
      : [{ type: 'PersonForgotten', data: { personId, ...defined({ rule: by?.rule, days: by?.days }) } }];
