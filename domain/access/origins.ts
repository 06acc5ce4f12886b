/** Origins of pages in the form that browsers send: scheme, host, and the port if it is not the default of the scheme. */
import { type FieldProblem, refuse } from '../decider.js';

const MAX_ORIGINS = 50;
const MAX_LENGTH = 300;
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9][0-9]{0,4})?$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SECURE = new RegExp(`^https://${LABEL}(?:\\.${LABEL})*(?::[1-9][0-9]{0,4})?$`);

/** Normalizes as browsers do: small letters, without the default port of https. */
const plainOrigin = (origin: string): string => origin.toLowerCase().replace(/^(https:\/\/.+):443$/, '$1');

const isOrigin = (origin: string): boolean =>
  origin.length <= MAX_LENGTH && (SECURE.test(origin) || LOCAL.test(origin));

/** Returns the origins sorted and without repeats. Refuses `validation_failed` for invalid ones. http is only allowed for localhost. */
export function checkedOrigins(origins: readonly string[]): readonly string[] {
  const plain = origins.map(plainOrigin);
  const problems: FieldProblem[] = plain.flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [{ message: 'must be an origin such as https://shop.example', location: 'origins', value: origins[index] }],
  );
  if (plain.length > MAX_ORIGINS) problems.push({ message: `must be at most ${MAX_ORIGINS}`, location: 'origins' });
  if (problems.length > 0) refuse('validation_failed', 'The origins are not valid.', problems);
  return [...new Set(plain)].sort();
}

/** A key without origins does not allow embedding. */
export const allowsOrigin = (origins: readonly string[] | undefined, origin: string): boolean =>
  origins?.includes(plainOrigin(origin)) === true;
