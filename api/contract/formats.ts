/** The formats that schemas may name; the compiler refuses others at the start. */
import type { Format } from 'ajv';
import { imageUrlProblem } from '../../domain/catalog/imageUrl.js';
import { isWebUrl } from '../../domain/urls.js';
import { visibleText } from '../../domain/visibleText.js';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3}0{0,6})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** Addresses by name of a domain with a point: no quoted local part, no literal address. Every engine of regular expressions reads it. */
export const EMAIL_PATTERN = `^${LOCAL}(?:\\.${LOCAL})*@${LABEL}(?:\\.${LABEL})+$`;
export const EMAIL_LENGTH = 320;
const EMAIL = new RegExp(EMAIL_PATTERN);
/** At most 64 characters before the at sign and 255 behind it. (RFC 5321, 4.5.3.1.) */
const isEmail = (text: string): boolean => /^.{1,64}@.{1,255}$/.test(text) && EMAIL.test(text);
const MAX_INT32 = 2 ** 31 - 1;

/** First and last ms that RFC 3339 has a year for in UTC, as answers are written. */
const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * RFC 3339 with the offset, on a day that the calendar has and in a year from 0000 to 9999 in UTC. Leap seconds and fractions of
 * milliseconds are not accepted: they would be stored as another time.
 */
function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (month < 1 || month > 12 || day < 1 || day > days) return false;
  // Only the offset of the first or the last day leads out of the years.
  if (year > 0 && year < 9999) return true;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS;
}

/** Returns whether the text is a day of this century, such as 2026-11-28. */
const isDate = (text: string): boolean => /^20\d\d-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`);

/**
 * Milliseconds since 1970 of an RFC 3339 time, whose seconds may be left out. Undefined for a day that no calendar has, and for a
 * bare local time, which would mean another moment on each machine.
 */
export function timeMs(typed: string): number | undefined {
  const time = typed.toUpperCase().replace(/T(\d\d:\d\d)(?=Z|[+-])/, 'T$1:00');
  return isDateTime(time) ? Date.parse(time) : undefined;
}

/**
 * int64 is what a JavaScript number holds exactly, ±(2^53 − 1): a larger one would be stored as another number than the
 * one that was sent.
 */
export const formats: Readonly<Record<string, Format>> = {
  uuid: UUID,
  'date-time': isDateTime,
  date: isDate,
  email: isEmail,
  uri: isWebUrl,
  'image-url': (text: string) => imageUrlProblem(text) === undefined,
  visible: (text: string) => visibleText(text) !== '',
  int32: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) <= MAX_INT32 + 0.5,
  },
  int64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) },
  double: { type: 'number', validate: (value: number) => Number.isFinite(value) },
};
