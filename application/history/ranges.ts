/** Checks of times and ranges in queries about the past, in ms since 1970. */
import { refuse } from '../../domain/decider.js';

const text = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : String(at));

/** Refuses `range_reversed` if a range does not end after it starts. */
export function checkRange(from: number | undefined, to: number | undefined): void {
  if (from === undefined || to === undefined || from < to) return;
  refuse(
    'range_reversed',
    from === to
      ? `The start and the end of the range are both ${text(to)}. The end must be later.`
      : `The end of the range (${text(to)}) is before its start (${text(from)}). Swap the two.`,
  );
}

/** Refuses `before_first_event` for a time before the first event. */
export function checkMoment(what: string, moment: number, first: number): void {
  if (moment >= first) return;
  refuse('before_first_event', `The ${what} did not exist at ${text(moment)}. It begins at ${text(first)}.`);
}
