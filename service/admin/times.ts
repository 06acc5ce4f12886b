export const EXAMPLE_TIME = '2026-11-01T12:00:00Z';

/** RFC 3339 or any other time that names its offset; a bare local time would mean another moment on each machine. */
export const isTime = (typed: string): boolean =>
  !Number.isNaN(Date.parse(typed)) && /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/i.test(typed);
