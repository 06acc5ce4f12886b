/** Days of a store: dates of its time zone, and the moments at which they begin. */
import { SLOT_MS } from '../../projections/salesSlots.js';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns the date, as YYYY-MM-DD, of a moment in ms since 1970. `timeZone`: an IANA name. */
export const dateIn = (timeZone: string, at: number): string => formatOf(timeZone).format(at);

/** Returns the date so many days later, or earlier where `days` is negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns when a date begins, in ms since 1970: a whole slot, also where clocks are changed at midnight. */
export function startOf(timeZone: string, date: string): number {
  // No time zone is further from UTC than 14 hours.
  let [before, at] = [
    Date.parse(`${date}T00:00:00Z`) - 15 * 3_600_000,
    Date.parse(`${date}T00:00:00Z`) + 15 * 3_600_000,
  ];
  while (at - before > SLOT_MS) {
    const middle = before + Math.floor((at - before) / 2 / SLOT_MS) * SLOT_MS;
    if (dateIn(timeZone, middle) < date) before = middle;
    else at = middle;
  }
  return at;
}

/** Returns the dates from the first to the last, both of them included. */
export function datesBetween(first: string, last: string): readonly string[] {
  const dates: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}
