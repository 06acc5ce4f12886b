/** Origins of pages, as browsers write them: scheme, host and a port that is not the scheme's own. */
import { type FieldProblem, refuse } from '../decider.js';

const MAX_ORIGINS = 50;
const MAX_LENGTH = 300;
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9][0-9]{0,4})?$/;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SECURE = new RegExp(`^https://${LABEL}(?:\\.${LABEL})*(?::[1-9][0-9]{0,4})?$`);

/** As browsers compare them: small letters, without https's own port. */
const plainOrigin = (origin: string): string => origin.toLowerCase().replace(/^(https:\/\/.+):443$/, '$1');

const isOrigin = (origin: string): boolean =>
  origin.length <= MAX_LENGTH && (SECURE.test(origin) || LOCAL.test(origin));

/** Sorted and without repeats. Refuses `validation_failed` for what is no origin; http only on the developer's machine. */
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

/** A key without origins is not for embedding. */
export const allowsOrigin = (origins: readonly string[] | undefined, origin: string): boolean =>
  origins?.includes(plainOrigin(origin)) === true;
