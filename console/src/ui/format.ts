/** Money, times and counts as people read them; a store's times are in its zone. */

const LOCALE = 'en-GB';

export const money = (cents: number, currency = 'USD'): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(cents / 100);

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string | undefined, kind: 'day' | 'second' | 'time' | 'exact'): Intl.DateTimeFormat {
  const key = `${zone} ${kind}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const minutes = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const options: Intl.DateTimeFormatOptions =
    kind === 'day'
      ? minutes
      : kind === 'second'
        ? { ...minutes, second: '2-digit' }
        : kind === 'time'
          ? { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }
          : { dateStyle: 'full', timeStyle: 'long' };
  const made = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone ?? 'UTC' });
  formats.set(key, made);
  return made;
}

/** Such as `22 Nov, 23:50`. */
export const day = (at: string, zone?: string): string => formatOf(zone, 'day').format(new Date(at));
/** Formats a date such as `2026-11-22` as `Sun, 22 Nov`. */
export const date = (value: string): string =>
  new Date(`${value}T00:00:00Z`).toLocaleDateString(LOCALE, {
    ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' },
  });
/** Formats a time such as `22 Nov, 23:50:11`, to distinguish events within a minute. */
export const second = (at: string, zone?: string): string => formatOf(zone, 'second').format(new Date(at));
/** Formats the time of today such as `23:50`, and the day otherwise. */
export function brief(at: string, zone: string | undefined, now = Date.now()): string {
  const [date, time] = day(at, zone).split(', ');
  return (date === day(new Date(now).toISOString(), zone).split(', ')[0] ? time : date) ?? at;
}
/** Such as `23:50:11.250`. */
export const clock = (at: string, zone?: string): string => formatOf(zone, 'time').format(new Date(at));
/** The zone's time in full, and the instant as it is stored. */
export const exact = (at: string, zone?: string): string => `${formatOf(zone, 'exact').format(new Date(at))} · ${at}`;

export const count = (value: number): string => new Intl.NumberFormat('en').format(value);

export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`;
}

/** `awaiting_payment` → `Awaiting payment`. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** `OrderStatusChanged` → `Order status changed`. */
export const typeWords = (type: string): string => {
  const text = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** How far a zone is ahead of UTC at an instant, in ms. */
function aheadMs(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(ms);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - Math.floor(ms / 1000) * 1000;
}

/** Converts a `datetime-local` field of a zone to an instant; undefined if it is no time, such as an empty field. */
export function fieldTime(value: string, zone = 'UTC'): string | undefined {
  const there = Date.parse(`${value.length === 16 ? `${value}:00` : value}Z`);
  if (Number.isNaN(there)) return undefined;
  // Twice, since the clocks may be changed between the two guesses.
  const guess = there - aheadMs(there, zone);
  return new Date(there - aheadMs(guess, zone)).toISOString();
}

/** When a day such as `2026-11-24` begins in a zone, as an instant; undefined for what is no day. */
export const dayBegins = (date: string, zone: string): string | undefined => fieldTime(`${date}T00:00`, zone);

/** An instant as a `datetime-local` field of a zone has it, to the second; what names no instant as it is. */
export function fieldValue(at: string, zone = 'UTC'): string {
  const ms = Date.parse(at);
  if (!NAMES_ZONE.test(at) || Number.isNaN(ms)) return at;
  return new Date(ms + aheadMs(ms, zone)).toISOString().slice(0, 19);
}

const NAMES_ZONE = /Z$|[+-]\d\d:\d\d$/;

/** The instant of a link, which may be written as a field has it. */
export const asTime = (value = '', zone?: string): string | undefined =>
  NAMES_ZONE.test(value) ? value : fieldTime(value, zone);

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Such as `1.2 GB`; 1 kB is 1,000 bytes. */
export function bytes(value: number): string {
  const unit = Math.min(UNITS.length - 1, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3));
  const shown = value / 1000 ** unit;
  return `${unit === 0 || shown >= 100 ? Math.round(shown) : shown.toFixed(1)} ${UNITS[unit]}`;
}
