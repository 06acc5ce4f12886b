/**
 * Times of sales and promotions. Earlier releases accepted a time whose offset leads beyond the years 0000 to 9999 and stored it as
 * `+010000-01-01T00:59:59.000Z`. Such a time is returned, and from then on stored, as the nearest time that a request may contain.
 */

const FIELDS = ['saleStartsAt', 'saleEndsAt', 'startsAt', 'endsAt'];
const LAST = '9999-12-31T23:59:59.999Z';
const FIRST = '0000-01-01T00:00:00.000Z';
const MARKS = ['At":"+', 'At":"-'];

/** Returns the nearest time from year 0000 to 9999. */
const nearest = (time: string): string => (time.startsWith('+') ? LAST : time.startsWith('-') ? FIRST : time);

/** Returns the body with each of these times in a form that a request may contain. */
export function withAcceptedTimes<Body extends object>(body: Body): Body {
  const times = Object.entries(body).filter(([name, value]) => FIELDS.includes(name) && typeof value === 'string');
  const changed = times.filter(([, time]) => nearest(time) !== time);
  if (changed.length === 0) return body;
  return { ...body, ...Object.fromEntries(changed.map(([name, time]) => [name, nearest(time)])) };
}

/** Same as `withAcceptedTimes`, for a body as JSON text. */
export const acceptedTimesIn = (json: string): string =>
  MARKS.some((mark) => json.includes(mark)) ? JSON.stringify(withAcceptedTimes(JSON.parse(json) as object)) : json;
