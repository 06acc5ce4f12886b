/**
 * Records in the log that an operator settled all earlier work: for a log whose work was lost, or that is an older copy
 * than its work. Stored events must stay readable for ever: add fields as optional.
 */
import type { Aggregate } from '../../../domain/decider.js';
import { Code, defineEvents, type EventsOf, event, Id, Label, List } from '../../../domain/storedEvents.js';
import type { WorkState } from './workOrigin.js';

// Events ---------------------------------------------------------------------------------------------------------------

export const settlementEvents = defineEvents({
  WorkSettled: event('The operator declares the backlog of the processors void.', {
    because: Code('`work_is_missing`: the backlog was unknown; `log_is_older`: the processors were ahead of the log.'),
    processors: List(Id(), 'Processors that were ahead of the log, whose tasks were discarded.'),
    reason: Label(),
  }),
});
export type WorkSettled = EventsOf<typeof settlementEvents>;

// State, evolve --------------------------------------------------------------------------------------------------------

/** Aggregate with one stream, `work-log`. It has no state, so it refuses nothing. */
export const settlements: Aggregate<null, WorkSettled> = { name: 'work', initial: () => null, evolve: () => null };
export const SETTLEMENTS = 'log';

// Commands, decide -----------------------------------------------------------------------------------------------------

export const settle =
  (because: Exclude<WorkState, { fits: true }>['code'], processors: readonly string[], reason: string) =>
  (): readonly WorkSettled[] => [{ type: 'WorkSettled', data: { because, processors, reason } }];
