/**
 * Stored for ever: time without activity after which customers are erased automatically. Stream `retention-{workspaceId}` of a store,
 * `retention-default` for all stores without a rule of their own. Add fields as optional.
 */
import { type Aggregate, type Decision, refuse } from '../decider.js';
import { defined } from '../defined.js';
import { defineEvents, type EventsOf, event, Maybe, Whole } from '../storedEvents.js';

/** Replaces the workspace id in the rule of all stores without their own. */
export const DEFAULT_RULE = 'default';
/** Minimum and maximum of a rule, in whole days. */
export const LEAST_DAYS = 30;
export const MOST_DAYS = 36_500;

// Events ---------------------------------------------------------------------------------------------------------------
export const retentionEvents = defineEvents({
  RetentionSet: event('The operator sets the number of days without activity after which customers are erased.', {
    days: Maybe(Whole('Absent: never.')),
  }),
  RetentionCleared: event('The operator removes the rule of a store. From now on, the default applies.', {}),
});
export type RetentionEvent = EventsOf<typeof retentionEvents>;

// State and evolve -----------------------------------------------------------------------------------------------------
export interface Retention {
  /** Undefined: no rule here. */
  readonly days?: number | 'forever';
  /** Number of events, which distinguishes each rule from the next. */
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

/** Sets the rule. Repeating it changes nothing. Refuses `validation_failed`. */
export const setRetention =
  (days: number | 'forever'): Decision<Retention, RetentionEvent> =>
  (before) => {
    if (days !== 'forever' && !isRetentionDays(days))
      refuse('validation_failed', `A rule has ${LEAST_DAYS} to ${MOST_DAYS} whole days, or lasts for ever.`);
    if (before.days === days) return [];
    return [{ type: 'RetentionSet', data: defined({ days: days === 'forever' ? undefined : days }) }];
  };

/** Removes the store's rule, so that the default applies. No event if there is no rule. */
export const clearRetention = (): Decision<Retention, RetentionEvent> => (before) =>
  before.days === undefined ? [] : [{ type: 'RetentionCleared', data: {} }];
