/**
 * Stored for ever: after how long without anything new of theirs customers are forgotten of themselves; stream
 * `retention-{workspaceId}` of a store, `retention-default` of all that have no rule of their own. Add fields as optional.
 */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { defineEvents, type EventsOf, event, Maybe, Whole } from '../storedEvents.js';

/** In place of a workspace id: the rule of all stores that have none. */
export const DEFAULT_RULE = 'default';
/** Whole days between which a rule must lie. */
export const LEAST_DAYS = 30;
export const MOST_DAYS = 36_500;

// Events ---------------------------------------------------------------------------------------------------------------
export const retentionEvents = defineEvents({
  RetentionSet: event('The operator says after how long without anything new of theirs customers are forgotten.', {
    days: Maybe(Whole('Absent: never.')),
  }),
  RetentionCleared: event('The operator takes the rule of a store away: from now on the default holds there.', {}),
});
export type RetentionEvent = EventsOf<typeof retentionEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface Retention {
  /** Undefined: there is no rule here. */
  readonly days?: number | 'forever';
  /** How many events led to it: tells one rule from the next. */
  readonly turn: number;
}

export const retention: Aggregate<Retention, RetentionEvent> = {
  name: 'retention',
  initial: () => ({ turn: 0 }),
  evolve: ({ turn }, { type, data }) =>
    type === 'RetentionSet' ? { days: data.days ?? 'forever', turn: turn + 1 } : { turn: turn + 1 },
};

// Commands and decisions -----------------------------------------------------------------------------------------------
export const isRetentionDays = (days: unknown): days is number =>
  Number.isSafeInteger(days) && (days as number) >= LEAST_DAYS && (days as number) <= MOST_DAYS;

/** Said again, it changes nothing. Refuses `validation_failed`. */
export const setRetention =
  (days: number | 'forever'): Decision<Retention, RetentionEvent> =>
  (before) => {
    if (days !== 'forever' && !isRetentionDays(days))
      refuse('validation_failed', `A rule has ${LEAST_DAYS} to ${MOST_DAYS} whole days, or lasts for ever.`);
    if (before.days === days) return [];
    return [{ type: 'RetentionSet', data: defined({ days: days === 'forever' ? undefined : days }) }];
  };

/** The default holds again. Where there is no rule it changes nothing. */
export const clearRetention = (): Decision<Retention, RetentionEvent> => (before) =>
  before.days === undefined ? [] : [{ type: 'RetentionCleared', data: {} }];
