/** The formats that schemas may name; the compiler refuses others at the start. */
import type { Format } from 'ajv';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = new RegExp(`^(?=.{1,320}$)(?=[^@]{1,64}@)${LOCAL}(?:\\.${LOCAL})*@${LABEL}(?:\\.${LABEL})+$`);
const MAX_INT32 = 2 ** 31 - 1;

/** RFC 3339 with the offset, on a day that the calendar has. Leap seconds are not accepted. */
function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text);
}

/**
 * int64 is what a JavaScript number holds exactly, ±(2^53 − 1): a larger one would be stored as another number than the
 * one that was sent.
 */
export const formats: Readonly<Record<string, Format>> = {
  uuid: UUID,
  'date-time': isDateTime,
  email: EMAIL,
  uri: isUri,
  int32: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) <= MAX_INT32 + 0.5,
  },
  int64: { type: 'number', validate: (value: number) => Number.isSafeInteger(value) },
  double: { type: 'number', validate: (value: number) => Number.isFinite(value) },
};
