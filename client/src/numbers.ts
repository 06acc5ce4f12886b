/** Longest time that a timer of JavaScript can wait, in ms: a longer one, and NaN, would end at once. */
const MOST_MS = 2_147_483_647;

/** Refuses a number that is none, or beyond its bounds: compared with NaN nothing is too old, too late or too often. */
export function checkNumber(name: string, value: number | undefined, least = 0, most: number = MOST_MS): void {
  if (value !== undefined && !(value >= least && value <= most))
    throw new RangeError(`${name} must be a finite number from ${least} to ${most}.`);
}
