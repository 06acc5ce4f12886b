import { refuse } from '../../domain/decider.js';

/** Whether the name stands in the IANA time zone database that this Node carries. Offsets such as +03:00 are no names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Refuses with `validation_failed` at `location` unless the name is known. */
export function checkTimezone(name: string, location: string): void {
  if (isTimezone(name)) return;
  const message = 'must be an IANA time zone name, such as Africa/Mogadishu';
  refuse('validation_failed', `${location} is no known time zone.`, [{ message, location, value: name }]);
}
