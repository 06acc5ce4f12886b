/**
 * Stored for ever: that somebody was forgotten, stream `person-{personId}`. It says that there was somebody, and no longer who: the
 * id is random, and nothing leads to it any more. Add fields as optional.
 */
import type { Aggregate, Decision } from '../decider.js';
import { defineEvents, type EventsOf, event, Id } from '../storedEvents.js';

// Events ---------------------------------------------------------------------------------------------------------------
export const personEvents = defineEvents({
  PersonForgotten: event(
    'The operator has a customer forgotten: the key is destroyed under which all that tells of them was sealed.',
    { personId: Id('Random; the boxes in events name it.') },
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

/** Twice is once. */
export const forgetPerson =
  (personId: string): Decision<Person, PersonEvent> =>
  ({ isForgotten }) =>
    isForgotten ? [] : [{ type: 'PersonForgotten', data: { personId } }];
